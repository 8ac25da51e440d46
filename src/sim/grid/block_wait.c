// block_wait.c: warps that wait for another block: they read a word of global memory again and again until somebody
// changes it, as grid.sync() does, a flag that another block sets, or a ticket that is not theirs yet.
//
// A warp that comes to the same jump back with the same registers, while it changed nothing, waits: its turn ends. If
// that is all that happens in a round of a block, the block has to wait for another one, and grid.c leaves it.
//
// Words that a thread of the same block changed last are left to spin.c, unless that thread waits too: a lock that a
// neighbor holds is not another block's affair. So blocks that do not wait for others run as if there were none.
#include "sim/grid/block_wait.h"
#include <string.h>
#include "sim/core/ownership.h"
#include "sim/core/place.h"
#include "sim/core/sched.h"
#include "sim/core/slots.h"
#include "sim/grid/begin_order.h"

enum {
  MOST_LOOKS = 64,          // comparisons of registers in a turn: a read of all of them each
  MOST_STRAIGHT = 512,      // instructions of a kernel without loops that is over before anybody gives way
};

// ---- what a warp reads and writes ----------------------------------------------------------------------------------

static void note_word(SimWait *w, uint64_t addr) {
  for (uint32_t i = 0; i < w->word_count; i++) if (w->words[i] == addr) return;
  if (w->word_count < SIM_WAIT_WORDS) w->words[w->word_count] = addr;
  w->word_count++;
}

uint64_t sim_wait_value(const SimExec *exec, uint64_t addr) {
  uint64_t value = 0;
  const SimAlloc *a = sim_alloc_at(exec->memory, addr);
  if (a) memcpy(&value, a->bytes + (addr - a->base), LS_MIN(sizeof value, a->size - (addr - a->base)));
  return value;
}

static uint32_t changer_at(uint64_t addr) { return (uint32_t)(addr / 4 ^ addr / 64) % SIM_WAIT_CHANGERS; }

uint32_t sim_wait_changes(const SimExec *exec) {
  const SimWait *w = &exec->block.wait;
  uint32_t changes = 0;
  for (uint32_t at = 0; at < SIM_WAIT_CHANGERS; at++)
    if (w->changers[at].addr && sim_wait_value(exec, w->changers[at].addr) != w->before[at]) changes |= 1u << at;
  return changes;
}

bool sim_wait_changed(const SimWait *w, uint32_t changes, uint64_t addr) {
  uint32_t at = changer_at(addr);
  return changes >> at & 1 && w->changers[at].addr == addr;
}

static bool stands_still(const SimWarp *w, uint32_t lane) {
  for (int i = 0; i < w->group_count; i++)
    if (w->groups[i].mask & lane) return w->groups[i].state != SIM_GROUP_RUN;
  return false;
}

// Is it up to this thread of the same block to change a word again that it changed last?
static bool is_up_to(const SimExec *exec, uint32_t thread) {
  uint32_t lane = 1u << thread % SIM_LANES;
  const SimWarp *other = &exec->warps[thread / SIM_LANES];
  if (other == exec->warp && exec->active & lane) return false;
  return other->live & lane && !other->asleep && !stands_still(other, lane);
}

// One lane's word. known: places of changers that were taken in this access: whoever comes there again with the same
// word has nothing to note but himself.
static void note_lane(SimExec *exec, uint64_t addr, uint32_t thread, bool looks, bool changes, uint32_t *known,
                      bool *own) {
  SimWait *w = &exec->block.wait;
  uint32_t at = changer_at(addr);
  bool is_there = w->changers[at].addr == addr;
  if (!is_there || !(*known >> at & 1)) {
    if (is_there && !*own) *own = is_up_to(exec, w->changers[at].thread);
    if (looks && w->word_count <= SIM_WAIT_WORDS) note_word(w, addr);
    if (!changes) return;
    if (exec->seed && !is_there) w->before[at] = sim_wait_value(exec, addr);
    w->changers[at].addr = addr;
    *known |= 1u << at;
  }
  w->changers[at].thread = thread;
}

// True if one of the words is up to somebody of the same block. Lanes in a row that want one word are as good as the
// last of them: what an earlier one notes, the next one notes anew, and neither is up to the other.
static bool note_lanes(SimExec *exec, uint32_t mask, bool looks, bool changes) {
  uint32_t first = (uint32_t)sim_warp_index(exec) * SIM_LANES, known = 0;
  uint64_t addr = exec->addr[__builtin_ctz(mask)];
  bool own = false;
  for (uint32_t left = mask; left;) {
    uint32_t lane = (uint32_t)__builtin_ctz(left);
    left &= left - 1;
    uint64_t next = left ? exec->addr[__builtin_ctz(left)] : ~addr;
    if (next != addr) note_lane(exec, addr, first + lane, looks, changes, &known, &own);
    addr = next;
  }
  return own;
}

// The same for atomics when there are too many words to know, as those of a table are.
static bool note_changers(SimExec *exec, uint32_t mask) {
  struct SimChanger *changers = exec->block.wait.changers;
  uint32_t first = (uint32_t)sim_warp_index(exec) * SIM_LANES, known = 0;
  bool own = false;
  SIM_FOR_LANES(lane, mask) {
    uint64_t addr = exec->addr[lane];
    uint32_t at = changer_at(addr);
    if (changers[at].addr == addr && !own && !(known >> at & 1)) own = is_up_to(exec, changers[at].thread);
    changers[at].addr = addr;
    changers[at].thread = first + lane;
    known |= 1u << at;
  }
  return own;
}

