// rounds.c: loops of one line whose rounds can be counted before they are executed.
//
//   L: ld.shared.f32 %f1, [%r1];
//      fma.rn.f32 %f3, %f1, %f2, %f3;
//      add.s32 %r1, %r1, 32;
//      add.s32 %r2, %r2, 1;
//      setp.ne.s32 %p1, %r2, 16;
//      @%p1 bra L;
//
// A register grows by as much in every round, and is held against one that stays: where all lanes have the same there,
// one lane's numbers tell how many rounds are to come. Addresses that grow alike are known for all of them from the
// first. What only counts rounds or makes such addresses need not be executed then, but once for all rounds
// (grid/rounds.c).
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"

enum { STAYS = -1, CHANGES = -2, LONGEST = 256 };

typedef struct Loop { const SimProgram *program; int first, end; SimRounds *rounds; } Loop;   // end: the branch

static const PtxInstr *instr_at(const Loop *l, int pc) { return &l->program->module->code[pc]; }
static const SimInst *inst_at(const Loop *l, int pc) { return &l->program->code[pc]; }

static int writers(const Loop *l, int reg, int *last) {
  int count = 0;
  for (int pc = l->first; pc < l->end; pc++) {
    if (!ptx_defines(instr_at(l, pc), reg)) continue;
    count++;
    *last = pc;
  }
  return count;
}

static bool stays(const Loop *l, const PtxOperand *o) {
  int pc;
  return o->kind == PTX_OPD_IMM || (o->kind == PTX_OPD_REG && !writers(l, o->reg, &pc));
}

static bool is_reg(const PtxOperand *o, int reg) { return o->kind == PTX_OPD_REG && o->reg == reg; }

static bool is_plain(const Loop *l, int pc, PtxOp op) {
  const SimInst *inst = inst_at(l, pc);
  return instr_at(l, pc)->op == op && inst->quiet && !inst->handler && !inst->left_out && !instr_at(l, pc)->flags;
}

static bool is_int(const PtxInstr *in) {
  return in->type == PTX_S32 || in->type == PTX_U32 || in->type == PTX_S64 || in->type == PTX_U64;
}

// The same in all lanes from the start on.
static bool is_fixed(const Loop *l, const PtxOperand *o) {
  return o->kind == PTX_OPD_IMM || l->program->reg_facts[o->reg].uniform;
}

// reg = reg + what stays.
static bool is_step(const Loop *l, int pc, int reg) {
  const PtxInstr *in = instr_at(l, pc);
  if (!is_plain(l, pc, PTX_OP_add) || !is_int(in) || in->operand_count != 3) return false;
  return (is_reg(&in->operands[1], reg) && stays(l, &in->operands[2])) ||
         (is_reg(&in->operands[2], reg) && stays(l, &in->operands[1]));
}

// Which of the loop's walks a register is; STAYS, CHANGES: none.
static int walk_of(Loop *l, int reg) {
  SimRounds *r = l->rounds;
  int pc = 0, count = writers(l, reg, &pc);
  if (!count) return STAYS;
  if (count > 1 || !is_step(l, pc, reg)) return CHANGES;
  for (int i = 0; i < r->walk_count; i++) if (r->walks[i].pc == pc) return i;
  if (r->walk_count == SIM_ROUND_WALKS) return CHANGES;
  const PtxInstr *in = instr_at(l, pc);
  const SimOp *op = &inst_at(l, pc)->op;
  int by = is_reg(&in->operands[1], reg) ? 2 : 1;
  r->walks[r->walk_count] = (SimWalk){.pc = pc, .reg = op->d, .by = by == 2 ? op->b : op->a, .number = reg,
                                      .is_wide = ptx_type_size((PtxType)in->type) == 8,
                                      .is_fixed = is_fixed(l, &in->operands[by])};
  return r->walk_count++;
}

// ---- the test ------------------------------------------------------------------------------------------------------

