// test_views.c: what views draw, held against screens that a person looked at (tests/screens).
//
//   UPDATE_SCREENS=1 tests/unit/ui/test_views     writes the screens anew; look at what git diff says before committing
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "fake_session.h"
#include "ui/pages/list.h"
#include "ui/pages/glimpse.h"
#include "ui/pages/page.h"
#include "ui/panels/panel.h"
#include "ui/views/frame.h"
#include "ui/views/syntax.h"
#include "ui/views/view.h"

static void check_screen(const Canvas *canvas, const char *name) {
  char path[512];
  LsText text = {0};
  LsErr err = {0};
  snprintf(path, sizeof path, "%s/tests/screens/%s.txt", LS_SOURCE_DIR, name);
  canvas_to_text(canvas, canvas->ascii, &text);
  if (getenv("UPDATE_SCREENS")) CHECK(ls_file_write(path, text.data, text.length, &err));
  char *expected = ls_file_read(path, 1 << 20, NULL, &err);
  CHECK_STR(ls_text_str(&text), expected ? expected : "");
  free(expected);
  ls_text_free(&text);
}

typedef struct ScreenCase {
  const char *name;
  int cols, rows, warps;
  bool ascii;
  void (*prepare)(Session *session);
} ScreenCase;

static void with_params(Session *session) { session->panel = &panel_params, session->pick = 1; }
static void with_faults(Session *session) { session->panel = &panel_faults, session->pick = 1; }
static void with_output(Session *session) { session->panel = &panel_output, session->pick = 1; }
static void with_help(Session *session) { session->panel = &panel_help; }
static void with_lane(Session *session) { session->lane = 5; }
static void with_registers(Session *session) { session->lane = 5, session->show_ptx = true; }
static void with_find(Session *session) { session->panel = &panel_find, strcpy(session->input, "tsum"); }
static void with_zoom(Session *session) { session->zoom = true; }
static void with_message(Session *session) {
  session->message_is_error = true, strcpy(session->message, "there is no line 99");
}
static void with_warp_pick(Session *session) { session->panel = &panel_warp, session->pick = 2; }

static void with_timeline(Session *session) {
  session->panel = &panel_timeline, session->schedule_at = (SesScheduleAt){.step = 7, .row = 3};
}
static void with_timeline_on_stage(Session *session) { with_timeline(session), session->stage_wish = SES_STAGE_ON; }
static void with_model(Session *session) {
  with_timeline(session), session->schedule_at.edits = true, session->schedule_at.pick = PROGRAM_MODEL_STREAMS;
}
static void with_timeline_zoomed(Session *session) {
  with_timeline(session), session->schedule_at.left = 60e3, session->schedule_at.width = 40e3;
}
// Half of it has been played.
static void with_timeline_played(Session *session) { with_timeline(session), session->schedule_at.until = 100e3; }

static const ScreenCase screens[] = {
    {"explorer-120x36", 120, 36, 8, false, NULL},
    {"explorer-120x36-ascii", 120, 36, 8, true, NULL},
    {"explorer-80x24", 80, 24, 8, false, NULL},
    {"explorer-80x24-ascii", 80, 24, 8, true, NULL},
    {"explorer-200x60", 200, 60, 16, false, NULL},
    {"explorer-200x60-ascii", 200, 60, 16, true, NULL},
    {"explorer-60x20", 60, 20, 1, false, NULL},
    {"parameters-120x36", 120, 36, 8, false, with_params},
    {"parameters-80x24", 80, 24, 8, false, with_params},
    {"faults-120x36", 120, 36, 8, false, with_faults},
    {"faults-80x24", 80, 24, 8, false, with_faults},
    {"output-120x36", 120, 36, 8, false, with_output},
    {"help-120x36", 120, 36, 8, false, with_help},
    {"help-80x24-ascii", 80, 24, 8, true, with_help},
    {"lane-120x36", 120, 36, 8, false, with_lane},
    {"registers-120x36", 120, 36, 8, false, with_registers},
    {"find-80x24", 80, 24, 8, false, with_find},
    {"zoom-80x24", 80, 24, 8, false, with_zoom},
    {"message-80x24", 80, 24, 8, false, with_message},
    {"pick-80x24", 80, 24, 8, false, with_warp_pick},
    {"timeline-120x36", 120, 36, 8, false, with_timeline},
    {"timeline-100x30-ascii", 100, 30, 8, true, with_timeline},
    {"timeline-80x24", 80, 24, 8, false, with_timeline},
    {"timeline-60x20", 60, 20, 8, false, with_timeline},
    {"timeline-stage-60x18", 60, 18, 8, false, with_timeline_on_stage},
    {"timeline-model-120x36", 120, 36, 8, false, with_model},
    {"timeline-model-80x24", 80, 24, 8, false, with_model},
    {"timeline-zoomed-100x30", 100, 30, 8, false, with_timeline_zoomed},
    {"timeline-played-80x24", 80, 24, 8, false, with_timeline_played},
};

