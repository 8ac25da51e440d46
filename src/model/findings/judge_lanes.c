// judge_lanes.c: lanes that are idle: because others of their warp go another way, or because the warp never had them.
#include <stdlib.h>

#include "model/findings/finding_parts.h"
#include "ptx/cfg.h"

// ---- who keeps whose lanes waiting ---------------------------------------------------------------------------------

typedef struct Idle { uint64_t warps, lanes, idle; } Idle;

// Per instruction the branch behind which it runs with fewer lanes, and how many instructions are behind that branch.
typedef struct Owners { int *branch, *extent; } Owners;

static Idle idle_at(const Judge *judge, int pc) {
  WitnessTally tally = witness_tally(judge->of->witness, pc);
  uint64_t here = tally.lanes + tally.absent;
  return (Idle){tally.warps, tally.lanes, 32 * tally.warps > here ? 32 * tally.warps - here : 0};
}

static bool parts_lanes(const Judge *judge, int pc) {
  return counters_at(judge->of->counters, pc)->value[COUNTER_DIVERGENT_BRANCHES] > 0;
}

// Marks a block and those that lead on from it, up to where the lanes meet.
static void mark_way(const PtxCfg *cfg, int first, int meet, uint8_t *way) {
  if (first < 0 || first == meet || way[first]) return;
  int *open = ls_alloc(sizeof *open * ((size_t)cfg->block_count + 1)), count = 0;
  way[first] = 1;
  open[count++] = first;
  while (count) {
    const PtxBlock *block = &cfg->blocks[open[--count]];
    for (int i = 0; i < block->succ_count; i++) {
      if (block->succ[i] == meet || way[block->succ[i]]) continue;
      way[block->succ[i]] = 1;
      open[count++] = block->succ[i];
    }
  }
  free(open);
}

// Marks the blocks behind a branch, up to where the lanes meet again.
static void mark_behind(const PtxCfg *cfg, int from, uint8_t *behind) {
  const PtxBlock *block = &cfg->blocks[from];
  for (int i = 0; i < cfg->block_count; i++) behind[i] = 0;
  for (int i = 0; i < block->succ_count; i++) mark_way(cfg, block->succ[i], block->ipdom, behind);
}

static void claim(const PtxCfg *cfg, int branch, const uint8_t *behind, Owners *owners) {
  int extent = 0;
  for (int b = 0; b < cfg->block_count; b++) extent += behind[b] ? cfg->blocks[b].count : 0;
  for (int b = 0; b < cfg->block_count; b++)
    for (int pc = cfg->blocks[b].first; behind[b] && pc < cfg->blocks[b].first + cfg->blocks[b].count; pc++) {
      if (owners->branch[pc] >= 0 && owners->extent[pc] <= extent) continue;
      owners->branch[pc] = branch;
      owners->extent[pc] = extent;
    }
}

static void own_function(const Judge *judge, int func, Owners *owners) {
  const PtxFunc *f = &judge->of->module->funcs[func];
  const PtxCfg *cfg = NULL;
  LsArena *arena = NULL;
  uint8_t *behind = NULL;
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    if (!parts_lanes(judge, pc)) continue;
    if (!cfg) {
      arena = ls_arena_new();
      cfg = ptx_cfg_new(judge->of->module, func, arena);
      behind = ls_alloc((size_t)cfg->block_count + 1);
    }
    mark_behind(cfg, cfg->block_of[pc - f->first], behind);
    claim(cfg, pc, behind, owners);
  }
  free(behind);
  ls_arena_free(arena);
}

// A function that is called by a part of the lanes runs with them: what has no branch of its own to blame takes the
// call's.
static void own_callees(const Judge *judge, Owners *owners) {
  const PtxModule *module = judge->of->module;
  bool more = true;
  for (int round = 0; more && round < module->func_count; round++) {
    more = false;
    for (int call = 0; call < module->code_count; call++) {
      int callee = owners->branch[call] >= 0 ? ptx_callee(&module->code[call]) : -1;
      const PtxFunc *f = callee >= 0 ? &module->funcs[callee] : NULL;
      for (int pc = f ? f->first : 0; f && pc < f->first + f->count; pc++) {
        if (owners->branch[pc] >= 0) continue;
        owners->branch[pc] = owners->branch[call];
        owners->extent[pc] = owners->extent[call];
        more = true;
      }
    }
  }
}

