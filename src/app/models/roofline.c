// roofline.c: the model of two roofs: what arithmetic and memory allow at so many operations per byte.
#include "app/models/roofline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum { PROFILE, ROOFS, BESIDE, FLOPS, BYTES };
enum { POINTS_TOLD = 3 };

static const char *const besides[] = {"none",
#define ARCH(name, ...) name,
#include "model/arch.def"
#undef ARCH
};

static const char *const roof_choices[] = {"data sheet",
#define ROOF(ID, name, ...) name,
#include "model/roofs.def"
};

static RecipeParam params[] = {
    [PROFILE] = MODEL_PROFILE,
    [ROOFS] = {.name = "roofs", .help = "of its data sheet (fp32), or as measured: which unit computes",
               .is_text = true, .max = ROOF_KINDS, .step = 1, .choices = (const char **)roof_choices,
               .choice_count = LS_COUNT(roof_choices)},
    [BESIDE] = {.name = "beside", .help = "a second device", .is_text = true, .fallback = 1, .max = MODEL_PROFILES,
                .step = 1, .choices = (const char **)besides, .choice_count = LS_COUNT(besides)},
    [FLOPS] = {.name = "flops", .help = "operations of the kernel, for so many bytes", .fallback = 2, .min = 1,
               .max = 4096,
               .log2 = true, .step = 1},
    [BYTES] = {.name = "bytes", .help = "bytes that it moves for these operations", .fallback = 8, .min = 1,
               .max = 4096,
               .log2 = true, .step = 1},
};

// ---- points --------------------------------------------------------------------------------------------------------

// NAME:FLOP_PER_BYTE or NAME:FLOP_PER_BYTE:GFLOPS; *text goes to the next one. False: it is none.
static bool read_point(const char **text, RooflinePoint *point) {
  char word[96], *number;
  size_t length = strcspn(*text, " ");
  snprintf(word, sizeof word, "%.*s", (int)LS_MIN(length, sizeof word - 1), *text);
  *text += length;
  *text += strspn(*text, " ");
  number = strchr(word, ':');
  if (!number || number == word || length >= sizeof word) return false;
  *number++ = 0;
  char *rate = strchr(number, ':');
  if (rate) *rate++ = 0;
  *point = (RooflinePoint){.gflops = 0};
  snprintf(point->name, sizeof point->name, "%.*s", ROOFLINE_NAME - 1, word);
  if (!ls_parse_f64(number, &point->intensity) || !(point->intensity > 0) || point->intensity > 1e6) return false;
  return !rate || (ls_parse_f64(rate, &point->gflops) && point->gflops > 0 && point->gflops < 1e9);
}

static bool check(const char *script, LsErr *err) {
  RooflinePoint point;
  int count = 0;
  for (const char *p = script; *p;) {
    const char *at = p;
    if (!read_point(&p, &point))
      return ls_fail(err, LS_EREQUEST, "'%.40s' is no point: NAME:FLOP_PER_BYTE or NAME:FLOP_PER_BYTE:GFLOPS", at);
    if (++count > ROOFLINE_POINTS) return ls_fail(err, LS_EREQUEST, "at most %d points have room", ROOFLINE_POINTS);
  }
  return true;
}

void roofline_model(const ModelValues *values, RooflineModel *out) {
  int beside = model_int(values, BESIDE);
  *out = (RooflineModel){.arch = model_profile(model_int(values, PROFILE)),
                         .beside = beside ? model_profile(beside - 1) : NULL,
                         .intensity = (double)model_int(values, FLOPS) / model_int(values, BYTES)};
  int asked = model_int(values, ROOFS);
  roofline_of(out->arch, &out->roofs);
  out->kind = (RoofKind)LS_MAX(asked - 1, 0);
  out->measured = asked && roofline_measured(out->arch, out->kind, &out->roofs);
  out->not_measured = asked && !out->measured;
  out->attainable = roofline_attainable(&out->roofs, out->intensity);
  if (out->beside) roofline_of(out->beside, &out->others);
  if (out->beside) out->other_attainable = roofline_attainable(&out->others, out->intensity);
  for (const char *p = values->script; *p && out->point_count < ROOFLINE_POINTS;)
    if (!read_point(&p, &out->points[out->point_count++])) out->point_count--;
}

// ---- numbers and words ---------------------------------------------------------------------------------------------