static Canvas *draw_case(const ScreenCase *c) {
  Session *session = fake_session_new(c->warps);
  Canvas *canvas = canvas_new(c->cols, c->rows);
  canvas->ascii = c->ascii;
  if (c->prepare) c->prepare(session);
  explorer_draw(session, canvas);
  fake_session_free(session);
  return canvas;
}

static bool shows(const Canvas *canvas, const char *words) {
  LsText text = {0};
  canvas_to_text(canvas, true, &text);
  bool found = strstr(ls_text_str(&text), words) != NULL;
  ls_text_free(&text);
  return found;
}

// All words about a fault can be read where not all of them have room: in a panel of five rows they go by.
static void words_of_a_list_go_by(void) {
  Session *session = fake_session_new(8);
  with_faults(session);
  bool first = false, last = false;
  for (int skip = 0; skip < 8; skip++) {
    Canvas *canvas = canvas_new(LAYOUT_LEAST_COLS, LAYOUT_LEAST_ROWS);
    session->list_skip = skip;
    panel_faults.draw(session, canvas, (Rect){0, 0, LAYOUT_LEAST_COLS, 5});
    first |= shows(canvas, "Block 7 is not recorded");
    last |= shows(canvas, "reduce2.cu:18.");
    CHECK(shows(canvas, "more"));
    canvas_free(canvas);
  }
  CHECK(first && last && session->list_skip < 7);
  fake_session_free(session);
}

static void screens_are_as_seen(void) {
  for (int i = 0; i < LS_COUNT(screens); i++) {
    Canvas *canvas = draw_case(&screens[i]);
    check_screen(canvas, screens[i].name);
    canvas_free(canvas);
  }
}

static void ascii_is_ascii(void) {
  for (int i = 0; i < LS_COUNT(screens); i++) {
    if (!screens[i].ascii) continue;
    Canvas *canvas = draw_case(&screens[i]);
    LsText text = {0};
    canvas_to_text(canvas, true, &text);
    for (size_t k = 0; k < text.length; k++) CHECK((unsigned char)text.data[k] < 0x7f);
    CHECK(strchr(text.data, '?') == strstr(text.data, "? help") || screens[i].prepare);   // nothing without a stand-in
    ls_text_free(&text);
    canvas_free(canvas);
  }
}

// No view may leave its rectangle, whatever its size.
static void views_stay_inside(void) {
  int count;
  const View *views = view_all(&count);
  for (int i = 0; i < count; i++) {
    if (strcmp(views[i].name, "screen") == 0) continue;
    for (int w = 1; w < 130; w += 9)
      for (int h = 1; h < 24; h += 3) {
        Session *session = fake_session_new(12);
        Canvas *canvas = canvas_new(140, 32);
        Rect rect = {5, 4, w, h}, old = canvas_clip(canvas, rect);
        view_draw(&views[i], session, canvas, rect);
        canvas_clip(canvas, old);
        int outside = 0;
        for (int y = 0; y < canvas->rows; y++)
          for (int x = 0; x < canvas->cols; x++)
            if ((x < 5 || x >= 5 + w || y < 4 || y >= 4 + h) && canvas_at(canvas, x, y)->code != ' ') outside++;
        CHECK_INT(outside, 0);
        canvas_free(canvas);
        fake_session_free(session);
      }
  }
}

