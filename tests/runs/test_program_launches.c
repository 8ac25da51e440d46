// test_program_launches.c: from launch to launch of a program in the explorer: nothing before it is run again, memory
// is as it would be, the list of steps, the walls of the time bar, who wrote a value, faults of other launches, another
// program beside it.
#include <time.h>

#include "app/run/program_memory.h"
#include "app/run/program_pairs.h"
#include "app/run/program_run.h"
#include "app/run/program_snapshots.h"
#include "app/session/session_parts.h"
#include "base/mem.h"
#include "check.h"
#include "script/recipe.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

static RecipeBook *own, *shipped;

static void request_of(RecipeBook *book, const char *name, const char *const *values, RunRequest *request) {
  LsErr err = {0};
  run_request_init(request);
  request->what = ls_strdup(name);
  request->recipe = book->get(book, name, &err);
  if (!request->recipe) printf("\n%s: %s\n", name, err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(request->recipe);
  request->cut = DEV_COMPILED;
  recipe_defaults(request->recipe, &request->values);
  for (int i = 0; values && values[i]; i++) CHECK(recipe_set(request->recipe, &request->values, values[i], &err));
}

static Session *open_session(RecipeBook *book, const char *name, const char *const *values, int launch) {
  LsErr err = {0};
  RunRequest request;
  request_of(book, name, values, &request);
  request.launch_number = launch;
  Run *run = run_new(&request, NULL, &err);
  if (!run) printf("\n%s: %s\n", name, err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  run_request_fini(&request);
  run_findings(run);
  Session *session = ses_new(run);
  session->panels = panels;
  return session;
}

// The runs that are wanted, as a page makes them.
static void settle(Session *session) {
  for (int i = 0; session->want_rerun && i < 4; i++) {
    LsErr err = {0};
    session->want_rerun = false;
    Run *run = run_new(&session->next, NULL, &err);
    if (run) run_findings(run), ses_replace_run(session, run);
    else ses_run_failed(session, &err);
  }
  CHECK(!session->want_rerun);
}

static void give(Session *session, CommandId id) {
  ses_command(session, &(Command){.id = id});
  settle(session);
}

// ---- memory --------------------------------------------------------------------------------------------------------

static bool same_launch(const Launch *a, const Launch *b) {
  if (a->arg_count != b->arg_count || strcmp(a->kernel, b->kernel) != 0) return false;
  for (int i = 0; i < a->arg_count; i++) {
    const LaunchArg *x = &a->args[i], *y = &b->args[i];
    uint64_t size = x->is_buffer ? x->count * (uint64_t)launch_type_size(x->type) : 0;
    if (x->count != y->count || x->scalar != y->scalar || x->init != y->init || !x->data != !y->data ||
        !x->written != !y->written)
      return false;
    if (size && x->data && memcmp(x->data, y->data, size) != 0) return false;
    if (size && x->written && memcmp(x->written, y->written, size) != 0) return false;
  }
  return true;
}

// A launch from what was kept is that which comes of running all before it, however little is kept.
static void check_kept(RecipeBook *book, const char *name, const char *const *values, uint64_t most, int by) {
  LsErr err = {0};
  RunRequest request;
  request_of(book, name, values, &request);
  ProgramRun *whole = program_run_keep(&request, most, NULL, &err);
  if (!whole) printf("\n%s: %s\n", name, err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(whole);
  CHECK((program_snapshots_count(whole->snapshots) < whole->program.launches) == (most > 0));
  for (int number = whole->program.launches; number > 0; number -= by) {
    Launch kept, run;
    HostProgram program;
    CHECK(program_run_kept_launch(whole, number, NULL, &kept, &err));
    CHECK(program_run_launch(&request, number, NULL, &run, &program, &err));
    if (!same_launch(&kept, &run)) printf("\n%s, launch %d\n", name, number);
    CHECK(same_launch(&kept, &run));
    launch_fini(&kept);
    launch_fini(&run);
    program_fini(&program);
  }
  program_run_close(whole);
  run_request_fini(&request);
}

static void test_kept(void) {
  check_kept(shipped, "sums", (const char *const[]){"version=0", "N=4096", NULL}, 0, 1);
  check_kept(shipped, "sums", (const char *const[]){"version=0", "N=65536", NULL}, 700000, 1);
  check_kept(own, "state", (const char *const[]){"launches=60", NULL}, 0, 7);
  check_kept(own, "state", (const char *const[]){"launches=60", NULL}, 8000, 7);
  check_kept(own, "flow", (const char *const[]){"what=managed", "host=managed", NULL}, 0, 1);
  check_kept(own, "flow", (const char *const[]){"what=wall", "n=70000", NULL}, 0, 1);
}

// What its times are computed from is the program's, too, and whichever launch is asked for is not.
static void test_same_program(void) {
  LsErr err = {0};
  RunRequest request;
  request_of(own, "flow", (const char *const[]){"what=managed", NULL}, &request);
  ProgramRun *whole = program_run_keep(&request, 0, NULL, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(whole);
  CHECK(program_run_is_of(whole, &request));
  request.launch_number = 2;
  CHECK(program_run_is_of(whole, &request));
  CHECK(program_model_read(&request.model, "link=110", &err));
  CHECK(!program_run_is_of(whole, &request));
  program_run_close(whole);
  run_request_fini(&request);
}

// Variables of the module are in a launch that is opened what the launches before it have left.
static void test_variables(void) {
  static const struct { int launch; int32_t calls; } cases[] = {{1, 0}, {2, 1}, {7, 6}};
  for (int i = 0; i < LS_COUNT(cases); i++) {
    Session *session = open_session(own, "state", (const char *const[]){"launches=8", NULL}, cases[i].launch);
    const Launch *launch = &session->run->info.launch;
    int32_t calls = 0;
    float factor = 0;
    for (int k = 0; k < launch->arg_count; k++) {
      const LaunchArg *arg = &launch->args[k];
      if (arg->role != LAUNCH_VARIABLE || !arg->data) continue;
      if (strcmp(arg->name, "calls") == 0 && arg->init == LAUNCH_DATA) memcpy(&calls, arg->data, sizeof calls);
      if (strcmp(arg->name, "factor") == 0 && arg->init == LAUNCH_DATA) memcpy(&factor, arg->data, sizeof factor);
    }
    CHECK_INT(calls, cases[i].calls);
    CHECK(factor == 2.0f);
    const uint8_t *left = NULL;
    uint64_t size;
    for (int k = 0; k < launch->arg_count; k++)    // and so it adds one to them
      if (launch->args[k].name && strcmp(launch->args[k].name, "calls") == 0)
        left = session->run->device->buffer(session->run->device_run, k, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(left);
    memcpy(&calls, left, sizeof calls);
    CHECK_INT(calls, cases[i].calls + 1);
    ses_free(session);
  }
}

static double cpu_ms(void) { return (double)clock() * 1000 / CLOCKS_PER_SEC; }

// A program of 1,000 launches is run once; then a launch is on the screen within 16 ms, wherever it is.
static void test_quick(void) {
  Session *session = open_session(own, "state", (const char *const[]){"launches=998", NULL}, 1);
  const ProgramRun *whole = session->run->whole;
  Canvas *canvas = canvas_new(120, 36);
  double worst = 0;
  CHECK_INT(ses_launch_count(session), 1000);
  for (int number = 999; number > 0; number -= 333) {
    double best = 1e9;
    for (int tries = 0; tries < 5; tries++) {
      double start = cpu_ms();
      CHECK(ses_want_launch(session, number));
      settle(session);
      explorer_draw(session, canvas);
      best = LS_MIN(best, cpu_ms() - start);
    }
    CHECK_INT(ses_launch(session), number);
    CHECK(session->run->whole == whole);
    worst = LS_MAX(worst, best);
  }
  printf("(%.1f ms) ", worst);
  CHECK(worst < 16);
  canvas_free(canvas);
  ses_free(session);
}

// Other parameters are another program; a launch that it has not is its last one.
static void test_other_parameters(void) {
  LsErr err = {0};
  Session *session = open_session(own, "state", (const char *const[]){"launches=8", NULL}, 10);
  const ProgramRun *whole = session->run->whole;
  RunRequest request;
  run_request_copy(&request, ses_request(session));
  CHECK(recipe_set(request.recipe, &request.values, "launches=3", &err));
  ses_want_changed(session, &request, false);
  settle(session);
  CHECK(session->run->whole != whole);
  CHECK_INT(ses_launch_count(session), 5);
  CHECK_INT(ses_launch(session), 5);
  ses_free(session);
}

// ---- list and bar --------------------------------------------------------------------------------------------------

static void test_steps(void) {
  Session *session = open_session(own, "flow", (const char *const[]){"what=event", NULL}, 1);
  SesStep step;
  CHECK_INT(ses_step_count(session), 8);
  CHECK(ses_step(session, 0, &step) && !step.launch && strcmp(step.name, "copy x to the device") == 0);
  CHECK(ses_step(session, 1, &step) && step.launch == 1 && step.when == WHEN_HERE && step.was_run);
  CHECK_STR(step.name, "scale");
  CHECK_STR(step.grid, "8");
  CHECK_STR(step.block, "128");
  CHECK_STR(step.stream, "a");
  CHECK(step.time[0] != 0 && step.faults == 0 && step.findings >= 0);
  CHECK(ses_step(session, 4, &step) && step.launch == 2 && step.when == WHEN_AFTER);
  CHECK(!ses_step(session, 8, &step) && !ses_step(session, -1, &step));
  CHECK(ses_go_step(session, 2));      // the next launch behind it
  settle(session);
  CHECK_INT(ses_launch(session), 2);
  give(session, CMD_LAUNCH_NEXT);
  CHECK(session->message_is_error && strstr(session->message, "last of 2"));
  give(session, CMD_LAUNCH_BACK);
  CHECK_INT(ses_launch(session), 1);
  ses_free(session);
}

static bool shows(Session *session, int cols, int rows, const char *text) {
  LsText screen = {0};
  Canvas *canvas = canvas_new(cols, rows);
  explorer_draw(session, canvas);
  canvas_to_text(canvas, false, &screen);
  bool found = strstr(ls_text_str(&screen), text) != NULL;
  if (!found) printf("\n%s is not on\n%s\n", text, ls_text_str(&screen));
  ls_text_free(&screen);
  canvas_free(canvas);
  return found;
}

static void test_panel(void) {
  Session *session = open_session(own, "state", (const char *const[]){"launches=998", NULL}, 500);
  CHECK(ses_open_panel(session, CMD_LAUNCHES));
  CHECK_INT(session->pick, 499);
  CHECK(shows(session, 80, 24, "times_factor"));
  CHECK(shows(session, 80, 24, "Launch 500 of 1000: times_factor<<<1, 64>>>"));
  session->panel->key(session, 'G');
  CHECK(shows(session, 80, 24, "node"));
  CHECK_INT(session->pick, 999);
  session->panel->key(session, 'g');
  CHECK(shows(session, 80, 24, "▾ 9"));
  session->panel->key(session, '\r');
  settle(session);
  CHECK_INT(ses_launch(session), 1);
  ses_free(session);
}

static void check_bar(Session *session, int columns, int before, int after) {
  SesBar bar[400];
  int cursor, walls = 0, launch;
  ses_time_bar(session, columns, bar, &cursor);
  for (int i = 0; i < columns; i++) walls += bar[i].mark == '|';
  CHECK_INT(walls, before + after);
  CHECK_INT(cursor, 2 * before);
  CHECK_INT(ses_time_bar_at(session, columns, cursor, &launch), 0);
  CHECK_INT(launch, 0);
  if (before) ses_time_bar_at(session, columns, 0, &launch);
  if (before) CHECK_INT(launch, 1);
  ses_time_bar_at(session, columns, columns - 2 * after, &launch);
  CHECK_INT(launch, after ? ses_launch(session) + 1 : 0);
  uint64_t end = ses_time_bar_at(session, columns, columns - 2 * after - 1, &launch);
  CHECK(launch == 0 && end < session->steps);
}

static void test_bar(void) {
  Session *session = open_session(own, "flow", (const char *const[]){"what=wall", NULL}, 3);
  check_bar(session, 78, 2, 2);
  ses_free(session);
  session = open_session(own, "state", (const char *const[]){"launches=998", NULL}, 500);
  check_bar(session, 78, 7, 8);        // 15 cells for 999 launches
  ses_free(session);
}

// ---- who wrote it --------------------------------------------------------------------------------------------------

static void go_to_load(Session *session, const char *array) {
  TraceQuery query;
  TraceEvent event;
  LsErr err = {0};
  trace_query_init(&query);
  query.kinds = 1u << TRACE_LOAD;
  uint64_t at = 0;
  while (trace_find(session->run->trace, at, 1, &query, &at, &err) && ses_event_at(session, at, &event)) {
    LsText place = {0};
    if (event.space == TRACE_GLOBAL) sentence_place(ses_info(session), TRACE_GLOBAL, event.addr[0], &place);
    bool here = strncmp(ls_text_str(&place), array, strlen(array)) == 0;
    ls_text_free(&place);
    if (!here) continue;
    ses_go(session, at);
    return;
  }
  CU_FAIL("no such load");
}

static void test_writer(void) {
  Session *session = open_session(own, "flow", (const char *const[]){"what=one_stream", NULL}, 2);
  go_to_load(session, "y");
  give(session, CMD_WRITER);
  CHECK_INT(ses_launch(session), 1);
  CHECK(strstr(session->message, "was written in launch 1 of 2, line ") != NULL);
  TraceEvent event;
  CHECK(ses_event_at(session, session->step, &event) && event.kind == TRACE_STORE);
  go_to_load(session, "x");
  give(session, CMD_WRITER);
  CHECK(session->message_is_error && strstr(session->message, "step 1, copy x to the device") != NULL);
  CHECK_INT(ses_launch(session), 1);
  ses_free(session);
  session = open_session(own, "flow", (const char *const[]){"what=managed", "host=managed", NULL}, 1);
  go_to_load(session, "x");
  give(session, CMD_WRITER);
  CHECK(strstr(session->message, "it is what the buffer begins with") != NULL);
  ses_free(session);
}

// The block that wrote it is recorded if it was not; a launch between that leaves it alone is passed over.
static void test_writer_far(void) {
  Session *session = open_session(shipped, "sums", (const char *const[]){"version=0", "N=16384", NULL}, 6);
  go_to_load(session, "x");
  give(session, CMD_WRITER);
  CHECK_INT(ses_launch(session), 5);
  CHECK(strstr(session->message, "was written in launch 5 of 14, line ") != NULL);
  ses_free(session);
}

// ---- faults --------------------------------------------------------------------------------------------------------

static void test_faults(void) {
  SesRow row;
  Session *session = open_session(own, "flow", (const char *const[]){"what=unwritten", NULL}, 1);
  CHECK_INT(ses_fault_count(session), 1);
  CHECK(ses_fault_row(session, 0, &row) && row.when == WHEN_AFTER);
  CHECK_STR(row.who, "uninitialized");
  CHECK(strncmp(row.text, "launch 2 of 2: ", 15) == 0);
  LsText news = {0};
  CHECK(ses_title_news(session, true, &news));
  CHECK_STR(ls_text_str(&news), "▲ 1 fault");
  ls_text_free(&news);
  CHECK(ses_go_fault(session, 0));
  settle(session);
  CHECK_INT(ses_launch(session), 2);
  TraceEvent event;
  CHECK(ses_event_at(session, session->step, &event) && event.kind == TRACE_FAULT);
  CHECK_INT(ses_fault_count(session), 1);      // its own now, told once
  ses_free(session);
  session = open_session(own, "flow", (const char *const[]){"what=no_event", NULL}, 1);
  CHECK_INT(ses_fault_count(session), 1);
  CHECK(ses_fault_row(session, 0, &row) && strcmp(row.who, "unordered") == 0);
  CHECK(ses_go_fault(session, 0));
  settle(session);
  CHECK_INT(ses_launch(session), 2);
  ses_free(session);
}

// ---- two programs --------------------------------------------------------------------------------------------------

static void make_program(HostProgram *program, const char *kernels) {
  program_init(program);
  for (const char *k = kernels; *k; k++) {
    ProgramStep step;
    program_step_init(&step, *k == '.' ? PROGRAM_SYNC : PROGRAM_LAUNCH);
    if (*k != '.') step.kernel = ls_format("k%c", *k);
    program->launches += *k != '.';
    LS_PUSH(program->steps, program->step_count, program->step_capacity, step);
  }
}

// The n-th launch of a kernel goes with the n-th of the same; the others are told.
static void test_pairs(void) {
  static const struct { const char *left, *right, *pairs, *words; } cases[] = {
      {"aa", "aa", "1=1 2=2 ", "2 launches side by side"},
      {"a.ba", "ab.a", "1=1 2=2 3=3 ", "3 launches side by side"},
      {"aaa", "aba", "1=1 0=2 2=3 3=0 ",
       "2 launches side by side; 1 only in the first program (3); 1 only in the second (2)"},
      {"ab", "ba", "0=0", NULL},
      {"aab", "ccccccb", "1=0 2=0 0=1 0=2 0=3 0=4 0=5 0=6 3=7 ",
       "1 launch side by side; 2 only in the first program (1 to 2); 6 only in the second (1 to 6)"},
      {"a", "b", "1=0 0=1 ", "no kernel of the one is launched by the other; 1 only in the first program (1); "
                             "1 only in the second (1)"},
  };
  for (int i = 0; i < LS_COUNT(cases); i++) {
    HostProgram left, right;
    ProgramPairs pairs;
    LsText told = {0}, words = {0};
    make_program(&left, cases[i].left);
    make_program(&right, cases[i].right);
    program_pairs_init(&pairs, &left, &right);
    for (int k = 0; k < pairs.count; k++) ls_text_addf(&told, "%d=%d ", pairs.items[k].left, pairs.items[k].right);
    program_pairs_words(&pairs, &words);
    CHECK_INT(pairs.paired * 2 + pairs.only_left + pairs.only_right, left.launches + right.launches);
    if (cases[i].words) CHECK_STR(ls_text_str(&told), cases[i].pairs);
    if (cases[i].words) CHECK_STR(ls_text_str(&words), cases[i].words);
    else CHECK_INT(pairs.paired, 2);               // crosswise
    ls_text_free(&told);
    ls_text_free(&words);
    program_pairs_fini(&pairs);
    program_fini(&left);
    program_fini(&right);
  }
}

// The other side follows to the counterpart of the launch that is opened; the table has both, and their sum.
static void test_beside(void) {
  LsErr err = {0};
  Session *session = open_session(shipped, "sums", (const char *const[]){"version=1", NULL}, 1);
  RunRequest request;
  run_request_copy(&request, ses_request(session));
  CHECK(recipe_set(request.recipe, &request.values, "blocks=64", &err));
  ses_want_beside(session, &request, "blocks=64");
  settle(session);
  CU_ASSERT_PTR_NOT_NULL_FATAL(session->other);
  CHECK(ses_shows_pairs(session));
  give(session, CMD_LAUNCH_NEXT);
  CHECK_INT(ses_launch(session), 2);
  CHECK_INT(session->other->request.launch_number, 2);
  CHECK_STR(session->other_label, "blocks=64");
  CHECK(ses_go_pair(session, 2));
  settle(session);
  CHECK_INT(ses_launch(session), 3);
  CHECK_INT(session->other->request.launch_number, 3);
  CHECK(ses_open_panel(session, CMD_LAUNCHES));
  CHECK_INT(session->pick, 2);
  CHECK(shows(session, 80, 24, "3 launches side by side"));
  CHECK(shows(session, 80, 24, "0.35×"));          // of all launches
  CHECK(shows(session, 120, 36, "32,966"));
  session->panel->key(session, 'g');
  session->panel->key(session, '\r');
  settle(session);
  CHECK_INT(ses_launch(session), 1);
  CHECK_INT(session->other->request.launch_number, 1);
  ses_free(session);
}

// A fault that ends the program leaves launches that nobody comes to.
static void test_stopped(void) {
  Session *session = open_session(own, "flow", (const char *const[]){"what=too_far", NULL}, 1);
  SesStep step;
  CHECK(ses_step(session, 2, &step) && step.launch == 2 && !step.was_run && step.time[0] == 0);
  give(session, CMD_LAUNCH_NEXT);
  CHECK(session->message_is_error && strstr(session->message, "a fault ends it in launch 1") != NULL);
  CHECK_INT(ses_launch(session), 1);
  ses_free(session);
}

// The kernel calls it char *, so its bytes are read as letters; a sum's buffer stays what the launch says.
static void letters_are_read(void) {
  const SceneArray *arrays;
  Session *session = open_session(shipped, "encrypt_host", NULL, 1);
  arrays = ses_scene(session)->arrays;
  CHECK(ses_scene(session)->array_count > 0 && strcmp(arrays[0].name, "m") == 0);
  CHECK_STR(arrays[0].type, "char[10]");
  ses_free(session);
  session = open_session(shipped, "sums", NULL, 2);
  arrays = ses_scene(session)->arrays;
  CHECK(ses_scene(session)->array_count > 0 && strncmp(arrays[0].type, "float[", 6) == 0);
  ses_free(session);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"letters are read", letters_are_read},
      {"a launch from what was kept", test_kept},
      {"the same program", test_same_program},
      {"variables persist", test_variables},
      {"a launch of a thousand within 16 ms", test_quick},
      {"other parameters", test_other_parameters},
      {"steps and going to them", test_steps},
      {"the list on the screen", test_panel},
      {"walls in the time bar", test_bar},
      {"who wrote it", test_writer},
      {"who wrote it, further back", test_writer_far},
      {"faults of other launches and between steps", test_faults},
      {"a program that a fault ends", test_stopped},
      {"launches of two programs as pairs", test_pairs},
      {"two programs side by side", test_beside},
  };
  LsErr err = {0};
  const char *srcdir = getenv("srcdir");
  char *folder = ls_format("%s/tests/runs/programs", srcdir ? srcdir : ".");
  own = recipe_book_open(folder, &err);
  shipped = recipe_book_open(NULL, &err);
  free(folder);
  int status = own && shipped ? check_main("program_launches", checks, LS_COUNT(checks), argc, argv) : 1;
  if (own) own->free(own);
  if (shipped) shipped->free(shipped);
  return status;
}
