// ballot.h: one vote per student and round, the last one counts. A student is a number drawn at random.
#ifndef LS_APP_BALLOT_H
#define LS_APP_BALLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "app/stage/talk.h"

enum { BALLOT_MOST = 1000 };   // students of a round; who comes later is not counted

typedef struct Voice { uint64_t number; int option; } Voice;
typedef struct BallotRound { Voice *voices; int count, capacity; } BallotRound;
// Embedded; zero it to start.
typedef struct Ballot {
  BallotRound rounds[TALK_QUESTIONS][VOTE_ROUNDS];
  int ask, round, options;     // that is open; options 0: none is
} Ballot;

void ballot_fini(Ballot *ballot);
void ballot_open(Ballot *ballot, int ask, int round, int options);   // options 0: closes it
// False: another round is open, or none, or this is no option of it, or too many have voted.
bool ballot_cast(Ballot *ballot, int ask, int round, uint64_t number, int option);
void ballot_count(const Ballot *ballot, int ask, int round, int counts[VOTE_OPTIONS]);

#endif