static void every_size_draws(void) {
  for (int cols = 60; cols <= 240; cols += 7)
    for (int rows = 20; rows <= 70; rows += 3) {
      ScreenCase c = {"", cols, rows, 1 + cols % 32, false, rows % 2 ? with_registers : with_params};
      Canvas *canvas = draw_case(&c);
      CHECK(canvas_at(canvas, 1, 0)->code != ' ');   // lanescope, or the kernel where that does not fit
      CHECK_INT(canvas_at(canvas, 0, rows - 1)->background, ROLE_BAR);
      canvas_free(canvas);
    }
}

// Two passes of a load of 8 bytes whose neighbors want the same are one: so are the wavefronts, and lane 31's is it.
static void merged_passes_are_one_wavefront(void) {
  Session *session = fake_session_new(12);
  Scene *scene = (Scene *)(uintptr_t)ses_scene(session);
  scene->event.mask = scene->event.active = UINT32_MAX;
  scene->event.width = 8;
  for (int lane = 0; lane < 32; lane++) scene->addr[lane] = (uint64_t)(lane / 2) * 8;
  session->lane = 31;
  Canvas *canvas = canvas_new(120, 24);
  Rect rect = {0, 0, 120, 24}, old = canvas_clip(canvas, rect);
  view_draw(view_find("banks"), session, canvas, rect);
  canvas_clip(canvas, old);
  CHECK(shows(canvas, "wavefront 1 of 1"));
  canvas_free(canvas);
  fake_session_free(session);
}

// However many bars there are: whole and enlarged, a picture takes no longer than a key may.
static void many_steps_draw_soon(void) {
  enum { PIECES = 33333, FRAMES = 10, MOST_MS = 16, SLOW_MACHINE = 4 };
  Session *session = fake_session_new(8);
  Canvas *canvas = canvas_new(200, 60);
  fake_schedule_pieces(PIECES);
  with_timeline(session);
  explorer_draw(session, canvas);
  for (int zoom = 0; zoom < 12; zoom++) {
    clock_t start = clock();
    for (int i = 0; i < FRAMES; i++) explorer_draw(session, canvas);
    double ms = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC / FRAMES;
    printf("%.1f ", ms);
    CHECK(ms < MOST_MS * SLOW_MACHINE);
    session->schedule_at.width = ses_schedule(session)->chart->span / (4 << zoom);
    session->schedule_at.left = ses_schedule(session)->chart->span / 3;
  }
  fake_schedule_pieces(4);
  canvas_free(canvas);
  fake_session_free(session);
}

static void views_are_found(void) {
  CHECK(view_find("banks") == view_of_focus(FOCUS_BANKS));
  CHECK(view_find("no such view") == NULL);
  for (int kind = 0; kind < FOCUS_COUNT; kind++)
    CHECK_STR(view_of_focus((FocusKind)kind)->name, focus_name((FocusKind)kind));
}

// Every command that opens a panel has a key, and every panel what a panel needs.
static void panels_are_whole(void) {
  for (const SesPanelRow *row = panels; row->panel; row++) {
    const SesPanel *panel = row->panel;
    CHECK(command_key(row->opens, 0) != 0);
    CHECK(panel->key && panel->draw);
    CHECK((panel->place == PANEL_LINE) == (panel->key_count == 0));
    for (int i = 0; i < panel->key_count; i++) CHECK(panel->keys[i].keys[0] && panel->keys[i].word[0]);
  }
}

