// sentence.c: sentences of events: the parts they share, and those about control flow.
#include "model/sentence.h"
#include <ctype.h>
#include <string.h>
#include "base/mem.h"
#include "model/sentence_parts.h"
#include "ptx/cfg.h"

// ---- lanes ---------------------------------------------------------------------------------------------------------

// "0, 4, 8, ... 28": at least four lanes at an even distance above 1.
static bool add_series(uint32_t mask, LsText *out) {
  int count = say_count(mask), first = __builtin_ctz(mask), last = 31 - __builtin_clz(mask);
  if (count < 4 || (last - first) % (count - 1)) return false;
  int step = (last - first) / (count - 1);
  for (int lane = first; lane <= last; lane += step)
    if (!(mask >> lane & 1)) return false;
  if (step == 1) return false;
  if (count == 4) ls_text_addf(out, "lanes %d, %d, %d, %d", first, first + step, first + 2 * step, last);
  else ls_text_addf(out, "lanes %d, %d, %d, ... %d", first, first + step, first + 2 * step, last);
  return true;
}

static int run_end(uint32_t mask, int first) {
  while (first < 31 && mask >> (first + 1) & 1) first++;
  return first;
}

static int run_count(uint32_t mask) { return say_count(mask & ~(mask << 1)); }

// "lanes 0-3, 8 and 12-15"
static void add_runs(uint32_t mask, LsText *out) {
  int left = run_count(mask), runs = left;
  ls_text_add(out, "lanes ");
  for (int lane = 0; lane < 32; lane++) {
    if (!(mask >> lane & 1)) continue;
    int end = run_end(mask, lane);
    if (left < runs) ls_text_add(out, left == 1 ? " and " : ", ");
    if (end > lane) ls_text_addf(out, "%d-%d", lane, end);
    else ls_text_addf(out, "%d", lane);
    left--;
    lane = end;
  }
}

void sentence_lanes(uint32_t mask, LsText *out) {
  enum { MANY_RUNS = 6 };
  int count = say_count(mask);
  if (count == 0) ls_text_add(out, "no lane");
  else if (count == 32) ls_text_add(out, "all 32 lanes");
  else if (count == 1) ls_text_addf(out, "lane %d", __builtin_ctz(mask));
  else if (count == 2) ls_text_addf(out, "lanes %d and %d", __builtin_ctz(mask), 31 - __builtin_clz(mask));
  else if (add_series(mask, out)) return;
  else if (run_count(mask) > MANY_RUNS) ls_text_addf(out, "%d lanes (mask 0x%08x)", count, mask);
  else add_runs(mask, out);
}

void say_who(LsText *out, uint32_t mask) {
  size_t at = out->length;
  sentence_lanes(mask, out);
  out->data[at] = (char)toupper((unsigned char)out->data[at]);
}

// ---- numbers and places --------------------------------------------------------------------------------------------

void say_number(LsText *out, int count) {
  char digits[32];
  ls_text_add(out, ls_group_digits((uint64_t)count, digits));
}

void say_some(LsText *out, int count, const char *noun) {
  say_number(out, count);
  ls_text_addf(out, " %s%s", noun, say_s(count));
}

void say_percent(LsText *out, int64_t part, int64_t whole) {
  if (whole <= 0) return;
  int64_t tenths = (part * 2000 + whole) / (2 * whole);
  if (tenths == 1000 && part < whole) tenths = 999;
  if (tenths % 10) ls_text_addf(out, "%lld.%lld%%", (long long)(tenths / 10), (long long)(tenths % 10));
  else ls_text_addf(out, "%lld%%", (long long)(tenths / 10));
}

static const TraceObject *object_at(const TraceInfo *info, TraceSpace space, uint64_t addr) {
  for (int i = 0; info && i < info->object_count; i++) {
    const TraceObject *object = &info->objects[i];
    if (object->space == space && addr - object->base < object->size) return object;
  }
  return NULL;
}

