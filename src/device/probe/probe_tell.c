// probe_tell.c: the PTX that writes a record.
//
// Mostly all 32 lanes do what a record tells of, and its numbers are as they probably are (probe_numbers.h): then they
// are looked at and written right here, with as few operations between lanes as that takes. Else functions of the
// runtime do it.
#include "device/probe/probe_tell.h"

#include <stdio.h>

#include "device/probe/probe_affine.h"
#include "device/probe/probe_numbers.h"
#include "device/probe/probe_room.h"

static const char *const numbers[PROBE_ARRAYS] = {"%lanescope_k", "%lanescope_v", "%lanescope_w"};

typedef struct Record {
  const Probe *probe;
  const ProbeSite *site;
  int number;                  // of the site
  ProbeNumbers n;
  const char *lanes;
  ProbeArgument does, yes;
  const char *writer;          // the predicate of the lane that writes
  bool words;                  // all arrays are told in words, not as they probably are
  LsText *out;
} Record;

static unsigned site_code(const Record *r, unsigned forms) {
  return (unsigned)(r->number + 1) << PROBE_SITE_SHIFT | forms;
}

// The clock, and the address of unit %lanescope_at.
static void put_where(LsText *out) {
  ls_text_addf(out,
               "mov.u32 %%lanescope_clock, %%clock;\n"
               "ld.const.u64 %%lanescope_where, [%s+%d];\n"
               "mad.wide.u32 %%lanescope_where, %%lanescope_at, %d, %%lanescope_where;\n",
               PROBE_CONTEXT, (int)offsetof(ProbeContext, records), PROBE_UNIT);
}

static void put_unit(const Record *r, int unit, const char *a, const char *b, const char *c, const char *d) {
  ls_text_addf(r->out, "@%s st.global.v4.b32 [%%lanescope_where+%d], {%s, %s, %s, %s};\n", r->writer, unit * PROBE_UNIT,
               a, b, c, d);
}

static void put_head(const Record *r, unsigned forms, const char *c, const char *d) {
  put_where(r->out);
  ls_text_addf(r->out, "mov.u32 %%lanescope_code, %u;\n", site_code(r, forms));
  put_unit(r, 0, "%lanescope_code", "%lanescope_clock", c, d);
}

static void go_on(const Record *r, int units) {
  ls_text_addf(r->out, "@%s add.u32 %%lanescope_at, %%lanescope_at, %d;\n", r->writer, units);
}

static const char registers[] = "{\n.reg .b32 %lanescope_code, %lanescope_clock, %lanescope_low, %lanescope_high;\n"
                                ".reg .b64 %lanescope_where, %lanescope_expected;\n";

void probe_tell_point(const Probe *probe, const ProbeSite *site, const char *does, const char *yes, LsText *out) {
  Record r = {.probe = probe, .site = site, .number = (int)(site - probe->sites),
              .writer = "%lanescope_tells", .out = out};
  const char *asked = does ? does : yes;
  ls_text_add(out, registers);
  if (asked) probe_put_some("%lanescope_low", "%lanescope_m", asked, out);
  put_head(&r, 0, "%lanescope_m", asked ? "%lanescope_low" : "%lanescope_m");
  go_on(&r, 1);
  ls_text_add(out, "}\n");
}

// ---- full warps ----------------------------------------------------------------------------------------------------

static void leave_unless(const char *predicate, const Record *r, const char *label) {
  ls_text_addf(r->out, "@!%s bra $lanescope_%s_%d;\n", predicate, label, r->number);
}

// Lane 0 writes.
static void require_all(const Record *r, const char *label) {
  bool own = !probe_is_grouped(r->site);
  if (own) ls_text_addf(r->out, "setp.eq.u32 %%lanescope_p, %s, -1;\n", r->lanes);
  leave_unless(own ? "%lanescope_p" : "%lanescope_all", r, label);
  if (r->probe->module->code[r->site->pc].guard < 0) return;
  probe_put_some("%lanescope_to", "-1", r->does.text, r->out);
  ls_text_add(r->out, "setp.eq.u32 %lanescope_p, %lanescope_to, -1;\n");
  leave_unless("%lanescope_p", r, label);
}

static void require_same(const Record *r, const char *a, const char *b, int bits, const char *label) {
  ls_text_addf(r->out, "setp.eq.u%d %%lanescope_q, %s, %s;\n"
                       "vote.sync.all.pred %%lanescope_q, %%lanescope_q, -1;\n", bits, a, b);
  leave_unless("%lanescope_q", r, label);
}

