// test_lesson_page.c: a lesson on the screen: its runs in the background, keys meanwhile, Esc, and progress that is not
// saved.
#include <sched.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/course/lesson.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/page.h"

// ---- runs that take as long as the test says: the linker leads the jobs' run_new_to_file here ----------------------

static _Atomic bool gate_open = true, run_fails;
static atomic_int runs_begun;

Run *__real_run_new_to_file(const RunRequest *request, const char *path, RunProgress *progress, LsErr *err);
Run *__wrap_run_new_to_file(const RunRequest *request, const char *path, RunProgress *progress, LsErr *err);

Run *__wrap_run_new_to_file(const RunRequest *request, const char *path, RunProgress *progress, LsErr *err) {
  runs_begun++;
  progress->stage = "running";
  while (!gate_open && !progress->cancel) sched_yield();
  if (!progress->cancel && !run_fails) return __real_run_new_to_file(request, path, progress, err);
  if (run_fails) ls_fail(err, LS_EENV, "there is no room for it");
  else ls_fail(err, LS_ECANCEL, "the run was canceled");
  return NULL;
}

// ---- a lesson on a page --------------------------------------------------------------------------------------------

typedef struct Stand {
  char folder[256], state[256];
  RecipeBook *book;
  Course *course;
  Progress *progress;
  Page *page;
  Canvas *canvas;
} Stand;

static const char with_runs[] =
    "say { title = 'First', 'Words before any run.' }\n"
    "say { title = 'Second', 'More words.' }\n"
    "local r = run { kernel = 'bcast' }\n"
    "show(r, { at = 'end' })\n"
    "say { title = 'Third', 'There are ' .. r.steps .. ' steps.' }\n"
    "predict { title = 'Fourth', ask = 'How many?', answer = 3 }\n"
    "predict { title = 'Fifth', ask = 'How many now?', answer = 4 }\n";
static const char run_first[] =
    "local r = run { kernel = 'bcast' }\nsay { title = 'First', 'There are ' .. r.steps .. ' steps.' }\n";
static const char watched[] =
    "local r = run { kernel = 'bcast' }\nshow(r, { at = 'start' })\nsay { title = 'First', 'Watch it.' }\n"
    "say { title = 'Second', 'Over.' }\n";
static const char bad_run[] =
    "say { title = 'First', 'Words.' }\nrun { kernel = 'load_patterns', params = { offset = 99 } }\n";
static const char good_run[] = "say { title = 'First', 'Words.' }\n\nrun { kernel = 'load_patterns' }\n";

static void write_in(const char *folder, const char *name, const char *text) {
  char *path = ls_path_join(folder, name);
  CHECK(ls_file_write(path, text, strlen(text), NULL));
  free(path);
}

static void put_on_page(Stand *stand) {
  LsErr err = {0};
  Lesson *lesson = lesson_begin(stand->course, "one", stand->book, stand->progress, &err);
  CU_ASSERT_FATAL(lesson != NULL);
  stand->page = page_lesson_new(lesson, stand->book);
}

static void set_up(Stand *stand, const char *lesson) {
  static const char course[] =
      "return { title = 'T', lessons = { { id = 'X01', name = 'one', title = 'One', glimpse = 'A glimpse.', "
                               "minutes = 1, file = 'one.lua' },"
      " { id = 'X02', name = 'two', title = 'Two', glimpse = 'g', minutes = 1 },"
      " { id = 'X03', name = 'three', title = 'Three', glimpse = 'Another.', minutes = 1, file = 'three.lua' } } }";
  CU_ASSERT_FATAL(check_folder(stand->folder, sizeof stand->folder));
  write_in(stand->folder, "course.lua", course);
  write_in(stand->folder, "one.lua", lesson);
  write_in(stand->folder, "three.lua", "say { title = 'Else', 'Words of another lesson.' }");
  char *state = ls_path_join(stand->folder, "progress.db");
  snprintf(stand->state, sizeof stand->state, "%s", state);
  free(state);
  LsErr err = {0};
  stand->book = recipe_book_open(NULL, &err);
  stand->course = course_open(stand->folder, &err);
  CU_ASSERT_FATAL(stand->book && stand->course);
  stand->progress = progress_open(stand->state);
  stand->canvas = canvas_new(120, 36);
  put_on_page(stand);
}