static void roles_of(const char *line, Syntax *syntax, const char *expected) {
  uint8_t roles[256];
  char letters[256];
  syntax_line(syntax, line, roles);
  for (size_t i = 0; i < strlen(line); i++)
    letters[i] = roles[i] == ROLE_KEYWORD   ? 'k'
                 : roles[i] == ROLE_NUMBER  ? 'n'
                 : roles[i] == ROLE_CALL    ? 'c'
                 : roles[i] == ROLE_COMMENT ? '/'
                                            : '.';
  letters[strlen(line)] = 0;
  CHECK_STR(letters, expected);
}

static void code_is_colored(void) {
  Syntax syntax = {0};
  roles_of("  int k = 0x1f; // one", &syntax, "..kkk.....nnnn..//////");
  roles_of("x[k] += 1.5e-3f;", &syntax, "........nnnnnnn.");
  roles_of("__syncthreads();", &syntax, "ccccccccccccc...");
  roles_of("a /* b", &syntax, "..////");
  CHECK(syntax.in_comment);
  roles_of("c */ for", &syntax, "////.kkk");
  CHECK(!syntax.in_comment);
  roles_of("#pragma unroll 1", &syntax, "////////////////");
  roles_of("s = \"a\\\"b\";", &syntax, "....nnnnnn.");
  roles_of("format(x)", &syntax, "cccccc...");
}

static const char *fruit(void *context, int row) {
  static const char *const names[] = {"apple", "banana", "cherry", "banana split", "date"};
  (void)context;
  return names[row];
}

static void type(List *list, const char *text) {
  for (; *text; text++) list_key(list, (AppKey){.code = (uint32_t)*text});
}

static void lists_move_and_search(void) {
  List list = {.count = 5, .text = fruit};
  list_place(&list, 2, 3);
  CHECK_INT(list_key(&list, (AppKey){.code = KEYX_UP}), LIST_CHANGED);
  CHECK_INT(list.chosen, 0);
  list_key(&list, (AppKey){.code = KEYX_END});
  list_place(&list, 2, 3);
  CHECK(list.chosen == 4 && list.top == 2);
  type(&list, "/BAN");
  CHECK(list.searching && list.chosen == 1);
  list_key(&list, (AppKey){.code = KEY_RETURN_});
  type(&list, "n");
  CHECK_INT(list.chosen, 3);
  type(&list, "n");
  CHECK_INT(list.chosen, 1);
  type(&list, "N");
  CHECK_INT(list.chosen, 3);
  CHECK_INT(list_key(&list, (AppKey){.code = KEY_RETURN_}), LIST_OPEN);
  CHECK_INT(list_key(&list, (AppKey){.code = KEYX_MOUSE, .x = 3, .y = 2, .button = 1}), LIST_CHANGED);
  CHECK_INT(list.chosen, list.top);
  CHECK_INT(list_key(&list, (AppKey){.code = KEYX_MOUSE, .x = 3, .y = 2, .button = 1}), LIST_OPEN);
  CHECK_INT(list_key(&list, (AppKey){.code = KEYX_MOUSE, .x = 3, .y = 9, .button = 1}), LIST_IGNORED);
}

static void small_windows_say_so(void) {
  Page *page = page_message_new("note", "text");
  Canvas *canvas = canvas_new(40, 10);
  page_draw(page, canvas);
  check_screen(canvas, "too-small-40x10");
  canvas_free(canvas);
  page->class->free(page);
}

// At 80 columns news of faults are brief beside the number of a program's launch; a single kernel lets its name go.
static void titles_keep_the_launch(void) {
  static const struct { bool needs_name; const char *line; } rows[] = {
      {true, " sums, launch 2 of 2 ▸ block 0 ▸ warp 0        ▲ 2 faults   step 1,184 of 9,302"},
      {false, " block 0 ▸ warp 0   emulated    ▲ 2 faults · ! lists them   step 1,184 of 9,302"}};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    FrameTitle title = {.crumbs = {"lanescope", "sums, launch 2 of 2", "block 0", "warp 0"}, .crumb_count = 4,
                        .middle = {"emulator · its · H200", "emulated"}, .alarming = true,
                        .news = {"▲ 2 faults · ! lists them", "▲ 2 faults"}, .state = "paused · 1×",
                        .right = "step 1,184 of 9,302", .right_brief = "1,184 of 9,302",
                        .needs_name = rows[i].needs_name};
    Canvas *canvas = canvas_new(80, 1);
    LsText text = {0};
    frame_title(canvas, &title);
    canvas_to_text(canvas, false, &text);
    if (text.length) text.data[strcspn(text.data, "\n")] = 0;
    CHECK_STR(ls_text_str(&text), rows[i].line);
    ls_text_free(&text);
    canvas_free(canvas);
  }
}