// A number of lane 0 in the registers low and high.
static void take_first(int array, LsText *out) {
  ls_text_addf(out, "mov.b64 {%%lanescope_low, %%lanescope_high}, %s;\n"
                    "shfl.sync.idx.b32 %%lanescope_low%d, %%lanescope_low, 0, 31, -1;\n"
                    "shfl.sync.idx.b32 %%lanescope_high%d, %%lanescope_high, 0, 31, -1;\n"
                    "mov.b64 %%lanescope_expected, {%%lanescope_low%d, %%lanescope_high%d};\n",
               numbers[array], array, array, array, array);
}

// As row_of in probe.cu has it.
static void require_even(const Record *r, int array) {
  LsText *out = r->out;
  take_first(array, out);
  ls_text_addf(out, "shfl.sync.idx.b32 %%lanescope_stride%d, %%lanescope_low, 1, 31, -1;\n"
                    "shfl.sync.idx.b32 %%lanescope_step%d, %%lanescope_low, %d, 31, -1;\n",
               array, array, 1 << probe_line_bits(r->probe));
  static const char *const parts[][2] = {{"stride", "column"}, {"step", "line"}};
  for (int i = 0; i < LS_COUNT(parts); i++)
    ls_text_addf(out, "sub.u32 %%lanescope_%s%d, %%lanescope_%s%d, %%lanescope_low%d;\n"
                      "mad.wide.s32 %%lanescope_expected, %%lanescope_%s%d, %%lanescope_%s, %%lanescope_expected;\n",
                 parts[i][0], array, parts[i][0], array, array, parts[i][0], array, parts[i][1]);
  require_same(r, "%lanescope_expected", numbers[array], 64, "words");
}

// All lanes are members, and shuffle alike.
static void require_members(const Record *r) {
  ls_text_add(r->out, "setp.eq.u32 %lanescope_q, %lanescope_low0, -1;\n"
                      "setp.eq.and.u32 %lanescope_q, %lanescope_stride0, 0, %lanescope_q;\n"
                      "setp.eq.and.u32 %lanescope_q, %lanescope_step0, 0, %lanescope_q;\n");
  leave_unless("%lanescope_q", r, "words");
}

static void require_one(const Record *r, int array) {
  ls_text_addf(r->out, "cvt.u32.u64 %%lanescope_low, %s;\n"
                       "shfl.sync.idx.b32 %%lanescope_low%d, %%lanescope_low, 0, 31, -1;\n"
                       "mov.u32 %%lanescope_high%d, 0;\nmov.u32 %%lanescope_stride%d, 0;\n"
                       "mov.u32 %%lanescope_step%d, 0;\n",
               numbers[array], array, array, array, array);
  char first[32];
  snprintf(first, sizeof first, "%%lanescope_low%d", array);
  require_same(r, "%lanescope_low", first, 32, "words");
}

// All lanes of the segment are as far from their places as the one whose number is in the register `first`.
static void require_shape(const Record *r, const char *first, const char *lanes, const char *label) {
  static const char *const tid[] = {"%tid.x", "%tid.y", "%tid.z"};
  const ProbeShape *shape = r->site->shape;
  if (shape->proven) return;
  ls_text_add(r->out, "{\n.reg .b64 %lanescope_from;\nmov.u64 %lanescope_from, %lanescope_k;\n");
  for (int i = 0; i < LS_COUNT(tid); i++)
    if (shape->by[i])
      ls_text_addf(r->out, "mov.u32 %%lanescope_low, %s;\nmul.wide.s32 %%lanescope_expected, %%lanescope_low, %d;\n"
                           "sub.s64 %%lanescope_from, %%lanescope_from, %%lanescope_expected;\n", tid[i], shape->by[i]);
  ls_text_addf(r->out, "mov.b64 {%%lanescope_low, %%lanescope_high}, %%lanescope_from;\n"
                       "shfl.sync.idx.b32 %%lanescope_low, %%lanescope_low, %s, 31, %s;\n"
                       "shfl.sync.idx.b32 %%lanescope_high, %%lanescope_high, %s, 31, %s;\n"
                       "mov.b64 %%lanescope_expected, {%%lanescope_low, %%lanescope_high};\n"
                       "setp.eq.u64 %%lanescope_q, %%lanescope_expected, %%lanescope_from;\n}\n"
                       "vote.sync.all.pred %%lanescope_q, %%lanescope_q, %s;\n", first, lanes, first, lanes, lanes);
  leave_unless("%lanescope_q", r, label);
}

