// session_writer.c: runs back to who wrote a value last; from a race to its other access.
#include <string.h>

#include "app/session/session_parts.h"
#include "ptx/def_use.h"

// So many stores are looked at on the way back before the search gives up.
enum { WRITER_TRIES = 2000000 };

typedef struct Target { TraceSpace space; uint64_t addr; int size; uint32_t block; int warp, lane; } Target;

static bool covers(const TraceEvent *event, const Target *target) {
  if (event->space != target->space || !event->addr) return false;
  if (target->space != TRACE_GLOBAL && event->block != target->block) return false;
  for (int lane = 0; lane < 32; lane++) {
    if (!(event->mask >> lane & 1)) continue;
    if (target->space == TRACE_LOCAL && (event->warp != target->warp || lane != target->lane)) continue;
    uint64_t addr = event->addr[lane];
    if (addr < target->addr + (uint64_t)target->size && target->addr < addr + event->width) return true;
  }
  return false;
}

static bool block_is_recorded(const Session *session, uint32_t block) {
  int count = 0;
  const TraceBlock *blocks = session->run->trace ? trace_blocks(session->run->trace, &count) : NULL;
  for (int i = 0; i < count; i++)
    if (blocks[i].block == block) return true;
  return false;
}

static bool memory_writer(Session *session, const Target *target, const char *what) {
  TraceQuery query;
  TraceEvent event;
  uint64_t at = session->step;
  trace_query_init(&query);
  query.kinds = 1u << TRACE_STORE | 1u << TRACE_ATOM;
  if (target->space != TRACE_GLOBAL) query.block = target->block;
  if (target->space == TRACE_LOCAL) query.warp = target->warp;
  for (int i = 0; i < WRITER_TRIES && ses_search(session, at, -1, &query, &at); i++) {
    if (!ses_event_at(session, at, &event)) return true;
    if (!covers(&event, target)) continue;
    bool follows = session->warp_follows;
    session->warp_follows = true;   // the writer is what is asked for, whoever it is
    ses_go(session, at);
    session->warp_follows = follows;
    ses_say(session, "%s was written last here, by warp %d", what, event.warp);
    return true;
  }
  if (target->space == TRACE_GLOBAL && ses_want_writer(session, target->addr, target->size, what)) return true;
  ses_say(session, "nobody wrote %s before this step%s", what,
          target->space == TRACE_GLOBAL ? ": its value is from before the kernel, or of a block that is not recorded" : "");
  return true;
}

bool ses_go_last_write(Session *session, uint64_t addr, int size, const char *what) {
  ses_go(session, session->steps - 1);   // a warp's exit: writes lie before it
  uint64_t end = session->step;
  memory_writer(session, &(Target){.space = TRACE_GLOBAL, .addr = addr, .size = size}, what);
  return session->step != end;
}

void ses_writer_arrive(Session *session) {
  ProgramWriter *writer = &session->run->request.writer;
  SesTarget *target = ses_target(session);
  uint64_t addr = writer->size ? ses_writer_address(session) : UINT64_MAX;
  if (addr == UINT64_MAX || !session->steps) return;
  char what[sizeof target->what];
  memcpy(what, target->what, sizeof what);
  TraceEvent event;
  int file, size = (int)writer->size;
  if (!ses_go_last_write(session, addr, size, what)) {
    if (!block_is_recorded(session, writer->block)) {   // the same launch again, with the block that wrote it
      ses_record_block(session, writer->block);
      session->next.writer = *writer;
      memcpy(target->what, what, sizeof what);
    }
    return;
  }
  *writer = (ProgramWriter){0};
  if (!ses_event_at(session, session->step, &event)) return;
  LsText launch = {0};
  ses_launch_name(session, ses_launch(session), &launch);
  ses_say(session, "%s was written in launch %s, line %d, by warp %d of block %u", what, ls_text_str(&launch),
          ses_line_of(session, event.pc, &file), event.warp, event.block);
  ls_text_free(&launch);
}

static bool register_writer(Session *session, const VarSlot *slot, int reg) {
  const PtxModule *module = session->run->module;
  uint8_t *set = code_set(session->code);
  TraceQuery query;
  uint64_t found;
  trace_query_init(&query);
  query.block = session->block;
  query.warp = session->warp;
  for (int pc = 0; pc < code_count(session->code); pc++)
    set[pc] = module->code[pc].func == slot->dw->func && ptx_defines(&module->code[pc], reg);
  query.pcs = set;
  if (!ses_search(session, session->step, -1, &query, &found)) {
    ses_say(session, "nobody set %s before this step", slot->name);
    return true;
  }
  ses_go(session, found);
  ses_say(session, "%s was set last here", slot->name);
  return true;
}

