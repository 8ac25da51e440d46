// scoreboard.h: which warp of a scheduler issues in which cycle, where instructions wait for the results of others.
//
// One scheduler issues at most one instruction a cycle. A warp issues in order. A result can be used `latency` cycles after
// its instruction was issued, so a warp stops at the first instruction that needs one which is not there, not at the load.
//
//   latency 10        cycle     0         10        20
//   F0 F1 M0 M1 S     warp 0    FF........MM........S
#ifndef LS_MODEL_SCOREBOARD_H
#define LS_MODEL_SCOREBOARD_H

#include <stdbool.h>
#include <stdint.h>

enum { SCOREBOARD_CODE = 1024, SCOREBOARD_WARPS = 64 };

typedef enum ScoreKind { SCORE_LOAD, SCORE_ARITHMETIC, SCORE_STORE } ScoreKind;
typedef struct ScoreInst { ScoreKind kind; int latency, needs; } ScoreInst;   // needs: an earlier instruction; -1: none
typedef struct ScoreCode { int count; ScoreInst inst[SCOREBOARD_CODE]; } ScoreCode;

// Who is asked first: the warp after the one that issued last; or that one again, then the lowest.
typedef enum ScorePolicy { SCORE_TURNS, SCORE_GREEDY } ScorePolicy;

typedef struct ScoreRun { int64_t cycles; int issued; } ScoreRun;    // cycles: up to and with the last issue
// Runs the code on so many warps (1 to SCOREBOARD_WARPS). issue (may be NULL) is told of every instruction, in order of
// cycles.
void scoreboard_run(const ScoreCode *code, int warps, ScorePolicy policy,
                    void (*issue)(void *context, int64_t cycle, int warp, int inst), void *context, ScoreRun *out);

#endif
