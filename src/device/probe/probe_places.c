// probe_places.c: where the variables were, and where the trace has them.
#include "device/probe/probe_places.h"
#include "sim/core/form.h"

enum { LANES = 32, MOST_INSIDE = 64 };

typedef struct Place { TraceSpace space; uint64_t raw, size, at; } Place;   // size bytes from raw on are at `at`

typedef struct Frame { int func; uint64_t size, at; } Frame;   // local variables of a function are at `at`
typedef struct Inside { int frame; uint64_t raw; } Inside;   // a call that a lane is in: where it has them

struct Places {
  const Probe *probe;
  Place *places; int count;
  Frame *frames; int frame_count;
  Inside *inside; int *depth;          // MOST_INSIDE per warp and lane, outermost first; how many of them there are
  int warps;
};

static uint64_t told_address(const Probe *probe, const uint8_t *memory, int number) {   // 0: not told
  uint64_t address;
  memcpy(&address, memory + probe->at_variables + 8 * (uint64_t)number, sizeof address);
  return address;
}

static bool has_object(const Probe *probe, const PtxVar *var) {
  if (var->space == PTX_CONST || var->space == PTX_GLOBAL) return true;
  return (var->space == PTX_SHARED || var->space == PTX_LOCAL) && (var->func < 0 || probe->reached[var->func]);
}

// Objects of a space stand in the order of the module's variables.
static const TraceObject *object_of(const Probe *probe, const TraceInfo *info, int wanted) {
  const PtxModule *m = probe->module;
  TraceSpace space = sim_space_of((PtxSpace)m->vars[wanted].space);
  int before = 0;
  for (int v = 0; v < wanted; v++) before += has_object(probe, &m->vars[v]) && sim_space_of((PtxSpace)m->vars[v].space) == space;
  for (int i = 0; info && i < info->object_count; i++)
    if (info->objects[i].space == space && info->objects[i].arg < 0 && before-- == 0) return &info->objects[i];
  return NULL;
}

static uint64_t size_of(const Probe *probe, const PtxVar *var) {
  if (var->space == PTX_PARAM) return (uint64_t)probe->module->funcs[probe->entry].param_bytes;
  return var->size > 0 ? (uint64_t)var->size : probe->launch->shared_bytes;
}

Places *places_new(const Probe *probe, const uint8_t *memory, const TraceInfo *info) {
  Places *p = ls_alloc(sizeof *p);
  p->probe = probe;
  p->warps = (int)launch_warps(probe->launch);
  p->places = ls_alloc(sizeof *p->places * (size_t)(probe->variable_count + 1));
  for (int i = 0; i < probe->variable_count; i++) {
    const PtxVar *var = &probe->module->vars[probe->variables[i]];
    const TraceObject *object = var->space == PTX_PARAM ? NULL : object_of(probe, info, probe->variables[i]);
    uint64_t told = told_address(probe, memory, i);
    if (!told) continue;
    uint64_t at = object ? object->base : var->space == PTX_PARAM ? 0 : told - 1;
    p->places[p->count++] = (Place){sim_space_of((PtxSpace)var->space), told - 1, size_of(probe, var), at};
  }
  p->frames = ls_alloc(sizeof *p->frames * (size_t)(probe->module->func_count + 1));
  for (int f = 0; f < probe->module->func_count; f++) {
    if (probe->frame_var[f] < 0 || !probe->reached[f]) continue;
    const TraceObject *object = object_of(probe, info, probe->frame_var[f]);
    uint64_t size = (uint64_t)LS_MAX(probe->module->vars[probe->frame_var[f]].size, 0);
    p->frames[p->frame_count++] = (Frame){f, size, object ? object->base : 0};
  }
  if (p->frame_count) p->inside = ls_alloc(sizeof *p->inside * MOST_INSIDE * LANES * (size_t)p->warps);
  p->depth = ls_alloc(sizeof *p->depth * LANES * (size_t)p->warps);
  return p;
}