// Of each point, by its place in the list: p1_intensity, and, where it was measured, how near to the roof it is.
static void point_facts(const RooflineModel *m, ModelFacts *out) {
  for (int i = 0; i < m->point_count; i++) {
    const RooflinePoint *p = &m->points[i];
    char name[32];
    snprintf(name, sizeof name, "p%d_intensity", i + 1);
    fact_number(out, name, "flop per byte", p->intensity);
    snprintf(name, sizeof name, "p%d_gflops", i + 1);
    fact_number(out, name, "Gflop/s", p->gflops > 0 ? p->gflops : NAN);
    snprintf(name, sizeof name, "p%d_of_roof", i + 1);
    fact_number(out, name, "", p->gflops > 0 ? p->gflops / roofline_attainable(&m->roofs, p->intensity) : NAN);
  }
}

static void facts(const ModelValues *values, ModelFacts *out) {
  RooflineModel m;
  roofline_model(values, &m);
  fact_number(out, "peak", "Gflop/s", m.roofs.peak_gflops);
  fact_number(out, "bandwidth", "GB/s", m.roofs.bandwidth_gbs);
  Roofline sheet;
  roofline_of(m.arch, &sheet);
  bool same_unit = m.measured && m.kind == ROOF_FP32;
  fact_number(out, "share_of_sheet", "", same_unit ? m.roofs.peak_gflops / sheet.peak_gflops : NAN);
  fact_number(out, "ridge", "flop per byte", m.roofs.ridge);
  fact_number(out, "intensity", "flop per byte", m.intensity);
  fact_number(out, "attainable", "Gflop/s", m.attainable);
  fact_number(out, "share_of_peak", "", m.attainable / m.roofs.peak_gflops);
  fact_text(out, "bound", m.intensity < m.roofs.ridge ? "memory" : "arithmetic");
  fact_number(out, "beside_ridge", "flop per byte", m.beside ? m.others.ridge : NAN);
  point_facts(&m, out);
  fact_number(out, "beside_attainable", "Gflop/s", m.beside ? m.other_attainable : NAN);
}

static void words(const ModelValues *values, LsText *out) {
  RooflineModel m;
  roofline_model(values, &m);
  const char *how = m.measured ? ", measured" : "";
  if (m.not_measured) ls_text_add(out, "Nobody has measured this device: these are its data sheet's roofs. ");
  ls_text_addf(out, "%s%s: %.0f GB/s and %.0f Gflop/s meet at %.3g flop per byte. ", m.arch->title, how,
               m.roofs.bandwidth_gbs, m.roofs.peak_gflops, m.roofs.ridge);
  if (m.intensity < m.roofs.ridge) {
    double share = m.attainable / m.roofs.peak_gflops;
    ls_text_addf(out, "At %.3g memory is the limit: %.4g Gflop/s, %.3g %% of the peak. ", m.intensity, m.attainable,
                 100 * share);
    if (2 * share <= 1) ls_text_add(out, "Twice the use of each byte would be twice as fast.");
    else ls_text_addf(out, "More use of each byte gives at most %.3g %% more.", 100 / share - 100);
  } else ls_text_addf(out, "At %.3g arithmetic is the limit: more use of each byte gives nothing.", m.intensity);
  for (int i = 0; i < LS_MIN(m.point_count, POINTS_TOLD); i++) {
    const RooflinePoint *p = &m.points[i];
    double roof = roofline_attainable(&m.roofs, p->intensity);
    if (p->gflops > roof) ls_text_addf(out, " %s is above the roof: caches answered a part of its bytes.", p->name);
    else if (p->gflops > 0) ls_text_addf(out, " %s reaches %.3g %% of its roof.", p->name, 100 * p->gflops / roof);
    else ls_text_addf(out, " %s may reach %.4g.", p->name, roof);
  }
}

const Model model_roofline = {
    .recipe = {.name = "roofline", .title = "Which roof is the limit", .topic = "roofline",
               .about = "Two roofs on logarithmic axes: the slope is the bandwidth of memory, the flat one the peak of "
                        "arithmetic. A kernel stands at its operations per byte, and cannot be above the roof there.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "The lower of peak and bandwidth x intensity (Williams, Waterman, Patterson 2009). Rates of data sheets are "
             "of single precision; those of an H200 were measured, too (tests/gpu/roofs.cu). Bytes are those that warps "
             "ask for in sectors of 32. The points were measured on an H200: products of 1024 x 1024, naive and with "
             "tiles of 16, and a reduction of 16,777,216 floats.",
    .profile = "h200", .time = -1, .facts = facts, .words = words,
    .script_name = "points",
        .script_help = "NAME:FLOP_PER_BYTE:GFLOPS ...; without GFLOPS on the roof",
    .script = "naive:0.5:3233 tiled:3.97:5645 reduce2:0.25:173", .script_check = check,
};
