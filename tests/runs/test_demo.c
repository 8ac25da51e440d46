// test_demo.c: demos for a lecture hall: those that are shipped, the keys of a remote, votes, excursions, bad files.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/stage/record.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/page.h"

// ---- a demo on a page -----------------------------------------------------------------------------------------------

typedef struct Hall {
  char folder[256], file[300];
  RecipeBook *book;
  Course *course;
  Page *page;
  Canvas *canvas;
} Hall;

static const char small[] =
    "demo { title = 'A title', minutes = 1 }\n"
    "local READ = { line = 'tile[tx][ty]', kind = 'load', space = 'shared' }\n"
    "scene { kernel = 'transpose_32x32', at = READ, focus = 'banks', big = true, hide = true, say = 'First words.' }\n"
    "ask { 'How many turns?', options = { '1', '2', '32' }, seconds = 9,\n"
    "      answer = function(r) return r:event(READ).wavefronts end }\n"
    "reveal { say = '{n} turns.', values = function(r) return { n = r:event(READ).wavefronts } end }\n"
    "scene { kernel = 'transpose_32x33', at = READ, focus = 'banks', say = 'Third words.' }\n"
    "whatif { param = 'type', try = { 'double' }, say = 'Other words.' }\n"
    "keep { 'Keep this.' }\n";

static void open_page(Hall *hall) {
  LsErr err = {0};
  Demo *demo = demo_open(hall->course, hall->file, hall->book, &err);
  if (!demo) printf("%s:%d: %s\n", err.file, err.line, err.message);
  CU_ASSERT_FATAL(demo != NULL && demo_prepare_all(demo, &err));
  hall->page = page_demo_new(demo, hall->book, false, hall->folder);
}

static void set_up(Hall *hall, const char *text) {
  CU_ASSERT_FATAL(check_folder(hall->folder, sizeof hall->folder));
  snprintf(hall->file, sizeof hall->file, "%s/small.lua", hall->folder);
  CHECK(ls_file_write(hall->file, text, strlen(text), NULL));
  hall->book = recipe_book_open(NULL, NULL);
  hall->course = course_open(NULL, NULL);
  CU_ASSERT_FATAL(hall->book && hall->course);
  hall->canvas = canvas_new(80, 24);
  ses_taste.motion = false;
}

static void close_page(Hall *hall) {
  hall->page->class->free(hall->page);
  hall->page = NULL;
}

static void tear_down(Hall *hall) {
  if (hall->page) close_page(hall);
  hall->course->free(hall->course);
  hall->book->free(hall->book);
  canvas_free(hall->canvas);
  ses_taste.motion = true;
  char *command = ls_format("rm -rf '%s'", hall->folder);
  CHECK_INT(system(command), 0);
  free(command);
}

static void press(Hall *hall, uint32_t code) { hall->page->class->key(hall->page, (AppKey){.code = code}); }

static void type(Hall *hall, const char *text) {
  for (const char *p = text; *p; p++) press(hall, *p == '\n' ? KEY_RETURN_ : (uint32_t)*p);
}

// What is on the screen, at any size.
static bool shows(Hall *hall, const char *words) {
  LsText text = {0};
  hall->canvas->stage = false;              // as the loop does
  page_draw(hall->page, hall->canvas);
  canvas_to_text(hall->canvas, false, &text);
  bool found = strstr(ls_text_str(&text), words) != NULL;
  ls_text_free(&text);
  return found;
}

// Until what the speaker wanted is run.
static void wait_for(Hall *hall, const char *words) {
  double end = ls_clock() + 20;
  while (!shows(hall, words) && ls_clock() < end) hall->page->class->tick(hall->page, 0.01);
}

// ---- the script -----------------------------------------------------------------------------------------------------

