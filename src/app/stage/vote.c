// vote.c: hands as typed, voices as they come, and their sums.
#include "app/stage/vote.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { KEY_BACKSPACE = 8 };

void vote_begin(Vote *vote, int options) { *vote = (Vote){.options = LS_CLAMP(options, 0, VOTE_OPTIONS)}; }

static bool is_gap(char c) { return c == ' ' || c == ','; }

// The number typed for an option; 0 without one.
static int typed_count(const char *typed, int option) {
  for (; option > 0; option--) {
    while (*typed && !is_gap(*typed)) typed++;
    while (is_gap(*typed)) typed++;
  }
  long number = strtol(typed, NULL, 10);
  return (int)LS_CLAMP(number, 0, VOTE_MOST);
}

int vote_option_typed(const Vote *vote) {
  int option = 0;
  for (const char *p = vote->typed[vote->round]; *p; p++) option += is_gap(*p);
  return option;
}

static bool put(Vote *vote, char c) {
  char *typed = vote->typed[vote->round];
  size_t length = strlen(typed);
  bool gap = is_gap(c), doubled = gap && (!length || is_gap(typed[length - 1]));
  if (length + 1 >= VOTE_TYPED || doubled || (gap && vote_option_typed(vote) >= vote->options - 1)) return true;
  typed[length] = gap ? ' ' : c;
  typed[length + 1] = 0;
  return true;
}

bool vote_key(Vote *vote, uint32_t code) {
  char *typed = vote->typed[vote->round];
  if (vote->closed || !vote->options) return false;
  if ((code >= '0' && code <= '9') || code == ' ' || code == ',') return put(vote, (char)code);
  if (code != KEY_BACKSPACE) return false;
  if (*typed) typed[strlen(typed) - 1] = 0;
  return true;
}

void vote_set(Vote *vote, const int counts[VOTE_OPTIONS]) {
  for (int i = 0; i < vote->options && !vote->closed; i++)
    vote->added[vote->round][i] = LS_CLAMP(counts[i], 0, VOTE_MOST);
}

int vote_count(const Vote *vote, int round, int option) {
  if (option < 0 || option >= vote->options) return 0;
  return LS_MIN(vote->added[round][option] + typed_count(vote->typed[round], option), VOTE_MOST);
}

int vote_total(const Vote *vote, int round) {
  int total = 0;
  for (int i = 0; i < vote->options; i++) total += vote_count(vote, round, i);
  return total;
}

bool vote_close(Vote *vote) {
  if (vote->closed || !vote_total(vote, vote->round)) return false;
  return vote->closed = true;
}

bool vote_again(Vote *vote) {
  if (!vote->closed || vote->round + 1 >= VOTE_ROUNDS) return false;
  vote->round++;
  vote->closed = false;
  return true;
}

bool vote_reopen(Vote *vote) {
  if (!vote->closed) return false;
  vote->closed = false;
  return true;
}
