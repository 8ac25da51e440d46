// ballot.c: voices of a round by number.
#include "app/stage/ballot.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void ballot_fini(Ballot *ballot) {
  for (int ask = 0; ask < TALK_QUESTIONS; ask++)
    for (int round = 0; round < VOTE_ROUNDS; round++) free(ballot->rounds[ask][round].voices);
  *ballot = (Ballot){0};
}

static bool fits(int ask, int round) { return ask >= 0 && ask < TALK_QUESTIONS && round >= 0 && round < VOTE_ROUNDS; }

void ballot_open(Ballot *ballot, int ask, int round, int options) {
  ballot->ask = ask;
  ballot->round = round;
  ballot->options = fits(ask, round) ? LS_CLAMP(options, 0, VOTE_OPTIONS) : 0;
}

bool ballot_cast(Ballot *ballot, int ask, int round, uint64_t number, int option) {
  if (!ballot->options || ask != ballot->ask || round != ballot->round) return false;
  if (option < 0 || option >= ballot->options) return false;
  BallotRound *cast = &ballot->rounds[ask][round];
  for (int i = 0; i < cast->count; i++)
    if (cast->voices[i].number == number) return cast->voices[i].option = option, true;
  if (cast->count == BALLOT_MOST) return false;
  Voice voice = {number, option};
  LS_PUSH(cast->voices, cast->count, cast->capacity, voice);
  return true;
}

void ballot_count(const Ballot *ballot, int ask, int round, int counts[VOTE_OPTIONS]) {
  memset(counts, 0, sizeof *counts * VOTE_OPTIONS);
  const BallotRound *cast = fits(ask, round) ? &ballot->rounds[ask][round] : NULL;
  for (int i = 0; cast && i < cast->count; i++) counts[cast->voices[i].option]++;
}
