// cmd_demo.c: lanescope demo: scenes for a lecture hall, on the screen, as text, or checked at all sizes of a window.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/stage/demo.h"
#include "base/clock.h"
#include "base/file.h"
#include "cli/busy.h"
#include "cli/cli.h"
#include "cli/demo_handout.h"
#include "cli/plain.h"
#include "script/lesson.h"
#include "ui/pages/page.h"

enum { MOST_NAME = 40 };

typedef struct Stage { Cli *cli; Course *course; RecipeBook *book; const char *name; char *path; } Stage;

// ---- the list -------------------------------------------------------------------------------------------------------

static void json_demo(LsJson *json, const CourseDemo *demo) {
  ls_json_open(json, '{');
  ls_json_member(json, "name", demo->name);
  ls_json_member(json, "title", demo->title);
  ls_json_member_f64(json, "minutes", demo->minutes);
  ls_json_member(json, "where", demo->where);
  ls_json_member_i64(json, "scenes", demo->scenes);
  ls_json_member_i64(json, "beats", demo->beats);
  ls_json_member_i64(json, "questions", demo->asks);
  ls_json_close(json, '}');
}

static void print_json(const CourseDemo *demos, int count) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_open_member(&json, "demos", '[');
  for (int i = 0; i < count; i++) json_demo(&json, &demos[i]);
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

static int list(const Stage *stage, LsErr *err) {
  LsArena *arena = ls_arena_new();
  CourseDemo *demos;
  int count;
  bool ok = stage->course->demos(stage->course, stage->name, arena, &demos, &count, err);
  if (ok && stage->cli->given[OPT_ID_JSON]) print_json(demos, count);
  for (int i = 0; ok && !stage->cli->given[OPT_ID_JSON] && i < count; i++)
    plain_print(stdout, "%-14s %-40s %3g min  %d scene%s, %d question%s\n", demos[i].name, demos[i].title,
                demos[i].minutes, demos[i].scenes, demos[i].scenes == 1 ? "" : "s", demos[i].asks,
                demos[i].asks == 1 ? "" : "s");
  ls_arena_free(arena);
  return ok ? 0 : -1;
}

// ---- as text --------------------------------------------------------------------------------------------------------

static void print_picture(Demo *demo, const DemoBeat *beat, Session **session) {
  demo_show(demo, beat, session);
  if (beat->place.model) {
    LsText words = {0};
    beat->place.model->words(&beat->place.values, &words);
    plain_print(stdout, "%s\n", ls_text_str(&words));
    ls_text_free(&words);
  }
  if (!*session || beat->place.run < 0 || !(*session)->steps) return;
  const Scene *scene = ses_scene(*session);
  plain_print(stdout, "%s\n", scene->picture[0] ? scene->picture : scene->sentence);
}

static void print_question(const DemoBeat *beat) {
  for (int i = 0; i < beat->option_count; i++) plain_print(stdout, "  %c  %s\n", 'A' + i, beat->options[i]);
}

static void print_beat(Demo *demo, const DemoBeat *beat, Session **session, bool hidden) {
  static const char *const kinds[] = {"scene", "question", "answer", "what if", "keep"};
  LsText words = {0};
  demo_words(beat, &words);
  plain_print(stdout, "== %d, %s%s%s\n", beat->scene, kinds[beat->kind],
              beat->staging && beat->staging->change ? ": " : "",
              beat->staging && beat->staging->change ? beat->staging->change : "");
  if (words.length) plain_print(stdout, "%s\n", ls_text_str(&words));
  if (beat->kind == STAGE_ASK) print_question(beat);
  else if (!hidden && beat->kind != STAGE_KEEP) print_picture(demo, beat, session);
  if (beat->kind == STAGE_REVEAL && beat->option_count)
    plain_print(stdout, "It is %c, %s.\n", 'A' + beat->right, beat->options[beat->right]);
  plain_print(stdout, "\n");
  ls_text_free(&words);
}

// All beats, with the runs that they are about.
static bool prepare(Demo *demo, LsErr *err) {
  busy_begin("running the kernels of the demo");
  bool ok = demo_prepare_all(demo, err);
  busy_end();
  return ok;
}

static int print(const Stage *stage, LsErr *err) {
  Demo *demo = demo_open(stage->course, stage->name, stage->book, err);
  Session *session = NULL;
  bool ok = demo && prepare(demo, err);
  const CourseDemo *info = ok ? demo_info(demo) : NULL;
  if (ok) plain_print(stdout, "%s\n%g min%s%s\n\n", info->title, info->minutes, info->where ? ", " : "",
                      info->where ? info->where : "");
  for (int i = 0; ok && i < demo_ready(demo); i++) {
    const DemoBeat *beat = demo_beat(demo, i);
    print_beat(demo, beat, &session, beat->kind == STAGE_SCENE && beat->staging && beat->staging->hide);
  }
  ses_free(session);
  demo_free(demo);
  return ok ? 0 : -1;
}

