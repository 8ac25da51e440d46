// notes.c: a talk as a line of notes, and back.
#include "app/stage/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"

static const char *const kinds[] = {"scene", "question", "answer", "what if", "to keep"};

// ---- writing --------------------------------------------------------------------------------------------------------

// At most so many bytes, no character of it in halves. For free.
static char *cut(const char *text, size_t most) {
  size_t length = strlen(text);
  if (length > most)
    for (length = most; length && ((unsigned char)text[length] & 0xc0) == 0x80;) length--;
  return ls_strndup(text, length);
}

static void member(LsJson *json, const char *key, const char *text, size_t most) {
  char *fits = cut(text, most);
  ls_json_member(json, key, fits);
  free(fits);
}

// The speaker's note of the beat; at the beginning also that of the demo.
static void note_of(const NotesFrom *from, const DemoBeat *beat, LsText *out) {
  const char *first = from->talk->beat == 0 ? demo_info(from->talk->demo)->note : NULL;
  const char *own = beat->staging ? beat->staging->note : NULL;
  ls_text_addf(out, "%s%s%s", first ? first : "", first && own ? "\n\n" : "", own ? own : "");
}

static void next_of(const NotesFrom *from, LsText *out) {
  const DemoBeat *next = demo_beat(from->talk->demo, from->talk->beat + 1);
  bool more = from->talk->beat + 1 < demo_beats(from->talk->demo);
  if (!next) {
    ls_text_add(out, more ? "is still being made" : "the end");
    return;
  }
  ls_text_addf(out, "%s: ", kinds[next->kind]);
  demo_words(next, out);
}

static void answer_of(const DemoBeat *beat, LsText *out) {
  if (beat->question < 0) return;
  if (beat->option_count) ls_text_addf(out, "%c  %s", 'A' + beat->right, beat->options[beat->right]);
  else lesson_answer_text(&beat->step->question, beat->step->question.answer, out);
}

static void write_votes(LsJson *json, const DemoBeat *beat, const Vote *vote) {
  static const char *const keys[VOTE_ROUNDS] = {"first", "second"};
  ls_json_open_member(json, "options", '[');
  for (int i = 0; i < LS_MIN(beat->option_count, VOTE_OPTIONS); i++) {
    char *option = cut(beat->options[i], NOTES_OPTION);
    ls_json_str(json, option);
    free(option);
  }
  ls_json_close(json, ']');
  ls_json_member_i64(json, "right", beat->right);
  ls_json_member_i64(json, "round", vote->round);
  for (int round = 0; round <= vote->round; round++) {
    ls_json_open_member(json, keys[round], '[');
    for (int i = 0; i < vote->options; i++) ls_json_i64(json, vote_count(vote, round, i));
    ls_json_close(json, ']');
  }
}

static void write_text(LsJson *json, const char *key, LsText *text, size_t most) {
  member(json, key, ls_text_str(text), most);
  ls_text_free(text);
}

static void write_words(LsJson *json, const NotesFrom *from, const DemoBeat *beat) {
  LsText place = {0}, says = {0}, note = {0}, next = {0}, answer = {0};
  demo_place_text(from->talk->demo, beat, &place);
  demo_words(beat, &says);
  note_of(from, beat, &note);
  next_of(from, &next);
  answer_of(beat, &answer);
  write_text(json, "place", &place, NOTES_WORDS);
  write_text(json, "says", &says, NOTES_SAYS);
  write_text(json, "note", &note, NOTES_TEXT);
  write_text(json, "next", &next, NOTES_NEXT);
  write_text(json, "answer", &answer, NOTES_WORDS);
}

void notes_write(const NotesFrom *from, LsText *line) {
  Talk *talk = from->talk;
  const DemoBeat *beat = talk_beat(talk);
  const Vote *vote = talk_vote(talk);
  LsJson json;
  ls_json_init(&json, line);
  ls_json_open(&json, '{');
  member(&json, "title", demo_info(talk->demo)->title, NOTES_WORDS);
  ls_json_member(&json, "kind", kinds[beat->kind]);
  write_words(&json, from, beat);
  if (vote) write_votes(&json, beat, vote);
  ls_json_member_bool(&json, "open", vote && talk_asks(talk) && !vote->closed);
  ls_json_member_bool(&json, "black", talk->black);
  ls_json_member_bool(&json, "off", talk->off_script);
  ls_json_member_i64(&json, "began", from->began);
  ls_json_member_i64(&json, "beat_began", from->beat_began);
  ls_json_member_i64(&json, "seconds", (int64_t)(demo_info(talk->demo)->minutes * 60));
  ls_json_member_i64(&json, "beat_seconds", beat->staging ? beat->staging->seconds : 0);
  if (from->invitation) member(&json, "invitation", from->invitation, NOTES_WORDS);
  ls_json_member_i64(&json, "students", from->students);
  ls_json_close(&json, '}');
}

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
  read.right = (int)line_number(&fields, "right", 0, LS_MAX(read.option_count - 1, 0), -1);
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