static void tear_down(Stand *stand) {
  gate_open = true;
  if (stand->page) stand->page->class->free(stand->page);
  progress_close(stand->progress);
  stand->course->free(stand->course);
  stand->book->free(stand->book);
  canvas_free(stand->canvas);
  char *command = ls_format("rm -rf '%s'", stand->folder);
  CHECK_INT(system(command), 0);
  free(command);
}

static void press(Stand *stand, uint32_t code) { stand->page->class->key(stand->page, (AppKey){.code = code}); }

static void type(Stand *stand, const char *text) {
  for (const char *p = text; *p; p++) press(stand, *p == '\n' ? KEY_RETURN_ : (uint32_t)*p);
}

static bool shows(Stand *stand, const char *words) {
  LsText text = {0};
  page_draw(stand->page, stand->canvas);
  canvas_to_text(stand->canvas, false, &text);
  bool found = strstr(ls_text_str(&text), words) != NULL;
  ls_text_free(&text);
  return found;
}

#define CHECK_SHOWS(stand, words)                                                     \
  do {                                                                                \
    bool shown_ = shows(stand, words);                                                \
    if (!shown_) printf("\n%s:%d: '%s' is not seen\n", __FILE__, __LINE__, words);    \
    CHECK(shown_);                                                                    \
  } while (0)

// As the loop would do it: 30 times in what the page takes for a second, until nothing moves any more.
static void tick_to_the_end(Stand *stand) {
  while (stand->page->ticking) {
    stand->page->class->tick(stand->page, 0.033);
    sched_yield();
  }
}

static void tick_once(Stand *stand) { stand->page->class->tick(stand->page, 1.0); }

// From the first step to the run that does not end.
static void walk_into_the_run(Stand *stand) {
  CHECK_SHOWS(stand, "Words before any run.");
  press(stand, ' ');
  CHECK_SHOWS(stand, "More words.");
  gate_open = false;
  press(stand, ' ');
  CHECK(stand->page->ticking);
  tick_once(stand);
}

static void keys_are_heard_while_it_runs(void) {
  Stand stand;
  int before = runs_begun;
  set_up(&stand, with_runs);
  walk_into_the_run(&stand);
  CHECK_SHOWS(&stand, "esc cancel");
  CHECK_SHOWS(&stand, "More words.");
  press(&stand, ' ');                  // once more does not mean twice
  press(&stand, KEYX_UP);
  press(&stand, KEY_BACKSPACE_);       // back to read, while it goes on
  CHECK_SHOWS(&stand, "Words before any run.");
  CHECK(!shows(&stand, "esc cancel"));
  gate_open = true;
  tick_to_the_end(&stand);
  CHECK_SHOWS(&stand, "Words before any run.");
  press(&stand, ' ');
  press(&stand, ' ');                  // what it wanted is there
  CHECK_SHOWS(&stand, "There are ");
  CHECK_INT(runs_begun, before + 1);
  tear_down(&stand);
}

static void esc_stops_and_space_runs_again(void) {
  Stand stand;
  int before = runs_begun;
  set_up(&stand, with_runs);
  walk_into_the_run(&stand);
  press(&stand, KEY_ESC_);
  tick_to_the_end(&stand);
  CHECK_SHOWS(&stand, "The run was stopped; nothing is lost. Enter runs it again, q leaves");
  CHECK_SHOWS(&stand, "More words.");
  ProgressLesson place;
  CHECK(progress_lesson(stand.progress, "X01", &place) && place.step == 1);
  press(&stand, ' ');
  CHECK(stand.page->ticking);
  press(&stand, KEY_ESC_);
  press(&stand, ' ');                  // before the one that was stopped has ended
  gate_open = true;
  tick_to_the_end(&stand);
  CHECK_INT(runs_begun, before + 3);
  CHECK_SHOWS(&stand, "There are ");
  CHECK(progress_lesson(stand.progress, "X01", &place) && place.step == 2);
  tear_down(&stand);
}