// Every lane writes its word of an array that begins so many units behind %lanescope_at of lane 0.
static void put_words(int array, int unit, LsText *out) {
  ls_text_addf(out, "cvt.u32.u64 %%lanescope_low, %s;\n"
                    "@%%lanescope_writes st.global.b32 [%%lanescope_mine+%d], %%lanescope_low;\n",
               numbers[array], unit * PROBE_UNIT);
}

// Where lane 0 begins to write, and a word further for each lane.
static void put_mine(const Record *r) {
  ls_text_addf(r->out,
               ".reg .pred %%lanescope_writes;\n.reg .b64 %%lanescope_mine;\n"
               "selp.b32 %%lanescope_to, %%lanescope_at, -1, %s;\n"
               "shfl.sync.idx.b32 %%lanescope_to, %%lanescope_to, 0, 31, -1;\n"
               "setp.ne.u32 %%lanescope_writes, %%lanescope_to, -1;\n"
               "ld.const.u64 %%lanescope_mine, [%s+%d];\n"
               "mad.wide.u32 %%lanescope_mine, %%lanescope_to, %d, %%lanescope_mine;\n"
               "mov.u32 %%lanescope_to, %%laneid;\n"
               "mad.wide.u32 %%lanescope_mine, %%lanescope_to, 4, %%lanescope_mine;\n",
               r->writer, PROBE_CONTEXT, (int)offsetof(ProbeContext, records), PROBE_UNIT);
}

static unsigned form_of(const Record *r, int array) {
  if (r->n.kind[array] == NUMBERS_NONE) return PROBE_KNOWN;
  if (r->n.kind[array] == NUMBERS_SHUFFLED) return r->words ? PROBE_WORDS : PROBE_KNOWN;
  return r->words || r->n.kind[array] == NUMBERS_NARROW ? PROBE_WORDS : PROBE_EVEN;
}

static unsigned forms_of(const Record *r) {
  unsigned forms = 0;
  for (int i = 0; i < r->n.count; i++) forms |= form_of(r, i) << PROBE_FORM_BITS * i;
  return forms;
}

static bool has_words(const Record *r) {
  for (int i = 0; i < r->n.count; i++) if (form_of(r, i) == PROBE_WORDS) return true;
  return false;
}

// Units of the array.
static int put_array(const Record *r, int array, int unit) {
  static const char *const parts[] = {"low", "high", "stride", "step"};
  char words[LS_COUNT(parts)][32];
  for (int k = 0; k < LS_COUNT(parts); k++) snprintf(words[k], sizeof words[k], "%%lanescope_%s%d", parts[k], array);
  if (form_of(r, array) == PROBE_KNOWN) return 0;
  if (form_of(r, array) == PROBE_EVEN) {
    put_unit(r, unit, words[0], words[1], words[2], words[3]);
    return 1;
  }
  bool has_upper = r->n.kind[array] == NUMBERS_WIDE;
  if (has_upper) put_unit(r, unit, words[1], "0", "0", "0");
  put_words(array, unit + has_upper, r->out);
  return PROBE_NARROW_UNITS + has_upper;
}

static int record_units(const Record *r) {
  int units = 1 + r->n.asks;
  for (int i = 0; i < r->n.count; i++) {
    unsigned form = form_of(r, i);
    units += form == PROBE_WORDS ? PROBE_NARROW_UNITS + (r->n.kind[i] == NUMBERS_WIDE) : form == PROBE_EVEN;
  }
  return units;
}

// Finds room, where that is not there with the group's, and writes.
static void put_whole(Record *r, const char *label, bool has_room) {
  LsText *out = r->out;
  char place[32], text[16];
  ProbeRoom group;
  int units = record_units(r), at = 1 + r->n.asks;
  if (!has_room) {
    bool grouped = probe_is_grouped(r->site);
    probe_begins_group(r->probe, r->number, &group);
    snprintf(place, sizeof place, "$lanescope_%s_room_%d", label, r->number);
    snprintf(text, sizeof text, "%d", units + group.units);
    ls_text_add(out, ".reg .pred %lanescope_writer;\n");
    if (grouped) ls_text_add(out, "mov.pred %lanescope_writer, %lanescope_tells;\n");
    else ls_text_add(out, "setp.eq.u32 %lanescope_writer, %lanescope_lt, 0;\n");
    probe_put_room(r->probe, "%lanescope_writer", "-1", text, probe_events_of(r->probe, r->site), place, out);
    ls_text_add(out, "setp.ne.and.u32 %lanescope_writer, %lanescope_end, 0, %lanescope_writer;\n");
    r->writer = "%lanescope_writer";
  }
  if (r->n.asks) probe_put_some("%lanescope_low", "-1", r->yes.text, out);
  put_head(r, forms_of(r), "-1", "-1");
  if (r->n.asks) put_unit(r, 1, "%lanescope_low", "0", "0", "0");
  if (has_words(r)) put_mine(r);
  for (int i = 0; i < r->n.count; i++) at += put_array(r, i, at);
  go_on(r, units);
  ls_text_addf(out, "}\nbra.uni $lanescope_told_%d;\n", r->number);
}

