// fault_place.c: the place of a bad access in words: which object, which element, how far beyond its end.
#include "sim/analysis/analysis.h"
#include "sim/check/fault.h"
#include "sim/core/memory.h"

// Offsets of the shared and local windows are 32 bits wide; one below zero is shown as such.
static int64_t signed_addr(TraceSpace space, uint64_t addr) {
  return space == TRACE_SHARED || space == TRACE_LOCAL ? (int64_t)(int32_t)addr : (int64_t)addr;
}

static int nearest(const SimProgram *program, TraceSpace space, uint64_t addr, int64_t *distance) {
  int best = -1;
  int64_t at = signed_addr(space, addr), best_gap = INT64_MAX;
  for (int i = 0; i < program->object_count; i++) {
    const TraceObject *o = &program->objects[i];
    if (o->space != space || !o->size) continue;
    int64_t base = (int64_t)o->base, end = (int64_t)(o->base + o->size),
            gap = at < base   ? base - at
                  : at >= end ? at - end + 1
                              : 0;
    if (gap >= best_gap) continue;
    best = i;
    best_gap = gap;
    *distance = at < base ? at - base : at >= end ? at - end : 0;
  }
  return best;
}

// The array that is meant, as an object; its own if it has one.
static TraceObject meant_object(const SimProgram *program, const SimFaultPlace *p, TraceFault *f) {
  const SimExtent *e = &program->extents[p->extent - 1];
  for (int i = 0; i < program->object_count && !e->name; i++)
    if (program->objects[i].space == e->space && program->objects[i].base == e->first && program->objects[i].size)
      f->object = i;
  int64_t at = signed_addr(p->space, p->addr), end = (int64_t)(e->first + e->size);
  f->distance = at < (int64_t)e->first ? at - (int64_t)e->first : at >= end ? at - end : 0;
  if (!e->name) return program->objects[f->object];
  return (TraceObject){.name = (char *)(uintptr_t)e->name, .space = e->space, .type = e->type, .base = e->first,
                       .size = e->size, .arg = -1};
}

// Where it is that an access has come to from the array that is meant.
static void add_trespass(const SimProgram *program, const SimFaultPlace *p, LsText *out) {
  int there = sim_extent_at(program, p->extent, p->addr);
  const char *name = there ? program->extents[there - 1].name : NULL;
  for (int i = 0; there && !name && i < program->object_count; i++) {
    const TraceObject *o = &program->objects[i];
    if (o->space == p->space && o->base == program->extents[there - 1].first) name = o->name;
  }
  if (name) ls_text_addf(out, ", in %s", name);
}

// A surface access may start inside a texel.
static void add_texel(const SimProgram *program, const TraceObject *object, uint64_t addr, LsText *out) {
  ls_text_add(out, "texel ");
  launch_image_place(&program->launch->args[object->arg], addr - object->base, out);
  ls_text_addf(out, " of %s", object->name);
}

int sim_fault_object(const SimProgram *program, const SimFaultPlace *p, int64_t *distance) {
  return nearest(program, p->space, p->addr, distance);
}

void sim_fault_add_place(const SimProgram *program, const SimFaultPlace *p, TraceFault *f, LsText *out) {
  f->object = nearest(program, p->space, p->addr, &f->distance);
  if (p->space == TRACE_GLOBAL && p->addr < SIM_PAGE) {
    ls_text_addf(out, "address 0x%llx: the pointer is null", (unsigned long long)p->addr);
    f->object = -1;
    return;
  }
  if (f->object < 0) {
    ls_text_addf(out, "address 0x%llx, where nothing is allocated", (unsigned long long)p->addr);
    return;
  }
  TraceObject meant = p->extent ? meant_object(program, p, f) : program->objects[f->object], *o = &meant;
  if (p->space == TRACE_TEXTURE) { add_texel(program, o, p->addr, out); return; }
  int64_t offset = signed_addr(p->space, p->addr) - (int64_t)o->base;
  int elem = launch_type_size((LaunchType)o->type);
  if (elem == 1 && p->size > 1) elem = p->size;   // dynamic shared memory is declared as bytes: index it as the access does
  if (!p->extent && p->space == TRACE_GLOBAL && (offset > 1ll << 40 || offset < -(1ll << 40))) {
    ls_text_addf(out, "address 0x%llx, which is in no allocation", (unsigned long long)p->addr);
    return;
  }
  if (elem > 0 && offset % elem == 0) ls_text_addf(out, "%s[%lld]", o->name, (long long)(offset / elem));
  else ls_text_addf(out, "byte %lld of %s", (long long)offset, o->name);
  if (p->kind != FAULT_OUT_OF_BOUNDS) return;
  if (f->distance < 0)
    ls_text_addf(out, ", %lld byte%s before the start of %s", -(long long)f->distance, f->distance == -1 ? "" : "s",
                 o->name);
  else if (offset == (int64_t)o->size)
    ls_text_addf(out, ", just past the end of %s", o->name);
  else if (offset > (int64_t)o->size)
    ls_text_addf(out, ", %lld bytes past the end of %s", (long long)f->distance, o->name);
  else ls_text_addf(out, ", across the end of %s", o->name);
  ls_text_addf(out, " (%llu bytes)", (unsigned long long)o->size);
  if (p->extent) add_trespass(program, p, out);
}