static bool find_test(Loop *l) {
  SimRounds *r = l->rounds;
  const PtxInstr *branch = instr_at(l, l->end);
  int pc = 0;
  if (branch->guard < 0 || writers(l, branch->guard, &pc) != 1 || !is_plain(l, pc, PTX_OP_setp)) return false;
  const PtxInstr *in = instr_at(l, pc);
  const SimOp *op = &inst_at(l, pc)->op;
  unsigned accepts = sim_accepted_by(in->cmp);
  if (!accepts || !is_int(in) || in->boolop || in->operand_count != 3 || in->operands[0].pair >= 0) return false;
  bool swap = !stays(l, &in->operands[2]);
  const PtxOperand *counter = &in->operands[swap ? 2 : 1];
  if (counter->kind != PTX_OPD_REG || !stays(l, &in->operands[swap ? 1 : 2])) return false;
  int walk = walk_of(l, counter->reg);
  if (walk < 0 || r->walks[walk].is_wide != (ptx_type_size((PtxType)in->type) == 8)) return false;
  if (swap) accepts = sim_accepts_swapped(accepts);
  r->test = pc;
  r->accepts = (uint8_t)(branch->guard_negate ? ~accepts & 7 : accepts);
  r->is_negated = branch->guard_negate;
  r->is_signed = in->type == PTX_S32 || in->type == PTX_S64;
  r->counter = walk;
  r->bound = swap ? op->a : op->b;
  r->bound_is_fixed = is_fixed(l, &in->operands[swap ? 1 : 2]);
  r->predicate = op->d;
  r->counts_first = r->walks[walk].pc < pc;
  return true;
}

// ---- accesses ------------------------------------------------------------------------------------------------------

static bool add_access(Loop *l, int pc) {
  SimRounds *r = l->rounds;
  const SimInst *inst = inst_at(l, pc);
  const SimMem *m = inst->more;
  const PtxOperand *address = ptx_address(instr_at(l, pc));
  if (r->access_count == SIM_ROUND_ACCESSES || m->vec != 1 || !address || pc > r->test) return false;
  if (l->program->sums[pc]) return false;   // its operands are computed each time
  int made_at = m->indexed ? m->indexed->product->pc : pc, walk = STAYS;
  if (m->indexed) walk = walk_of(l, instr_at(l, made_at)->operands[1].reg);
  else if (address->base == PTX_BASE_REG) walk = walk_of(l, address->reg);
  if (walk == CHANGES) return false;
  r->accesses[r->access_count++] =
      (SimRoundAccess){.inst = inst, .walk = walk, .scale = m->indexed ? m->indexed->scale : 1,
                       .grows_first = walk >= 0 && r->walks[walk].pc < made_at};
  return true;
}

static bool find_accesses(Loop *l) {
  for (int pc = l->first; pc < l->end; pc++) if (inst_at(l, pc)->shaped && !add_access(l, pc)) return false;
  return true;
}

// ---- what is left to execute ---------------------------------------------------------------------------------------

static int uses_at(const Loop *l, int pc, int reg) {
  int count = 0;
  for (PtxRef r = {0}; ptx_each_use(instr_at(l, pc), &r);) count += r.kind == PTX_REF_REG && r.reg == reg;
  return count;
}

// Uses of a register, but for what is left out of the line, and once per access whose address it is.
static int other_uses(const Loop *l, int reg) {
  int count = 0;
  for (int pc = l->first; pc <= l->end; pc++) {
    const SimInst *inst = inst_at(l, pc);
    if (!inst->left_out) count += uses_at(l, pc, reg);
    if (!inst->shaped || ((const SimMem *)inst->more)->indexed) continue;
    const PtxOperand *address = ptx_address(instr_at(l, pc));
    count -= address->base == PTX_BASE_REG && address->reg == reg;
  }
  return count;
}

static bool is_left_out(const Loop *l, int pc) {
  const SimRounds *r = l->rounds;
  if (inst_at(l, pc)->left_out || pc == r->test) return true;
  for (int i = 0; i < r->walk_count; i++) if (r->walks[i].pc == pc) return r->walks[i].is_left_out;
  return false;
}

static bool find_members(Loop *l) {
  SimRounds *r = l->rounds;
  for (int pc = l->first; pc < l->end; pc++) {
    const SimInst *inst = inst_at(l, pc);
    if (is_left_out(l, pc)) continue;
    if (!inst->quiet && !inst->shaped) return false;
    r->members[r->member_count++] = (SimRoundMember){inst, inst->shaped};
  }
  return true;
}

// ---- behind the loop -----------------------------------------------------------------------------------------------

// What a basic block does first to a register.
typedef enum Fate { FATE_NONE, FATE_USED, FATE_SET } Fate;
static Fate fate_in(const Loop *l, const PtxBlock *block, int reg) {
  for (int pc = block->first; pc < block->first + block->count; pc++) {
    if (uses_at(l, pc, reg)) return FATE_USED;
    if (instr_at(l, pc)->guard < 0 && ptx_defines(instr_at(l, pc), reg)) return FATE_SET;
  }
  return FATE_NONE;
}