static void declare_rows(const Record *r) {
  ls_text_add(r->out, registers);
  for (int i = 0; i < r->n.count; i++)
    if (r->n.kind[i] == NUMBERS_WIDE || r->n.kind[i] == NUMBERS_ONE)
      ls_text_addf(r->out, ".reg .b32 %%lanescope_low%d, %%lanescope_high%d;\n"
                           ".reg .b32 %%lanescope_stride%d, %%lanescope_step%d;\n", i, i, i, i);
}

static bool is_looked_at(const Record *r) {
  for (int i = 0; i < r->n.count; i++)
    if (r->n.kind[i] == NUMBERS_WIDE || r->n.kind[i] == NUMBERS_ONE) return true;
  return false;
}

// Numbers that may be anything, below upper halves that are the same.
static void put_full_words(const Record *given) {
  Record r = *given;
  r.words = true;
  ls_text_addf(r.out, "$lanescope_words_%d:\n", r.number);
  declare_rows(&r);
  for (int i = 0; i < r.n.count; i++) {
    char first[32];
    if (r.n.kind[i] != NUMBERS_WIDE) continue;
    take_first(i, r.out);
    snprintf(first, sizeof first, "%%lanescope_high%d", i);
    require_same(&r, "%lanescope_high", first, 32, "any");
  }
  put_whole(&r, "words", false);
}

static void put_full(const Record *given) {
  Record r = *given;
  require_all(&r, "any");
  declare_rows(&r);
  for (int i = 0; i < r.n.count; i++)
    if (r.n.kind[i] == NUMBERS_WIDE) require_even(&r, i);
    else if (r.n.kind[i] == NUMBERS_ONE) require_one(&r, i);
  if (r.n.kind[0] == NUMBERS_WIDE && r.n.count > 2 && r.n.kind[2] == NUMBERS_SHUFFLED) require_members(&r);
  put_whole(&r, "full", probe_is_grouped(r.site));
  if (is_looked_at(&r)) put_full_words(given);
  ls_text_addf(r.out, "$lanescope_any_%d:\n", r.number);
}

static void put_first_address(const Record *r) {
  ls_text_add(r->out, "mov.b64 {%lanescope_low, %lanescope_high}, %lanescope_k;\n");
}

// Some lanes: the address of the first of the segment in a unit of its own. Where the shape is a guess, those that are
// not to do it may be anywhere.
static void put_shaped_part(const Record *r) {
  bool guarded = r->probe->module->code[r->site->pc].guard >= 0;
  ls_text_addf(r->out, "$lanescope_part_%d:\n", r->number);
  if (guarded && !r->site->shape->proven) return;
  ls_text_add(r->out, registers);
  ls_text_add(r->out, "brev.b32 %lanescope_to, %lanescope_m;\nclz.b32 %lanescope_to, %lanescope_to;\n");
  require_shape(r, "%lanescope_to", "%lanescope_m", "any");
  if (guarded) probe_put_some("%lanescope_to", "%lanescope_m", r->does.text, r->out);
  put_head(r, PROBE_KNOWN | PROBE_PART, "%lanescope_m", guarded ? "%lanescope_to" : "%lanescope_m");
  put_first_address(r);
  put_unit(r, 1, "%lanescope_low", "%lanescope_high", "0", "0");
  go_on(r, PROBE_PART_UNITS);
  ls_text_addf(r->out, "}\nbra.uni $lanescope_told_%d;\n", r->number);
}

// The site's shape is known: nothing but the first address is told.
static void put_shaped(const Record *r) {
  require_all(r, "part");
  ls_text_add(r->out, registers);
  require_shape(r, "0", "-1", "any");
  put_first_address(r);
  put_head(r, PROBE_KNOWN, "%lanescope_low", "%lanescope_high");
  go_on(r, 1);
  ls_text_addf(r->out, "}\nbra.uni $lanescope_told_%d;\n", r->number);
  put_shaped_part(r);
  ls_text_addf(r->out, "$lanescope_any_%d:\n", r->number);
}

