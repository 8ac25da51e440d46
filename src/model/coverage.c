// coverage.c: what was written of the results of a run, in words, and what about it is hardly meant.
#include "model/coverage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "trace/coverage.h"

static const LaunchArg *arg_of(const CoverageOf *of, const TraceCoverage *row) {
  return &of->info->launch.args[row->arg];
}

bool coverage_is_result(const CoverageOf *of, const TraceCoverage *row) {
  if (row->arg < 0 || row->arg >= of->info->launch.arg_count) return false;   // of a damaged trace
  const LaunchArg *arg = arg_of(of, row);
  return arg->init == LAUNCH_NONE || arg->output || (of->is_recipe && row->written);
}

const char *coverage_name(const CoverageOf *of, const TraceCoverage *row) {
  for (int i = 0; i < of->info->object_count; i++)
    if (of->info->objects[i].arg == row->arg) return of->info->objects[i].name;
  return arg_of(of, row)->name;
}

static const char *name_of(const CoverageOf *of, const TraceCoverage *row) {
  const char *name = coverage_name(of, row);
  return name ? name : "the buffer";
}

// "y[3]", "element 3 of argument 1".
static void add_element(const CoverageOf *of, const TraceCoverage *row, uint64_t element, LsText *out) {
  const char *name = name_of(of, row);
  if (strchr(name, ' ')) ls_text_addf(out, "element %" PRIu64 " of %s", element, name);
  else ls_text_addf(out, "%s[%" PRIu64 "]", name, element);
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

// ---- words ---------------------------------------------------------------------------------------------------------

static void never_words(const CoverageOf *of, const TraceCoverage *row, LsText *out) {
  uint64_t tail = row->elements - 1 - row->last_written;
  if (!row->never_written) {
    ls_text_addf(out, row->elements == 1 ? "its element written" : "all %" PRIu64 " elements written", row->elements);
  } else if (!row->written) {
    ls_text_addf(out, "nothing of it written (%" PRIu64 " element%s)", row->elements, plural(row->elements));
  } else {
    ls_text_addf(out, "%" PRIu64 " of %" PRIu64 " elements never written", row->never_written, row->elements);
    ls_text_add(out, row->never_written == tail ? ", from " : ", the first is ");
    add_element(of, row, row->first_never, out);
    if (row->never_written == tail) ls_text_add(out, " on");
    if (row->holes)
      ls_text_addf(out, "; %" PRIu64 " of them between others, in %" PRIu64 " run%s", row->holes, row->gaps,
                   plural(row->gaps));
  }
}

static void twice_words(const CoverageOf *of, const TraceCoverage *row, LsText *out) {
  const char *s = plural(row->written_twice);
  ls_text_addf(out, "%" PRIu64 " element%s written by several blocks: ", row->written_twice, s);
  add_element(of, row, row->first_twice, out);
  ls_text_addf(out, " by thread %" PRIu32 " of block %" PRIu32 " and by thread %" PRIu32 " of block %" PRIu32,
               row->threads[0], row->blocks[0], row->threads[1], row->blocks[1]);
}

void coverage_words(const CoverageOf *of, const TraceCoverage *row, LsText *out) {
  never_words(of, row, out);
  if (!row->known_twice || !row->written_twice) return;
  ls_text_add(out, "; ");
  twice_words(of, row, out);
}

// ---- what is hardly meant ------------------------------------------------------------------------------------------

// In the function, or one that it names.
static bool has_fence(const PtxModule *module, int func, uint8_t *seen) {
  const PtxFunc *f = &module->funcs[func];
  if (seen[func]) return false;
  seen[func] = 1;
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const PtxInstr *in = &module->code[pc];
    if (in->op == PTX_OP_membar || in->op == PTX_OP_fence) return true;
    for (int i = 0; i < in->operand_count; i++)
      if (in->operands[i].kind == PTX_OPD_FUNC && has_fence(module, in->operands[i].func, seen)) return true;
  }
  return false;
}

static bool has_fences(const CoverageOf *of) {
  int entry = ptx_find_entry(of->module, of->info->kernel, NULL);
  uint8_t *seen = ls_alloc((size_t)of->module->func_count + 1);
  bool has = entry < 0 || has_fence(of->module, entry, seen);
  free(seen);
  return has;
}

static uint64_t threads_of(const Launch *launch) { return launch_blocks(launch) * launch_threads(launch); }

// Each thread wrote one element, and a part of a block's worth is left.
static bool is_short_by_a_block(const CoverageOf *of, const TraceCoverage *row) {
  const Launch *launch = &of->info->launch;
  uint64_t tail = row->elements - 1 - row->last_written;
  return !row->first_written && !row->holes && tail && tail < launch_threads(launch) &&
         row->written == threads_of(launch);
}

static void holes_flaw(const CoverageOf *of, const TraceCoverage *row, LsText *out) {
  ls_text_addf(out, "%" PRIu64 " element%s of %s %s never written, though elements before and behind were: "
               "the first is ", row->holes, plural(row->holes), name_of(of, row), row->holes == 1 ? "was" : "were");
  add_element(of, row, row->first_hole, out);
  if (row->gaps > 1) ls_text_addf(out, ", in %" PRIu64 " runs", row->gaps);
}

static void tail_flaw(const CoverageOf *of, const TraceCoverage *row, LsText *out) {
  uint64_t tail = row->elements - row->written;
  ls_text_addf(out, "The last %" PRIu64 " element%s of %s, from ", tail, plural(tail), name_of(of, row));
  add_element(of, row, row->first_never, out);
  ls_text_addf(out, " on, %s never written: the %" PRIu64 " threads of the grid wrote one each",
               tail == 1 ? "was" : "were", row->written);
}