static void errors_have_a_page(void) {
  LsErr err = {0};
  ls_fail_at(&err, LS_EPARSE, "kernel.cu", 12, 3, "identifier \"foo\" is undefined\n  foo = 1;\n  ^");
  Page *page = page_error_new(&err);
  Canvas *canvas = canvas_new(80, 24);
  page_draw(page, canvas);
  check_screen(canvas, "error-80x24");
  CHECK(page->class->key(page, (AppKey){.code = 'x'}) && page->closed);
  canvas_free(canvas);
  page->class->free(page);
}

// ---- pages ----------------------------------------------------------------------------------------------------------

// Stands in for ui/pages/page_run.c, which would run the kernel.
Page *page_recipe_new(RecipeBook *book, const char *name) {
  (void)book;
  return page_message_new("run", name);
}

// Stands in for ui/pages/glimpse.c, which would run one, too.
void glimpse_choose(Glimpse *glimpse, const CourseLesson *lesson, int cols) { (void)glimpse, (void)lesson, (void)cols; }
bool glimpse_waits(const Glimpse *glimpse) { return glimpse->picture != NULL; }
bool glimpse_tick(Glimpse *glimpse, double seconds) { return (void)seconds, glimpse->picture != NULL; }
void glimpse_stop(Glimpse *glimpse) { glimpse->rested = 0; }
void glimpse_fini(Glimpse *glimpse) { glimpse->picture = NULL; }
bool glimpse_draw(Glimpse *glimpse, Canvas *canvas, Rect rect) {
  canvas_rule(canvas, rect.x, rect.y, rect.w, "a glimpse", NULL);
  for (int y = 1; y < rect.h; y++) canvas_textf(canvas, rect.x, rect.y + y, ROLE_DIM, 0, "%d", y);
  return glimpse->book != NULL;
}

Page *page_recording_new(RecipeBook *book, const char *name) { return page_recipe_new(book, name); }

static void check_page(Page *page, int cols, int rows, const char *name) {
  Canvas *canvas = canvas_new(cols, rows);
  page_draw(page, canvas);
  check_screen(canvas, name);
  canvas_free(canvas);
}

static void press(Page *page, uint32_t code) { page->class->key(page, (AppKey){.code = code}); }

// As where no recordings are installed, whatever is beside the tests.
static void kernels_are_listed(void) {
  char folder[256];
  CU_ASSERT_FATAL(check_folder(folder, sizeof folder));
  char *kernels = ls_path_join(folder, "kernels");   // by which lanescope knows its own files
  CHECK(mkdir(kernels, 0700) == 0);
  setenv("LANESCOPE_DATA", folder, 1);
  Page *page = page_kernels_new(fake_book());
  press(page, KEYX_DOWN);   // by topic in the order of the course: warp, reduction, atomics
  check_page(page, 120, 36, "kernels-120x36");
  check_page(page, 80, 24, "kernels-80x24");
  CHECK(!page->closed && !page->open);
  press(page, KEY_RETURN_);
  CHECK(page->open != NULL);
  if (page->open) page->open->class->free(page->open);
  page->open = NULL;
  press(page, 'q');
  CHECK(page->closed);
  page->class->free(page);
  unsetenv("LANESCOPE_DATA");
  CHECK(rmdir(kernels) == 0 && rmdir(folder) == 0);
  free(kernels);
}

static Page *opens_message(const PageMenu *menu, const CourseLesson *lesson) {
  (void)menu;
  return page_message_new(lesson->id, lesson->title);
}