static void test_page_keys_go_through_it(void) {
  Hall hall = {0};
  set_up(&hall, small);
  open_page(&hall);
  CHECK(shows(&hall, "First words."));
  press(&hall, KEYX_PGDN);
  CHECK(shows(&hall, "How many turns?"));
  press(&hall, KEYX_PGDN);                  // nobody voted: the answer
  CHECK(shows(&hall, "32 turns."));
  press(&hall, KEYX_PGUP);
  CHECK(shows(&hall, "How many turns?"));
  press(&hall, '2');                        // hands of the first option, no jump
  CHECK(shows(&hall, "How many turns?"));
  press(&hall, KEY_BACKSPACE_);
  press(&hall, KEYX_PGDN);
  press(&hall, '2');                        // but here it is the second scene
  CHECK(shows(&hall, "Third words."));
  press(&hall, KEYX_PGDN);
  CHECK(shows(&hall, "Other words."));
  press(&hall, KEYX_PGDN);
  CHECK(shows(&hall, "Keep this."));
  press(&hall, KEYX_PGDN);
  CHECK(shows(&hall, "This is the end"));
  press(&hall, KEYX_F5);
  CHECK(shows(&hall, "First words."));
  press(&hall, '9');
  CHECK(shows(&hall, "There are 3 scenes"));
  tear_down(&hall);
}

static void test_black_is_black(void) {
  Hall hall = {0};
  set_up(&hall, small);
  open_page(&hall);
  const uint32_t keys[] = {'b', '.'};
  for (int i = 0; i < 2; i++) {
    press(&hall, keys[i]);
    page_draw(hall.page, hall.canvas);
    for (int cell = 0; cell < hall.canvas->cols * hall.canvas->rows; cell++)
      CHECK(hall.canvas->cells[cell].code == ' ');
    press(&hall, KEYX_PGDN);                // only light again
    CHECK(shows(&hall, "First words."));
  }
  tear_down(&hall);
}

static void test_nothing_is_given_away(void) {
  static const char *const telling[] = {"wavefront", "conflict", "so far", "bank 0", "findings"};
  Hall hall = {0};
  set_up(&hall, small);
  open_page(&hall);
  for (int beat = 0; beat < 2; beat++) {
    for (int i = 0; i < LS_COUNT(telling); i++) CHECK(!shows(&hall, telling[i]));
    press(&hall, 'f');                      // the list of findings does not tell, either
    CHECK(!shows(&hall, "conflicts"));
    press(&hall, KEYX_PGDN);
    press(&hall, KEYX_PGDN);
    if (beat == 0) press(&hall, KEYX_PGUP);
  }
  press(&hall, KEYX_PGDN);
  tear_down(&hall);
}

static void test_the_answer_is_seen_before_it_is_said(void) {
  Hall hall = {0};
  set_up(&hall, small);
  ses_taste.motion = true;
  open_page(&hall);
  press(&hall, KEYX_PGDN);
  press(&hall, KEYX_PGDN);
  hall.page->class->tick(hall.page, 0.5);
  CHECK(shows(&hall, "bank 0"));
  CHECK(!shows(&hall, "32 turns."));
  CHECK(!shows(&hall, "of 32"));
  for (int i = 0; i < 100; i++) hall.page->class->tick(hall.page, 0.1);
  CHECK(shows(&hall, "32 turns."));
  tear_down(&hall);
}

// A page key while the reveal plays brings its end and the sentence, the next one the next scene.
static void test_a_reveal_is_not_passed_over(void) {
  Hall hall = {0};
  set_up(&hall, small);
  ses_taste.motion = true;
  open_page(&hall);
  press(&hall, KEYX_PGDN);
  press(&hall, KEYX_PGDN);
  hall.page->class->tick(hall.page, 0.5);
  CHECK(!shows(&hall, "32 turns."));
  press(&hall, KEYX_PGDN);
  CHECK(shows(&hall, "32 turns."));
  press(&hall, KEYX_PGDN);
  CHECK(!shows(&hall, "32 turns."));
  tear_down(&hall);
}

