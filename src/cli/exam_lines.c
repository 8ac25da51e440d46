// exam_lines.c: says a question of an exam and the time, reads a line, and does what it asks for.
#include "cli/exam_lines.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/plain.h"
#include "cli/plain_place.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND };

typedef struct Talk {
  Sitting *sitting;
  Session *session;            // of a question that shows a run; NULL until then
  int in;
  FILE *out;
  LsText heard;                // read, but not taken yet
  bool pauses;                 // somebody sits there and types
  bool ended, asked;           // asked: whether to hand it in
  int warned;                  // minutes left at the last warning; 0: none
  char *line;                  // the last one taken
} Talk;

static int count(const Talk *t) { return t->sitting->paper->count; }

// ---- out -----------------------------------------------------------------------------------------------------------

static void say_time(const Talk *t, const char *before, const char *after) {
  LsText time = {0};
  sitting_time_text(sitting_left(t->sitting), true, &time);
  fprintf(t->out, "%s%s left%s", before, ls_text_str(&time), after);
  ls_text_free(&time);
}

static void say_answer(const Talk *t, int place) {
  const char *typed = sitting_answer_of(t->sitting, place);
  LessonStep step;
  sitting_step(t->sitting, place, &step);
  if (!typed) {
    fputs("Not answered yet.\n", t->out);
  } else if (step.writing || step.question.kind == QUESTION_TEXT) {
    plain_print(t->out, "Your answer: %s\n", typed);
  } else {
    LsText words = {0};
    lesson_answer_text(&step.question, step.given, &words);
    plain_print(t->out, "Your answer: %s\n", ls_text_str(&words));
    ls_text_free(&words);
  }
}

static void say_place(Talk *t) {
  const LessonStep *step = &sitting_question(t->sitting, t->sitting->at)->step;
  if (!lesson_run(t->sitting->paper->lesson, step->place.run)) return;
  lesson_show_at(t->sitting->paper->lesson, &step->place, &t->session);
  (step->hides ? plain_source : plain_place)(t->session, t->out);
}

static void say_question(Talk *t) {
  const Sitting *sitting = t->sitting;
  LessonStep step;
  LsText text = {0};
  sitting_step(sitting, sitting->at, &step);
  fprintf(t->out, "\n[question %d of %d, %d answered, ", sitting->at + 1, count(t), sitting_answered(sitting));
  say_time(t, "", "]\n");
  ls_text_addf(&text, "== %s\n", step.title);
  lesson_print_body(&step, &text);
  plain_print(t->out, "%s", ls_text_str(&text));
  say_place(t);
  ls_text_clear(&text);
  if (step.writing) ls_text_addf(&text, "? %s\nWrite as many lines as you like; an empty line ends it.\n",
                                 step.question.prompt);
  else lesson_print_question(&step, &text);
  plain_print(t->out, "%s", ls_text_str(&text));
  ls_text_free(&text);
  say_answer(t, sitting->at);
}

void exam_say_end(const Sitting *sitting, FILE *out) {
  char receipt[RESULT_RECEIPT];
  result_receipt(&sitting->result, receipt);
  fprintf(out, "\n%s %d of %d questions are answered.\n", sitting->result.end == RESULT_TIME ? "The time is over."
          : "It is handed in.", sitting_answered(sitting), sitting->paper->count);
  plain_print(out, "The result is %s\n", sitting->path);
  fprintf(out, "Receipt: %s. Write it down: it stands for all that is in the result.\n", receipt);
}

// Numbers of those that have no answer: "4 and 7".
static int open_ones(const Talk *t, LsText *out) {
  int open = count(t) - sitting_answered(t->sitting), said = 0;
  for (int place = 0; place < count(t); place++) {
    if (sitting_answer_of(t->sitting, place)) continue;
    ls_text_addf(out, "%s%d", !said ? "" : said == open - 1 ? " and " : ", ", place + 1);
    said++;
  }
  return open;
}

static void say_open(const Talk *t) {
  LsText list = {0};
  int open = open_ones(t, &list);
  if (!open) fputs("All questions are answered.\n", t->out);
  else fprintf(t->out, "Not answered: %s.\n", ls_text_str(&list));
  ls_text_free(&list);
}