static Page *opens_own(const PageMenu *menu) {
  (void)menu;
  return page_message_new("own", "of your own");
}

static void course_shows_progress(void) {
  Progress *progress = progress_open(":memory:");
  progress_save_lesson(progress, "L01",
                       &(ProgressLesson){.step = 9, .steps = 10, .done = true, .right = 2, .asked = 3});
  progress_save_lesson(progress, "L02", &(ProgressLesson){.step = 8, .steps = 20, .right = 1, .asked = 2});
  skill_graded(progress, "L01.lanes", FSRS_AGAIN, 1000);
  PageMenu menu = {.course = fake_course(),
                   .progress = progress,
                   .book = fake_book(),
                   .note = "emulator",
                   .open_lesson = opens_message,
                   .open_quiz = opens_own,
                   .open_own = opens_own};
  Page *page = page_menu_new(&menu);
  check_page(page, 120, 36, "course-120x36");   // stands on the lesson that was begun
  check_page(page, 80, 24, "course-80x24");
  press(page, KEY_RETURN_);
  CHECK(page->open != NULL && !page->closed);
  if (page->open) page->open->class->free(page->open);
  page->open = NULL;
  press(page, 'q');
  CHECK(page->closed);
  page->class->free(page);
  progress_close(progress);
}

// No title is cut, and nothing is without a place: where not all lessons have room, those below are counted.
static void long_course_fits(void) {
  enum { LESSONS = 18 };
  static const struct { int cols, rows; const char *name; } sizes[] = {
      {80, 24, "course-long-80x24"}, {100, 30, "course-long-100x30"}, {60, 20, "course-long-60x20"}};
  static CourseLesson rows[LESSONS];
  static char ids[LESSONS][16], titles[LESSONS][40];
  for (int i = 0; i < LESSONS; i++) {
    snprintf(ids[i], sizeof ids[i], "L%02d", i + 1);
    snprintf(titles[i], sizeof titles[i], "%.*s", 8 + i, "Memory, barriers, and Atom");
    rows[i] = (CourseLesson){.id = ids[i], .name = ids[i], .title = titles[i], .minutes = 30, .steps = 20,
                             .questions = 10, .file = "a.lua",
                             .glimpse = "A lesson whose words go over two rows here."};
  }
  Progress *progress = progress_open(":memory:");
  progress_save_lesson(progress, "L01", &(ProgressLesson){.step = 9, .steps = 10, .done = true});
  skill_graded(progress, "L01.lanes", FSRS_AGAIN, 1000);
  Course course = {"CUDA, seen from inside a warp", rows, LESSONS, .open = NULL};
  PageMenu menu = {.course = &course, .progress = progress, .book = fake_book(), .note = "emulator",
                   .open_own = opens_own};
  Page *page = page_menu_new(&menu);
  for (int i = 0; i < LS_COUNT(sizes); i++) check_page(page, sizes[i].cols, sizes[i].rows, sizes[i].name);
  page->class->free(page);
  progress_close(progress);
}

static void check_opens(Page *page, AppKey key, const char *word) {
  page->class->key(page, key);
  CU_ASSERT_FATAL(page->open != NULL);
  Canvas *canvas = canvas_new(80, 24);
  LsText text = {0};
  page_draw(page->open, canvas);
  canvas_to_text(canvas, false, &text);
  CHECK(strstr(ls_text_str(&text), word) != NULL);
  ls_text_free(&text);
  canvas_free(canvas);
  page->open->class->free(page->open);
  page->open = NULL;
}

// By key and by click; what is not there is no way in.
static void ways_open(void) {
  Progress *progress = progress_open(":memory:");
  PageMenu menu = {.course = fake_course(), .progress = progress, .book = fake_book(), .open_own = opens_own};
  Page *page = page_menu_new(&menu);
  Canvas *canvas = canvas_new(80, 24);
  page_draw(page, canvas);
  check_opens(page, (AppKey){.code = 'O'}, "of your own");
  check_opens(page, (AppKey){.code = 'K'}, "Lecture kernels");
  check_opens(page, (AppKey){.code = KEYX_MOUSE, .button = 1, .x = 2, .y = 22}, "of your own");
  check_opens(page, (AppKey){.code = KEYX_MOUSE, .button = 1, .x = 20, .y = 22}, "Lecture kernels");
  press(page, 'C');
  CHECK(!page->open && !page->closed);
  canvas_free(canvas);
  page->class->free(page);
  progress_close(progress);
}

