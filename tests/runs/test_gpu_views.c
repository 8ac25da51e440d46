// test_gpu_views.c: what the screen shows of a run that a GPU made (here made up by fake_gpu.c).
//
//   UPDATE_SCREENS=1 tests/runs/test_gpu_views     writes the screens anew; look at what git diff says before committing
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check_recipes.h"
#include "fake_gpu.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

static RecipeBook *book;

static Session *session_of(const char *name, const char *values, DevCut cut, const FakeGpu *fake, const char *blocks) {
  LsErr err = {0};
  RunRequest request;
  char path[] = "test_gpu_views_XXXXXX";
  close(mkstemp(path));
  bool ok = fake_gpu_request(book, name, values, cut, &request, &err);
  request.blocks = blocks ? ls_strdup(blocks) : NULL;
  ok = ok && fake_gpu_trace(&request, fake, path, NULL, NULL, &err);
  Run *run = ok ? run_open(path, &err) : NULL;
  if (!run) printf("\n%s: %s\n", name, err.message);
  CHECK(run != NULL);
  while (run && run_advance_totals(run, 1 << 20)) continue;
  run_request_fini(&request);
  unlink(path);
  Session *session = run ? ses_new(run) : NULL;
  if (session) session->panels = panels;
  return session;
}

static void compare(const char *name, const Canvas *canvas, bool ascii) {
  LsErr err = {0};
  LsText text = {0};
  char *path = ls_format("%s/tests/screens/gpu-%s%s.txt", LS_SOURCE_DIR, name, ascii ? "-ascii" : "");
  canvas_to_text(canvas, ascii, &text);
  if (getenv("UPDATE_SCREENS")) CHECK(ls_file_write(path, text.data, text.length, &err));
  char *expected = ls_file_read(path, 1 << 20, NULL, &err);
  if (!expected) printf("\n%s\n", err.message);
  CHECK_STR(text.data, expected);
  free(expected);
  free(path);
  ls_text_free(&text);
}

static void whole_screen(const char *name, Session *session, int cols, int rows, bool ascii) {
  Canvas *canvas = canvas_new(cols, rows);
  canvas->ascii = ascii;
  explorer_draw(session, canvas);
  compare(name, canvas, ascii);
  canvas_free(canvas);
}

static void one_view(const char *name, Session *session, const char *view, int cols, int rows) {
  Canvas *canvas = canvas_new(cols, rows);
  session->cols = cols;
  session->rows = rows;
  ses_command(session, &(Command){.id = CMD_SET_FOCUS, .arg = FOCUS_WAVES});
  view_draw(view_find(view), session, canvas, (Rect){0, 0, cols, rows});
  compare(name, canvas, false);
  canvas_free(canvas);
}

static void press(Session *session, const char *keys) {
  char *copy = ls_strdup(keys), *rest = copy, *word;
  while ((word = strsep(&rest, " "))) CHECK(ses_key(session, (AppKey){.code = key_parse(word)}));
  free(copy);
}

// ---- the explorer --------------------------------------------------------------------------------------------------

static void where_it_is_from(void) {
  Session *session = session_of("reduce2", "N=2048 blocks=2 threads=128", DEV_WRITTEN, &(FakeGpu){0}, NULL);
  ses_command(session, &(Command){.id = CMD_GOTO, .arg = 700});
  whole_screen("explorer-120x36", session, 120, 36, false);
  whole_screen("explorer-80x24", session, 80, 24, false);
  whole_screen("explorer-80x24", session, 80, 24, true);
  whole_screen("explorer-200x60", session, 200, 60, false);
  CHECK_STR(session->message, "");
  press(session, "i Return O");
  whole_screen("registers-120x36", session, 120, 36, false);
  ses_free(session);
}

static void what_was_lost(void) {
  Session *session = session_of("reduce2", "", DEV_COMPILED, &(FakeGpu){.lost_events = 1234}, "0");
  whole_screen("lost-80x24", session, 80, 24, false);
  CHECK(session->message_is_error);
  press(session, "Right");
  CHECK_STR(session->message, "");
  ses_free(session);
}

static void values_not_known(void) {
  Session *session = session_of("reduce2", "N=2048 blocks=2 threads=128", DEV_WRITTEN, &(FakeGpu){.goes_astray = true}, "1");
  ses_command(session, &(Command){.id = CMD_SET_WARP, .arg = 0});
  ses_command(session, &(Command){.id = CMD_GOTO, .arg = 600});
  whole_screen("astray-120x36", session, 120, 36, false);
  ses_free(session);
}

// ---- beside the emulator -------------------------------------------------------------------------------------------