static bool never_flaw(const CoverageOf *of, const TraceCoverage *row, LsText *out) {
  if (arg_of(of, row)->init != LAUNCH_NONE || !row->elements) return false;
  if (!row->written) ls_text_addf(out, "No thread wrote anything to %s", name_of(of, row));
  else if (row->holes && row->holes <= row->written) holes_flaw(of, row, out);
  else if (is_short_by_a_block(of, row)) tail_flaw(of, row, out);
  return out->length > 0;
}

static bool twice_flaw(const CoverageOf *of, const TraceCoverage *row, LsText *out) {
  if (!row->known_twice || row->written_twice < 2 || row->written_twice * 2 < row->written || has_fences(of))
    return false;
  twice_words(of, row, out);
  return true;
}

static int object_of(const CoverageOf *of, int arg) {
  for (int i = 0; i < of->info->object_count; i++) if (of->info->objects[i].arg == arg) return i;
  return -1;
}

static TraceFault flaw(const CoverageOf *of, const TraceCoverage *row, FaultKind kind, uint64_t element, LsText *text) {
  int object = object_of(of, row->arg), elem = launch_type_size(arg_of(of, row)->type);
  TraceFault fault = {.kind = (uint8_t)kind, .space = TRACE_GLOBAL, .pc = -1, .other_pc = -1, .step = UINT64_MAX,
                      .object = object, .size = elem, .count = 1};
  if (object >= 0) fault.addr = of->info->objects[object].base + element * (uint64_t)elem;
  fault.message = ls_text_take(text);
  return fault;
}

int coverage_flaws(const CoverageOf *of, const TraceCoverage *row, TraceFault out[COVERAGE_FLAWS]) {
  LsText text = {0};
  int count = 0;
  if (!coverage_is_result(of, row)) return 0;
  if (never_flaw(of, row, &text)) {
    out[count] = flaw(of, row, FAULT_NEVER_WRITTEN, row->holes ? row->first_hole : row->first_never, &text);
    out[count++].count = row->never_written;
  }
  text = (LsText){0};
  if (twice_flaw(of, row, &text)) {
    TraceFault *f = &out[count];
    out[count++] = flaw(of, row, FAULT_WRITTEN_TWICE, row->first_twice, &text);
    f->pc = f->other_pc = row->pc;
    f->other_block = row->blocks[0], f->other_thread = row->threads[0];
    f->block = row->blocks[1], f->thread = row->threads[1];
    f->count = row->written_twice;
  }
  return count;
}

// ---- from events ---------------------------------------------------------------------------------------------------

static bool has_all_events(const CoverageOf *of, Trace *trace) {
  int count;
  uint64_t done;
  const TraceMeasure *measure = trace_measure(trace);
  trace_blocks(trace, &count);
  return (uint64_t)count == launch_blocks(&of->info->launch) && !trace_is_truncated(trace) &&
         !trace_interrupted(trace, &done) && !(measure && measure->lost_events);
}

// What the code may write cannot be told from the events: an argument counts if it has no contents, or something was
// stored to it.
static TraceCover *cover_of(const CoverageOf *of, const TraceObject *object) {
  if (object->arg < 0 || object->arg >= of->info->launch.arg_count) return NULL;
  const LaunchArg *arg = &of->info->launch.args[object->arg];
  bool is_texture = arg->image.kind == LAUNCH_TEXTURE;
  if (!arg->is_buffer || is_texture || (arg->role == LAUNCH_VARIABLE && !arg->output)) return NULL;
  return trace_cover_new(object->base, object->size, (uint32_t)launch_type_size(arg->type));
}

static void take_event(const CoverageOf *of, const TraceEvent *event, TraceCover **covers) {
  if ((event->kind != TRACE_STORE && event->kind != TRACE_ATOM) || !event->mask || !event->addr) return;
  if (event->space != TRACE_GLOBAL && event->space != TRACE_TEXTURE) return;
  bool known = event->pc >= 0 && event->pc < of->module->code_count;
  TraceStore store = {.block = event->block, .warp = event->warp, .pc = event->pc, .mask = event->mask,
                      .width = event->width, .meets = event->kind == TRACE_ATOM || (known && of->module->code[event->pc].sem != PTX_WEAK)};
  for (int i = 0; i < of->info->object_count; i++) if (covers[i]) trace_cover_store(covers[i], &store, event->addr);
}

static bool take_all(const CoverageOf *of, Trace *trace, TraceCover **covers) {
  TraceEvent event;
  for (uint64_t step = 0; step < trace_steps(trace); step++) {
    if (!trace_event(trace, step, &event, NULL)) return false;
    take_event(of, &event, covers);
  }
  return true;
}

bool coverage_fold(const CoverageOf *of, Trace *trace, TraceCoverage **items, int *count) {
  const TraceInfo *info = of->info;
  if (!has_all_events(of, trace)) return false;
  TraceCover **covers = ls_alloc(sizeof *covers * (size_t)(info->object_count + 1));
  for (int i = 0; i < info->object_count; i++) covers[i] = cover_of(of, &info->objects[i]);
  bool ok = take_all(of, trace, covers);
  *items = ls_alloc(sizeof **items * (size_t)(info->object_count + 1));
  *count = 0;
  for (int i = 0; ok && i < info->object_count; i++) {
    TraceCoverage *row = &(*items)[*count];
    if (!covers[i] || !trace_cover_sum(covers[i], row)) continue;
    row->arg = info->objects[i].arg;
    *count += 1;
  }
  for (int i = 0; i < info->object_count; i++) trace_cover_free(covers[i]);
  free(covers);
  if (!ok) free(*items);
  return ok;
}