static void expect_shown(Page *page, const char *word) {
  Canvas *canvas = canvas_new(80, 24);
  LsText text = {0};
  page_draw(page, canvas);
  canvas_to_text(canvas, false, &text);
  if (!strstr(ls_text_str(&text), word)) printf("\nno '%s' in\n%s", word, ls_text_str(&text));
  CHECK(strstr(ls_text_str(&text), word) != NULL);
  ls_text_free(&text);
  canvas_free(canvas);
}

// What is typed is looked for at once; Enter opens it, and what was found is still there afterwards.
static void search_opens_what_it_finds(void) {
  Progress *progress = progress_open(":memory:");
  PageMenu menu = {.course = fake_course(), .progress = progress, .book = fake_book(), .open_lesson = opens_message};
  Page *first = page_menu_new(&menu);
  press(first, '/');
  CU_ASSERT_FATAL(first->open != NULL);
  Page *page = first->open;
  first->open = NULL;
  check_page(page, 80, 24, "search-empty-80x24");
  for (const char *at = "warp"; *at; at++) press(page, (uint8_t)*at);
  check_page(page, 80, 24, "search-80x24");
  check_page(page, 60, 20, "search-60x20");
  check_opens(page, (AppKey){.code = KEY_RETURN_}, "Warps and SIMT");
  expect_shown(page, "L02");
  for (int i = 0; i < 4; i++) press(page, KEY_BACKSPACE_);
  for (const char *at = "histogrum"; *at; at++) press(page, (uint8_t)*at);
  expect_shown(page, "nearly so: 1 found");
  check_opens(page, (AppKey){.code = KEY_RETURN_}, "histogram");
  press(page, '!'), press(page, 'z'), press(page, 'z'), press(page, 'z');
  expect_shown(page, "Nothing has the words");
  press(page, KEY_RETURN_);
  CHECK(!page->open && !page->closed);
  press(page, KEY_ESC_);
  CHECK(page->closed);
  page->class->free(page);
  first->class->free(first);
  progress_close(progress);
}

static Page *opens_path(const PageOwn *own, const char *path) {
  (void)own;
  return page_message_new("file", path);
}

static void type_line(Page *page, const char *text) {
  while (*text) press(page, (uint8_t)*text++);
  press(page, KEY_RETURN_);
}

// An empty folder says what can be done; S writes a file, which is shown and opened. A path is typed.
static void own_files_open(void) {
  char folder[256], *before = getcwd(NULL, 0);
  CU_ASSERT_FATAL(before && check_folder(folder, sizeof folder) && chdir(folder) == 0);
  Page *page = page_own_new(&(PageOwn){.open = opens_path});
  expect_shown(page, "There is no .cu and no .ptx file in this folder.");
  press(page, KEY_RETURN_);
  CHECK(!page->open);
  press(page, 'S');
  expect_shown(page, "saxpy.cu");
  expect_shown(page, "int i = blockIdx.x");
  check_opens(page, (AppKey){.code = KEY_RETURN_}, "saxpy.cu");
  press(page, 'S');
  expect_shown(page, "cannot write saxpy.cu: File exists");
  press(page, ':');
  type_line(page, "notes.txt");
  expect_shown(page, "ends in .cu or .ptx");
  press(page, ':');
  type_line(page, "none.cu");
  expect_shown(page, "there is no file none.cu");
  press(page, ':');
  type_line(page, "./saxpy.cu");
  CHECK(page->open != NULL);
  if (page->open) expect_shown(page->open, "./saxpy.cu"), page->open->class->free(page->open);
  page->open = NULL;
  press(page, 'q');
  CHECK(page->closed);
  page->class->free(page);
  CHECK(remove("saxpy.cu") == 0 && chdir(before) == 0 && rmdir(folder) == 0);
  free(before);
}