static void test_off_script_and_back(void) {
  Hall hall = {0};
  set_up(&hall, small);
  open_page(&hall);
  press(&hall, '2');
  page_draw(hall.page, hall.canvas);
  LsText before = {0}, after = {0};
  canvas_to_text(hall.canvas, false, &before);
  press(&hall, KEYX_RIGHT);
  press(&hall, 'z');
  CHECK(shows(&hall, "off script, PgDn returns"));
  press(&hall, KEYX_PGDN);
  page_draw(hall.page, hall.canvas);
  canvas_to_text(hall.canvas, false, &after);
  CHECK_STR(ls_text_str(&after), ls_text_str(&before));
  press(&hall, 'n');
  press(&hall, KEY_ESC_);                   // the same
  CHECK(!shows(&hall, "off script"));
  ls_text_free(&before);
  ls_text_free(&after);
  tear_down(&hall);
}

static void test_what_if(void) {
  Hall hall = {0};
  set_up(&hall, small);
  open_page(&hall);
  press(&hall, '2');
  press(&hall, 'P');
  CHECK(shows(&hall, "No what-if yet"));
  type(&hall, ":p n=32\n");
  wait_for(&hall, "what if n=32");
  CHECK(shows(&hall, "what if n=32"));
  type(&hall, ":p n=128\n");
  wait_for(&hall, "what if n=128");
  press(&hall, 'P');                        // the one before, at once
  CHECK(shows(&hall, "what if n=32"));
  press(&hall, KEYX_PGDN);
  CHECK(shows(&hall, "Third words."));
  press(&hall, 'P');
  CHECK(shows(&hall, "what if n=128"));
  type(&hall, ":p n=33\n");
  CHECK(shows(&hall, "n cannot be"));
  tear_down(&hall);
}

static void test_stage_by_a_key_and_small_windows(void) {
  Hall hall = {0};
  set_up(&hall, small);
  open_page(&hall);
  press(&hall, '2');
  CHECK(shows(&hall, "scene 2 of 3"));         // the explorer
  press(&hall, 's');
  CHECK(!shows(&hall, "scene 2 of 3"));
  CHECK(shows(&hall, "Third words."));
  CHECK(hall.canvas->stage);
  press(&hall, 's');
  CHECK(shows(&hall, "scene 2 of 3"));
  canvas_free(hall.canvas);
  hall.canvas = canvas_new(60, 18);         // no room for it
  CHECK(!shows(&hall, "scene 2 of 3"));
  CHECK(shows(&hall, "Third words."));
  tear_down(&hall);
}

static void test_models_are_scenes(void) {
  static const char staircase[] =
      "demo { title = 'A title', minutes = 1 }\n"
      "scene { model = 'occupancy', params = { profile = 'v100', threads = 256, registers = 32 }, say = '{b} blocks.',\n"
      "        values = function(sm) return { b = sm.blocks } end }\n"
      "scene { model = 'occupancy', params = { profile = 'v100', threads = 256, registers = 33 }, hide = true,\n"
      "        say = 'One register more.' }\n"
      "ask { 'How many?', options = { '6', '7' }, answer = function(sm) return sm.blocks end }\n"
      "reveal { say = '{b} blocks.', values = function(sm) return { b = sm.blocks } end }\n"
      "whatif { param = 'registers', try = { 41 } }\n";
  Hall hall = {0};
  set_up(&hall, staircase);
  open_page(&hall);
  CHECK(shows(&hall, "8 blocks."));
  CHECK(shows(&hall, "warp slots"));
  press(&hall, KEYX_PGDN);
  CHECK(shows(&hall, "One register more."));
  CHECK(!shows(&hall, "warp slots"));       // a model gives nothing away, either
  press(&hall, KEYX_RIGHT);
  CHECK(!shows(&hall, "warp slots"));
  press(&hall, KEYX_PGDN);
  press(&hall, KEYX_PGDN);
  CHECK(shows(&hall, "6 blocks."));
  press(&hall, KEYX_UP);
  press(&hall, KEYX_LEFT);
  CHECK(shows(&hall, "off script"));
  press(&hall, KEYX_PGDN);
  CHECK(!shows(&hall, "off script"));
  CHECK(shows(&hall, "6 blocks."));
  press(&hall, KEYX_PGDN);
  CHECK(shows(&hall, "5 blocks"));
  tear_down(&hall);
}