// ---- the check ------------------------------------------------------------------------------------------------------

static const struct { int cols, rows; } sizes[] = {{60, 18}, {80, 24}, {100, 30}, {120, 36}};
static const double OPENS_WITHIN = 1.0, SHOWS_WITHIN = 0.1;   // seconds

// All beats at one size; returns how many things do not fit.
static int check_size(const Stage *stage, int cols, int rows, double *slowest, LsErr *err) {
  Demo *demo = demo_open(stage->course, stage->name, stage->book, err);
  if (!demo || !prepare(demo, err)) return demo_free(demo), -1;
  int count = demo_ready(demo), bad = 0;
  Page *page = page_demo_new(demo, stage->book, stage->cli->given[OPT_ID_STAGE], "");
  Canvas *canvas = canvas_new(cols, rows);
  for (int i = 0; i < count; i++) {
    double begun = ls_clock();
    LsText why = {0};
    if (i) page->class->key(page, (AppKey){.code = KEYX_PGDN});
    page_draw(page, canvas);
    *slowest = LS_MAX(*slowest, ls_clock() - begun);
    if (!page_demo_fits(page, canvas, &why)) {
      plain_print(stdout, "not ok  %dx%d, %s\n", cols, rows, ls_text_str(&why));
      bad++;
    }
    ls_text_free(&why);
  }
  canvas_free(canvas);
  page->class->free(page);
  return bad;
}

// How long until the first beat, and until all are ready.
static bool time_it(const Stage *stage, double *first, double *all, LsErr *err) {
  double begun = ls_clock();
  Demo *demo = demo_open(stage->course, stage->name, stage->book, err);
  bool ok = demo != NULL;
  for (*first = -1; ok && !demo_is_whole(demo);) {
    DemoWork work = demo_prepare(demo, err);
    Run *run = work == DEMO_RUNS ? run_new(demo_wants(demo), NULL, err) : NULL;
    if (run) demo_give(demo, run);
    else if (work == DEMO_RUNS) demo_blame(demo, err);
    ok = work == DEMO_RUNS ? run != NULL : work != DEMO_BROKEN;
    if (work == DEMO_BEAT && *first < 0) *first = ls_clock() - begun;
  }
  *all = ls_clock() - begun;
  demo_free(demo);
  return ok;
}

static int check(const Stage *stage, LsErr *err) {
  double first, all, slowest = 0;
  int bad = 0;
  busy_begin("timing the demo");
  bool timed = time_it(stage, &first, &all, err);
  busy_end();
  if (!timed) return -1;
  for (int i = 0; i < LS_COUNT(sizes); i++) {
    int found = check_size(stage, sizes[i].cols, sizes[i].rows, &slowest, err);
    if (found < 0) return -1;
    bad += found;
    if (!found) plain_print(stdout, "ok      %dx%d\n", sizes[i].cols, sizes[i].rows);
  }
  bool opens = first <= OPENS_WITHIN, shows = slowest <= SHOWS_WITHIN;
  plain_print(stdout, "%s  the first scene after %.2f s, all after %.2f s\n", opens ? "ok    " : "not ok", first, all);
  plain_print(stdout, "%s  a key is answered within %.0f ms\n", shows ? "ok    " : "not ok", slowest * 1000);
  return bad || !opens ? 1 : 0;
}

// ---- one's own ------------------------------------------------------------------------------------------------------

static const char new_demo[] =
    "demo { title = \"A demo of mine\", minutes = 3 }\n"
    "\n"
    "-- What is asked for more than once: a place in the run. lessons/README.md says what a run knows.\n"
    "local READ = { line = \"tile[tx][ty]\", kind = \"load\" }\n"
    "\n"
    "-- A kernel at a place. hide: the picture waits for the reveal. note: for the speaker alone.\n"
    "scene {\n"
    "  kernel = \"transpose_32x32\", at = READ, focus = \"banks\", big = true, hide = true,\n"
    "  say = \"A tile goes in by rows and comes out by columns.\",\n"
    "  note = \"Walk one lane with the finger.\",\n"
    "}\n"
    "-- A question about it, with votes. The answer comes from the run.\n"
    "ask {\n"
    "  \"32 lanes read a column. How many turns does that take?\",\n"
    "  options = { \"1\", \"2\", \"32\" }, seconds = 40,\n"
    "  answer = function(r) return r:event(READ).wavefronts end,\n"
    "}\n"
    "-- The picture, then a sentence. values fills its {names}.\n"
    "reveal {\n"
    "  say = \"{turns} turns: all words lie in one bank.\",\n"
    "  values = function(r) return { turns = r:event(READ).wavefronts } end,\n"
    "}\n"
    "-- Two kernels side by side, and the same one with another parameter.\n"
    "scene {\n"
    "  kernel = \"transpose_32x33\", compare = \"transpose_32x32\", at = READ, focus = \"banks\", big = true,\n"
    "  say = \"A row of 33.\",\n"
    "}\n"
    "whatif { param = \"type\", try = { \"double\" }, say = \"And as double.\" }\n"
    "-- What to remember.\n"
    "keep { \"A row of 33: every row is one bank further.\" }\n";