static uint64_t element_size(const TraceObject *object) {
  static const uint8_t sizes[LAUNCH_TYPE_COUNT] = {
      [LAUNCH_U8] = 1,  [LAUNCH_I8] = 1,  [LAUNCH_U16] = 2, [LAUNCH_I16] = 2, [LAUNCH_U32] = 4, [LAUNCH_I32] = 4,
      [LAUNCH_U64] = 8, [LAUNCH_I64] = 8, [LAUNCH_F16] = 2, [LAUNCH_F32] = 4, [LAUNCH_F64] = 8};
  return object->type < LAUNCH_TYPE_COUNT ? sizes[object->type] : 0;
}

// Bytes of what an index counts. Where only bytes are declared, as in dynamic shared memory, it counts what the access
// reads: that is how the kernel indexes it.
uint64_t say_unit(const TraceObject *object, int width) {
  uint64_t size = element_size(object);
  return size == 1 && width > 1 ? (uint64_t)width : size;
}

static void add_nowhere(TraceSpace space, uint64_t addr, LsText *out) {
  static const char *const names[TRACE_SPACE_COUNT] = {"global address", "shared offset", "local offset", "constant address",
                                                       "parameter offset", "texel address"};
  ls_text_addf(out, "%s 0x%04llx", (unsigned)space < TRACE_SPACE_COUNT ? names[space] : "address", (unsigned long long)addr);
}

static const LaunchArg *image_behind(const TraceInfo *info, const TraceObject *object) {
  bool known = info && object->space == TRACE_TEXTURE && object->arg >= 0 && object->arg < info->launch.arg_count;
  const LaunchArg *arg = known ? &info->launch.args[object->arg] : NULL;
  return arg && arg->image.kind != LAUNCH_NO_IMAGE ? arg : NULL;
}

const LaunchArg *say_image(const Sentence *s, uint64_t addr, const TraceObject **object) {
  *object = object_at(s->info, TRACE_TEXTURE, addr);
  return *object ? image_behind(s->info, *object) : NULL;
}

static void add_place(const TraceInfo *info, TraceSpace space, uint64_t addr, int width, LsText *out) {
  const TraceObject *object = object_at(info, space, addr);
  if (!object) {
    add_nowhere(space, addr, out);
    return;
  }
  const LaunchArg *image = image_behind(info, object);
  if (image) {
    ls_text_addf(out, "%s", object->name);
    launch_image_place(image, addr - object->base, out);
    return;
  }
  unsigned long long offset = addr - object->base, unit = say_unit(object, width);
  bool is_name = !strchr(object->name, ' ');   // "argument 2" stands for a name that nobody knows
  if (unit == 0 || offset % unit) ls_text_addf(out, "%s + 0x%04llx", object->name, offset);
  else if (object->size <= unit) ls_text_add(out, object->name);
  else if (is_name) ls_text_addf(out, "%s[%llu]", object->name, offset / unit);
  else ls_text_addf(out, "element %llu of %s", offset / unit, object->name);
}

void sentence_place(const TraceInfo *info, TraceSpace space, uint64_t addr, LsText *out) {
  add_place(info, space, addr, 1, out);
}

void say_place(const Sentence *s, uint64_t addr) {
  add_place(s->info, (TraceSpace)s->event->space, addr, s->event->width, s->out);
}

// "elements 0 to 31 of argument 2"
static bool say_unnamed_range(const Sentence *s, const TraceObject *object, uint64_t first, uint64_t last) {
  if (!object || !strchr(object->name, ' ') || last - object->base >= object->size) return false;
  uint64_t unit = say_unit(object, s->event->width);
  if (unit == 0 || (first - object->base) % unit || (last - object->base) % unit) return false;
  ls_text_addf(s->out, "elements %llu to %llu of %s", (unsigned long long)((first - object->base) / unit),
               (unsigned long long)((last - object->base) / unit), object->name);
  return true;
}

bool say_is_unnamed(const Sentence *s, uint64_t addr) {
  const TraceObject *object = object_at(s->info, (TraceSpace)s->event->space, addr);
  return object && strchr(object->name, ' ');
}

