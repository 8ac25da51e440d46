// cure_memory.c: what is to be done about an access outside of an array, and about a read of what nobody wrote.
#include <string.h>

#include "model/causes/cure_parts.h"

enum { NULL_PAGE = 4096 };   // addresses below are of no array: what a null pointer and a small index make

// ---- out of bounds -------------------------------------------------------------------------------------------------

// -1: none, or several.
static int only_param(const FlowSlice *at) {
  return at->params && !(at->params & (at->params - 1)) ? __builtin_ctzll(at->params) : -1;
}

static const char *param_name(const CureOf *of, int pc, int param) {
  const Launch *launch = &of->info->launch;
  const PtxFunc *func = &of->module->funcs[of->module->code[pc].func];
  if (!func->is_entry || param < 0) return NULL;
  for (int i = 0, n = 0; i < launch->arg_count; i++) {
    if (launch->args[i].role == LAUNCH_VARIABLE || n++ != param) continue;
    return launch->args[i].name;
  }
  return NULL;
}

static bool cure_null(const CureOf *of, const TraceFault *f, const FlowSlice *at, Cause *cause, LsText *out) {
  if (f->space != TRACE_GLOBAL || f->addr >= NULL_PAGE || f->object >= 0) return false;
  int param = only_param(at);
  const char *name = param_name(of, f->pc, param);
  cure_at(of, cause, CURE_NULL_POINTER, f->pc);
  if (param >= 0) ls_text_addf(out, "Argument %d", param + 1);
  else ls_text_add(out, "The pointer");
  if (name) ls_text_addf(out, " (%s)", name);
  ls_text_add(out, " is null: no comparison of an index helps. Give the kernel the address of memory that was "
              "allocated, and look whether the allocation before the launch failed.");
  return true;
}

// Bytes behind what the block declares that all threads would need, if each goes as far beyond its neighbor as wide as
// the access is.
static uint64_t bytes_wanted(const CureOf *of, const TraceFault *f) {
  const uint32_t *dim = of->info->launch.block;
  uint64_t threads = (uint64_t)dim[0] * dim[1] * dim[2], fixed = 0;
  for (int i = 0; i < of->info->object_count; i++) {
    const TraceObject *o = &of->info->objects[i];
    if (o->space == TRACE_SHARED) fixed = LS_MAX(fixed, o->base + o->size);
  }
  uint64_t offset = f->addr > fixed ? f->addr - fixed : 0;
  return offset + (threads - LS_MIN(f->thread, threads - 1)) * (uint64_t)f->size;
}

static bool cure_shared_bytes(const CureOf *of, const TraceFault *f, const FlowSlice *at, Cause *cause, LsText *out) {
  if (f->space != TRACE_SHARED || !at->dynamic || of->info->launch.shared_bytes) return false;
  cure_at(of, cause, CURE_SHARED_BYTES, f->pc);
  ls_text_addf(out, "The launch gives the block no dynamic shared memory: the third number between <<< and >>>, here "
               "-s %llu, so that each of the %u threads of a block has its element at this line.",
               (unsigned long long)bytes_wanted(of, f),
               of->info->launch.block[0] * of->info->launch.block[1] * of->info->launch.block[2]);
  return true;
}

static bool cure_ticket(const CureOf *of, const TraceFault *f, const FlowSlice *at, Cause *cause, LsText *out) {
  if (at->atomic < 0) return false;
  cure_at(of, cause, CURE_TICKET, f->pc);
  ls_text_add(out, "The index comes from the atomic at ");
  add_line(of, at->atomic, out);
  ls_text_addf(out, ", which hands out numbers beyond the end as well: compare it with the size of %s before ",
               array_name(of, f));
  add_line(of, f->pc, out);
  ls_text_add(out, " uses it.");
  if (at->tid && f->distance == 0) ls_text_add(out, " Or is what is added to it one too many?");
  return true;
}

// The condition above that lets i == n through; -1.
static int lets_one_more(const CureOf *of, const TraceFault *f, bool *guarded, bool *about_index) {
  Flow *flow = of->flow;
  int found = -1;
  *guarded = *about_index = false;
  for (int b = flow_control(flow, f->pc), inner = f->pc; b >= 0; inner = b, b = flow_outward(flow, f->pc, b)) {
    FlowTest test;
    FlowSlice slice = flow_condition(flow, b);
    if (!flow_test(flow, b, inner, &test)) { *about_index |= slice.tid != 0; continue; }
    bool a = flow_address_has(flow, f->pc, test.a), n = test.b >= 0 && flow_address_has(flow, f->pc, test.b);
    bool order = test.cmp != PTX_EQ && test.cmp != PTX_NE;
    if (slice.tid | slice.ctaid) *guarded = true;
    if (order && (a || n)) *about_index = true;
    bool more = a && !n && (test.cmp == PTX_LE || test.cmp == PTX_LS);
    bool less = n && !a && (test.cmp == PTX_GE || test.cmp == PTX_HS);
    if ((more || less) && found < 0) found = b;
  }
  return found;
}