// ./NAME.lua, with one entry of each kind.
static int begin_demo(const char *word, LsErr *err) {
  size_t length = strlen(word) - (ls_ends_with(word, ".lua") ? strlen(".lua") : 0);
  LsErr why = {0};
  char *name = ls_strndup(word, length);
  bool fits = ls_is_name(name, MOST_NAME);
  free(name);
  if (!fits)
    return ls_fail(err, LS_EREQUEST, "demo --new takes a name of letters, digits, - and _, at most %d, not %s",
                   MOST_NAME, LS_QUOTE(word)), -1;
  char *path = ls_format("%.*s.lua", (int)length, word);
  bool ok = ls_file_create(path, new_demo, strlen(new_demo), &why);
  if (ok) plain_print(stdout, "%s: lanescope demo ./%s shows it, --check says what does not fit\n", path, path);
  else ls_fail(err, LS_EREQUEST, "%s cannot be made: %s", path, why.message);
  free(path);
  return ok ? 0 : -1;
}

// ---- on paper -------------------------------------------------------------------------------------------------------

static int write_handout(const Stage *stage, LsErr *err) {
  const char *path = stage->cli->value[OPT_ID_HANDOUT];
  if (!demo_handout_path_fits(path, err)) return -1;
  Demo *demo = demo_open(stage->course, stage->name, stage->book, err);
  bool ok = demo && cli_theme(stage->cli, err) && prepare(demo, err);
  busy_begin("writing the handout");
  ok = ok && demo_handout_write(stage->cli, demo, path, err);
  busy_end();
  demo_free(demo);
  return ok ? 0 : -1;
}

// ---- the screen -----------------------------------------------------------------------------------------------------

static int show(const Stage *stage, LsErr *err) {
  TermOptions options;
  if (stage->cli->given[OPT_ID_LIGHT]) setenv("COLORFGBG", "0;15", 1);
  if (!cli_term_options(stage->cli, &options, err)) return -1;
  Demo *demo = demo_open(stage->course, stage->name, stage->book, err);
  if (!demo) return -1;
  bool shared = stage->cli->given[OPT_ID_SHARE];
  Share *share = shared ? share_open(stage->cli->value[OPT_ID_SHARE], err) : NULL;
  if (shared && !share) return demo_free(demo), -1;
  Page *page = page_demo_new(demo, stage->book, options.stage, NULL);
  page_demo_connect(page, publish_open(stage->name, NULL), share);   // without a socket the talk goes on without notes
  return ui_run(page, &options, err);
}

static int run_stage(Stage *stage, LsErr *err) {
  const Cli *cli = stage->cli;
  if (cli->given[OPT_ID_LIST] || cli->given[OPT_ID_JSON]) return list(stage, err);
  if (!stage->name)
    return ls_fail(err, LS_EREQUEST, "lanescope demo needs the demo's name; lanescope demo --list lists them"), -1;
  if (cli->given[OPT_ID_DEMO_NEW]) return begin_demo(cli->words[0], err);
  if (cli->given[OPT_ID_DEMO_CHECK]) return check(stage, err);
  if (cli->given[OPT_ID_HANDOUT]) return write_handout(stage, err);
  return cli_wants_screen(cli) ? show(stage, err) : print(stage, err);
}

// "mine.lua" is a file of this folder.
static const char *name_of(Stage *stage, const char *word) {
  if (!ls_ends_with(word, ".lua") || ls_starts_with(word, "/") || ls_starts_with(word, ".")) return word;
  return stage->path = ls_format("./%s", word);
}

int cmd_demo(Cli *cli, LsErr *err) {
  Stage stage = {.cli = cli, .book = cli_book(cli, err)};
  stage.course = stage.book ? course_open(NULL, err) : NULL;
  if (!stage.course) return -1;
  if (cli->word_count) stage.name = name_of(&stage, cli->words[0]);
  int status = run_stage(&stage, err);
  stage.course->free(stage.course);
  free(stage.path);
  return status;
}
