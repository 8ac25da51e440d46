// session_choose.c: the shown warp, block and lane. A block that was not recorded is recorded by a new run.
#include <stdlib.h>

#include "app/session/session_parts.h"

bool ses_set_warp(Session *session, const Command *command) {
  if (command->arg == -1) {
    session->warp_follows = true;
    ses_go(session, session->step);
    ses_say(session, "the shown warp is again that of the event");
    return true;
  }
  if (command->arg < 0 || command->arg >= ses_warps(session))
    return ses_complain(session, "there is no warp %lld: a block has warps 0 to %d", (long long)command->arg,
                        ses_warps(session) - 1);
  session->warp = (int)command->arg;
  session->warp_follows = false;
  return true;
}

bool ses_set_lane(Session *session, const Command *command) {
  if (command->arg < -1 || command->arg > 31)
    return ses_complain(session, "there is no lane %lld: lanes go from 0 to 31", (long long)command->arg);
  session->lane = (int)command->arg;
  return true;
}

// A block that was not recorded is recorded by a new run, together with the present one.
bool ses_record_block(Session *session, uint32_t block) {
  if (!ses_can_rerun(session)) return true;
  RunRequest request;
  run_request_copy(&request, ses_request(session));
  free(request.blocks);
  request.blocks = ls_format("%u,%u", session->block, block);
  ses_want(session, &request, false);
  ses_target(session)->block = block;
  return true;
}

bool ses_set_block(Session *session, const Command *command) {
  int count;
  if (session->steps == 0) return false;
  if (command->arg < 0 || (uint64_t)command->arg >= ses_grid_blocks(session))
    return ses_complain(session, "there is no block %lld: the grid has blocks 0 to %llu", (long long)command->arg,
                        (unsigned long long)ses_grid_blocks(session) - 1);
  const TraceBlock *here = ses_block(session), *blocks = trace_blocks(session->run->trace, &count);
  uint64_t offset = here ? session->step - here->first : 0;
  for (int i = 0; i < count; i++) {
    if (blocks[i].block != (uint32_t)command->arg || !blocks[i].count) continue;
    ses_go(session, blocks[i].first + LS_MIN(offset, blocks[i].count - 1));
    return true;
  }
  return ses_record_block(session, (uint32_t)command->arg);
}