// ---- any warps -----------------------------------------------------------------------------------------------------

static unsigned how_of(const Record *r) {
  unsigned how = (unsigned)probe_line_bits(r->probe) | (r->n.asks ? PROBE_ASKS : 0);
  for (int i = 0; i < r->n.count; i++) {
    if (r->n.kind[i] == NUMBERS_NONE) how |= (unsigned)PROBE_IS_KNOWN << i;
    else if (r->n.kind[i] != NUMBERS_WIDE) how |= (unsigned)PROBE_IS_NARROW << i;
  }
  return how;
}

// A place for the record that %lanescope_b tells of, with room for its group behind it, to %lanescope_to of the first
// lane: its unit, or -1.
static void put_place(const Record *r) {
  LsText *out = r->out;
  char label[32];
  ProbeRoom group;
  bool grouped = probe_is_grouped(r->site);
  snprintf(label, sizeof label, "$lanescope_place_%d", r->number);
  probe_begins_group(r->probe, r->number, &group);
  ls_text_add(out, "{\n.reg .pred %lanescope_first;\n.reg .b32 %lanescope_units, %lanescope_need;\n");
  if (grouped) ls_text_add(out, "mov.pred %lanescope_first, %lanescope_tells;\n");
  else
    ls_text_addf(out, "and.b32 %%lanescope_to, %s, %%lanescope_lt;\n"
                 "setp.eq.u32 %%lanescope_first, %%lanescope_to, 0;\n",
                 r->lanes);
  ls_text_addf(out, "and.b32 %%lanescope_units, %%lanescope_b, %d;\nadd.u32 %%lanescope_need, %%lanescope_units, %d;\n",
               PROBE_CODE_UNITS, group.units);
  int events = probe_events_of(r->probe, r->site);
  probe_put_room(r->probe, "%lanescope_first", r->lanes, "%lanescope_need", events, label, out);
  ls_text_add(out, "setp.ne.and.u32 %lanescope_first, %lanescope_end, 0, %lanescope_first;\n"
                   "selp.b32 %lanescope_to, %lanescope_at, -1, %lanescope_first;\n"
                   "@%lanescope_first add.u32 %lanescope_at, %lanescope_at, %lanescope_units;\n}\n");
}

static void put_any(const Record *r) {
  bool one = r->n.count == 1;
  ProbeArgument how = NUMBER(how_of(r)), lanes = WORD(r->lanes);
  const ProbeArgument look[] = {how, lanes, r->does, LONG(numbers[0]), LONG(numbers[1]), LONG(numbers[2])};
  const ProbeArgument head[] = {NUMBER(r->number + 1), WORD("%lanescope_clock"), WORD("%lanescope_to"),
                                WORD("%lanescope_b"), how, lanes, r->does};
  ProbeArgument args[LS_COUNT(head) + 1 + PROBE_ARRAYS];
  int count = LS_COUNT(head);
  memcpy(args, head, sizeof head);
  if (!one) args[count++] = r->yes;
  for (int i = 0; i < r->n.count; i++) args[count++] = LONG(numbers[i]);
  probe_put_call_for(r->out, one ? "lanescope_probe_look" : "lanescope_probe_look_at_three", look, 3 + r->n.count,
                     "%lanescope_b");
  put_place(r);
  ls_text_add(r->out, "{\n.reg .b32 %lanescope_clock;\nmov.u32 %lanescope_clock, %clock;\n");
  probe_put_call(r->out, one ? "lanescope_probe_number" : "lanescope_probe_numbers", args, count);
  ls_text_add(r->out, "}\n");
}

void probe_tell_record(const Probe *probe, const ProbeSite *site, const char *lanes, ProbeArgument does,
                       ProbeArgument yes, LsText *out) {
  Record r = {.probe = probe, .site = site, .number = (int)(site - probe->sites), .n = probe_numbers(probe, site),
              .lanes = lanes, .does = does, .yes = yes, .writer = "%lanescope_tells", .out = out};
  // Functions may be recursive: the fewer registers, the smaller their frames.
  bool in_entry = probe->module->code[site->pc].func == probe->entry;
  if (in_entry && probe_has_shape(site)) put_shaped(&r);
  else if (in_entry) put_full(&r);
  put_any(&r);
  ls_text_addf(out, "$lanescope_told_%d:\n", r.number);
}