void sim_wait_strong(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimMem *m = inst->more;
  SimWait *w = &exec->block.wait;
  uint64_t first;
  bool looks = inst->kind != TRACE_STORE;
  if (m->space != PTX_GLOBAL && m->space != PTX_GENERIC) return;
  if (sim_classify(exec->addr[__builtin_ctz(mask)], &first) != TRACE_GLOBAL) return;
  bool dropped = inst->kind == TRACE_ATOM && (m->unused || m->data[0] == SIM_NO_SLOT);
  if (exec->grid.suspect && looks && !dropped) sim_begin_look(exec, mask);
  bool is_table = inst->kind == TRACE_ATOM && !exec->seed && w->word_count > SIM_WAIT_WORDS;
  bool own = is_table ? note_changers(exec, mask) : note_lanes(exec, mask, looks, inst->kind != TRACE_LOAD);
  if (own || !looks) return;
  w->looked = exec->block.alert = true;
  w->looks++;
}

static bool jumps_back(const SimProgram *program, int32_t pc) {
  const PtxInstr *in = &program->module->code[pc];
  const SimBranch *b = program->code[pc].more;
  if (in->op == PTX_OP_bra) return b->target <= pc;
  bool back = false;
  for (int i = 0; in->op == PTX_OP_brx && i < b->table_count; i++) back |= b->table[i] <= pc;
  return back;
}

// Whoever waits comes to the same jump back again, so a kernel without one does not wait; if it is short, no block has
// so many turns that it gives way. With a seed turns are short, and blocks give way soon in code that counts for
// whoever brings the memory: of these nothing is concluded.
bool sim_wait_is_possible(const SimProgram *program) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  const SimOptions *o = &program->options;
  if (program->has_calls || o->seed || o->mapping_count || o->path || f->count > MOST_STRAIGHT) return true;
  for (int32_t pc = f->first; pc < f->first + f->count; pc++) if (jumps_back(program, pc)) return true;
  return false;
}

// ---- a warp --------------------------------------------------------------------------------------------------------

static void forget(SimExec *exec) {
  exec->warp->asleep = false;
  exec->warp->wait_pc = -1;
  exec->warp->wait_count = 0;
}

// The registers are compared with those of an earlier time here; which one that is changes now and then, so that
// longer ways round are found too.
static bool is_here_again(SimExec *exec) {
  SimWarp *w = exec->warp;
  if (w->wait_count >= MOST_LOOKS) return false;
  uint64_t hash = sim_hash_registers(exec);
  if (w->wait_pc == exec->pc && w->wait_hash == hash) return true;
  w->wait_count++;
  if (w->asleep && w->wait_count < 8) return false;
  w->asleep = false;
  if (w->wait_pc >= 0 && (w->wait_count & (w->wait_count - 1))) return false;
  w->wait_pc = exec->pc;
  w->wait_hash = hash;
  return false;
}

void sim_wait_branch(SimExec *exec) {
  SimBlock *b = &exec->block;
  SimWarp *w = exec->warp;
  if (!b->wait.looked) return;
  b->wait.looked = false;
  if (w->wait_changes != b->changes) {
    w->wait_changes = b->changes;
    forget(exec);
    return;
  }
  if (!is_here_again(exec)) return;
  if (!exec->alone) { b->slice = 0; return; }   // other lanes of the warp may do what these wait for
  b->wait.turn_quiet &= w->asleep;
  b->wait.yielded = w->asleep = true;
  sim_end_turn(b);
}

// ---- a block -------------------------------------------------------------------------------------------------------

void sim_wait_round_start(SimExec *exec) {
  SimWait *w = &exec->block.wait;
  w->round_quiet = true;
  w->round_waits = false;
  w->word_count = 0;
}

static int32_t place_of_wait(const SimExec *exec) {
  for (int k = 0; k < exec->warp_count; k++) {
    const SimWarp *w = &exec->warps[k];
    for (int i = 0; i < w->group_count; i++)
      if ((w->asleep || w->spinning) && w->groups[i].state == SIM_GROUP_RUN)
        return sim_reported_pc(exec, w, &w->groups[i], w->groups[i].pc);
  }
  return -1;
}

bool sim_wait_give_way(SimExec *exec, bool sure) {
  SimWait *w = &exec->block.wait;
  if (!exec->program->shares || (!w->looks && !sure)) return false;
  if (sim_is_worker(exec)) { sim_give_up(exec); return false; }
  w->stuck = true;
  w->sure = sure;
  w->reported_pc = place_of_wait(exec);
  return true;
}

bool sim_wait_round_end(SimExec *exec) {
  SimWait *w = &exec->block.wait;
  if (!exec->program->shares) return false;
  bool quiet = w->round_quiet && w->round_waits;
  if (quiet && !w->stuck) sim_wait_give_way(exec, true);
  w->block_quiet &= quiet || (w->stuck && w->sure);
  return w->stuck;
}

void sim_wait_mark(SimExec *exec) {
  for (int k = 0; k < exec->warp_count; k++)
    if (exec->warps[k].asleep) exec->warps[k].spinning = sim_lanes_that_could_run(exec, &exec->warps[k]);
}

bool sim_wait_release(SimExec *exec) {
  bool released = false;
  sim_wait_mark(exec);
  for (int k = 0; k < exec->warp_count; k++) {
    SimWarp *w = &exec->warps[k];
    if (!w->spinning || exec->sched != SIM_ITS || !sim_sched_release(w, w->spinning)) continue;
    w->asleep = false;
    released = true;
  }
  exec->block.wait.released |= released;
  return released;
}