// ---- which lanes part ----------------------------------------------------------------------------------------------

// In nine of ten cases that were seen. SAME: always the same lanes, in every warp.
typedef enum Parting { PART_LEADER, PART_SAME, PART_PERIODIC, PART_FIRST, PART_DATA } Parting;

// Behind the branch on both ways; on one of them, while the other lanes wait where the ways meet; or round a loop.
typedef enum Ways { WAY_BOTH, WAY_TAKEN, WAY_FALLEN, WAY_LOOP } Ways;

// Whether anything but jumps is on this way and not on the other.
static bool has_work(const PtxModule *module, const PtxCfg *cfg, const uint8_t *way, const uint8_t *other) {
  for (int b = 0; b < cfg->block_count; b++)
    for (int i = 0; way[b] && !other[b] && i < cfg->blocks[b].count; i++)
      if (ptx_op_class((PtxOp)module->code[cfg->blocks[b].first + i].op) != PTX_CLASS_BRANCH) return true;
  return false;
}

static int target_of(const PtxInstr *in) {
  for (int i = 0; i < in->operand_count; i++)
    if (in->operands[i].kind == PTX_OPD_LABEL) return in->operands[i].target;
  return -1;
}

static Ways ways_of(const Judge *judge, int pc) {
  const PtxModule *module = judge->of->module;
  const PtxFunc *f = &module->funcs[module->code[pc].func];
  LsArena *arena = ls_arena_new();
  const PtxCfg *cfg = ptx_cfg_new(module, module->code[pc].func, arena);
  int here = cfg->block_of[pc - f->first], target = target_of(&module->code[pc]), meet = cfg->blocks[here].ipdom;
  uint8_t *taken = LS_NEW_ARRAY(arena, uint8_t, cfg->block_count + 1),
          *fallen = LS_NEW_ARRAY(arena, uint8_t, cfg->block_count + 1);
  if (target >= 0) mark_way(cfg, cfg->block_of[target - f->first], meet, taken);
  if (pc + 1 < f->first + f->count) mark_way(cfg, cfg->block_of[pc + 1 - f->first], meet, fallen);
  bool loops = taken[here] || fallen[here];
  bool taken_works = has_work(module, cfg, taken, fallen), fallen_works = has_work(module, cfg, fallen, taken);
  ls_arena_free(arena);
  if (loops) return WAY_LOOP;
  return taken_works == fallen_works ? WAY_BOTH : taken_works ? WAY_TAKEN : WAY_FALLEN;
}

static bool is_periodic(uint32_t working, uint32_t active) {
  for (int period = 2; period <= 16; period *= 2)
    if (active == UINT32_MAX && (working >> period | working << (32 - period)) == working) return true;
  return false;
}

static bool is_side(uint32_t working, uint32_t active) {
  uint32_t rest = active & ~working, low = working & (~working + 1);
  return working < (rest & (~rest + 1)) || rest < low;
}

// What was seen of a branch in all watched blocks.
typedef struct Partings {
  uint64_t parted, kept;   // cases, and those of them whose masks were kept; of these with one lane on a side,
  uint64_t single, periodic, side;           // with every n-th lane, with a limit
  uint64_t most;                             // cases like the most frequent one:
  uint32_t active, working;
} Partings;

static void add_parting(const WitnessParting *p, Ways ways, Partings *out) {
  uint32_t working = ways == WAY_FALLEN ? p->active & ~p->taken : p->taken, rest = p->active & ~working;
  out->kept += p->count;
  if (__builtin_popcount(working) == 1 || (ways == WAY_BOTH && __builtin_popcount(rest) == 1)) out->single += p->count;
  if (is_periodic(working, p->active)) out->periodic += p->count;
  if (is_side(working, p->active)) out->side += p->count;
  if (p->active == out->active && working == out->working) {
    out->most += p->count;
  } else if (p->count > out->most) {
    out->most = p->count, out->active = p->active, out->working = working;
  }
}

