// sentence_grid.c: sentences about blocks that wait for one another: grid.sync(), and the barrier of a cluster.
#include <string.h>
#include "model/sentence_parts.h"

static bool is_at_barrier(const Sentence *s) {
  const TraceEvent *e = s->event;
  uint64_t at = e->addr ? e->addr[__builtin_ctz(e->mask | 1u << 31)] : 0;
  for (int i = 0; s->info && e->addr && i < s->info->object_count; i++) {
    const TraceObject *o = &s->info->objects[i];
    if (o->space == TRACE_GLOBAL && at - o->base < o->size) return strcmp(o->name, TRACE_GRID_BARRIER) == 0;
  }
  return false;
}

// The uppermost bit of the word changes with the last block.
static bool comes_last(const TraceEvent *e) {
  int lane = __builtin_ctz(e->mask | 1u << 31);
  return e->value && e->result && ((e->result[lane] + e->value[lane]) ^ e->result[lane]) >> 31 & 1;
}

bool say_grid_barrier(const Sentence *s) {
  const TraceEvent *e = s->event;
  if (e->space != TRACE_GLOBAL || !is_at_barrier(s)) return false;
  say_who(s->out, e->mask);
  if (e->kind == TRACE_ATOM && comes_last(e))
    ls_text_addf(s->out, " count%s block %u at grid.sync(): it is the last one, so all blocks go on. What they wrote "
                 "before is visible to the whole grid.", say_verb(e->mask), e->block);
  else if (e->kind == TRACE_ATOM)
    ls_text_addf(s->out, " count%s block %u at grid.sync(): it has come, and waits until all blocks of the grid have.",
                 say_verb(e->mask), e->block);
  else
    ls_text_addf(s->out, " look%s whether all blocks have come to grid.sync(). Until they have, block %u waits here and "
                 "others run.", say_verb(e->mask), e->block);
  return true;
}

void say_cluster_barrier(const Sentence *s) {
  const TraceEvent *e = s->event;
  if (s->instr->mode == PTX_BAR_ARRIVE)
    ls_text_addf(s->out, "Warp %d has come to the barrier of its cluster, which is this one block, and goes on: %d of %d "
                 "warp%s there.", e->warp, e->arrived, e->expected, e->expected == 1 ? " is" : "s are");
  else if (e->flags & TRACE_BAR_ARRIVE)
    ls_text_addf(s->out, "Warp %d need not wait at the barrier of its cluster: all have come.", e->warp);
  else
    ls_text_addf(s->out, "Warp %d waits at the barrier of its cluster: %d of %d warps %s come.", e->warp, e->arrived,
                 e->expected, e->arrived == 1 ? "has" : "have");
}
