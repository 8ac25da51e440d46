// fuzz_demo.c: any bytes as what comes from the net of a demo: lines in pieces, stands, votes, notes, addresses.
#include <stdlib.h>
#include <string.h>

#include "app/stage/share_parts.h"
#include "app/stage/notes.h"
#include "base/mem.h"
#include "fuzz.h"

// What is read is written and read again as the same.
static void take_stand(const char *text) {
  StageStand stand, again;
  char *line = ls_strdup(text);
  LsText one = {0}, two = {0}, words = {0};
  if (stand_read(&stand, line)) {
    stand_write(&stand, &one);
    char *copy = ls_strdup(ls_text_str(&one));
    if (!stand_read(&again, copy)) abort();
    stand_write(&again, &two);
    if (strcmp(ls_text_str(&one), ls_text_str(&two)) != 0) abort();
    stand_words(&stand, &words);
    free(copy);
  }
  ls_text_free(&one);
  ls_text_free(&two);
  ls_text_free(&words);
  free(line);
}

static void take_vote(Ballot *ballot, const char *text) {
  ShareVote vote;
  int counts[VOTE_OPTIONS];
  char *line = ls_strdup(text);
  if (share_read_vote(&vote, line)) {
    ballot_open(ballot, vote.ask, vote.round, VOTE_OPTIONS);
    if (!ballot_cast(ballot, vote.ask, vote.round, vote.number, vote.option) &&
        ballot->rounds[vote.ask][vote.round].count < BALLOT_MOST) abort();
    ballot_count(ballot, vote.ask, vote.round, counts);
    if (counts[vote.option] < 1 && ballot->rounds[vote.ask][vote.round].count < BALLOT_MOST) abort();
  }
  free(line);
}

static void take_notes(const char *text) {
  Notes notes;
  LsText words = {0};
  char *line = ls_strdup(text);
  if (notes_read(&notes, line)) {
    char clock[16];
    notes_words(&notes, &words);
    notes_clock(notes_left(notes.began, notes.seconds, 1 << 20), clock);
    if (notes.right >= notes.option_count || notes_votes(&notes, notes.round) < 0) abort();
  }
  ls_text_free(&words);
  free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  LineReader reader;
  Ballot *ballot = ls_alloc(sizeof *ballot);
  if (size < 1) return free(ballot), 0;
  size_t piece = (size_t)data[0] + 1, most = data[0] % 2 ? LINE_MOST : 256;
  line_reader_init(&reader, most);
  for (size_t at = 1; at < size && !reader.broken;) {
    size_t part = LS_MIN(LS_MIN(piece, size - at), line_reader_room(&reader));
    if (!part) abort();
    line_feed(&reader, (const char *)data + at, part);
    at += part;
    for (char *line; (line = line_next(&reader));) {
      take_stand(line);
      take_vote(ballot, line);
      take_notes(line);
    }
  }
  line_reader_fini(&reader);
  ballot_fini(ballot);
  free(ballot);
  return 0;
}