// What cannot be saved is said before the work is done.
static void unsaved_progress_is_said(void) {
  Progress *progress = progress_open("/dev/null");
  PageMenu menu = {.course = fake_course(), .progress = progress, .book = fake_book(), .note = "emulator"};
  Page *page = page_menu_new(&menu);
  check_page(page, 80, 24, "course-unsaved-80x24");
  page->class->free(page);
  progress_close(progress);
}

// ---- titles ---------------------------------------------------------------------------------------------------------

static void count_lost(void *context, int x, int y, uint32_t code) { (void)x, (void)y, (void)code, ++*(int *)context; }

static void count_covered(void *context, int x, int y, uint32_t old, uint32_t code) {
  (void)x, (void)y, (void)old, (void)code;
  ++*(int *)context;
}

// However long names and numbers are: nothing leaves the line, nothing stands on anything, and the numbers are in full.
static void titles_of_any_length(void) {
  static const char name[] = "a_kernel_with_a_name_that_goes_on_and_on_and_on<unsigned long long, float, 128>_and_on_and_on_and_on_and_on";
  static const char steps[] = "step 18,446,744,073,709,551,614 of 18,446,744,073,709,551,615";
  int wrong = 0, missing = 0;
  CanvasWatch watch = {.context = &wrong, .lost = count_lost, .covered = count_covered};
  for (int cols = LAYOUT_LEAST_COLS; cols <= 240; cols++)
    for (int kind = 0; kind < 4; kind++) {
      bool names = kind & 1;
      FrameTitle title = {.crumbs = {"lanescope", names ? name : "reduce2", "block 12,345,678", "warp 31"},
                          .crumb_count = kind == 3 ? 2 : 4, .middle = {"emulator · its · H200", "emulated"},
                          .news = {"▲ 12,345 faults · ! lists them", "▲ 12,345 faults"},
                          .right = kind & 2 ? steps : "step 7 of 9", .state = "playing · 1/4×"};
      Canvas *canvas = canvas_new(cols, 2);
      LsText text = {0};
      canvas->watch = &watch;
      frame_title(canvas, &title);
      canvas_to_text(canvas, false, &text);
      bool room = ls_utf8_width(title.right) + 40 < cols;
      const char *seen = ls_text_str(&text);
      missing += room && kind != 3 && (!strstr(seen, title.right) || !strstr(seen, "12,345 faults"));
      ls_text_free(&text);
      canvas_free(canvas);
    }
  CHECK_INT(wrong, 0);
  CHECK_INT(missing, 0);
}

static const Check checks[] = {
    {"titles of any length", titles_of_any_length},
    {"screens are as seen", screens_are_as_seen},
    {"words of a list go by", words_of_a_list_go_by},
    {"ASCII is ASCII", ascii_is_ascii},
    {"views stay inside", views_stay_inside},
    {"every size draws", every_size_draws},
    {"merged passes are one wavefront", merged_passes_are_one_wavefront},
    {"many steps draw soon", many_steps_draw_soon},
      {"views are found", views_are_found},
    {"panels are whole", panels_are_whole},
    {"code is colored", code_is_colored},
    {"lists move and search", lists_move_and_search},
    {"small windows say so", small_windows_say_so},
    {"titles keep the launch", titles_keep_the_launch},
    {"errors have a page", errors_have_a_page},
    {"kernels are listed", kernels_are_listed},
    {"the course shows progress", course_shows_progress},
    {"a long course fits", long_course_fits},
    {"ways open", ways_open},
    {"search opens what it finds", search_opens_what_it_finds},
    {"own files open", own_files_open},
    {"unsaved progress is said", unsaved_progress_is_said},
};

int main(int argc, char **argv) { return check_main("views", checks, LS_COUNT(checks), argc, argv); }