static void test_leaving_is_no_accident(void) {
  Hall hall = {0};
  set_up(&hall, small);
  open_page(&hall);
  press(&hall, 'q');
  CHECK(!hall.page->closed);
  CHECK(shows(&hall, "q once more"));
  press(&hall, KEYX_PGDN);
  press(&hall, 'q');
  CHECK(!hall.page->closed);
  press(&hall, 'q');
  CHECK(hall.page->closed);
  tear_down(&hall);
}

// ---- votes ----------------------------------------------------------------------------------------------------------

static char *votes_of(const Hall *hall) {
  char *path = ls_path_join(hall->folder, "demo.json"), *text = ls_file_read(path, 1 << 16, NULL, NULL);
  free(path);
  return text;
}

static void test_two_rounds(void) {
  Hall hall = {0};
  set_up(&hall, small);
  open_page(&hall);
  press(&hall, KEYX_PGDN);
  type(&hall, "12 20 8");
  CHECK(shows(&hall, "40 votes"));
  CHECK(!shows(&hall, "50%"));              // how many, and not how
  CHECK(!shows(&hall, "20"));
  press(&hall, KEY_RETURN_);
  CHECK(shows(&hall, "20, 50%"));
  CHECK(!shows(&hall, "32 turns."));
  press(&hall, 'v');
  CHECK(shows(&hall, "second round"));
  CHECK(!shows(&hall, "50%"));
  type(&hall, "1,3,36");
  press(&hall, KEYX_PGDN);
  CHECK(shows(&hall, "20, 50%"));
  CHECK(shows(&hall, "36, 90%"));
  press(&hall, 'v');
  CHECK(shows(&hall, "Both rounds are over"));
  press(&hall, KEYX_PGDN);
  CHECK(shows(&hall, "32 turns."));
  char *votes = votes_of(&hall);
  CU_ASSERT_FATAL(votes != NULL);
  CHECK(strstr(votes, "\"demo\": \"small\"") != NULL);
  CHECK(strstr(votes, "\"answer\": 2, \"rounds\": [[12, 20, 8], [1, 3, 36]]") != NULL);
  free(votes);
  tear_down(&hall);
}

static void test_votes_of_several_talks(void) {
  static const char *const ids[] = {"one", "two", "one"};
  Hall hall = {0};
  LsErr err = {0};
  set_up(&hall, small);
  Demo *demo = demo_open(hall.course, hall.file, hall.book, &err);
  CU_ASSERT_FATAL(demo && demo_prepare_all(demo, &err));
  Talk talk;
  Record record;
  record_init(&record, hall.folder);
  talk_init(&talk, demo);
  int votes_by_net[VOTE_OPTIONS] = {0};
  talk_to(&talk, 1);
  for (int i = 0; i < LS_COUNT(ids); i++) {
    snprintf(record.id, sizeof record.id, "%s", ids[i]);
    votes_by_net[i]++;
    vote_set(talk_vote(&talk), votes_by_net);
    CHECK(record_votes(&record, &talk, &err));
  }
  char *votes = votes_of(&hall);
  CHECK_STR(votes, "{\"talks\": [\n"
                   "{\"id\": \"two\", \"demo\": \"small\", \"votes\": [{\"question\": \"How many turns?\", \"options\": "
                   "[\"1\", \"2\", \"32\"], \"answer\": 2, \"rounds\": [[1, 1, 0]]}]},\n"
                   "{\"id\": \"one\", \"demo\": \"small\", \"votes\": [{\"question\": \"How many turns?\", \"options\": "
                   "[\"1\", \"2\", \"32\"], \"answer\": 2, \"rounds\": [[1, 1, 1]]}]}\n]}\n");
  free(votes);
  char *path = ls_path_join(hall.folder, "demo.json");
  CHECK(ls_file_write(path, "mine", 4, NULL));
  CHECK(!record_votes(&record, &talk, &err));            // somebody else's file stays as it is
  CHECK(strstr(err.message, "is not a file of votes") != NULL);
  votes = votes_of(&hall);
  CHECK_STR(votes, "mine");
  free(votes);
  free(path);
  record_fini(&record);
  demo_free(demo);
  tear_down(&hall);
}

