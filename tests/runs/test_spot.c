// test_spot.c: where the explorer stands, written down: a command line opens the same place as the beat of a demo.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/spot.h"
#include "app/stage/demo.h"
#include "base/mem.h"
#include "check.h"
#include "cli/cli.h"
#include "cli/place.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/views/view.h"

enum { COLS = 120, ROWS = 36, MOST_WORDS = 40 };

// ---- command lines --------------------------------------------------------------------------------------------------

static void draw(Session *session, LsText *out) {
  Canvas *canvas = canvas_new(COLS, ROWS);
  session->cols = COLS, session->rows = ROWS, session->lowest = true;
  explorer_draw(session, canvas);
  canvas_to_text(canvas, false, out);
  canvas_free(canvas);
}

// As the command line is read: words apart by blanks, and quotation marks.
static int split(char *line, char *words[MOST_WORDS]) {
  int count = 0;
  for (char *p = line; *p && count < MOST_WORDS;) {
    bool quoted = *p == '\'';
    words[count++] = p += quoted;
    p += strcspn(p, quoted ? "\'" : " ");
    if (*p) *p++ = 0;
    if (quoted && *p == ' ') p++;
  }
  return count;
}

// The explorer that a command line opens.
static Session *opened(const char *command) {
  LsErr err = {0};
  char *line = ls_strdup(command), *words[MOST_WORDS];
  Cli cli = {0};
  SesWish wish;
  RunRequest request;
  bool parsed = cli_parse(&cli, split(line, words), words, &err);
  bool asked = parsed && cli_request(&cli, DEV_WRITTEN, true, &request, &err);
  Run *run = asked ? run_new(&request, NULL, &err) : NULL;
  Session *session = run ? ses_new(run) : NULL;
  bool there = session && place_wish(&cli, &wish, &err) && ses_wish(session, &wish, &err);
  CHECK(there);
  if (!there) printf("%s: %s\n", command, err.message);
  if (asked) run_request_fini(&request);
  cli_free(&cli);
  free(line);
  return session;
}

// A demo chooses the number of the margin by itself.
static void as_opened(Session *session, const Session *fresh) {
  ses_close_compare(session);
  session->margin = fresh->margin, session->margin_chosen = fresh->margin_chosen;
  snprintf(session->message, sizeof session->message, "%s", fresh->message);
  session->message_is_error = fresh->message_is_error;
}

static void check_place(Session *session) {
  LsText command = {0}, here = {0}, there = {0};
  spot_command(session, &command);
  Session *fresh = opened(ls_text_str(&command));
  CU_ASSERT_FATAL(fresh != NULL);
  as_opened(session, fresh);
  CHECK_INT(fresh->step, session->step);
  draw(session, &here);
  draw(fresh, &there);
  CHECK_STR(ls_text_str(&there), ls_text_str(&here));
  if (strcmp(ls_text_str(&there), ls_text_str(&here)) != 0) printf("%s\n", ls_text_str(&command));
  ses_free(fresh);
  ls_text_free(&there);
  ls_text_free(&here);
  ls_text_free(&command);
}

static int check_places(Course *course, RecipeBook *book, const char *name) {
  LsErr err = {0};
  Session *session = NULL;
  Demo *demo = demo_open(course, name, book, &err);
  CU_ASSERT_FATAL(demo && demo_prepare_all(demo, &err));
  int places = 0;
  for (int i = 0; i < demo_ready(demo); i++) {
    const DemoBeat *beat = demo_beat(demo, i);
    bool shows = beat->kind == STAGE_SCENE || beat->kind == STAGE_WHATIF;
    if (!shows || beat->place.run < 0) continue;
    demo_show(demo, beat, &session);
    check_place(session);
    places++;
  }
  ses_free(session);
  demo_free(demo);
  return places;
}

static void test_command_lines_open_the_places(void) {
  static const char *const names[] = {"column", "corner", "luck", "lock", "constant", "cards", "volatile", "tickets"};
  RecipeBook *book = recipe_book_open(NULL, NULL);
  Course *course = course_open(NULL, NULL);
  CU_ASSERT_FATAL(book && course);
  int places = 0;
  for (int i = 0; i < LS_COUNT(names); i++) places += check_places(course, book, names[i]);
  CHECK(places >= 20);
  course->free(course);
  book->free(book);
}

static void test_words_of_a_shell(void) {
  static const struct { const char *word, *written; } rows[] = {
      {"line:15", "line:15"}, {"", "''"}, {"r0 w1", "'r0 w1'"}, {"it's", "'it'\\''s'"}, {"$x", "'$x'"}, {"a;b", "'a;b'"}};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    LsText out = {0};
    spot_shell_word(rows[i].word, &out);
    CHECK_STR(ls_text_str(&out), rows[i].written);
    ls_text_free(&out);
  }
}

static const Check checks[] = {
    {"command lines open the places", test_command_lines_open_the_places},
    {"words of a shell", test_words_of_a_shell},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  ses_taste.motion = false;
  return check_main("spot", checks, LS_COUNT(checks), argc, argv);
}