static void a_lesson_may_begin_with_a_run(void) {
  Stand stand;
  gate_open = false;
  set_up(&stand, run_first);
  CHECK(!shows(&stand, "A glimpse."));                  // most are there before anybody reads it
  tick_once(&stand);
  CHECK_SHOWS(&stand, "A glimpse.");
  CHECK_SHOWS(&stand, "esc cancel");
  press(&stand, KEY_BACKSPACE_);
  press(&stand, 't');
  press(&stand, KEY_RETURN_);
  press(&stand, KEY_ESC_);
  tick_to_the_end(&stand);
  CHECK_SHOWS(&stand, "The run was stopped");
  press(&stand, KEYX_UP);
  CHECK_SHOWS(&stand, "A glimpse.");
  gate_open = true;
  press(&stand, ' ');
  tick_to_the_end(&stand);
  CHECK_SHOWS(&stand, "There are ");
  tear_down(&stand);
}

// Taking a lesson up plays it as far as it went; the runs on the way are made in the background, too.
static void a_lesson_is_taken_up_in_the_background(void) {
  Stand stand;
  set_up(&stand, with_runs);
  for (int i = 0; i < 3; i++) {
    press(&stand, ' ');
    tick_to_the_end(&stand);
  }
  press(&stand, '3');
  press(&stand, KEY_RETURN_);
  press(&stand, ' ');
  CHECK_SHOWS(&stand, "Fifth");
  stand.page->class->free(stand.page);
  gate_open = false;
  put_on_page(&stand);
  tick_once(&stand);
  CHECK_SHOWS(&stand, "A glimpse.");
  ProgressLesson place;
  CHECK(progress_lesson(stand.progress, "X01", &place) && place.step == 4);
  press(&stand, KEY_ESC_);
  tick_to_the_end(&stand);
  // not lost by being stopped
  CHECK(progress_lesson(stand.progress, "X01", &place) && place.step == 4 && place.right == 1);
  gate_open = true;
  press(&stand, ' ');
  tick_to_the_end(&stand);
  CHECK_SHOWS(&stand, "Fifth");
  tear_down(&stand);
}

static void leaving_ends_the_run(void) {
  Stand stand;
  set_up(&stand, with_runs);
  walk_into_the_run(&stand);
  press(&stand, 'q');
  CHECK(stand.page->closed);
  stand.page->class->free(stand.page);   // does not wait for the gate
  stand.page = NULL;
  tear_down(&stand);
}

static void fails_with(const char *lesson, const char *words) {
  Stand stand;
  set_up(&stand, lesson);
  press(&stand, ' ');
  tick_to_the_end(&stand);
  CHECK(stand.page->closed && stand.page->open);
  if (stand.page->open) {
    Page *page = stand.page;
    stand.page = page->open;
    CHECK_SHOWS(&stand, words);
    stand.page->class->free(stand.page);
    stand.page = page;
  }
  tear_down(&stand);
}

static void a_run_that_fails_has_its_line(void) {
  fails_with(bad_run, "one.lua, line 2");
  run_fails = true;
  fails_with(good_run, "one.lua, line 3");
  fails_with(good_run, "there is no room for it");
  run_fails = false;
}

// ---- progress ------------------------------------------------------------------------------------------------------

static void unsaved_progress_is_said_when_it_happens(void) {
  Stand stand;
  set_up(&stand, with_runs);
  CHECK(!shows(&stand, "Progress"));
  CHECK(unlink(stand.state) == 0 && mkdir(stand.state, 0700) == 0);
  press(&stand, ' ');
  CHECK_SHOWS(&stand, "Progress lasts only until you leave: ");
  CHECK_SHOWS(&stand, " is not a file: move it away");
  CHECK_SHOWS(&stand, "More words.");
  press(&stand, KEYX_UP);
  CHECK(!shows(&stand, "Progress lasts"));              // said once
  CHECK_SHOWS(&stand, "not saved");                     // and marked for as long as it is so
  press(&stand, KEY_BACKSPACE_);
  CHECK(!shows(&stand, "Progress lasts"));
  CHECK_INT(rmdir(stand.state), 0);
  press(&stand, ' ');
  CHECK_SHOWS(&stand, "Progress is saved again, with all answers of this session.");
  press(&stand, KEYX_UP);
  CHECK(!shows(&stand, "not saved"));
  tear_down(&stand);
}