static void test_hands_as_typed(void) {
  Vote vote;
  vote_begin(&vote, 3);
  for (const char *p = " 1,, 2 3 4 5"; *p; p++) CHECK(vote_key(&vote, (uint32_t)*p));
  CHECK_INT(vote_count(&vote, 0, 0), 1);    // gaps count once, and not behind the last option
  CHECK_INT(vote_count(&vote, 0, 1), 2);
  CHECK_INT(vote_count(&vote, 0, 2), 345);
  CHECK(!vote_key(&vote, 'x'));
  for (int i = 0; i < 200; i++) vote_key(&vote, '9');
  CHECK_INT(vote_count(&vote, 0, 2), VOTE_MOST);
  for (int i = 0; i < 200; i++) vote_key(&vote, KEY_BACKSPACE_);
  CHECK_INT(vote_total(&vote, 0), 0);
  CHECK(!vote_close(&vote));                // nobody voted
  vote_set(&vote, (int[VOTE_OPTIONS]){[1] = 1, [7] = 1});
  CHECK_INT(vote_total(&vote, 0), 1);
  CHECK(vote_close(&vote));
  vote_set(&vote, (int[VOTE_OPTIONS]){[1] = 2});   // too late
  CHECK_INT(vote_total(&vote, 0), 1);
  CHECK(vote_again(&vote));
  CHECK(!vote_again(&vote));
}

// ---- after a crash --------------------------------------------------------------------------------------------------

static void test_begins_where_it_was_lost(void) {
  Hall hall = {0};
  set_up(&hall, small);
  open_page(&hall);
  press(&hall, '2');
  close_page(&hall);                        // the terminal is gone
  char *place = ls_format("%s/demo-small.place", hall.folder), text[64];
  pid_t gone = fork();
  if (gone == 0) _exit(0);
  kill(gone, SIGKILL);
  snprintf(text, sizeof text, "3 %ld\n", (long)gone);
  waitpid(gone, NULL, 0);
  CHECK(ls_file_write(place, text, strlen(text), NULL));   // of a program that is no more
  open_page(&hall);
  CHECK(shows(&hall, "Third words."));
  CHECK(shows(&hall, "Here the talk was left"));
  press(&hall, 'q');
  press(&hall, 'q');
  CHECK(!ls_file_exists(place));
  close_page(&hall);
  snprintf(text, sizeof text, "3 %ld\n", (long)getppid());
  CHECK(ls_file_write(place, text, strlen(text), NULL));   // another speaker is at it
  open_page(&hall);
  CHECK(shows(&hall, "First words."));
  press(&hall, 'q');
  press(&hall, 'q');
  CHECK(ls_file_exists(place));             // and keeps the place
  free(place);
  tear_down(&hall);
}

// ---- files ----------------------------------------------------------------------------------------------------------

#define HEAD "demo { title = 'A', minutes = 1 }\n"
#define TRANSPOSE "scene { kernel = 'transpose_32x32' }\n"