void say_range(const Sentence *s, uint64_t first, uint64_t last) {
  TraceSpace space = (TraceSpace)s->event->space;
  const TraceObject *object = object_at(s->info, space, first);
  if (last != first && say_unnamed_range(s, object, first, last)) return;
  say_place(s, first);
  if (last == first) return;
  ls_text_add(s->out, " to ");
  if (object || object_at(s->info, space, last)) say_place(s, last);
  else ls_text_addf(s->out, "0x%04llx", (unsigned long long)last);
}

// ---- lines ---------------------------------------------------------------------------------------------------------

// "line 17" of the kernel's own source, through which helpers are inlined; "helper.cu line 17" if it is another file
// than the event's; "line 40 of the PTX" where nothing else is known.
static bool say_line(const Sentence *s, int pc) {
  int here = -1, there = -1, line = 0;
  if (!s->module || pc < 0 || pc >= s->module->code_count) return false;
  if (!ptx_line_of(s->module, pc, &there, &line)) {
    ls_text_addf(s->out, "line %d of the PTX", s->module->code[pc].line);
    return true;
  }
  bool known = ptx_line_of(s->module, s->event->pc, &here, &(int){0});
  if (known && here != there && there >= 0 && there < s->module->file_count) {
    const char *path = s->module->files[there], *slash = strrchr(path, '/');
    ls_text_addf(s->out, "%s ", slash ? slash + 1 : path);
  }
  ls_text_addf(s->out, "line %d", line);
  return true;
}

static void say_to_line(const Sentence *s, const char *before, int pc) {
  size_t length = s->out->length;
  ls_text_add(s->out, before);
  if (say_line(s, pc)) {
    if (pc != s->event->reconverge) say_quote(s, pc);
    return;
  }
  s->out->length = length;          // nothing is known of the line: leave it out
  if (s->out->data) s->out->data[length] = 0;
}

// ---- control flow --------------------------------------------------------------------------------------------------

// Where lanes go on that do not jump: a jump of all of them behind it is part of the branch.
static int pc_of_others(const Sentence *s) {
  int pc = s->event->pc + 1;
  const PtxInstr *next = s->module && pc < s->module->code_count ? &s->module->code[pc] : NULL;
  bool jumps = next && say_source_line(s, pc) && next->op == PTX_OP_bra && next->guard < 0 &&
      next->operand_count == 1 &&
               next->operands[0].kind == PTX_OPD_LABEL;
  return jumps ? next->operands[0].target : pc;
}

// "; the other 16 go on"
static void say_others(LsText *out, uint32_t others) {
  if (say_count(others) == 1) ls_text_add(out, "; the other goes on");
  else ls_text_addf(out, "; the other %d go on", say_count(others));
}

static void say_meeting(const Sentence *s) {
  ls_text_add(s->out, " The two sides run one after the other");
  bool apart = s->module && s->instr && ptx_parts_for_good(s->module, s->instr->func);
  if (s->event->reconverge < 0 && apart)
    ls_text_add(s->out, "; they stay apart, for code for the debugger brings no lanes together in a function that "
                        "calls itself.");
  else if (s->event->reconverge < 0) ls_text_add(s->out, "; they meet again only at the end of the function.");
  else {
    say_to_line(s, " and meet again at ", s->event->reconverge);
    bool calls_itself = s->module && s->instr && ptx_calls_itself(s->module, s->instr->func);
    ls_text_add(s->out, calls_itself ? ", unless some miss the others on their way out of the recursion." : ".");
  }
}

