// sentence_texture.c: sentences about textures and surfaces.
//
// Which sectors a fetch touches is not said: a chip keeps two-dimensional textures in an order that is not documented.
#include <string.h>
#include "base/mem.h"
#include "model/sentence.h"
#include "model/sentence_parts.h"

typedef struct Fetch {
  const Sentence *s;
  const TraceObject *object;    // NULL: not known
  const LaunchArg *arg;         // of the texture or surface; NULL: not known
  uint64_t lowest, highest;     // addresses
  int distinct;
} Fetch;

static Fetch fetch_of(const Sentence *s) {
  const TraceEvent *e = s->event;
  Fetch f = {.s = s, .lowest = UINT64_MAX, .distinct = coal_distinct(e->mask, e->addr)};
  for (uint32_t left = e->mask; left; left &= left - 1) {
    uint64_t at = e->addr[__builtin_ctz(left)];
    f.lowest = LS_MIN(f.lowest, at);
    f.highest = LS_MAX(f.highest, at);
  }
  f.arg = say_image(s, f.lowest, &f.object);
  return f;
}

static bool is_surface(const Fetch *f) {
  if (f->arg) return f->arg->image.kind == LAUNCH_SURFACE;
  PtxOp op = f->s->instr ? (PtxOp)f->s->instr->op : PTX_OP_tex;
  return op == PTX_OP_suld || op == PTX_OP_sust;
}

// "texel (3, 5)", "texels (0, 0) to (31, 0)"
static void say_texels(const Fetch *f) {
  LsText *out = f->s->out;
  bool known = f->arg && f->highest - f->object->base < f->object->size;
  if (!known) {
    say_range(f->s, f->lowest, f->highest);
    return;
  }
  ls_text_add(out, f->lowest == f->highest ? "texel " : "texels ");
  launch_image_place(f->arg, f->lowest - f->object->base, out);
  if (f->lowest == f->highest) return;
  ls_text_add(out, " to ");
  launch_image_place(f->arg, f->highest - f->object->base, out);
}

// "Lanes 0-7 are outside of it and get 0."
static void say_outside(const Sentence *s, uint32_t lanes) {
  bool store = s->event->kind == TRACE_STORE, one = say_count(lanes) == 1;
  say_who(s->out, lanes);
  ls_text_addf(s->out, " %s outside of it and %s.", one ? "is" : "are",
               store ? one ? "writes nothing" : "write nothing" : one ? "gets 0" : "get 0");
}

// "texture img", "the texture of argument 1"
static void say_name(const Fetch *f, const char *kind) {
  const char *name = f->object ? f->object->name : NULL;
  if (!name) ls_text_addf(f->s->out, "a %s", kind);
  else ls_text_addf(f->s->out, strchr(name, ' ') ? "the %s of %s" : "%s %s", kind, name);
}

static bool blends(const Fetch *f) {
  bool gathers = f->s->instr && f->s->instr->op == PTX_OP_tld4;
  bool by_index = f->s->instr && f->s->instr->type2 == PTX_S32;
  return f->arg && f->arg->image.linear && !by_index && !gathers;
}

static void say_fetch(const Fetch *f) {
  LsText *out = f->s->out;
  uint32_t mask = f->s->event->mask;
  bool gathers = f->s->instr && f->s->instr->op == PTX_OP_tld4, one = say_count(mask) == 1;
  say_who(out, mask);
  ls_text_addf(out, " fetch%s from ", one ? "es" : "");
  say_name(f, "texture");
  ls_text_add(out, ", ");
  if (gathers) ls_text_add(out, "one channel of four neighboring texels each, the first of them ");
  else if (blends(f)) ls_text_addf(out, "blending up to %d texels each, the first of them ", 1 << f->arg->image.dims);
  say_texels(f);
  if (f->distinct == 1 && !one) ls_text_add(out, ": one place for all of them");
  ls_text_addc(out, '.');
}

static void say_surface(const Fetch *f) {
  LsText *out = f->s->out;
  const TraceEvent *e = f->s->event;
  bool store = e->kind == TRACE_STORE;
  say_who(out, e->mask);
  ls_text_addf(out, " %s%s ", store ? "write" : "read", say_verb(e->mask));
  say_some(out, e->width, "byte");
  ls_text_addf(out, "%s %s ", say_count(e->mask) == 1 ? "" : " each", store ? "to" : "from");
  say_name(f, "surface");
  ls_text_add(out, ", ");
  say_texels(f);
  ls_text_addc(out, '.');
  if (store && f->distinct < say_count(e->mask))
    ls_text_add(out, " Where lanes write to one place, one of them wins, and which one is not defined.");
}

// Where no guard keeps lanes away, those that run but touch nothing have coordinates outside.
void say_texture(const Sentence *s) {
  uint32_t outside = s->instr && s->instr->guard < 0 ? s->event->active & ~s->event->mask : 0;
  if (!s->event->mask) {
    bool surface = s->instr && (s->instr->op == PTX_OP_suld || s->instr->op == PTX_OP_sust);
    say_who(s->out, s->event->active);
    ls_text_addf(s->out, " access%s a %s outside of it: %s.", say_count(s->event->active) == 1 ? "es" : "",
                 surface ? "surface" : "texture", s->event->kind == TRACE_STORE ? "nothing is written" : "the result is 0");
  } else if (!s->event->addr) {
    say_instruction(s);
  } else {
    Fetch f = fetch_of(s);
    if (is_surface(&f)) say_surface(&f);
    else say_fetch(&f);
    if (outside) ls_text_addc(s->out, ' '), say_outside(s, outside);
  }
}