static void test_bad_files(void) {
  static const struct { const char *text; int line; const char *says; } rows[] = {
      {"scene { kernel = 'reduce2' }", 1, "the file begins with demo"},
      {HEAD, 1, "a scene { ... } at least"},
      {HEAD HEAD, 2, "one demo"},
      {"demo { title = 'A' }", 1, "minutes is a number"},
      {HEAD "scene { kernel = 'transpose_32x34' }", 2, "there is no lecture kernel"},
      {HEAD "scene { kernel = 'transpose_32x32',\n params = { n = 33 } }", 2, "n cannot be"},
      {HEAD "scene { kernel = 'transpose_32x32', focsu = 'banks' }", 2, "did you mean 'focus'"},
      {HEAD "scene { }", 2, "either a kernel or a model"},
      {HEAD "scene { kernel = 'reduce2', say = 3 }", 2, "say is a text"},
      {HEAD "scene { kernel = 'reduce2', say = '{x}' }", 2, "no value of that name"},
      {HEAD "scene { kernel = 'reduce2', at = { line = 'nothere' } }", 2, "has 'nothere' in it"},
      {HEAD "scene { kernel = 'reduce2', focus = 'nix' }", 2, "there is no focus 'nix'"},
      {HEAD "scene { kernel = 'reduce2',\n say = function(r)\n return r.nix.x end }", 4, "a run has no 'nix'"},
      {HEAD "scene { model = 'occupancy', params = { threds = 3 } }", 2, "did you mean threads"},
      {HEAD "ask { 'A?', options = { 'a', 'b' }, answer = 'a' }", 2, "no scene before it"},
      {HEAD TRANSPOSE "ask { 'A?', options = { 'a', 'b' }, answer = 'a' }", 3, "a reveal { } comes right after"},
      {HEAD TRANSPOSE "ask { 'A?', options = { 'a' }, answer = 'a' }\nreveal {}", 3, "options is a list of 2 to 6"},
      {HEAD TRANSPOSE "ask { 'A?', options = { 'a', 'b' }, answer = 'c' }\nreveal {}", 3, "none of the options"},
      {HEAD TRANSPOSE "reveal {}", 3, "right after an ask"},
      {HEAD TRANSPOSE "\nwhatif { param = 'type', try = { 'half' } }", 4, "type cannot be"},
      {HEAD TRANSPOSE "whatif { param = 'type', try = {} }", 3, "try is a list"},
      {HEAD TRANSPOSE "keep { 3 }", 3, "what to remember"},
      {HEAD "while true do end", 2, ""},
      {"demo { title = 'A', minutes = 1\nscene", 2, "'}' expected"},
  };
  Hall hall = {0};
  set_up(&hall, "");
  for (int i = 0; i < LS_COUNT(rows); i++) {
    LsErr err = {0};
    CHECK(ls_file_write(hall.file, rows[i].text, strlen(rows[i].text), NULL));
    Demo *demo = demo_open(hall.course, hall.file, hall.book, &err);
    bool ok = demo && demo_prepare_all(demo, &err);
    CHECK(!ok);
    CHECK_STR(err.file, hall.file);
    CHECK_INT(err.line, rows[i].line);
    CHECK(strstr(err.message, rows[i].says) != NULL);
    if (!strstr(err.message, rows[i].says) || err.line != rows[i].line)
      printf("row %d: %s:%d: %s\n", i, err.file, err.line, err.message);
    demo_free(demo);
  }
  tear_down(&hall);
}

// It is found while the runs are made, and the first scene waits for that a moment.
static void test_a_mistake_comes_before_the_first_scene(void) {
  Hall hall = {0};
  LsErr err = {0};
  set_up(&hall, HEAD TRANSPOSE "scene { kernel = 'transpose_32x33', at = { line = 'nothere' } }");
  Demo *demo = demo_open(hall.course, hall.file, hall.book, &err);
  CU_ASSERT_FATAL(demo != NULL);
  hall.page = page_demo_new(demo, hall.book, false, hall.folder);
  double end = ls_clock() + 20;
  // No time passes for the page, however slow the machine is: it goes on waiting.
  while (!hall.page->closed && ls_clock() < end) hall.page->class->tick(hall.page, 0);
  CHECK(hall.page->closed);
  CU_ASSERT_FATAL(hall.page->open != NULL);
  hall.page->open->class->free(hall.page->open);
  hall.page->open = NULL;
  tear_down(&hall);
}

