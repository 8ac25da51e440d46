// scoreboard.c: cycle by cycle, skipping those in which nobody can issue.
#include "model/scoreboard.h"

#include <stdlib.h>

#include "base/mem.h"

typedef struct Warp { int next; int64_t ready[SCOREBOARD_CODE]; } Warp;   // ready: when the result of each can be used

typedef struct Board {
  const ScoreCode *code;
  Warp *warps;
  int count, last;             // last: who issued last; -1: nobody yet
  ScorePolicy policy;
} Board;

// When a warp can issue its next instruction; INT64_MAX: it is done.
static int64_t ready_at(const Board *board, int warp) {
  const Warp *w = &board->warps[warp];
  if (w->next >= board->code->count) return INT64_MAX;
  int needs = board->code->inst[w->next].needs;
  return needs < 0 ? 0 : w->ready[needs];
}

// The k-th warp to be asked.
static int candidate(const Board *board, int k) {
  if (board->policy == SCORE_TURNS) return (board->last + 1 + k) % board->count;
  if (board->last < 0) return k;
  return k == 0 ? board->last : k - 1;    // the last one once more in its place does no harm
}

static int choose(const Board *board, int64_t cycle) {
  int asked = board->policy == SCORE_GREEDY ? board->count + 1 : board->count;
  for (int k = 0; k < asked; k++) {
    int warp = candidate(board, k);
    if (warp < board->count && ready_at(board, warp) <= cycle) return warp;
  }
  return -1;
}

static int64_t soonest(const Board *board) {
  int64_t least = INT64_MAX;
  for (int i = 0; i < board->count; i++) least = LS_MIN(least, ready_at(board, i));
  return least;
}

void scoreboard_run(const ScoreCode *code, int warps, ScorePolicy policy,
                    void (*issue)(void *context, int64_t cycle, int warp, int inst), void *context, ScoreRun *out) {
  Board board = {.code = code, .count = LS_CLAMP(warps, 1, SCOREBOARD_WARPS), .last = -1, .policy = policy};
  board.warps = ls_alloc(sizeof *board.warps * (size_t)board.count);
  *out = (ScoreRun){0, 0};
  int all = board.count * code->count;
  for (int64_t cycle = 0; out->issued < all; cycle++) {
    int warp = choose(&board, cycle);
    if (warp < 0) cycle = soonest(&board), warp = choose(&board, cycle);
    Warp *w = &board.warps[warp];
    w->ready[w->next] = cycle + code->inst[w->next].latency;
    if (issue) issue(context, cycle, warp, w->next);
    w->next++;
    board.last = warp;
    out->issued++;
    out->cycles = cycle + 1;
  }
  free(board.warps);
}