// Beside the emulator, from a saved trace: at a step, or (0) at the first difference.
static void compare_with_first_choice(const char *name, const char *kernel, const FakeGpu *fake, int64_t step) {
  static const struct { int cols, rows; } sizes[] = {{120, 36}, {80, 24}};
  LsErr err = {0};
  RunRequest request;
  char path[] = "test_gpu_views_XXXXXX";
  close(mkstemp(path));
  CHECK(fake_gpu_request(book, kernel, "", DEV_COMPILED, &request, &err) &&
        fake_gpu_trace(&request, fake, path, NULL, NULL, &err));
  run_request_fini(&request);
  Session *session = ses_new(run_open(path, &err));
  session->panels = panels;
  press(session, "c");
  CHECK_STR(ses_compare_choice(session, 0), "the emulator: the same code");
  CHECK_INT(ses_compare_count(session), 1);
  press(session, "Return");
  CHECK(session->want_rerun && session->next_is_other);
  Run *other = run_new(&session->next, NULL, &err);
  CHECK(other != NULL);
  if (other) ses_replace_run(session, other);
  if (step) ses_command(session, &(Command){.id = CMD_GOTO, .arg = step});
  else press(session, "n");
  for (int i = 0; i < LS_COUNT(sizes); i++) {
    char *file = ls_format("%s-%dx%d", name, sizes[i].cols, sizes[i].rows);
    whole_screen(file, session, sizes[i].cols, sizes[i].rows, false);
    free(file);
  }
  ses_free(session);
  unlink(path);
}

static void beside_the_emulator(void) {
  compare_with_first_choice("compare", "reduce2", &(FakeGpu){0}, 400);
  compare_with_first_choice("compare-astray", "reduce2", &(FakeGpu){.goes_astray = true, .miscounts = 18}, 0);
  compare_with_first_choice("compare-values", "warp_reduce", &(FakeGpu){.rounds = true, .elsewhere = true}, 0);
}

// n and N go from difference to difference, and the other side comes along to the counterpart, on a screen that compares in slices.
static void differences_are_walked(void) {
  LsErr err = {0};
  Session *session = session_of("reduce2", "", DEV_COMPILED, &(FakeGpu){.goes_astray = true}, NULL);
  RunRequest request;
  CHECK(fake_gpu_request(book, "reduce2", "", DEV_COMPILED, &request, &err));
  Run *other = run_new(&request, NULL, &err);
  CHECK(other != NULL);
  press(session, "c Return");
  if (other) ses_replace_run(session, other);
  session->patience = 0.001;
  for (int ticks = 0; !ses_difference(session)->done; ticks++) {
    CHECK(ses_difference_waits(session) && ses_tick(session, 0.03));
    if (ticks > 10000) break;
  }
  const Difference *d = ses_difference(session);
  CHECK(d->item_count > 3);
  for (int i = 0; i < 3; i++) {
    press(session, "n");
    CHECK_INT(session->step, d->items[i].left);
    Session *peer = ses_peer(session);
    CHECK(peer && peer->step == d->items[i].right);
  }
  press(session, "N N");
  CHECK_INT(session->step, d->items[0].left);
  press(session, "N");
  CHECK_STR(session->message, "no difference before this step");
  Run *again = run_new(&request, NULL, &err);   // another run takes the place of the first one: all is compared anew
  if (again) ses_replace_run(session, again);
  session->patience = 0;
  const Difference *same = ses_difference(session);
  CHECK(same->same_code && same->done && !same->item_count && !same->line_count);
  CHECK(same->buffer_count > 0 && !same->buffers_differing);
  run_request_fini(&request);
  ses_free(session);
}

// ---- waves ---------------------------------------------------------------------------------------------------------

static void waves_as_measured(void) {
  Session *session = session_of("vec_add", "n=262144 threads=64", DEV_COMPILED, &(FakeGpu){0}, "5");
  one_view("waves-view", session, "waves", 100, 20);
  press(session, "a W");
  whole_screen("waves-all-120x36", session, 120, 36, false);
  whole_screen("waves-all-80x24", session, 80, 24, false);
  whole_screen("waves-all-80x24", session, 80, 24, true);
  press(session, "v Down Right");
  whole_screen("waves-sm-120x36", session, 120, 36, false);
  press(session, "v + + Down");
  whole_screen("waves-slot-120x36", session, 120, 36, false);
  whole_screen("waves-slot-80x24", session, 80, 24, true);
  press(session, "Esc");
  CHECK(!session->panel);
  ses_free(session);
}

static void waves_as_computed(void) {
  Session *session = session_of("vec_add", "n=262144 threads=64", DEV_COMPILED, &(FakeGpu){.no_times = true}, "5");
  one_view("waves-computed", session, "waves", 100, 20);
  ses_free(session);
  session = session_of("reduce2", "", DEV_COMPILED, &(FakeGpu){.no_times = true}, "0");
  one_view("waves-few", session, "waves", 80, 14);
  ses_free(session);
}