static void add_partings(const Judge *judge, int pc, Ways ways, Partings *out) {
  for (int i = 0; i < witness_blocks(judge->of->witness); i++) {
    const WitnessSite *site = witness_site(judge->of->witness, i, pc);
    for (int k = 0; site && k < site->parting_count; k++) add_parting(&site->partings[k], ways, out);
    if (site) out->parted += site->parted;
  }
}

static Parting parting_of(const Partings *p, double lanes) {
  uint64_t enough = (p->kept * 9 + 9) / 10;
  if (p->single >= enough && lanes < 1.1) return PART_LEADER;
  if (p->most == p->parted) return PART_SAME;
  if (p->periodic >= enough) return PART_PERIODIC;
  return p->side >= enough ? PART_FIRST : PART_DATA;
}

// ---- words ---------------------------------------------------------------------------------------------------------

static void add_some_lanes(uint32_t lanes, LsText *out) {
  int count = 0, first = __builtin_ctz(lanes), last = 31 - __builtin_clz(lanes);
  if (__builtin_popcount(lanes) > 2 && __builtin_popcount(lanes) == last - first + 1) {
    ls_text_addf(out, "%d to %d", first, last);
    return;
  }
  for (uint32_t left = lanes; left && count < 3; left &= left - 1, count++)
    ls_text_addf(out, "%s%d", count ? ", " : "", __builtin_ctz(left));
  if (__builtin_popcount(lanes) > 3) ls_text_addf(out, ", ... %d", last);
}

static const char *cause_of(Judge *judge, Ways ways, const Partings *partings, Parting parting) {
  LsText text = {0};
  if (!partings->parted) return NULL;
  if (ways == WAY_LOOP) {
    ls_text_add(
        &text,
        "Lanes go round the loop different numbers of times, and the warp goes on until its last lane is done.");
  } else if (parting == PART_LEADER) {
    if (partings->most == partings->parted && ways != WAY_BOTH)
      ls_text_addf(&text, "Lane %d alone goes on, and the others wait for it.", __builtin_ctz(partings->working));
    else ls_text_add(&text, "One lane at a time goes on, and the others wait for it.");
  } else if (parting == PART_SAME || parting == PART_PERIODIC) {
    bool one = launch_warps(&judge->of->info->launch) == 1;
    ls_text_add(&text, one ? "Of the warp " : "Of each warp ");
    ls_text_add(&text, ways == WAY_BOTH ? "lanes " : "only lanes ");
    add_some_lanes(partings->working, &text);
    ls_text_add(&text, ways == WAY_BOTH ? " go one way and the rest the other: the warp goes both, one after the other."
                                        : " go on, and the rest wait.");
  } else if (parting == PART_FIRST) {
    ls_text_add(&text, ways == WAY_BOTH ? "Lanes on one side of a limit go one way and the rest the other."
                                        : "Only the lanes on one side of a limit go on, and the rest wait.");
  } else {
    ls_text_add(&text, "Which lanes go which way changes from case to case: it depends on data, not on the lane.");
  }
  return judge_take(judge, &text);
}

static void cure(Judge *judge, Ways ways, const Partings *partings, Parting parting, Finding *finding,
                 const Idle *sum) {
  uint64_t least = (sum->lanes + 31) / 32;
  bool by_lane = parting == PART_SAME || parting == PART_PERIODIC;
  if (!by_lane || ways == WAY_LOOP || launch_warps(&judge->of->info->launch) < 2) return;
  if (ways != WAY_BOTH && !is_periodic(partings->working, partings->active))
    return;   // a limit: nobody else has the work
  if (ways == WAY_BOTH)
    finding->cure = judge_text(judge, "Let whole warps go the same way: decide by threadIdx.x / 32, not by the lane.");
  else
    finding->cure = judge_text(
        judge, "Give the work to neighboring threads, 0, 1, 2 and so on: then whole warps have none, and pass "
               "it.");
  finding->gain =
      judge_text(judge, "%s warp instructions there become %s with full warps.", COUNT(sum->warps), COUNT(least));
}

