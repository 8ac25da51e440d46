// notes.c: a line of notes as it is read, and what is said of it.
#include "app/stage/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

// ---- reading --------------------------------------------------------------------------------------------------------

static const int64_t MOMENT_MOST = 1ll << 48;
enum { SECONDS_MOST = 24 * 3600 };

static void copy(char *to, size_t most, const LineFields *fields, const char *key) {
  snprintf(to, most + 1, "%s", line_text(fields, key, most, ""));
}

static void read_options(Notes *notes, const LineFields *fields) {
  const LineField *options = line_field(fields, "options");
  for (int i = 0; options && i < LS_MIN(options->count, VOTE_OPTIONS); i++) {
    const char *text = options->items[i].text ? options->items[i].text : "";
    snprintf(notes->options[notes->option_count++], NOTES_OPTION + 1, "%s", strlen(text) > NOTES_OPTION ? "" : text);
  }
}

static void read_votes(Notes *notes, const LineFields *fields, int round, const char *key) {
  const LineField *votes = line_field(fields, key);
  for (int i = 0; votes && i < LS_MIN(votes->count, notes->option_count); i++)
    notes->votes[round][i] = (int)LS_CLAMP(votes->items[i].number, 0, 2 * VOTE_MOST);
}

bool notes_read(Notes *notes, char *line) {
  LineFields fields;
  if (!line_read(&fields, line) || !line_field(&fields, "kind") || !line_field(&fields, "began")) return false;
  Notes read = {0};
  copy(read.title, NOTES_WORDS, &fields, "title");
  copy(read.place, NOTES_WORDS, &fields, "place");
  copy(read.kind, NOTES_WORDS, &fields, "kind");
  copy(read.says, NOTES_SAYS, &fields, "says");
  copy(read.note, NOTES_TEXT, &fields, "note");
  copy(read.next, NOTES_NEXT, &fields, "next");
  copy(read.answer, NOTES_WORDS, &fields, "answer");
  copy(read.invitation, NOTES_WORDS, &fields, "invitation");
  read_options(&read, &fields);
  read.right = (int)line_number(&fields, "right", 0, read.option_count - 1, -1);
  read.round = (int)line_number(&fields, "round", 0, VOTE_ROUNDS - 1, 0);
  read_votes(&read, &fields, 0, "first");
  read_votes(&read, &fields, 1, "second");
  read.open = line_flag(&fields, "open");
  read.black = line_flag(&fields, "black");
  read.off_script = line_flag(&fields, "off");
  read.began = line_number(&fields, "began", 0, MOMENT_MOST, 0);
  read.beat_began = line_number(&fields, "beat_began", 0, MOMENT_MOST, 0);
  read.seconds = (int)line_number(&fields, "seconds", 0, SECONDS_MOST, 0);
  read.beat_seconds = (int)line_number(&fields, "beat_seconds", 0, SECONDS_MOST, 0);
  read.students = (int)line_number(&fields, "students", 0, VOTE_MOST, 0);
  *notes = read;
  return true;
}

// ---- what is seen ---------------------------------------------------------------------------------------------------

int notes_votes(const Notes *notes, int round) {
  int total = 0;
  for (int i = 0; i < notes->option_count; i++) total += notes->votes[round][i];
  return total;
}

int notes_left(int64_t began, int seconds, int64_t now) {
  int64_t passed = LS_CLAMP((now - began) / 1000, 0, SECONDS_MOST);
  return seconds - (int)passed;
}

void notes_clock(int left, char out[16]) {
  int seconds = abs(left);
  snprintf(out, 16, "%s%d:%02d", left < 0 ? "-" : "", LS_MIN(seconds / 60, 9999), seconds % 60);
}

static void add_votes(const Notes *notes, LsText *out) {
  int total = notes_votes(notes, notes->round);
  ls_text_addf(out, "votes%s: %d", notes->round ? ", second round" : "", total);
  for (int i = 0; i < notes->option_count; i++)
    ls_text_addf(out, "%s%c %d", i ? ", " : " (", 'A' + i, notes->votes[notes->round][i]);
  ls_text_add(out, notes->open ? "), open\n" : ")\n");
}

void notes_words(const Notes *notes, LsText *out) {
  ls_text_addf(out, "== %s, %s, %s%s%s\n", notes->title, notes->place, notes->kind, notes->black ? ", black" : "",
               notes->off_script ? ", off script" : "");
  if (*notes->note) ls_text_addf(out, "note: %s\n", notes->note);
  if (*notes->says) ls_text_addf(out, "says: %s\n", notes->says);
  if (*notes->answer) ls_text_addf(out, "answer: %s\n", notes->answer);
  if (notes->option_count) add_votes(notes, out);
  ls_text_addf(out, "next: %s\n", notes->next);
  if (*notes->invitation) ls_text_addf(out, "students: %d, lanescope follow %s\n", notes->students, notes->invitation);
}