static void unsaved_progress_is_said_at_the_beginning(void) {
  Stand stand;
  set_up(&stand, with_runs);
  stand.page->class->free(stand.page);
  progress_close(stand.progress);
  write_in(stand.folder, "progress.db", "mine");
  stand.progress = progress_open(stand.state);
  put_on_page(&stand);
  CHECK_SHOWS(&stand, " is no database of lanescope: move it away");
  CHECK_SHOWS(&stand, "Words before any run.");
  tear_down(&stand);
}

// A model stands beside the text with its sliders, and a goal is judged by them.
static void a_model_is_played_with(void) {
  Stand stand = {0};
  set_up(&stand, "picture { 'occupancy', params = { threads = 1024, registers = 33 } }\n"
                 "say { title = 'First', 'Words beside it.' }\n"
                 "try { title = 'Second', goal = '45 warps', params = { 'threads' }, solution = { threads = 480 },\n"
                 "  reached = function(sm) return sm.warps == 45, sm.warps .. ' warps' end }\n"
                 "hide() say { title = 'Third', 'Words alone.' }\n");
  CHECK(shows(&stand, "Words beside it.") && shows(&stand, "32 of 64 warps") &&
        !shows(&stand, "threads of a block ──"));
  press(&stand, KEY_RETURN_);
  CHECK(shows(&stand, "45 warps") && shows(&stand, "threads") && shows(&stand, "change the chosen parameter"));
  press(&stand, KEYX_LEFT);
  CHECK(shows(&stand, "31 warps"));
  press(&stand, ' ');
  CHECK(shows(&stand, "Reach the goal first"));
  for (const char *p = "480"; *p; p++) press(&stand, (uint32_t)*p);
  CHECK(!shows(&stand, "Reached."));
  press(&stand, KEY_RETURN_);
  CHECK(shows(&stand, "Reached.") && shows(&stand, "45 of 64 warps"));
  type(&stand, "512\n");                              // what reached it goes on to be told
  CHECK(shows(&stand, "Reached.") && shows(&stand, "45 warps") && !shows(&stand, "45 of 64 warps"));
  press(&stand, 'r');
  CHECK(shows(&stand, "32 of 64 warps"));
  press(&stand, ' ');
  CHECK(shows(&stand, "Words alone.") && !shows(&stand, "warp slots"));
  press(&stand, KEY_BACKSPACE_);
  CHECK(shows(&stand, "warp slots"));
  tear_down(&stand);
}

// ---- answers that are chosen ---------------------------------------------------------------------------------------

// Enter goes on to the next lesson; one that is not written is passed over.
static void the_end_leads_to_the_next_lesson(void) {
  Stand stand = {0};
  set_up(&stand, "say { title = 'First', 'Words.' }\nfinish { title = 'Done', 'Over.', next = 'X02' }\n");
  press(&stand, ' ');
  CHECK_SHOWS(&stand, "Next: X03, Three.");
  press(&stand, KEY_RETURN_);
  CU_ASSERT_FATAL(stand.page->closed && stand.page->open != NULL);
  Page *next = stand.page->open;
  stand.page->class->free(stand.page);
  stand.page = next;
  CHECK_SHOWS(&stand, "Words of another lesson.");
  tear_down(&stand);
}

// An option is as well called by its letter, whatever the explorer beside it does with that key.
static void letters_begin_an_answer(void) {
  Stand stand = {0};
  set_up(&stand, "show(measure { kernel = 'load_patterns' })\n"
                 "predict { title = 'Q', ask = 'Which?', options = { 'one', 'two', 'three' }, answer = 'two' }\n"
                 "predict { title = 'R', ask = 'How many?', answer = 2 }\n");
  tick_to_the_end(&stand);
  press(&stand, 'd');                                  // there is no fourth
  CHECK(!shows(&stand, "answer d"));
  press(&stand, KEY_ESC_);
  press(&stand, 'b');
  CHECK_SHOWS(&stand, "answer b");
  press(&stand, KEY_RETURN_);
  CHECK_SHOWS(&stand, "Right");
  press(&stand, ' ');
  press(&stand, 'b');                                  // a number has none
  CHECK(!shows(&stand, "answer b"));
  tear_down(&stand);
}

