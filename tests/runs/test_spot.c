// test_spot.c: where the explorer stands, written down: a command line opens the same place as the beat of a demo.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/session/session_parts.h"
#include "app/session/spot.h"
#include "app/session/spot_scene.h"
#include "app/stage/demo.h"
#include "base/file.h"
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

static RecipeBook *kernels;        // of all command lines: runs borrow from it

// The explorer that a command line opens.
static Session *opened(const char *command) {
  LsErr err = {0};
  char *line = ls_strdup(command), *words[MOST_WORDS];
  Cli cli = {0};
  SesWish wish;
  RunRequest request;
  bool parsed = cli_parse(&cli, split(line, words), words, &err);
  cli.book = kernels;
  bool asked = parsed && cli_request(&cli, DEV_WRITTEN, true, &request, &err);
  Run *run = asked ? run_new(&request, NULL, &err) : NULL;
  Session *session = run ? ses_new(run) : NULL;
  bool there = session && place_wish(&cli, &wish, &err) && ses_wish(session, &wish, &err);
  CHECK(there);
  if (!there) printf("%s: %s\n", command, err.message);
  if (asked) run_request_fini(&request);
  cli.book = NULL;
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

// ---- scenes ---------------------------------------------------------------------------------------------------------

static void type(Session *session, const char *line) {
  Command command;
  LineResult result = ses_read_line(session, line, &command);
  CHECK(result != LINE_TRY || ses_command(session, &command));
  if (result == LINE_COMMAND) ses_command(session, &command);
}

// What was written is read as a demo, and its last scene looks as the place did from which it was added.
static void check_written(Course *course, RecipeBook *book, Session *session) {
  LsErr err = {0};
  LsText here = {0}, there = {0};
  Session *shown = NULL;
  remove("mine.lua");
  type(session, "scene mine");
  CHECK(!session->message_is_error);
  if (session->message_is_error) printf("%s\n", session->message);
  Demo *demo = demo_open(course, "./mine.lua", book, &err);
  bool ok = demo && demo_prepare_all(demo, &err);
  if (!ok) printf("%s:%d: %s\n", err.file, err.line, err.message);
  CU_ASSERT_FATAL(ok);
  demo_show(demo, demo_beat(demo, 0), &shown);
  CHECK_INT(shown->step, session->step);
  CHECK_INT(shown->warp, session->warp);
  CHECK_INT(shown->lane, session->lane);
  session->message[0] = shown->message[0] = 0;
  shown->focus_auto = session->focus_auto;   // a pane is held where another warp is shown
  session->margin = shown->margin, session->margin_chosen = shown->margin_chosen;
  draw(session, &here);
  draw(shown, &there);
  CHECK_STR(ls_text_str(&there), ls_text_str(&here));
  ls_text_free(&there);
  ls_text_free(&here);
  ses_free(shown);
  demo_free(demo);
}

static void test_scenes_are_read_back(void) {
  static const char *const lines[] = {
      "lanescope explore transpose_32x32 --at line:15 --focus banks",
      "lanescope explore transpose_32x33 -p type=double --at line:15 --focus banks --variant 1 --lane 3 --zoom",
      "lanescope explore reduce2 --form lecture -p N=1024 -p blocks=9 -p threads=8 --at end",
      "lanescope explore reduce2 --at 500 --warp 3",
      "lanescope explore warp_lock --form spin --sched stack --at 49 --focus atomics",
      "lanescope explore reduce2 -p threads=64 --code compiled --seed 3 --at 77",
      "lanescope explore reduce2 --at 0",
  };
  RecipeBook *book = recipe_book_open(NULL, NULL);
  Course *course = course_open(NULL, NULL);
  CU_ASSERT_FATAL(book && course);
  for (int i = 0; i < LS_COUNT(lines); i++) {
    Session *session = opened(lines[i]);
    CU_ASSERT_FATAL(session != NULL);
    check_written(course, book, session);
    ses_free(session);
  }
  Session *session = opened(lines[0]), *other = opened("lanescope explore transpose_32x33");
  CU_ASSERT_FATAL(session && other);
  ses_put_beside(session, run_share(other->run), "33 of them");
  check_written(course, book, session);
  ses_free(other);
  ses_free(session);
  course->free(course);
  book->free(book);
}

static void check_file(const char *expected) {
  char *text = ls_file_read("mine.lua", 1 << 16, NULL, NULL);
  CHECK_STR(text, expected);
  free(text);
}

static void test_scenes_are_appended(void) {
  static const char head[] = "-- Mine.\ndemo { title = 'A', minutes = 2 }";
  static const char scene[] = "scene { kernel = \"transpose_32x32\",\n"
                              "        at = { line = \"out[row * n + col] = tile[tx][ty];\", kind = \"load\", space = \"shared\" },"
                              " focus = \"banks\" }\n";
  Session *session = opened("lanescope explore transpose_32x32 --at line:15 --focus banks");
  CU_ASSERT_FATAL(session != NULL);
  char *made = ls_format("demo { title = \"mine.lua\", minutes = 3 }\n%s%s", scene, scene);
  char *kept = ls_format("%s\n%s", head, scene);
  remove("mine.lua");
  type(session, "scene mine");
  CHECK(strstr(session->message, "added to ./mine.lua") != NULL);
  type(session, "scene mine");
  check_file(made);
  CHECK(ls_file_write("mine.lua", head, strlen(head), NULL));
  type(session, "scene mine");
  check_file(kept);
  CHECK(ls_file_write("mine.lua", "return 3\n", 9, NULL));
  type(session, "scene mine");
  CHECK(session->message_is_error && strstr(session->message, "is no demo") != NULL);
  check_file("return 3\n");                 // somebody else's file stays as it is
  type(session, "scene ../mine");
  CHECK(session->message_is_error && strstr(session->message, "takes the name of a demo") != NULL);
  free(made);
  free(kept);
  ses_free(session);
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
    {"scenes are read back", test_scenes_are_read_back},
    {"scenes are appended", test_scenes_are_appended},
    {"words of a shell", test_words_of_a_shell},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  ses_taste.motion = false;
  char folder[256];
  if (!check_folder(folder, sizeof folder) || chdir(folder) != 0) return 1;
  kernels = recipe_book_open(NULL, NULL);
  int failed = check_main("spot", checks, LS_COUNT(checks), argc, argv);
  kernels->free(kernels);
  remove("mine.lua");
  rmdir(folder);
  return failed;
}