// ---- what a line asks for ------------------------------------------------------------------------------------------

static void go_to(Talk *t, int place) {
  t->sitting->at = place;
  say_question(t);
}

static bool next(Talk *t, LsErr *err) {
  (void)err;
  if (t->sitting->at + 1 < count(t)) return go_to(t, t->sitting->at + 1), true;
  fputs("That was the last question. ", t->out);
  say_open(t);
  fputs("go 1 leads to the first one, done hands it in.\n", t->out);
  return true;
}

static bool back(Talk *t, LsErr *err) {
  (void)err;
  if (t->sitting->at > 0) go_to(t, t->sitting->at - 1);
  else fputs("This is the first question.\n", t->out);
  return true;
}

static bool again(Talk *t, LsErr *err) {
  (void)err;
  return say_question(t), true;
}

static bool list(Talk *t, LsErr *err) {
  (void)err;
  for (int place = 0; place < count(t); place++) {
    fprintf(t->out, "%s%d  %s. ", place == t->sitting->at ? "here " : "", place + 1,
            sitting_question(t->sitting, place)->step.title);
    say_answer(t, place);
  }
  return true;
}

static bool tell_time(Talk *t, LsErr *err) {
  (void)err;
  return say_time(t, "", ".\n"), true;
}

static bool clear(Talk *t, LsErr *err) {
  LsErr why = {0};
  (void)err;
  if (!sitting_clear(t->sitting, t->sitting->at, &why)) plain_print(t->out, "%s\n", why.message);
  else fputs("Not answered now.\n", t->out);
  return true;
}

static bool done(Talk *t, LsErr *err) {
  (void)err;
  say_open(t);
  fputs("Nothing can be changed once it is handed in. Say yes to hand it in.\n", t->out);
  t->asked = true;
  return true;
}

static bool leave(Talk *t, LsErr *err) {
  (void)err;
  t->ended = true;
  fputs("It is left, and not handed in. The time goes on; the same command leads back.\n", t->out);
  return true;
}

static bool help(Talk *t, LsErr *err);

static const struct { const char *word, *means; bool (*act)(Talk *t, LsErr *err); } words[] = {
    {"", "an empty line goes to the next question", next},
    {"next", "the same", next},
    {"back", "the question before", back},
    {"list", "all questions with your answers", list},
    {"again", "this question once more", again},
    {"time", "how much is left", tell_time},
    {"clear", "takes your answer away", clear},
    {"done", "hands it in, after asking", done},
    {"help", "these words", help},
    {"quit", "leaves; the time goes on", leave},
};

static bool help(Talk *t, LsErr *err) {
  (void)err;
  fputs("Enter   goes to the next question\n", t->out);
  for (int i = 0; i < LS_COUNT(words); i++)
    if (*words[i].word) fprintf(t->out, "%-7s %s\n", words[i].word, words[i].means);
  fputs("go N    leads to question N\nanswer TEXT answers with one of these words\n"
        "Anything else is your answer; it can be changed until the end.\n", t->out);
  return true;
}

static void go_typed(Talk *t, const char *number) {
  int64_t place;
  if (ls_parse_i64(number, &place) && place >= 1 && place <= count(t)) go_to(t, (int)place - 1);
  else fprintf(t->out, "go takes the number of a question, from 1 to %d.\n", count(t));
}

static bool give(Talk *t, const char *text, LsErr *err) {
  LsErr why = {0};
  Sitting *sitting = t->sitting;
  if (!sitting_answer(sitting, sitting->at, text, &why)) {
    plain_print(t->out, "%s; help lists what else can be said.\n", why.message);
    return true;
  }
  bool open = sitting_question(sitting, sitting->at)->step.writing != NULL;
  if (open) fprintf(t->out, "Question %d is answered.\n", sitting->at + 1);
  else say_answer(t, sitting->at);
  return next(t, err);
}

static bool hand_in(Talk *t, const char *text, LsErr *err) {
  t->asked = false;
  if (strcmp(text, "yes") == 0 || strcmp(text, "y") == 0) return sitting_hand_in(t->sitting, err);
  fputs("It is not handed in.\n", t->out);
  return true;
}

static const char *hear(Talk *t);

