// notes_write.c: a talk as a line of notes.
#include <stdlib.h>
#include <string.h>

#include "app/stage/notes.h"
#include "base/json.h"
#include "base/mem.h"

static const char *const kinds[] = {"scene", "question", "answer", "what if", "to keep"};

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
