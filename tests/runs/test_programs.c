// test_programs.c: programs of several launches: what they leave, what is told of steps that nothing orders, and
// that a launch
// opened alone is the launch of the program.
//
// tests/runs/programs/flow.lua has a program for each rule: the one that keeps it is clean, its twin is told.
// assets/make-ptx tests/runs/programs tests/runs/programs makes the PTX of work.cu.
#include <unistd.h>
#include "app/run/program_run.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/recipe.h"

static RecipeBook *own, *shipped;

static void request_of(RecipeBook *book, const char *name, const char *const *values, RunRequest *request) {
  LsErr err = {0};
  run_request_init(request);
  request->what = ls_strdup(name);
  request->recipe = book->get(book, name, &err);
  if (!request->recipe) printf("\n%s: %s\n", name, err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(request->recipe);
  request->cut = DEV_COMPILED;
  request->record = false;
  recipe_defaults(request->recipe, &request->values);
  for (int i = 0; values && values[i]; i++) CHECK(recipe_set(request->recipe, &request->values, values[i], &err));
}

static ProgramRun *run_program(RecipeBook *book, const char *name, const char *const *values, LsErr *err) {
  RunRequest request;
  request_of(book, name, values, &request);
  ProgramRun *run = program_run_new(&request, NULL, err);
  run_request_fini(&request);
  return run;
}

// ---- rules ---------------------------------------------------------------------------------------------------------

typedef struct Case {
  const char *what, *host, *fault;     // fault NULL: clean
  int step, other_step;                // from 0, -1: none
  uint64_t element;                    // UINT64_MAX: of no meaning
  bool wrong;                          // the answer
} Case;

enum { N = 1000 };
#define ANY UINT64_MAX
static const Case cases[] = {
    {"one_stream", "pinned", NULL, 0, 0, 0, false},
    {"one_stream", "pageable", NULL, 0, 0, 0, false},
    {"event", "pinned", NULL, 0, 0, 0, false},
    {"no_event", "pinned", "unordered", 2, 1, 0, false},
    {"recorded_early", "pinned", "unordered", 4, 2, 0, false},
    {"halves", "pinned", NULL, 0, 0, 0, false},
    {"halves_that_overlap", "pinned", "unordered", 2, 1, N / 2, false},
    {"wall", "pinned", NULL, 0, 0, 0, false},
    {"nonblocking", "pinned", "unordered", 2, 1, 0, false},
    {"no_wait", "pinned", "early_read", 4, 3, 0, false},
    {"no_wait", "pageable", NULL, 0, 0, 0, false},           // the host waits for a copy to pageable memory
    {"overwritten", "pinned", "unordered", 1, 0, 0, false},
    {"overwritten", "pageable", NULL, 0, 0, 0, false},
    {"managed", "managed", "early_read", 2, 1, 0, false},
    {"long_copy", "pinned", "bad_copy", 0, -1, N, false},
    {"no_host_side", "none", "bad_copy", 2, -1, ANY, false},
    {"freed", "pinned", "use_after_free", 4, 2, ANY, true},
    {"host_address", "pinned", "host_pointer", 1, -1, ANY, false},
    {"not_copied_back", "pinned", "uninitialized", 2, -1, 0, false},
    {"on_host", "pinned", NULL, 0, 0, 0, false},
};

static void check_case(const Case *c, const char *size) {
  LsErr err = {0};
  char what[64], host[32];
  snprintf(what, sizeof what, "what=%s", c->what);
  snprintf(host, sizeof host, "host=%s", c->host);
  ProgramRun *run = run_program(own, "flow", (const char *const[]){what, host, size, NULL}, &err);
  if (!run) printf("\n%s: %s\n", what, err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  const ProgramFault *f = run->fault_count ? &run->faults[0] : NULL;
  if (!f != !c->fault) printf("\n%s, %s: %s\n", what, host, f ? f->message : "nothing is told");
  CHECK(!f == !c->fault);
  CHECK_INT(program_run_exit_status(run), f || c->wrong);
  CHECK(run->stopped || (run->verdict == RUN_WRONG) == c->wrong);
  if (f && c->fault) {
    CHECK_STR(program_fault_def(f->kind)->name, c->fault);
    CHECK_INT(f->step, c->step);
    CHECK_INT(f->other_step, c->other_step);
    if (!size) CHECK_INT(f->element, c->element);
  }
  program_run_close(run);
}

static void test_rules(void) {
  for (int i = 0; i < LS_COUNT(cases); i++) check_case(&cases[i], NULL);
}

static void test_sizes(void) {   // the smallest, and one that is no multiple of a warp
  for (int i = 0; i < LS_COUNT(cases); i++) {
    bool overlaps = strcmp(cases[i].what, "halves_that_overlap") == 0;
    if (!overlaps && !cases[i].wrong) check_case(&cases[i], "n=2");
    check_case(&cases[i], "n=4097");
  }
}

// A race inside of a launch and a read of what an earlier launch left out are told with the launch.
static void test_launch_faults(void) {
  LsErr err = {0};
  ProgramRun *run = run_program(own, "flow", (const char *const[]){"what=unwritten", NULL}, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  CHECK_INT(run->launches[0].fault_count, 0);
  CHECK(run->launches[1].fault_count == 1 && run->launches[1].faults[0].kind == FAULT_UNINITIALIZED);
  CHECK_INT(run->verdict, RUN_WRONG);
  program_run_close(run);
  run = run_program(own, "flow", (const char *const[]){"what=too_far", NULL}, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  CHECK(run->stopped && run->launch_count == 1 && !run->times);
  CHECK_INT(run->told_count, 1);
  CHECK(run->told_count == 1 && run->told[0].number == 1 && run->told[0].fault->kind == FAULT_OUT_OF_BOUNDS);
  program_run_close(run);
}

// As of a single launch: a note is no fault, and a warning is one only with --strict.
static void test_exit_status(void) {
  static const struct { FaultKind kind; bool strict; int status; } rows[] = {
      {FAULT_EXITED_LANES, false, 0}, {FAULT_EXITED_LANES, true, 0}, {FAULT_NEVER_WRITTEN, false, 0},
      {FAULT_NEVER_WRITTEN, true, 1}, {FAULT_RACE, false, 1}, {FAULT_RACE, true, 1}};
  LsErr err = {0};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    ProgramRun *run = run_program(own, "flow", (const char *const[]){"what=one_stream", NULL}, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run);
    TraceFault fault = {.kind = (uint8_t)rows[i].kind};
    CHECK_INT(program_run_exit_status(run), 0);
    LS_PUSH(run->told, run->told_count, run->told_capacity, ((ProgramLaunchFault){&fault, 1, 1, -1}));
    run->request.strict = rows[i].strict;
    CHECK_INT(program_run_exit_status(run), rows[i].status);
    program_run_close(run);
  }
}

// ---- what stays ----------------------------------------------------------------------------------------------------

static void test_state(void) {   // variables of the module, addresses stored in memory, ten thousand launches
  static const char *const launches[] = {"launches=1", "launches=3", "launches=10000"};
  for (int i = 0; i < LS_COUNT(launches); i++) {
    LsErr err = {0};
    ProgramRun *run = run_program(own, "state", (const char *const[]){launches[i], i ? "n=40" : "n=4096", NULL}, &err);
    if (!run) printf("\n%s\n", err.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run);
    if (run->verdict == RUN_WRONG) printf("\n%s: %s\n", launches[i], run->verdict_text);
    CHECK_INT(run->verdict, RUN_RIGHT);
    CHECK_INT(program_run_exit_status(run), 0);
    program_run_close(run);
  }
}

// The sums that the lecture printed for its five versions.
static void test_lecture_sums(void) {
  static const struct { const char *version, *blocks; float sum; } sums[] = {
      {"version=0", "blocks=256", 8388315.0f}, {"version=1", "blocks=288", 8388315.5f},
          {"version=2", "blocks=256", 8388314.5f},
      {"version=3", "blocks=288", 8388314.5f}, {"version=4", "blocks=288", 8388314.5f}};
  for (int i = 0; i < LS_COUNT(sums); i++) {
    LsErr err = {0};
    RunRequest request;
    request_of(shipped, "sums", (const char *const[]){sums[i].version, sums[i].blocks, "N=16777216", NULL}, &request);
    request.checks = SIM_CHECK_MEMORY;
    request.budget = 1ull << 32;
    ProgramRun *run = program_run_new(&request, NULL, &err);
    run_request_fini(&request);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run);
    float sum;
    uint64_t size;
    memcpy(&sum, program_run_buffer(run, 0, &size), sizeof sum);
    CHECK(sum == sums[i].sum);
    CHECK_INT(run->verdict, RUN_RIGHT);
    program_run_close(run);
  }
}

// ---- a launch alone ------------------------------------------------------------------------------------------------

static Run *open_launch(const char *const *values, int number, const char *path) {
  LsErr err = {0};
  RunRequest request;
  request_of(shipped, "sums", values, &request);
  request.record = true;
  request.launch_number = number;
  Run *run = run_new_to_file(&request, path, NULL, &err);
  if (!run) printf("\nlaunch %d: %s\n", number, err.message);
  run_request_fini(&request);
  return run;
}

// Run alone, a launch does and counts what it does and counts in the program, and so it does when its trace is
// opened and
// executed again.
static void test_launch_alone(void) {
  static const char *const versions[] = {"version=0", "version=1", "version=2", "version=3", "version=4"};
  char folder[256];
  CHECK(check_folder(folder, sizeof folder));
  char *path = ls_path_join(folder, "launch.lst");
  for (int v = 0; v < LS_COUNT(versions); v++) {
    LsErr err = {0};
    const char *const values[] = {versions[v], "N=2048", NULL};
    ProgramRun *all = run_program(shipped, "sums", values, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(all);
    for (int number = 1; number <= all->launch_count; number++) {
      Run *run = open_launch(values, number, number == 2 ? path : NULL);
      CU_ASSERT_PTR_NOT_NULL_FATAL(run);
      CHECK(memcmp(counters_total(run->counters), &all->launches[number - 1].counters, sizeof(CounterSet)) == 0);
      CHECK_INT(run->fault_count, 0);
      run_free(run);
    }
    Run *opened = run_open(path, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(opened);
    RunRequest again;
    run_request_init(&again);
    again.what = ls_strdup(path);
    again.record = false;
    Run *repeated = run_new(&again, NULL, &err);
    if (!repeated) printf("\n%s\n", err.message);
    CHECK(repeated && repeated->fault_count == 0);
    CHECK(repeated && memcmp(counters_total(repeated->counters), &all->launches[1].counters, sizeof(CounterSet)) == 0);
    run_free(repeated);
    run_request_fini(&again);
    run_free(opened);
    program_run_close(all);
  }
  unlink(path);
  rmdir(folder);
  free(path);
}

static void test_no_such_launch(void) {
  LsErr err = {0};
  RunRequest request;
  request_of(shipped, "sums", NULL, &request);
  request.launch_number = 3;
  CHECK(!run_new(&request, NULL, &err));
  CHECK(strstr(err.message, "there is no launch 3: sums has 2") != NULL);
  run_request_fini(&request);
}

// ---- mistakes ------------------------------------------------------------------------------------------------------

static void test_bad_programs(void) {
  static const struct { const char *steps, *message; } bad[] = {
      {"{ launch = 'nowhere', grid = { 1 }, block = { 1 }, args = {} }", "has no kernel 'nowhere'"},
      {"{ launch = 'scale', grid = { 1 }, block = { 1 }, args = { 'y' } }",
       "the kernel 'scale' takes 4 arguments, and the launch gives 1"},
      {"{ launch = 'scale', grid = { 1 }, block = { 1 }, args = { 'q', 'y', 1, 2.0 } }",
       "there is no buffer 'q'; there are: y"},
      {"{ launch = 'scale', grid = { 1 }, block = { 1 }, stream = 's', args = {} }",
       "there is no stream 's'; there are: default"},
      {"{ launch = 'scale', grid = { 1 }, block = { 2000 }, args = {} }",
       "block.x must be a whole number from 1 to 1024"},
      {"{ launch = 'scale', grid = { 1 }, block = { 1 }, args = { 'y', 'y', 1.5, 2.0 } }",
       "takes a whole number there"},
      {"{ wait = 'done' }", "no step records the event 'done'"},
      {"{ wait = 'done' }, { record = 'done' }", "the event 'done' is first recorded in step 2"},
      {"{ sync = 'warp' }", "'warp' is none of device, stream, event"},
      {"{ jump = 1 }", "step 1 does nothing that is known"},
      {"{ read = 'y', first = 3, count = 9 }", "elements 3 to 11 of 'y', which has 4"},
      {"{ copy = 'd2d', buffer = 'y' }", "a copy on one side needs to"},
      {"{ host = 'waits', ms = -1 }", "'ms' cannot be below 0"},
      {"{ sync = 'device' }", "the program launches no kernel"},
      {"}, steps = (function() local t = {} for i = 1, 1000000 do t[i] = { sync = 'device' } end return t end)() } end,"
       " check = function() return true end } --", "room for the tables of some 100,000 steps"},
      {"", "the program has no steps"},
  };
  char folder[256];
  CHECK(check_folder(folder, sizeof folder));
  char *lua = ls_path_join(folder, "bad.lua"), *ptx = ls_path_join(folder, "work.ptx"), *cu =
      ls_path_join(folder, "work.cu");
  size_t size;
  char *source = getenv("srcdir") ? ls_path_join(getenv("srcdir"), "tests/runs/programs/work.ptx")
                                  : ls_strdup("tests/runs/programs/work.ptx");
  char *text = ls_file_read(source, 1 << 20, &size, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CHECK(ls_file_write(ptx, text, size, NULL));
  for (int i = 0; i < LS_COUNT(bad); i++) {
    LsErr err = {0};
    char *recipe = ls_format("return { name = 'bad', id = 'B', title = 'bad', about = 'bad', topic = 'basics', lessons = {},\n"
                             "  source = 'work.cu', params = {}, sequence = function() return {\n"
                             "  buffers = { { name = 'y', type = 'f32', count = 4, init = 'zero' } },\n"
                             "  steps = { %s } } end, check = function() return true end }\n", bad[i].steps);
    CHECK(ls_file_write(lua, recipe, strlen(recipe), NULL));
    RecipeBook *book = recipe_book_open(folder, &err);
    ProgramRun *run = run_program(book, "bad", NULL, &err);
    if (run || !strstr(err.message, bad[i].message)) printf("\n%s\n  got %s\n", bad[i].steps, run ? "a run" :
                                                            err.message);
    CHECK(!run && strstr(err.message, bad[i].message) != NULL);
    CHECK(ls_ends_with(err.file, "/bad.lua"));
    CHECK(!strchr(bad[i].message, '\'') || strstr(bad[i].message, "'ms'") || err.line == (strstr(bad[i].message, "'y'") ? 3 : 4));
    program_run_close(run);
    book->free(book);
    free(recipe);
  }
  unlink(lua), unlink(ptx), rmdir(folder);
  free(lua), free(ptx), free(cu), free(source), free(text);
}

// ---- blocks that meet ----------------------------------------------------------------------------------------------

typedef struct Meeting { const char *values[3], *fault; FaultKind kind; } Meeting;

// grid.sync() in a cooperative launch is a barrier of all blocks; in any other it stops the kernel, by its name.
static void test_meeting(void) {
  static const Meeting meetings[] = {
      {{"blocks=8"}, NULL, 0},
      {{"blocks=4224"}, NULL, 0},                            // 32 on each of 132 SMs
      {{"what=is_valid", "together=1"}, NULL, 0},
      {{"what=is_valid", "together=0"}, NULL, 0},
      {{"together=0"}, "grid.sync() in a launch that is not cooperative", FAULT_TRAP},
      {{"absent=3"}, "blocks 4-7 wait at meet.cu:14; 1 of the blocks ended, block 3 without coming to it", FAULT_DEADLOCK},
      {{"absent=0"}, "block 0 without coming to it", FAULT_DEADLOCK},
  };
  for (int i = 0; i < 2 * LS_COUNT(meetings); i++) {
    LsErr err = {0};
    RunRequest request;
    const Meeting *m = &meetings[i / 2];
    request_of(own, "meet", m->values, &request);
    request.cut = i % 2 ? DEV_WRITTEN : DEV_COMPILED;
    ProgramRun *run = program_run_new(&request, NULL, &err);
    run_request_fini(&request);
    if (!run) printf("\n%s: %s\n", m->values[0], err.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run);
    CHECK_INT(run->verdict, m->fault ? RUN_UNCHECKED : RUN_RIGHT);
    CHECK_INT(run->launches[0].fault_count, m->fault != NULL);
    if (m->fault && run->launches[0].fault_count) {
      if (!strstr(run->launches[0].faults[0].message, m->fault)) printf("\n%s\n", run->launches[0].faults[0].message);
      CHECK(strstr(run->launches[0].faults[0].message, m->fault) != NULL);
      CHECK_INT(run->launches[0].faults[0].kind, m->kind);
    }
    program_run_close(run);
  }
}

static void test_too_many_to_meet(void) {
  static const char *const too_many[][3] = {{"blocks=4225"}, {"blocks=4225", "what=is_valid"}};
  for (int i = 0; i < LS_COUNT(too_many); i++) {
    LsErr err = {0};
    CHECK(!run_program(own, "meet", too_many[i], &err));
    CHECK(strstr(err.message, "32 of them each") && strstr(err.message, "which makes 4224"));
    CHECK(strstr(err.message, "cudaErrorCooperativeLaunchTooLarge") != NULL);
  }
  LsErr err = {0};
  ProgramRun *plain = run_program(own, "meet", (const char *const[]){"blocks=4225", "what=is_valid", "together=0", NULL}, &err);
  CHECK(plain && plain->verdict == RUN_RIGHT);
  program_run_close(plain);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"steps that nothing orders are told, ordered ones are not", test_rules},
      {"the same at other sizes", test_sizes},
      {"faults of launches", test_launch_faults},
      {"exit status", test_exit_status},
      {"variables and addresses stay", test_state},
      {"the lecture's sums", test_lecture_sums},
      {"a launch alone is the program's", test_launch_alone},
      {"a launch that is not there", test_no_such_launch},
      {"programs with mistakes", test_bad_programs},
      {"blocks that meet", test_meeting},
      {"more blocks than can meet", test_too_many_to_meet},
  };
  LsErr err = {0};
  char *folder = getenv("srcdir") ? ls_path_join(getenv("srcdir"), "tests/runs/programs") :
      ls_strdup("tests/runs/programs");
  own = recipe_book_open(folder, &err);
  shipped = recipe_book_open(NULL, &err);
  free(folder);
  int status = own && shipped ? check_main("programs", checks, LS_COUNT(checks), argc, argv) : 1;
  if (own) own->free(own);
  if (shipped) shipped->free(shipped);
  return status;
}