static void several_are_ticked(void) {
  Stand stand = {0};
  set_up(&stand, "predict { title = 'Q', kind = 'several', ask = 'Which?', sure = true,\n"
                 "  options = { 'one', 'two', 'three' }, answer = { 'one', 'three' },\n"
                 "  wrong = { two = 'Not two.' }, tips = { 'A tip.' } }\n");
  press(&stand, ' ');
  CHECK_SHOWS(&stand, "1 [ ] one");
  press(&stand, ' ');
  press(&stand, KEYX_DOWN);
  press(&stand, ' ');
  CHECK(shows(&stand, "1 [x] one") && shows(&stand, "2 [x] two") && shows(&stand, "answer 1 2"));
  press(&stand, KEY_RETURN_);
  CHECK_SHOWS(&stand, "How sure are you? 1 sure");
  press(&stand, '7');
  CHECK_SHOWS(&stand, "How sure are you?");
  press(&stand, '2');
  CHECK(shows(&stand, "Not 1, 2.") && shows(&stand, "Not two."));
  CHECK(shows(&stand, "A tip.") && shows(&stand, "Once more."));
  type(&stand, "1 3");
  CHECK_SHOWS(&stand, "3 [x] three");
  press(&stand, KEY_RETURN_);
  CHECK(shows(&stand, "At the second try: 1, 3.") && shows(&stand, "0 of 1 answers right"));
  tear_down(&stand);
}

static void lanes_are_set(void) {
  Stand stand = {0};
  set_up(&stand, "predict { title = 'Q', kind = 'mask', ask = 'Which?', answer = 0x105 }\n");
  CHECK_SHOWS(&stand, "□□□□□□□□ □□□□□□□□ □□□□□□□□ □□□□□□□□");
  press(&stand, KEY_RETURN_);
  press(&stand, ' ');
  press(&stand, KEYX_RIGHT);
  press(&stand, KEYX_RIGHT);
  press(&stand, ' ');
  press(&stand, KEYX_LEFT);
  press(&stand, KEYX_LEFT);
  press(&stand, KEYX_LEFT);
  press(&stand, KEYX_DOWN);
  press(&stand, ' ');
  CHECK(shows(&stand, "■□■□□□□□ ■□□□□□□□") && shows(&stand, "answer 0,2,8"));
  press(&stand, KEY_RETURN_);
  CHECK_SHOWS(&stand, "Right: 0x00000105");
  tear_down(&stand);
}

// The words that the question offers are typed as they are read, also where a kernel beside it has keys of its own.
static void lanes_are_named(void) {
  Stand stand = {0};
  set_up(&stand, "run { kernel = 'bcast' }\npredict { title = 'Q', kind = 'mask', ask = 'Which?', answer = 1 }\n");
  tick_to_the_end(&stand);
  type(&stand, "odd\n");
  CHECK(shows(&stand, "You said 0xaaaaaaaa") && !shows(&stand, "practice"));
  tear_down(&stand);
}

// Where a line stands on the screen among others: above means less.
static long row_of(Stand *stand, const char *words) {
  LsText text = {0};
  page_draw(stand->page, stand->canvas);
  canvas_to_text(stand->canvas, false, &text);
  const char *found = strstr(ls_text_str(&text), words);
  long row = found ? found - ls_text_str(&text) : -1;
  ls_text_free(&text);
  return row;
}

static void lines_are_moved(void) {
  Stand stand = {0};
  set_up(&stand, "predict { title = 'Q', ask = 'Which order?', lines = { 'alpha', 'beta', 'gamma' },\n"
                 "  spare = { 'delta' } }\n");
  press(&stand, ' ');
  static const char *const lines[] = {"alpha", "beta", "gamma", "delta"};
  for (int wanted = 0; wanted < 4; wanted++) {         // each one up to its place; the last one is put away
    press(&stand, KEYX_HOME);
    int below = 0;
    for (int i = 0; i < 4; i++) below += i != wanted && row_of(&stand, lines[i]) < row_of(&stand, lines[wanted]);
    for (int i = 0; i < below; i++) press(&stand, KEYX_DOWN);
    for (int i = below; i > wanted; i--) press(&stand, i % 2 ? 'K' : KEYX_SHIFT_UP);
  }
  CHECK(row_of(&stand, "alpha") < row_of(&stand, "beta") && row_of(&stand, "beta") < row_of(&stand, "gamma"));
  press(&stand, KEYX_END);
  press(&stand, ' ');
  CHECK(row_of(&stand, "gamma") < row_of(&stand, "belong nowhere:") &&
        row_of(&stand, "belong nowhere:") < row_of(&stand, "delta"));
  press(&stand, KEY_RETURN_);
  CHECK_SHOWS(&stand, "1 of 1 answers right");
  tear_down(&stand);
}