void places_free(Places *p) {
  if (!p) return;
  free(p->inside);
  free(p->depth);
  free(p->frames);
  free(p->places);
  free(p);
}

void places_start(Places *p) { memset(p->depth, 0, sizeof *p->depth * LANES * (size_t)p->warps); }

static int frame_of(const Places *p, int func) {
  for (int i = 0; i < p->frame_count; i++) if (p->frames[i].func == func) return i;
  return -1;
}

void places_enter(Places *p, int func, int warp, uint32_t lanes, const uint64_t base[32]) {
  int frame = frame_of(p, func);
  for (uint32_t left = lanes; left && frame >= 0; left &= left - 1) {
    int lane = __builtin_ctz(left), at = warp * LANES + lane;
    if (p->depth[at] < MOST_INSIDE) p->inside[at * MOST_INSIDE + p->depth[at]++] = (Inside){frame, base[lane]};
  }
}

// Calls whose return was lost end with the one around them.
void places_leave(Places *p, int func, int warp, uint32_t lanes) {
  int frame = frame_of(p, func);
  for (uint32_t left = lanes; left && frame >= 0; left &= left - 1) {
    int at = warp * LANES + __builtin_ctz(left), depth = p->depth[at];
    while (depth > 0 && p->inside[at * MOST_INSIDE + depth - 1].frame != frame) depth--;
    if (depth > 0) p->depth[at] = depth - 1;
  }
}

// Inside a variable, or else as far from the nearest one below (or the first) as it is there. Other global memory is where
// it is.
uint64_t places_find(const Places *p, TraceSpace space, int warp, int lane, uint64_t raw) {
  const Place *near = NULL;
  for (int i = 0; i < p->count; i++) {
    const Place *place = &p->places[i];
    if (place->space != space) continue;
    if (raw - place->raw < place->size) return place->at + (raw - place->raw);
    if (space == TRACE_GLOBAL) continue;
    if (!near || (place->raw <= raw && (near->raw > raw || place->raw > near->raw))) near = place;
  }
  int thread = warp * LANES + lane;
  for (int i = p->depth[thread]; space == TRACE_LOCAL && i-- > 0;) {
    const Inside *call = &p->inside[thread * MOST_INSIDE + i];
    uint64_t offset = raw - call->raw;
    if (offset < p->frames[call->frame].size) return p->frames[call->frame].at + offset;
  }
  return near ? near->at + (raw - near->raw) : raw;
}

static const Place *place_of(const Places *p, TraceSpace space, uint64_t raw) {
  for (int i = 0; i < p->count; i++)
    if (p->places[i].space == space && raw - p->places[i].raw < p->places[i].size) return &p->places[i];
  return NULL;
}

static bool has_any(const Places *p, TraceSpace space) {
  for (int i = 0; i < p->count; i++)
    if (p->places[i].space == space) return true;
  return false;
}

// Mostly all lanes are in the same variable, or in no variable that there is.
void places_find_all(const Places *p, TraceSpace space, int warp, uint32_t lanes, const uint64_t raw[32], uint64_t out[32]) {
  uint64_t lowest = UINT64_MAX, highest = 0, shift = 0;
  for (uint32_t left = lanes; left; left &= left - 1) {
    lowest = LS_MIN(lowest, raw[__builtin_ctz(left)]);
    highest = LS_MAX(highest, raw[__builtin_ctz(left)]);
  }
  const Place *place = space == TRACE_LOCAL ? NULL : place_of(p, space, lowest);
  bool all = place && highest - place->raw < place->size;
  if (all) shift = place->at - place->raw;
  if (all || (space == TRACE_GLOBAL && !has_any(p, space))) {
    for (int lane = 0; lane < LANES; lane++) out[lane] = raw[lane] + shift;
    return;
  }
  for (uint32_t left = lanes; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    out[lane] = places_find(p, space, warp, lane, raw[lane]);
  }
}