static bool variable_writer(Session *session, const SceneVar *var) {
  SimReplay *replay;
  int pc = ses_scene(session)->warps[session->warp].pc, count;
  const VarSlot *slots = scene_slots(session, &count);
  for (int i = 0; i < count; i++) {
    const VarSlot *slot = &slots[i];
    const PtxPlace *place = pc >= 0 ? ptx_var_place(slot->dw, pc + 1) : NULL;
    if (!place && pc >= 0) place = ptx_var_place(slot->dw, pc);
    if (slot->name != var->name || !place) continue;
    if (place->kind == PTX_PLACE_REG) return register_writer(session, slot, place->reg);
    Target target = {.size = slot->size, .block = session->block, .warp = session->warp, .lane = LS_MAX(session->lane, 0)};
    if (place->kind == PTX_PLACE_PARAM || place->kind == PTX_PLACE_CONST) break;
    target.space = place->kind == PTX_PLACE_SHARED ? TRACE_SHARED : place->kind == PTX_PLACE_GLOBAL ? TRACE_GLOBAL : TRACE_LOCAL;
    if (!scene_seek(session, session->step, &replay) || !sim_replay_var(replay, place->var, &target.addr)) break;
    target.addr = run_own_address(session->run, target.space, target.addr) + (uint64_t)(place->offset + slot->offset);
    return memory_writer(session, &target, var->name);
  }
  ses_say(session, "%s has no writer: it is a parameter, or has no place here", var->name);
  return true;
}

// The element that the event at the cursor touches: of the inspected lane, else of the first lane that does it.
static bool event_target(Session *session, const Scene *scene, Target *target) {
  const TraceEvent *event = &scene->event;
  bool access = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  bool memory = event->space == TRACE_GLOBAL || event->space == TRACE_SHARED || event->space == TRACE_LOCAL;
  if (!access || !memory || !event->addr || !event->mask) return false;
  int lane = session->lane >= 0 && (event->mask >> session->lane & 1) ? session->lane : __builtin_ctz(event->mask);
  *target = (Target){(TraceSpace)event->space, event->addr[lane], LS_MAX(event->width, 1), event->block, event->warp, lane};
  return true;
}

// ---- the other access of a race --------------------------------------------------------------------------------------

static bool touches(const TraceEvent *event, uint32_t thread, const TraceFault *fault) {
  uint32_t lane = thread % 32;
  if (event->warp != thread / 32 || !(event->mask >> lane & 1) || !event->addr) return false;
  uint64_t addr = event->addr[lane];
  return addr < fault->addr + (uint64_t)LS_MAX(fault->size, 1) && fault->addr < addr + LS_MAX(event->width, 1);
}

// The access nearest to the fault, the one before first: it is what this one races with.
static bool find_other(Session *session, const TraceFault *fault, uint64_t *found) {
  TraceEvent event;
  for (int dir = -1; dir <= 1; dir += 2) {
    TraceQuery query;
    uint64_t at = session->step;
    trace_query_init(&query);
    query.block = fault->other_block;
    query.pc_first = query.pc_last = fault->other_pc;
    for (int i = 0; i < WRITER_TRIES && ses_search(session, at, dir, &query, &at); i++)
      if (ses_event_at(session, at, &event) && touches(&event, fault->other_thread, fault)) return *found = at, true;
  }
  return false;
}

static bool other_access(Session *session, const TraceFault *fault) {
  uint64_t found;
  if (!block_is_recorded(session, fault->other_block)) return ses_record_block(session, fault->other_block);
  if (!find_other(session, fault, &found)) {
    ses_say(session, "the other access, of thread %u of block %u, is not among the recorded steps",
            fault->other_thread, fault->other_block);
    return true;
  }
  bool follows = session->warp_follows;
  session->warp_follows = true;
  ses_go(session, found);
  session->warp_follows = follows;
  ses_say(session, "the other access of the race: thread %u of block %u", fault->other_thread, fault->other_block);
  return true;
}

// The race that the cursor stands on.
static const TraceFault *race_here(const Session *session, const Scene *scene) {
  const TraceEvent *event = &scene->event;
  bool told = trace_kind_is_fault(event->kind) && event->fault >= 0;
  if (!told || event->fault >= session->run->fault_count) return NULL;
  const TraceFault *fault = &session->run->faults[event->fault];
  bool is_race = fault->kind == FAULT_RACE || fault->kind == FAULT_LOST_UPDATE ||
                 fault->kind == FAULT_UNCHECKED_READ;
  return is_race && fault->other_pc >= 0 ? fault : NULL;
}

bool ses_writer(Session *session, const Command *command) {
  (void)command;
  const Scene *scene = ses_scene(session);
  Target target;
  if (!scene) return false;
  const TraceFault *race = race_here(session, scene);
  if (race) return other_access(session, race);
  if (session->pane == PANE_VARIABLES && session->var_shown >= 0 && session->var_shown < scene->var_count)
    return variable_writer(session, &scene->vars[session->var_shown]);
  if (!event_target(session, scene, &target)) {
    ses_say(session, "stand on a load, a store or an atomic, or choose a variable (F, then up and down), and press u again");
    return true;
  }
  LsText what = {0};
  sentence_place(ses_info(session), target.space, target.addr, &what);
  bool done = memory_writer(session, &target, ls_text_str(&what));
  ls_text_free(&what);
  return done;
}
