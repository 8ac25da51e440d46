// share_vote.c: a vote as a line, and its way into the ballot from whatever thread it comes.
#include "app/stage/share_parts.h"
#include "base/json.h"

void share_write_vote(const ShareVote *vote, LsText *line) {
  LsJson json;
  ls_json_init(&json, line);
  ls_json_open(&json, '{');
  ls_json_member_u64(&json, "number", vote->number);
  ls_json_member_i64(&json, "ask", vote->ask);
  ls_json_member_i64(&json, "round", vote->round);
  ls_json_member_i64(&json, "option", vote->option);
  ls_json_close(&json, '}');
}

bool share_vote_of(ShareVote *vote, const LineFields *fields) {
  int64_t number = line_number(fields, "number", 1, (1ll << SHARE_NUMBER_BITS) - 1, 0);
  *vote = (ShareVote){(uint64_t)number, (int)line_number(fields, "ask", 0, TALK_QUESTIONS - 1, -1),
                      (int)line_number(fields, "round", 0, VOTE_ROUNDS - 1, -1),
                      (int)line_number(fields, "option", 0, VOTE_OPTIONS - 1, -1)};
  return number && vote->ask >= 0 && vote->round >= 0 && vote->option >= 0;
}

bool share_read_vote(ShareVote *vote, char *line) {
  LineFields fields;
  return line_read(&fields, line) && share_vote_of(vote, &fields);
}

bool share_cast(Share *share, const ShareVote *vote) {
  pthread_mutex_lock(&share->mutex);
  bool counted = ballot_cast(&share->ballot, vote->ask, vote->round, vote->number, vote->option);
  pthread_mutex_unlock(&share->mutex);
  return counted;
}

void share_count(Share *share, int ask, int round, int counts[VOTE_OPTIONS]) {
  pthread_mutex_lock(&share->mutex);
  ballot_count(&share->ballot, ask, round, counts);
  pthread_mutex_unlock(&share->mutex);
}

bool share_is_open(Share *share) {
  pthread_mutex_lock(&share->mutex);
  bool open = share->ballot.options > 0;
  pthread_mutex_unlock(&share->mutex);
  return open;
}