// ---- the judge -----------------------------------------------------------------------------------------------------

// What is behind the branches of one line.
typedef struct Behind {
  Idle sum;
  int branch, worst_pc; uint64_t worst;   // where most lanes are idle, and the branch that it is behind
  int first, last;                        // lines below the branch's, in its file
  bool loops;
} Behind;

static bool has_back_edge(const PtxModule *module, int pc) {
  const PtxInstr *in = &module->code[pc];
  for (int i = 0; i < in->operand_count; i++)
    if (in->operands[i].kind == PTX_OPD_LABEL && in->operands[i].target <= pc) return true;
  return false;
}

static void add_line(const Judge *judge, int pc, Behind *out) {
  int file = -1, line = 0, own_file = -1, own_line = 0;
  judge_line(judge, out->branch, &own_file, &own_line);
  if (!judge_line(judge, pc, &file, &line) || file != own_file || line <= own_line) return;
  if (!out->first || line < out->first) out->first = line;
  out->last = LS_MAX(out->last, line);
}

static void add_instruction(const Judge *judge, int pc, int branch, Behind *out) {
  Idle here = idle_at(judge, pc);
  if (here.idle) add_line(judge, pc, out);
  out->sum.warps += here.warps;
  out->sum.lanes += here.lanes;
  out->sum.idle += here.idle;
  out->loops |= has_back_edge(judge->of->module, pc);
  if (here.idle > out->worst) out->worst = here.idle, out->worst_pc = pc, out->branch = branch;
}

// A few instructions of one lane, once (the result of a warp or block is written), are how it is done.
enum { LEADER_INSTRUCTIONS = 24 };
static bool is_leader_at_work(const Judge *judge, const Behind *behind, const Partings *partings, int extent) {
  uint64_t warps = launch_warps(&judge->of->info->launch) * (uint64_t)witness_blocks(judge->of->witness);
  return partings->parted <= warps && !behind->loops && extent <= LEADER_INSTRUCTIONS;
}

static const char *lines_of(Judge *judge, const Behind *behind) {
  if (!behind->first) return "what is behind it runs with";
  if (behind->first == behind->last) return judge_text(judge, "line %d runs with", behind->first);
  return judge_text(judge, "lines %d to %d run with", behind->first, behind->last);
}

static void tell(Judge *judge, const Behind *behind, const Owners *owners, uint64_t total) {
  Finding finding = judge_finding(judge, FINDING_DIVERGENCE, behind->branch);
  finding.wasted = behind->sum.idle;
  finding.amount = 32 * behind->sum.warps;
  finding.total = total;
  finding.executions = behind->sum.warps;
  finding.at = (double)behind->sum.lanes / (double)behind->sum.warps;
  finding.ideal = 32;
  finding.other_line = behind->first;
  if (!judge_is_told(&finding)) return;
  Partings partings = {0};
  Ways ways = ways_of(judge, behind->branch);
  add_partings(judge, behind->branch, ways, &partings);
  Parting parting = parting_of(&partings, finding.at);
  if (parting == PART_LEADER && is_leader_at_work(judge, behind, &partings, owners->extent[behind->worst_pc])) return;
  finding.message = judge_text(judge, "%s %s of 32 lanes; %s idle, %s of the lanes of all instructions.",
                               lines_of(judge, behind), AVERAGE(finding.at), COUNT(finding.wasted),
                               PERCENT((double)finding.wasted / (double)finding.total));
  finding.blocks_read = (uint32_t)witness_blocks(judge->of->witness);
  finding.cause = cause_of(judge, ways, &partings, parting);
  cure(judge, ways, &partings, parting, &finding, &behind->sum);
  judge_add(judge, &finding);
}