// The lines up to the next empty one.
static bool write_on(Talk *t, const char *first, LsErr *err) {
  LsText text = {0};
  for (const char *line = first; line && *line && !sitting_over(t->sitting); line = hear(t))
    ls_text_addf(&text, "%s%s", text.length ? "\n" : "", line);
  bool ok = sitting_over(t->sitting) || give(t, ls_text_str(&text), err);
  ls_text_free(&text);
  return ok;
}

static bool obey(Talk *t, const char *text, LsErr *err) {
  bool open = sitting_question(t->sitting, t->sitting->at)->step.writing != NULL;
  if (t->asked) return hand_in(t, text, err);
  for (int i = 0; i < LS_COUNT(words); i++)
    if (strcmp(words[i].word, text) == 0) return words[i].act(t, err);
  if (ls_starts_with(text, "go ")) return go_typed(t, text + strlen("go ")), true;
  if (ls_starts_with(text, "answer ")) text += strlen("answer ");
  return open ? write_on(t, text, err) : give(t, text, err);
}

// ---- in ------------------------------------------------------------------------------------------------------------

// Takes a line of what was read, or NULL if none is whole; at the end of the input what there is.
static const char *take_line(Talk *t, bool at_end) {
  const char *text = ls_text_str(&t->heard), *end = strchr(text, '\n');
  if (!end && (!at_end || !*text)) return NULL;
  size_t length = end ? (size_t)(end - text) : t->heard.length;
  free(t->line);
  t->line = ls_strndup(text, length);
  char *rest = ls_strdup(text + length + (end != NULL));
  ls_text_clear(&t->heard);
  ls_text_add(&t->heard, rest);
  free(rest);
  for (size_t n = strlen(t->line); n && strchr(" \t\r", t->line[n - 1]); n--) t->line[n - 1] = 0;
  return t->line + strspn(t->line, " \t");
}

// Before five minutes and one are left, once each.
static void warn(Talk *t) {
  static const int at[] = {5, 1};
  int64_t left = sitting_left(t->sitting);
  for (int i = 0; i < LS_COUNT(at); i++) {
    if (left > at[i] * MINUTE || (t->warned && t->warned <= at[i]) || t->sitting->exam->minutes <= at[i]) continue;
    t->warned = at[i];
    if (t->pauses) say_time(t, "\n", ".\n> ");
  }
  fflush(t->out);
}

// Milliseconds until something is to be said, at most.
static int patience(const Talk *t) {
  int64_t left = sitting_left(t->sitting);
  return (int)LS_CLAMP(left, 1, SECOND);
}

// The next line without its blanks, or NULL: nobody says anything any more, or the time is over.
static const char *hear(Talk *t) {
  char bytes[4096];
  LsErr err = {0};
  if (t->pauses) fputs("> ", t->out);
  fflush(t->out);
  for (;;) {
    const char *line = take_line(t, false);
    if (sitting_tick(t->sitting, &err) || sitting_over(t->sitting)) return NULL;
    if (line) return line;
    struct pollfd ready = {t->in, POLLIN, 0};
    int found = poll(&ready, 1, patience(t));
    warn(t);
    if (found <= 0) continue;
    ssize_t n = read(t->in, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return take_line(t, true);
    ls_text_addn(&t->heard, bytes, (size_t)n);
  }
}

static bool turn(Talk *t, LsErr *err) {
  const char *text = hear(t);
  if (sitting_over(t->sitting)) return true;
  if (text) return obey(t, text, err);
  if (t->pauses) fputs("\n", t->out);
  return leave(t, err);
}

bool exam_in_lines(Sitting *sitting, int in, FILE *out, LsErr *err) {
  Talk t = {.sitting = sitting, .in = in, .out = out, .pauses = isatty(in)};
  bool ok = true;
  fprintf(out, "%s: %d questions, %d minutes%s%s. help lists what can be said.\n", sitting->exam->title,
          sitting->paper->count, sitting->exam->minutes, sitting->resumed ? "; " : "", sitting_how_resumed(sitting));
  say_question(&t);
  while (ok && !t.ended && !sitting_over(sitting) && !ferror(out)) ok = turn(&t, err);
  if (sitting_over(sitting)) exam_say_end(sitting, out);
  ses_free(t.session);
  ls_text_free(&t.heard);
  free(t.line);
  return ok;
}