static void add_compare(const CureOf *of, const TraceFault *f, bool guarded, LsText *out) {
  bool small = f->space == TRACE_SHARED || f->space == TRACE_LOCAL;
  ls_text_addf(out, "Compare the index with the size of %s before ", array_name(of, f));
  add_line(of, f->pc, out);
  if (f->distance < 0) { ls_text_add(out, ": here it is below 0."); return; }
  if (guarded || small) { ls_text_addc(out, '.'); return; }
  ls_text_add(out, ", for loads as for stores: a grid is rounded up to whole blocks, so the last threads have "
              "nothing to do.");
}

// An index of several coordinates that nothing compares: another thread, beyond the end of a row only, comes to an element
// of the next one. Which of the two is met first depends on the order of blocks.
static bool cure_coordinates(const CureOf *of, const TraceFault *f, const FlowSlice *at, Cause *cause, LsText *out) {
  const uint32_t *block = of->info->launch.block, *grid = of->info->launch.grid;
  int axes = 0;
  for (int k = 0; k < 3; k++) axes += (at->tid | at->ctaid) >> k & 1 && block[k] * grid[k] > 1;
  bool rows = f->space == TRACE_GLOBAL && f->distance >= 0 && at->tid && axes > 1;
  if (!rows || at->loaded || at->looped || flow_control(of->flow, f->pc) >= 0) return false;
  cure_at(of, cause, CURE_GUARD, f->pc);
  ls_text_add(out, "Compare each coordinate with its own limit (x with the width, y with the height) before ");
  add_line(of, f->pc, out);
  ls_text_add(out, ": a grid is rounded up to whole blocks, and threads beyond the end of a row come to the next one.");
  return true;
}

void cure_bounds(const CureOf *of, Cause *cause, LsText *out) {
  const TraceFault *f = &of->faults[cause->witness];
  if (f->pc < 0 || f->size == 0) return;
  FlowSlice at = flow_address(of->flow, f->pc);
  if (cure_null(of, f, &at, cause, out) || cure_shared_bytes(of, f, &at, cause, out) ||
      cure_ticket(of, f, &at, cause, out) || cure_coordinates(of, f, &at, cause, out)) return;
  bool guarded, about_index;
  int equal = lets_one_more(of, f, &guarded, &about_index);
  if (equal >= 0 && f->distance == 0) {
    cure_at(of, cause, CURE_BOUND_BY_ONE, equal);
    ls_text_add(out, "Is it < in place of <= at ");
    add_line(of, equal, out);
    ls_text_addf(out, "? The index equal to the size comes through, and %s ends one before it.", array_name(of, f));
    return;
  }
  if (guarded && !about_index && f->distance >= 0) {
    cure_at(of, cause, CURE_BOUND_OTHER, f->pc);
    ls_text_add(out, "The condition at ");
    add_line(of, flow_control(of->flow, f->pc), out);
    ls_text_add(out, " tests another value than the index at ");
    add_line(of, f->pc, out);
    ls_text_addf(out, ": compare that index with the size of %s.", array_name(of, f));
    return;
  }
  cure_at(of, cause, CURE_BOUND, f->pc);
  add_compare(of, f, guarded, out);
}

// ---- uninitialized -------------------------------------------------------------------------------------------------

void cure_uninitialized(const CureOf *of, Cause *cause, LsText *out) {
  const TraceFault *f = &of->faults[cause->witness];
  FlowUpdate update;
  const char *array = array_name(of, f);
  if (f->pc < 0) return;
  bool adds = flow_is_atomic(of->module, &of->module->code[f->pc]) || flow_update_of(of->flow, f->pc, &update) >= 0;
  if (f->space == TRACE_GLOBAL || f->space == TRACE_TEXTURE) {
    cure_at(of, cause, CURE_INITIALIZE, f->pc);
    if (adds) ls_text_addf(out, "Clear %s before the launch (cudaMemset), or store instead of adding: it begins with "
                           "no value, and ", array);
    else ls_text_addf(out, "Give %s contents before the launch (cudaMemcpy, cudaMemset), or write it first: it "
                      "begins with no value, and ", array);
    add_line(of, f->pc, out);
    ls_text_add(out, adds ? " adds to that." : " reads that.");
    return;
  }
  cure_at(of, cause, CURE_WRITE_FIRST, f->pc);
  if (!f->size) {   // a register
    ls_text_add(out, "Give the variable a value before ");
    add_line(of, f->pc, out);
    ls_text_add(out, ", on every way that leads there: an accumulator needs its first value (float s = 0;), one of "
                     "matrices wmma::fill_fragment.");
    return;
  }
  ls_text_addf(out, "%s arrays begin with no value, and nobody writes this element of %s before ",
               f->space == TRACE_SHARED ? "Shared" : "Local", array);
  add_line(of, f->pc, out);
  ls_text_addf(out, "%s: is %s filled to its rims, by the threads that are there, at the index that is read?",
               adds ? " adds to it" : " reads it", array);
}