// The block under the cursor: keys go to its neighbors, in time and on other SMs; Enter shows it if it is recorded.
static void waves_are_walked(void) {
  Session *session = session_of("vec_add", "n=262144 threads=64", DEV_COMPILED, &(FakeGpu){0}, "0,300");
  const WaveChart *chart = ses_wave_chart(session);
  press(session, "W v v");
  int row, before;
  uint64_t n;
  CHECK_INT(session->waves.block, 0);
  CHECK(wavechart_place(chart, 0, &before, &n) && n == 0);
  press(session, "Right");
  CHECK(wavechart_place(chart, (uint32_t)session->waves.block, &row, &n) && row == before && n == 1);
  press(session, "Down Down");
  CHECK(wavechart_place(chart, (uint32_t)session->waves.block, &row, &n) && row == before + 2);
  press(session, "G");
  CHECK(wavechart_place(chart, (uint32_t)session->waves.block, &row, &n) && n + 1 == wavechart_count(chart, row));
  press(session, "g");
  CHECK(wavechart_place(chart, (uint32_t)session->waves.block, &row, &n) && n == 0);
  for (int i = 0; i < 40; i++) press(session, "+");   // down to nanoseconds, and no further
  WaveView view;
  ses_wave_view(session, (Rect){0, 0, 80, 20}, &view);
  CHECK(view.width > 0 && view.left <= view.cursor.end && view.left + view.width >= view.cursor.start);
  for (int i = 0; i < 40; i++) press(session, "-");
  session->waves.block = 300;
  press(session, "Return");
  CHECK(!session->panel);
  CHECK_INT(session->block, 300);
  press(session, "W");
  session->waves.block = 301;
  press(session, "Return");
  CHECK(session->message_is_error && session->block == 300);
  ses_free(session);
}

static void waves_are_clicked(void) {
  Session *session = session_of("vec_add", "n=262144 threads=64", DEV_COMPILED, &(FakeGpu){0}, "0");
  const WaveChart *chart = ses_wave_chart(session);
  session->cols = 120;
  session->rows = 36;
  press(session, "W v v");
  Rect picture, words;
  Layout layout;
  WaveView view;
  ses_layout(session, &layout);
  waveview_split(layout.focus, &picture, &words);
  ses_wave_view(session, picture, &view);
  int x = view.cells.x + view.cells.w / 2, y = view.cells.y + 5;
  CHECK(ses_key(session, (AppKey){.code = KEYX_MOUSE, .x = x, .y = y, .button = 1}));
  int row;
  uint64_t n, time = waveview_time(&view, view.cells.w / 2);
  CHECK(wavechart_place(chart, (uint32_t)session->waves.block, &row, &n));
  WaveBlock block = wavechart_block(chart, row, n);
  CHECK_INT(row, view.top + 5);
  CHECK(block.end > time && block.start <= waveview_time(&view, view.cells.w / 2 + 1));
  CHECK(ses_key(session, (AppKey){.code = KEYX_MOUSE, .x = x, .y = y, .button = 4}));
  CHECK_INT(session->waves.zoom, 1);
  CHECK(ses_key(session, (AppKey){.code = KEYX_MOUSE, .x = x, .y = y, .button = 5}));
  CHECK_INT(session->waves.zoom, 0);
  ses_free(session);
}

// 132 SMs, tens of thousands of blocks: a picture takes a fraction of what the eye notices.
static void many_blocks_at_once(void) {
  Session *session = session_of("vec_add", "n=1048576 threads=32", DEV_COMPILED, &(FakeGpu){0}, "0");
  if (!session) return;
  Canvas *canvas = canvas_new(200, 60);
  press(session, "W");
  explorer_draw(session, canvas);
  for (int rows = 0; rows < WAVES_ROWS_COUNT; rows++) {
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    explorer_draw(session, canvas);
    clock_gettime(CLOCK_MONOTONIC, &to);
    double ms = (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) * 1e-6;
    printf("  %llu blocks, rows %d: %.1f ms\n", (unsigned long long)ses_wave_chart(session)->blocks, rows, ms);
    CHECK(ms < 200);   // 16 on a quiet machine; tests share theirs
    press(session, "v");
  }
  canvas_free(canvas);
  ses_free(session);
}

static const Check checks[] = {
    {"where a picture is from", where_it_is_from}, {"what was lost", what_was_lost},
    {"values that are not known", values_not_known},
    {"beside the emulator", beside_the_emulator}, {"differences are walked", differences_are_walked},
    {"waves as measured", waves_as_measured}, {"waves as computed", waves_as_computed},
    {"waves are walked", waves_are_walked}, {"waves are clicked", waves_are_clicked},
    {"many blocks", many_blocks_at_once},
};

int main(int argc, char **argv) {
  return check_main_with_recipes("gpu_views", checks, LS_COUNT(checks), argc, argv, &book);
}