// Does every way from the loop set the register, or end, before somebody uses it?
static bool is_over(const Loop *l, int reg) {
  const PtxCfg *cfg = l->program->cfgs[l->program->entry];
  const PtxFunc *f = &l->program->module->funcs[l->program->entry];
  if (l->end + 1 >= f->first + f->count) return true;
  LsArena *arena = ls_arena_new();
  int *todo = LS_NEW_ARRAY(arena, int, cfg->block_count), count = 0;
  bool *seen = LS_NEW_ARRAY(arena, bool, cfg->block_count), used = false;
  seen[todo[count++] = cfg->block_of[l->end + 1 - f->first]] = true;
  while (count && !used) {
    const PtxBlock *block = &cfg->blocks[todo[--count]];
    Fate fate = fate_in(l, block, reg);
    used = fate == FATE_USED;
    for (int i = 0; i < block->succ_count && fate == FATE_NONE; i++) {
      if (seen[block->succ[i]]) continue;
      seen[todo[count++] = block->succ[i]] = true;
    }
  }
  ls_arena_free(arena);
  return !used;
}

static void leave_out_walks(const Loop *l) {
  SimRounds *r = l->rounds;
  for (int i = 0; i < r->walk_count; i++) {
    SimWalk *w = &r->walks[i];
    w->is_left_out = other_uses(l, w->number) == 1 + (i == r->counter);
    w->is_over = w->is_left_out && is_over(l, w->number);
  }
}

// The loop's sum goes from one round into the next.
static void find_dot(const Loop *l) {
  SimRounds *r = l->rounds;
  const SimDot *d = r->member_count ? r->members[0].inst->dot : NULL;
  if (d && r->member_count == d->count * SIM_DOT_STEPS && d->from == d->to) r->dot = d;
}

static bool is_steady(const SimRounds *r) {
  if (!r->dot || r->dot->number < 0 || !r->bound_is_fixed) return false;
  for (int i = 0; i < r->walk_count; i++) if (!r->walks[i].is_fixed) return false;
  for (int i = 0; i < r->access_count; i++) if (r->accesses[i].grows_first) return false;
  return true;
}

static bool repeats(const SimRounds *r) {
  if (!r->is_steady || !r->is_alike || r->walks[r->counter].is_wide) return false;
  for (int i = 0; i < r->walk_count; i++) if (!r->walks[i].is_over) return false;
  return true;
}

static bool is_counted(Loop *l) {
  if (!find_test(l) || !find_accesses(l) || other_uses(l, instr_at(l, l->end)->guard) != 1) return false;
  leave_out_walks(l);
  if (!find_members(l)) return false;
  find_dot(l);
  l->rounds->is_steady = is_steady(l->rounds);
  l->rounds->is_alike = l->program->reg_facts[l->rounds->walks[l->rounds->counter].number].alike;
  l->rounds->repeats = repeats(l->rounds);
  return true;
}

static void look_at(SimProgram *program, int pc) {
  SimInst *line = &program->code[pc];
  int end = pc + line->run - 1;
  if (line->run < 2 || line->run > LONGEST || !program->code[end].jumps) return;
  if (((const SimBranch *)program->code[end].more)->target != pc) return;
  SimRounds *rounds = LS_NEW(program->arena, SimRounds);
  rounds->members = LS_NEW_ARRAY(program->arena, SimRoundMember, line->run);
  Loop loop = {program, pc, end, rounds};
  if (is_counted(&loop)) line->rounds = rounds;
}

// Whoever comes to the loop in a line that began before it stops there, for the rounds.
static void find_way_to_loop(SimProgram *program, int pc) {
  SimInst *inst = &program->code[pc];
  int far = inst[1].rounds ? 1 : inst[1].to_loop ? inst[1].to_loop + 1 : 0;
  if (inst->run > far && !inst->rounds) inst->to_loop = (uint16_t)far;
  inst->loops = inst->rounds || inst->to_loop;
}

void sim_find_rounds(SimProgram *program) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  for (int pc = f->first; pc < f->first + f->count && program->steady_count; pc++) look_at(program, pc);
  for (int pc = f->first + f->count - 2; pc >= f->first; pc--) find_way_to_loop(program, pc);
}