static void say_branch(const Sentence *s) {
  const TraceEvent *e = s->event;
  uint32_t taken = e->taken & e->active, stay = e->active & ~taken;
  const char *to = e->target <= e->pc ? " back to " : " to ";
  bool through_table = s->instr && s->instr->op == PTX_OP_brx, source = say_source_place(s);
  if (through_table) {
    say_who(s->out, e->active);
    ls_text_addf(s->out, " jump%s through a table of targets", say_verb(e->active));
    ls_text_add(s->out, e->flags & TRACE_DIVERGES ? ", to different places. The groups run one after the other." : ".");
  } else if (taken && stay) {
    ls_text_addf(s->out, "%d of %d lanes, ", say_count(taken), say_count(e->active));
    sentence_lanes(taken, s->out);
    ls_text_addf(s->out, source ? ", jump%s" : ", take%s the branch", say_verb(taken));
    say_to_line(s, to, e->target);
    say_others(s->out, stay);
    say_to_line(s, " at ", pc_of_others(s));
    ls_text_addc(s->out, '.');
    say_meeting(s);
  } else if (taken) {
    bool always = s->instr && s->instr->guard < 0;
    say_who(s->out, taken);
    ls_text_addf(s->out, always || source ? " jump%s" : " take%s the branch", say_verb(taken));
    say_to_line(s, to, e->target);
    ls_text_add(s->out, always || say_count(taken) == 1 ? "." : ": they stay together.");
  } else {
    bool one = say_count(e->active) == 1;
    const char *takes = source ? " jumps" : " takes the branch";
    if (one) ls_text_addf(s->out, "Lane %d does not %s", __builtin_ctz(e->active), source ? "jump" : "take the branch");
    else if (e->active == UINT32_MAX) ls_text_addf(s->out, "No lane%s", takes);
    else ls_text_add(s->out, "None of "), sentence_lanes(e->active, s->out), ls_text_add(s->out, takes);
    say_to_line(s, to, e->target);
    ls_text_add(s->out, one ? "." : ": they go on together.");
  }
}

static void say_barrier(const Sentence *s) {
  const TraceEvent *e = s->event;
  int missing = e->expected - e->arrived;
  if (s->instr && s->instr->scope == PTX_SCOPE_CLUSTER) { say_cluster_barrier(s); return; }
  if (e->flags & TRACE_BAR_ARRIVE) {
    ls_text_addf(s->out, "Warp %d reports at barrier %d and goes on without waiting: %d of %d warp%s there.",
                 e->warp, e->barrier_id, e->arrived, e->expected, e->expected == 1 ? " is" : "s are");
  } else if (e->expected == 1) {
    ls_text_addf(s->out, "Warp %d is the only one that barrier %d waits for: it goes on at once.", e->warp, e->barrier_id);
  } else if (e->flags & TRACE_LAST_ARRIVAL || missing <= 0) {
    ls_text_addf(s->out, "Warp %d is the last of %d warps at barrier %d: now all of them go on."
                 " What they wrote before is visible to the whole block.", e->warp, e->expected, e->barrier_id);
  } else {
    ls_text_addf(s->out, "Warp %d waits at barrier %d: %d of %d warps %s there, %d %s missing.",
                 e->warp, e->barrier_id, e->arrived, e->expected, e->arrived == 1 ? "is" : "are",
                 missing, missing == 1 ? "is" : "are");
  }
}

static const char *function_called(const Sentence *s) {
  int callee = s->instr ? ptx_callee(s->instr) : -1;
  return callee >= 0 ? s->module->funcs[callee].demangled : NULL;
}

static void say_call(const Sentence *s) {
  const char *name = function_called(s);
  say_who(s->out, s->event->mask);
  ls_text_addf(s->out, " call%s %s.", say_verb(s->event->mask), name ? name : "a function");
}

static void say_return(const Sentence *s) {
  say_who(s->out, s->event->mask);
  ls_text_addf(s->out, " return%s to the caller.", say_verb(s->event->mask));
}

static void say_exit(const Sentence *s) {
  uint32_t ends = s->event->mask, stays = s->event->active & ~ends;
  say_who(s->out, ends);
  ls_text_addf(s->out, " end%s here", say_verb(ends));
  if (stays) say_others(s->out, stays);
  ls_text_addc(s->out, '.');
}

static void say_fence(const Sentence *s) {
  static const char *const readers[] = {"the other threads", "its block", "its cluster", "the whole device",
                                        "the whole system"};
  unsigned scope = s->instr ? s->instr->scope : 0;
  bool one = say_count(s->event->mask) == 1;
  const char *they = one ? "it" : "they";
  say_who(s->out, s->event->mask);
  ls_text_addf(s->out, " pass%s a fence: %s see%s what %s wrote before it no later than what %s write%s after it.",
               one ? "es" : "", readers[scope < LS_COUNT(readers) ? scope : 0], scope ? "s" : "", they, they,
               one ? "s" : "");
}