static void a_line_of_the_source_is_gone_to(void) {
  Stand stand = {0};
  set_up(&stand, "show(measure { kernel = 'load_patterns' }, { at = { kind = 'load' } })\n"
                 "predict { title = 'Q', kind = 'line', ask = 'Which line?', answer = 'out[lane] = base[word]' }\n");
  tick_to_the_end(&stand);
  press(&stand, KEYX_UP);
  CHECK_SHOWS(&stand, "line 26: out[lane] = base[word];");
  press(&stand, KEYX_UP);
  CHECK_SHOWS(&stand, "answer 25");
  press(&stand, KEYX_DOWN);
  press(&stand, KEY_RETURN_);
  CHECK_SHOWS(&stand, "Right: line 26.");
  CHECK(!shows(&stand, "practice"));                   // the choosing of a line is no looking
  CHECK_SHOWS(&stand, "out[lane] = base[word];");      // and the source stays
  tear_down(&stand);
}

// Letters go into a text, whatever else they do; who looks first is told.
static void looking_is_practice(void) {
  Stand stand = {0};
  set_up(&stand, "show(measure { kernel = 'load_patterns' })\n"
                 "predict { title = 'Q', kind = 'text', ask = 'Which word?', answer = 'quits' }\n");
  tick_to_the_end(&stand);
  press(&stand, 'z');
  press(&stand, 'z');
  CHECK(!shows(&stand, "You looked"));
  press(&stand, KEYX_RIGHT);
  CHECK_SHOWS(&stand, "You looked: this is practice now.");
  press(&stand, KEY_RETURN_);
  type(&stand, "QUITS");
  press(&stand, KEY_RETURN_);
  CHECK(shows(&stand, "Right: quits.") && shows(&stand, "does not count") && !shows(&stand, "answers right"));
  tear_down(&stand);
}

// ---- words of one's own --------------------------------------------------------------------------------------------

static const char with_words[] =
    "rubric { title = 'First', ask = 'What is a bank?', model = 'One of 32 parts.', points = { 'there are 32', 'parts' } }\n"
    "recite { title = 'Second', ask = 'The rules?', '- one\\n- two' }\n"
    "predict { title = 'Third', ask = 'How many?', answer = 3 }\n"
    "finish { title = 'Fourth', 'Over.' }\n";

static void words_are_written_and_held_against_others(void) {
  Stand stand = {0};
  set_up(&stand, with_words);
  CHECK(shows(&stand, "What is a bank?") && shows(&stand, "Press Enter and write.") &&
        !shows(&stand, "One of 32 parts."));
  press(&stand, ' ');
  CHECK(shows(&stand, "Write first"));
  type(&stand, "\nq part x");
  press(&stand, KEY_BACKSPACE_);
  press(&stand, KEYX_HOME);
  type(&stand, "A");
  CHECK(shows(&stand, "Aq part") && !shows(&stand, "Aq part x"));
  press(&stand, KEYX_END);
  type(&stand, "\n\n");
  CHECK(shows(&stand, "Yours") && shows(&stand, "One of 32 parts.") && shows(&stand, "[ ] there are 32"));
  press(&stand, KEYX_DOWN);
  press(&stand, ' ');
  CHECK(shows(&stand, "Which of your words says it?"));
  press(&stand, KEY_RETURN_);                                   // "part", which the point's own word is like
  CHECK(shows(&stand, "[\u2713] parts") && shows(&stand, "Which points"));
  press(&stand, '1');
  press(&stand, ' ');
  press(&stand, KEY_ESC_);
  CHECK(shows(&stand, "[~] there are 32"));
  stand.page->class->free(stand.page);
  put_on_page(&stand);                                          // it was kept
  CHECK(shows(&stand, "[~] there are 32") && shows(&stand, "Which points"));
  press(&stand, KEY_RETURN_);
  CHECK(shows(&stand, "1.5 of 2 points"));
  press(&stand, KEY_RETURN_);
  CHECK(shows(&stand, "The rules?") && !shows(&stand, "- two"));
  type(&stand, "\nfirst\nsecond\n\n");
  CHECK(shows(&stand, "first") && shows(&stand, "second") && shows(&stand, "- two"));
  press(&stand, ' ');
  CHECK(shows(&stand, "How many?"));
  type(&stand, "4\n");
  press(&stand, ' ');
  CHECK(shows(&stand, "Not right at once:") && shows(&stand, "asks it again."));
  press(&stand, 'r');
  CHECK(shows(&stand, "How many?") && shows(&stand, "step 5"));
  type(&stand, "3\n");
  press(&stand, ' ');
  CHECK(shows(&stand, "Over.") && !shows(&stand, "asks it again."));
  tear_down(&stand);
}

