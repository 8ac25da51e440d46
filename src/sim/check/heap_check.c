// heap_check.c: what is wrong with an access to the device heap, or with a free(): which piece it was, who took it where.
#include "sim/check/heap_check.h"
#include "sim/check/fault.h"
#include "sim/core/heap.h"
#include "sim/core/place.h"

// ---- sentences -----------------------------------------------------------------------------------------------------

static void add_coordinates(const char *what, uint32_t number, const uint32_t dim[3], LsText *out) {
  ls_text_addf(out, "%s (%u,%u,%u)", what, number % dim[0], number / dim[0] % dim[1], number / dim[0] / dim[1]);
}

static void add_bytes(uint64_t count, LsText *out) {
  ls_text_addf(out, "%llu byte%s", (unsigned long long)count, count == 1 ? "" : "s");
}

// "the 40 bytes that thread (0,0,0) of block (1,0,0) took at list.cu:7", or "that it took"
static void add_piece(const SimExec *exec, uint32_t lane, const SimPiece *piece, LsText *out) {
  const SimProgram *program = exec->program;
  bool own = piece->block == exec->block.number && piece->thread == (uint32_t)sim_warp_index(exec) * SIM_LANES + lane;
  ls_text_add(out, "the ");
  add_bytes(piece->size, out);
  ls_text_add(out, " that ");
  if (own) ls_text_add(out, "it");
  else add_coordinates("thread", piece->thread, program->launch->block, out);
  if (piece->block != exec->block.number) add_coordinates(" of block", piece->block, program->launch->grid, out);
  ls_text_add(out, " took at ");
  sim_fault_where(program, piece->taken_at, out);
}

static void add_freed(const SimProgram *program, const SimPiece *piece, LsText *out) {
  if (piece->state != SIM_HEAP_FREED) return;
  ls_text_add(out, ", freed at ");
  sim_fault_where(program, piece->freed_at, out);
}

// ---- accesses ------------------------------------------------------------------------------------------------------

static bool is_inside(const SimPiece *piece, uint64_t base, uint64_t address, uint64_t size) {
  return piece && piece->state == SIM_HEAP_TAKEN && address - base < piece->size && size <= piece->size - (address - base);
}

static void tell_access(SimExec *exec, const SimInst *inst, uint32_t lane, TraceSpace space) {
  const SimMem *m = inst->more;
  uint64_t base = 0, address = exec->addr[lane];
  const SimPiece *piece = sim_heap_piece(exec->memory, address, &base);
  const char *verb = inst->kind == TRACE_LOAD ? "reads" : inst->kind == TRACE_STORE ? "writes" : "updates";
  LsText out = {0};
  ls_text_addf(&out, "%s ", verb);
  add_bytes(m->width, &out);
  if (!piece) {
    ls_text_add(&out, " of the device heap that belong to nobody");
  } else {
    int64_t at = (int64_t)(address - base), size = (int64_t)piece->size;
    if (at < 0) ls_text_addf(&out, ", %lld before ", (long long)-at);
    else if (at == size) ls_text_add(&out, " just past the end of ");
    else if (at > size) ls_text_addf(&out, ", %lld past the end of ", (long long)(at - size));
    else ls_text_addf(&out, " at byte %lld of ", (long long)at);
    add_piece(exec, lane, piece, &out);
    add_freed(exec->program, piece, &out);
  }
  bool freed = piece && piece->state == SIM_HEAP_FREED;   // else the size stays 0: the lane is inside of the object, the heap
  sim_fault(exec, &(SimFaultPlace){.kind = freed ? FAULT_USE_AFTER_FREE : FAULT_OUT_OF_BOUNDS, .mask = 1u << lane,
                                   .space = space, .addr = address, .size = freed ? m->width : 0, .has_addr = true,
                                   .writes = inst->kind != TRACE_LOAD, .does = ls_text_str(&out), .goes_on = true});
  ls_text_free(&out);
}

void sim_heap_check(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space) {
  const SimMem *m = inst->more;
  const SimPiece *piece = NULL;
  uint64_t base = 0;
  if (!(exec->checks & SIM_CHECK_MEMORY)) return;
  SIM_FOR_LANES(i, mask) {
    uint64_t address = exec->addr[i];
    if (is_inside(piece, base, address, m->width)) continue;   // that of the lane before
    piece = sim_heap_piece(exec->memory, address, &base);
    if (!is_inside(piece, base, address, m->width)) tell_access(exec, inst, i, space);
  }
}

// ---- free ----------------------------------------------------------------------------------------------------------

static void add_bad_free(const SimExec *exec, uint32_t lane, const SimPiece *piece, uint64_t at, uint64_t address,
                         LsText *out) {
  if (piece && at == 0) {
    ls_text_add(out, "frees once more ");
    add_piece(exec, lane, piece, out);
    add_freed(exec->program, piece, out);
  } else if (piece) {
    ls_text_addf(out, "frees an address that is %lld bytes behind the start of ", (long long)at);
    add_piece(exec, lane, piece, out);
    add_freed(exec->program, piece, out);
  } else {
    ls_text_addf(out, "frees address 0x%llx, which malloc() did not return", (unsigned long long)address);
  }
}

void sim_heap_bad_free(SimExec *exec, uint32_t lane, uint64_t address) {
  uint64_t base = address;
  const SimPiece *piece = sim_heap_piece(exec->memory, address, &base);
  LsText out = {0};
  add_bad_free(exec, lane, piece, address - base, address, &out);
  bool goes_on = piece && base != address;   // so does an H200
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_BAD_FREE, .mask = 1u << lane, .does = ls_text_str(&out), .goes_on = goes_on});
  ls_text_free(&out);
}
