// vote.h: what a hall answers: counts per option, in two rounds with talk between them.
//
// The counts come from hands that the speaker types ("12 3 20 5"), and from elsewhere (vote_set). As long as
// a round is open only their sum is shown; closed, its distribution. Nothing here says which option is right.
#ifndef LS_APP_VOTE_H
#define LS_APP_VOTE_H

#include <stdbool.h>
#include <stdint.h>

enum { VOTE_OPTIONS = 9, VOTE_ROUNDS = 2, VOTE_TYPED = 64, VOTE_MOST = 99999 };

typedef struct Vote {
  int options;
  int round;                             // that is open, or was closed last: 0 or 1
  bool closed;
  int added[VOTE_ROUNDS][VOTE_OPTIONS];  // from elsewhere
  char typed[VOTE_ROUNDS][VOTE_TYPED];   // hands, as the speaker typed them
} Vote;

void vote_begin(Vote *vote, int options);
// A key of the speaker while the round is open: digits, a blank or a comma between options, Backspace. False: not one
// of these.
bool vote_key(Vote *vote, uint32_t code);
void vote_set(Vote *vote, const int counts[VOTE_OPTIONS]);   // from elsewhere, all of them; nothing while it is closed
int vote_count(const Vote *vote, int round, int option);
int vote_total(const Vote *vote, int round);
bool vote_close(Vote *vote);                           // false: nobody voted, or it is closed
bool vote_again(Vote *vote);                           // opens the second round; false: there is none
bool vote_reopen(Vote *vote);                          // back to typing; false: it is open
// The option whose hands are typed now, from 0.
int vote_option_typed(const Vote *vote);

#endif