// Arithmetic and all else: the instruction is the subject, so that the help text of its opcode fits.
void say_instruction(const Sentence *s) {
  if (say_source_step(s)) return;
  say_who(s->out, s->event->mask);
  ls_text_add(s->out, s->event->kind == TRACE_EXEC || !s->instr ? ": " : " together: ");
  if (!s->instr) {
    ls_text_addf(s->out, "%s.", "one step of arithmetic");
    return;
  }
  LsText line = {0};
  ptx_print_instr(s->module, s->event->pc, &line);
  while (line.length && strchr(";\n", line.data[line.length - 1])) line.data[--line.length] = 0;
  ls_text_addf(s->out, "%s %s.", ls_text_str(&line), ptx_op_help((PtxOp)s->instr->op));
  ls_text_free(&line);
}

static void say_fault(const Sentence *s) {
  ls_text_add(s->out, "The kernel does something wrong here");
  if (s->event->mask) ls_text_add(s->out, ", in "), sentence_lanes(s->event->mask, s->out);
  ls_text_addc(s->out, '.');
}

// ---- all of them ---------------------------------------------------------------------------------------------------

typedef void (*Say)(const Sentence *s);
static const Say say_kind[TRACE_KIND_COUNT] = {
    [TRACE_EXEC] = say_instruction, [TRACE_LOAD] = say_memory,      [TRACE_STORE] = say_memory, [TRACE_ATOM] = say_atomic,
    [TRACE_BRANCH] = say_branch,    [TRACE_BARRIER] = say_barrier,  [TRACE_SYNCWARP] = say_syncwarp,
    [TRACE_SHUFFLE] = say_shuffle,  [TRACE_VOTE] = say_vote,        [TRACE_MATCH] = say_match,  [TRACE_REDUX] = say_redux,
    [TRACE_MATRIX] = say_instruction, [TRACE_FENCE] = say_fence,    [TRACE_CALL] = say_call,    [TRACE_RET] = say_return,
    [TRACE_EXIT] = say_exit,        [TRACE_FAULT] = say_fault,
    [TRACE_NOTE] = say_fault,
};

static const char *condition(const Sentence *s) { return say_source_line(s, s->event->pc) ? "condition" : "guard"; }

// Lanes that came here but whose guard predicate is false.
static void say_guarded(const Sentence *s) {
  uint32_t off = s->event->active & ~s->event->mask;
  ls_text_addf(s->out, " The %s is false in %d other lane%s, which %s nothing.", condition(s), say_count(off),
               say_s(say_count(off)),
               say_count(off) == 1 ? "does" : "do");
}

void sentence_of(const SentenceAbout *about, const TraceEvent *event, LsText *out) {
  const PtxModule *module = about->module;
  Sentence s = {module, about->info, event, NULL, out, about->coal,
                bounds_of(about->info, about->faults, about->fault_count, event), about->source};
  if (module && event->pc >= 0 && event->pc < module->code_count) s.instr = &module->code[event->pc];
  if (event->kind >= TRACE_KIND_COUNT || !say_kind[event->kind]) return;
  const uint32_t own_masks = 1u << TRACE_BRANCH | 1u << TRACE_BARRIER | 1u << TRACE_FAULT | 1u << TRACE_NOTE |
                             1u << TRACE_EXIT;
  // Lanes whose coordinates are outside of a texture are not in the mask, although nothing guards them.
  bool accesses = event->kind == TRACE_LOAD || event->kind == TRACE_STORE;
  bool outside = accesses && event->space == TRACE_TEXTURE && s.instr && s.instr->guard < 0;
  bool guarded = !(own_masks >> event->kind & 1) && !outside;
  if (guarded && !event->mask) {
    ls_text_addf(out, "The %s is false in every lane that is here: nothing happens.", condition(&s));
    return;
  }
  if (s.bounds.outside) say_bounds(&s);
  else say_kind[event->kind](&s);
  if (guarded && event->active & ~event->mask) say_guarded(&s);
}