// The place is a plain instruction, which has no picture to unfold: Space plays the run all the same, as the keys say.
static void space_plays_beside_a_text(void) {
  Stand stand = {0};
  set_up(&stand, watched);
  tick_to_the_end(&stand);
  CHECK(shows(&stand, "Watch it.") && shows(&stand, "space play"));
  press(&stand, ' ');
  CHECK(shows(&stand, "Watch it.") && shows(&stand, "playing"));
  press(&stand, ' ');
  CHECK(shows(&stand, "Watch it.") && shows(&stand, "paused"));
  press(&stand, ' ');
  tick_to_the_end(&stand);
  CHECK(shows(&stand, "Watch it.") && shows(&stand, "paused"));
  press(&stand, ' ');                                           // nothing is left to play
  CHECK(shows(&stand, "Over."));
  tear_down(&stand);
}

static void words_are_explained_beside_a_text(void) {
  Stand stand = {0};
  set_up(&stand, with_runs);
  type(&stand, ":");
  CHECK(shows(&stand, "what is"));
  type(&stand, "a bnk");
  press(&stand, KEY_BACKSPACE_);
  press(&stand, KEY_BACKSPACE_);
  type(&stand, "ank\n");
  CHECK(shows(&stand, "bank (L11): One of the 32 parts of shared memory."));
  press(&stand, KEY_RETURN_);
  press(&stand, KEY_RETURN_);
  while (stand.page->ticking) stand.page->class->tick(stand.page, 0.05);
  CHECK(shows(&stand, "steps."));                                // beside the explorer, which has a line of its own
  type(&stand, ":what is a wavefrnt\n");
  CHECK(shows(&stand, "Did you mean wavefront"));
  type(&stand, ":what is a wavefront\n");
  CHECK(shows(&stand, "wavefront (L11): One turn"));
  tear_down(&stand);
}

static const Check checks[] = {
    {"Space plays beside a text", space_plays_beside_a_text},
    {"words are explained beside a text", words_are_explained_beside_a_text},
    {"words are written and held against others", words_are_written_and_held_against_others},
    {"keys are heard while it runs", keys_are_heard_while_it_runs},
    {"Esc stops and space runs again", esc_stops_and_space_runs_again},
    {"a lesson may begin with a run", a_lesson_may_begin_with_a_run},
    {"a lesson is taken up in the background", a_lesson_is_taken_up_in_the_background},
    {"leaving ends the run", leaving_ends_the_run},
    {"a run that fails has its line", a_run_that_fails_has_its_line},
    {"unsaved progress is said when it happens", unsaved_progress_is_said_when_it_happens},
    {"unsaved progress is said at the beginning", unsaved_progress_is_said_at_the_beginning},
    {"a model is played with", a_model_is_played_with},
    {"letters begin an answer", letters_begin_an_answer},
    {"the end leads to the next lesson", the_end_leads_to_the_next_lesson},
    {"several are ticked", several_are_ticked},
    {"lanes are set", lanes_are_set},
    {"lanes are named", lanes_are_named},
    {"lines are moved", lines_are_moved},
    {"a line of the source is gone to", a_line_of_the_source_is_gone_to},
    {"looking is practice", looking_is_practice},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  return check_main("lesson page", checks, LS_COUNT(checks), argc, argv);
}