static void test_names(void) {
  Hall hall = {0};
  LsErr err = {0};
  set_up(&hall, small);
  CHECK(demo_open(hall.course, "nix", hall.book, &err) == NULL);
  CHECK(strstr(err.message, "there is no demo 'nix'; there are: ") != NULL);
  Demo *demo = demo_open(hall.course, hall.file, hall.book, &err);
  CU_ASSERT_FATAL(demo != NULL);
  CHECK_STR(demo_info(demo)->name, "small");
  CHECK_INT(demo_scenes(demo), 3);
  CHECK_INT(demo_beats(demo), 6);
  CHECK_INT(demo_ready(demo), 0);           // nothing is run yet
  demo_free(demo);
  tear_down(&hall);
}

// ---- shipped --------------------------------------------------------------------------------------------------------

static void check_at(Hall *hall, const char *name, int cols, int rows) {
  LsErr err = {0};
  Demo *demo = demo_open(hall->course, name, hall->book, &err);
  bool ok = demo && demo_prepare_all(demo, &err);
  CHECK(ok);
  if (!ok) printf("%s:%d: %s\n", err.file, err.line, err.message);
  if (!ok) return demo_free(demo);
  int beats = demo_ready(demo);
  CHECK_INT(beats, demo_beats(demo));
  Page *page = page_demo_new(demo, hall->book, false, "");
  Canvas *canvas = canvas_new(cols, rows);
  for (int i = 0; i < beats; i++) {
    LsText why = {0};
    if (i) page->class->key(page, (AppKey){.code = KEYX_PGDN});
    page_draw(page, canvas);
    CHECK(page_demo_fits(page, canvas, &why));
    if (why.length) printf("%s, %dx%d, %s\n", name, cols, rows, ls_text_str(&why));
    ls_text_free(&why);
  }
  canvas_free(canvas);
  page->class->free(page);
}

static void test_shipped(void) {
  static const int sizes[][2] = {{60, 18}, {80, 24}, {100, 30}, {120, 36}};
  Hall hall = {0};
  set_up(&hall, small);
  LsArena *arena = ls_arena_new();
  CourseDemo *demos = NULL;
  int count = 0;
  LsErr err = {0};
  bool ok = hall.course->demos(hall.course, NULL, arena, &demos, &count, &err);
  CHECK(ok);
  if (!ok) printf("%s:%d: %s\n", err.file, err.line, err.message);
  CHECK(count >= 2);
  for (int i = 0; ok && i < count; i++) {
    CHECK(demos[i].minutes <= 3);
    CHECK(demos[i].asks > 0);
    for (int size = 0; size < LS_COUNT(sizes); size++) check_at(&hall, demos[i].name, sizes[size][0], sizes[size][1]);
  }
  ls_arena_free(arena);
  tear_down(&hall);
}

// All beats of a demo at the least size, one below the other, as a person looked at them.
//   UPDATE_SCREENS=1 tests/runs/test_demo seen
static void check_seen(Hall *hall, const char *name) {
  LsErr err = {0};
  LsText text = {0};
  Demo *demo = demo_open(hall->course, name, hall->book, &err);
  CU_ASSERT_FATAL(demo && demo_prepare_all(demo, &err));
  int beats = demo_ready(demo);
  Page *page = page_demo_new(demo, hall->book, false, "");
  Canvas *canvas = canvas_new(60, 18);
  for (int i = 0; i < beats; i++) {
    if (i) page->class->key(page, (AppKey){.code = KEYX_PGDN});
    page_draw(page, canvas);
    ls_text_addf(&text, "---- beat %d\n", i + 1);
    canvas_to_text(canvas, false, &text);
  }
  char *path = ls_format("%s/tests/screens/demo-%s-60x18.txt", LS_SOURCE_DIR, name);
  if (getenv("UPDATE_SCREENS")) CHECK(ls_file_write(path, text.data, text.length, &err));
  char *expected = ls_file_read(path, 1 << 20, NULL, &err);
  CHECK_STR(ls_text_str(&text), expected ? expected : "");
  free(expected);
  free(path);
  ls_text_free(&text);
  canvas_free(canvas);
  page->class->free(page);
}