// The branches that part lanes, each with the first one of its line: a && b is two of them, and one finding.
static int *first_of_line(const Judge *judge) {
  int codes = judge->of->module->code_count, count = 0;
  int *first = ls_alloc(sizeof *first * ((size_t)codes + 1)),
      *branches = ls_alloc(sizeof *branches * ((size_t)codes + 1));
  struct { int file, line; } *places = ls_alloc(sizeof *places * ((size_t)codes + 1));
  for (int pc = 0; pc < codes; pc++) {
    first[pc] = -1;
    if (!parts_lanes(judge, pc)) continue;
    if (!judge_line(judge, pc, &places[pc].file, &places[pc].line)) places[pc].line = 0;
    int at = 0;
    while (at < count && (!places[pc].line || places[branches[at]].line != places[pc].line ||
                          places[branches[at]].file != places[pc].file))
      at++;
    first[pc] = at < count ? branches[at] : pc;
    if (at == count) branches[count++] = pc;
  }
  free(branches);
  free(places);
  return first;
}

static void judge_branches(Judge *judge, const Owners *owners, uint64_t total) {
  int codes = judge->of->module->code_count, *first = first_of_line(judge);
  Behind *behind = ls_alloc(sizeof *behind * ((size_t)codes + 1));
  for (int pc = 0; pc < codes; pc++) behind[pc].branch = behind[pc].worst_pc = pc;
  for (int pc = 0; pc < codes; pc++)
    if (owners->branch[pc] >= 0) add_instruction(judge, pc, owners->branch[pc], &behind[first[owners->branch[pc]]]);
  for (int pc = 0; pc < codes; pc++)
    if (behind[pc].sum.warps) tell(judge, &behind[pc], owners, total);
  free(behind);
  free(first);
}

static void judge_partial(Judge *judge, uint64_t absent, uint64_t total) {
  const Launch *launch = &judge->of->info->launch;
  uint64_t threads = launch_threads(launch), blocks = launch_blocks(launch);
  Finding finding = judge_finding(judge, FINDING_PARTIAL_WARPS, -1);
  finding.wasted = absent;
  finding.amount = finding.total = total;
  finding.at = (double)(threads % 32);
  finding.ideal = 32;
  if (!judge_is_told(&finding)) return;
  finding.message =
      judge_text(judge,
                 "a block of %s threads has a warp of %s lanes; %s lanes are nobody's, %s of the lanes of all "
                 "instructions.",
                 COUNT(threads), COUNT(threads % 32), COUNT(absent), PERCENT((double)absent / (double)total));
  finding.cause = judge_text(judge, "%s threads are %s warp%s of 32 and %s more.", COUNT(threads), COUNT(threads / 32),
                             threads / 32 == 1 ? "" : "s", COUNT(threads % 32));
  finding.cure = judge_text(judge, "Blocks of %s threads, a multiple of 32.", COUNT((threads + 31) / 32 * 32));
  finding.gain = judge_text(judge, "As many threads are %s warps in place of %s.", COUNT((threads * blocks + 31) / 32),
                            COUNT(blocks * ((threads + 31) / 32)));
  judge_add(judge, &finding);
}

void judge_lanes(Judge *judge) {
  int codes = judge->of->module->code_count;
  uint64_t total = 0, absent = 0, idle = 0;
  if (!judge->of->witness || !witness_knows_absent(judge->of->witness)) return;
  Owners owners = {ls_alloc(sizeof(int) * ((size_t)codes + 1)), ls_alloc(sizeof(int) * ((size_t)codes + 1))};
  for (int pc = 0; pc < codes; pc++) {
    owners.branch[pc] = -1;
    total += 32 * witness_tally(judge->of->witness, pc).warps;
    absent += witness_tally(judge->of->witness, pc).absent;
    idle += idle_at(judge, pc).idle;
  }
  for (int f = 0; f < judge->of->module->func_count; f++) own_function(judge, f, &owners);
  own_callees(judge, &owners);
  judge_branches(judge, &owners, total);
  judge_partial(judge, absent, total);
  if (total && !idle) judge_add_good(judge, -1, "lanes", "none is idle");
  if (total && !absent) judge_add_good(judge, -1, "warps", "all are full");
  free(owners.branch);
  free(owners.extent);
}