static void test_seen_from_the_last_row(void) {
  Hall hall = {0};
  set_up(&hall, small);
  check_seen(&hall, "column");
  check_seen(&hall, "corner");
  tear_down(&hall);
}

// The longest column of ground below one another.
static int tallest(const Canvas *canvas) {
  int most = 0;
  for (int x = 0; x < canvas->cols; x++) {
    for (int y = 0, run = 0; y < canvas->rows; y++) {
      run = canvas->cells[y * canvas->cols + x].background ? run + 1 : 0;
      most = LS_MAX(most, run);
    }
  }
  return most;
}

static void test_cells_grow_with_the_window(void) {
  static const struct { int cols, rows, least; } sizes[] = {{60, 18, 4}, {80, 24, 4}, {100, 30, 6}, {120, 36, 8}};
  Hall hall = {0};
  set_up(&hall, small);
  open_page(&hall);
  press(&hall, '2');
  press(&hall, 's');
  for (int i = 0; i < LS_COUNT(sizes); i++) {
    canvas_free(hall.canvas);
    hall.canvas = canvas_new(sizes[i].cols, sizes[i].rows);
    CHECK(shows(&hall, "31"));              // every lane has its number
    CHECK(tallest(hall.canvas) >= sizes[i].least);
  }
  tear_down(&hall);
}

static void test_a_lesson_is_presented(void) {
  Hall hall = {0};
  LsErr err = {0};
  set_up(&hall, small);
  Demo *demo = demo_open(hall.course, "l11", hall.book, &err);
  CU_ASSERT_FATAL(demo && demo_prepare_all(demo, &err));
  int votes = 0, questions = 0;
  for (int i = 0; i < demo_ready(demo); i++) {
    const DemoBeat *beat = demo_beat(demo, i);
    if (beat->kind != STAGE_ASK) continue;
    questions++;
    votes += beat->option_count > 1;
    CHECK(demo_beat(demo, i + 1)->kind == STAGE_REVEAL);
    CHECK(beat->option_count < 2 || (beat->right >= 0 && beat->right < beat->option_count));
  }
  CHECK(questions > 5);
  CHECK(2 * votes > questions);             // most have options, or wrong answers that are foreseen
  demo_free(demo);
  tear_down(&hall);
}

static const Check checks[] = {
    {"page keys go through it", test_page_keys_go_through_it},
    {"black is black", test_black_is_black},
    {"nothing is given away", test_nothing_is_given_away},
    {"the answer is seen before it is said", test_the_answer_is_seen_before_it_is_said},
    {"a reveal is not passed over", test_a_reveal_is_not_passed_over},
    {"off script and back", test_off_script_and_back},
    {"what if", test_what_if},
    {"stage by a key, and small windows", test_stage_by_a_key_and_small_windows},
    {"models are scenes", test_models_are_scenes},
    {"leaving is no accident", test_leaving_is_no_accident},
    {"two rounds", test_two_rounds},
    {"votes of several talks", test_votes_of_several_talks},
    {"hands as typed", test_hands_as_typed},
    {"begins where it was lost", test_begins_where_it_was_lost},
    {"bad files", test_bad_files},
    {"a mistake comes before the first scene", test_a_mistake_comes_before_the_first_scene},
    {"names", test_names},
    {"shipped", test_shipped},
    {"seen from the last row", test_seen_from_the_last_row},
    {"cells grow with the window", test_cells_grow_with_the_window},
    {"a lesson is presented", test_a_lesson_is_presented},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  return check_main("demo", checks, LS_COUNT(checks), argc, argv);
}
