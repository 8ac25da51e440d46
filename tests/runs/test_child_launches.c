// test_child_launches.c: launches by kernels in the explorer: each opened with memory as it finds it, the list, walls
// and keys, who wrote a value, faults, times, files that keep them, and two programs side by side.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/run/program_pairs.h"
#include "app/run/program_record.h"
#include "app/run/program_run.h"
#include "app/run/program_snapshots.h"
#include "app/session/session_parts.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/recipe.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

static RecipeBook *own, *shipped;
static LsErr err;

static void request_of(RecipeBook *book, const char *name, const char *const *values, RunRequest *request) {
  run_request_init(request);
  request->what = ls_strdup(name);
  request->recipe = book->get(book, name, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(request->recipe);
  request->cut = DEV_COMPILED;
  recipe_defaults(request->recipe, &request->values);
  for (int i = 0; values && values[i]; i++) CHECK(recipe_set(request->recipe, &request->values, values[i], &err));
}

static Session *session_of(Run *run) {
  if (!run) printf("\n%s\n", err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  run_findings(run);
  Session *session = ses_new(run);
  session->panels = panels;
  return session;
}

static Session *open_session(RecipeBook *book, const char *name, const char *const *values, const char *launch) {
  RunRequest request;
  request_of(book, name, values, &request);
  request.launch_name = launch ? ls_strdup(launch) : NULL;
  Run *run = run_new(&request, NULL, &err);
  run_request_fini(&request);
  return session_of(run);
}

// The runs that are wanted, as a page makes them.
static void settle(Session *session) {
  for (int i = 0; session->want_rerun && i < 4; i++) {
    LsErr failure = {0};
    session->want_rerun = false;
    Run *run = run_new(&session->next, NULL, &failure);
    if (run) run_findings(run), ses_replace_run(session, run);
    else ses_run_failed(session, &failure);
  }
  CHECK(!session->want_rerun);
}

static void give(Session *session, CommandId id) {
  ses_command(session, &(Command){.id = id});
  settle(session);
}

static bool is_in(const Session *session, const char *launch) {
  LsText name = {0};
  program_launch_name(session->run->program, ses_step_here(session) >= 0
                      ? program_launch_step(session->run->program, ses_launch(session)) : 0, &name);
  bool is = strcmp(ls_text_str(&name), launch) == 0;
  if (!is) printf("\nin launch %s, not %s: %s\n", ls_text_str(&name), launch, session->message);
  ls_text_free(&name);
  return is;
}

// ---- memory --------------------------------------------------------------------------------------------------------

static bool same_launch(const Launch *a, const Launch *b) {
  if (a->arg_count != b->arg_count || strcmp(a->kernel, b->kernel) != 0) return false;
  if (a->heap_bytes != b->heap_bytes || (a->heap && memcmp(a->heap, b->heap, a->heap_bytes) != 0)) return false;
  for (int i = 0; i < a->arg_count; i++) {
    const LaunchArg *x = &a->args[i], *y = &b->args[i];
    uint64_t size = x->is_buffer ? x->count * (uint64_t)launch_type_size(x->type) : 0;
    if (x->count != y->count || x->scalar != y->scalar) return false;
    if (!x->data != !y->data || !x->written != !y->written) return false;
    if (size && x->data && memcmp(x->data, y->data, size) != 0) return false;
    if (size && x->written && memcmp(x->written, y->written, size) != 0) return false;
  }
  return true;
}

// Each launch counts alone what it counted in the program, and finds the same where next to nothing was kept.
static void check_kept(RecipeBook *book, const char *name, const char *const *values) {
  RunRequest request;
  request_of(book, name, values, &request);
  ProgramRun *whole = program_run_keep(&request, 0, NULL, &err), *little = program_run_keep(&request, 1, NULL, &err);
  CU_ASSERT_FATAL(whole && little);
  int all = program_all_launches(&whole->program);
  CHECK(program_snapshots_count(whole->snapshots) == all && program_snapshots_count(little->snapshots) == 1);
  CHECK(whole->program.child_count > 0);
  run_request_set_whole(&request, &whole->shared);
  for (int number = 1; number <= all; number++) {
    Launch kept, made;
    CHECK(program_run_kept_launch(whole, number, NULL, &kept, &err));
    CHECK(program_run_kept_launch(little, number, NULL, &made, &err));
    CHECK(same_launch(&kept, &made));
    launch_fini(&kept);
    launch_fini(&made);
    run_request_set_launch(&request, &whole->program, number);
    Run *run = run_new(&request, NULL, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run);
    const CounterSet *alone = counters_total(run->counters), *within = &program_run_at(whole, number, NULL)->counters;
    bool same = memcmp(alone, within, sizeof *alone) == 0;
    if (!same) printf("\n%s, launch %s counts other things alone\n", name, request.launch_name);
    CHECK(same && run->whole == whole);
    run_free(run);
  }
  program_run_close(whole);
  program_run_close(little);
  run_request_fini(&request);
}

static void test_kept(void) {
  check_kept(shipped, "quicksort_tree", NULL);
  check_kept(own, "family", (const char *const[]){"what=copies", NULL});
  check_kept(own, "family", (const char *const[]){"what=tail_of_tail", NULL});
  check_kept(own, "family", (const char *const[]){"what=in_order", NULL});
  check_kept(own, "family", (const char *const[]){"what=next", NULL});
  check_kept(own, "family", (const char *const[]){"what=counted", "n=4", NULL});
  check_kept(own, "heirs", (const char *const[]){"what=lives", NULL});
  check_kept(own, "heirs", (const char *const[]){"what=freed", NULL});
}

// A tree of a thousand launches: any of them is on the screen within 16 ms, and so is a step, the list, the timeline.
static void test_quick(void) {
  Session *session = open_session(shipped, "quicksort_tree", (const char *const[]){"N=1280", "least=1", NULL}, NULL);
  Canvas *canvas = canvas_new(120, 36);
  double worst = 0;
  CHECK(ses_launch_count(session) > 1000);
  static const CommandId keys[] = {CMD_LAUNCH_NEXT, CMD_STEP_NEXT, CMD_LAUNCH_BACK, CMD_LAUNCHES, CMD_DOWN, CMD_CANCEL,
                                   CMD_TIMELINE, CMD_CANCEL};
  for (int place = 0; place < 3; place++) {
    ses_want_launch(session, ses_launch_at(session, 1 + place * 510));
    settle(session);
    for (int i = 0; i < LS_COUNT(keys); i++) {
      double best = 1e9;
      for (int tries = 0; tries < 3; tries++) {
        clock_t start = clock();
        give(session, keys[i]);
        explorer_draw(session, canvas);
        best = LS_MIN(best, (double)(clock() - start) * 1000 / CLOCKS_PER_SEC);
      }
      worst = LS_MAX(worst, best);
    }
  }
  printf("(%.1f ms) ", worst);
  CHECK(worst < 16);
  canvas_free(canvas);
  ses_free(session);
}

// ---- going ---------------------------------------------------------------------------------------------------------

static void test_going(void) {
  Session *session = open_session(own, "family", (const char *const[]){"what=tail_of_tail", NULL}, "1.1");
  static const char *const order[] = {"1", "1.3", "1.1", "1.1.3", "1.1.4", "1.1.5", "1.1.1", "1.1.2", "1.2"};
  CHECK(is_in(session, "1.1"));
  CHECK(strstr(session->run->info.title, "family, launch 1.1") != NULL);
  give(session, CMD_LAUNCH_BACK);
  CHECK(is_in(session, "1.3"));
  give(session, CMD_LAUNCH_BACK);
  CHECK(is_in(session, "1"));
  for (int i = 1; i < LS_COUNT(order); i++) {
    give(session, CMD_LAUNCH_NEXT);
    CHECK(is_in(session, order[i]));
    CHECK_INT(ses_launch_rank(session), i + 1);
  }
  give(session, CMD_LAUNCH_NEXT);
  CHECK(session->message_is_error && strstr(session->message, "the last of 9 launches") != NULL);
  CHECK(ses_go_launch_of(session, "1.1.5"));
  settle(session);
  CHECK(is_in(session, "1.1.5"));
  ses_go_launch_of(session, "1.7");
  CHECK(strstr(session->message, "there is no launch 1.7: the kernel of launch 1 launches 3") != NULL);
  ses_free(session);
}

// Another run need not have the launch: then that of its parent is open.
static void test_other_parameters(void) {
  Session *session = open_session(own, "family", (const char *const[]){"what=counted", "n=4", NULL}, "1.2.1.2");
  RunRequest request;
  run_request_copy(&request, &session->run->request);
  CHECK(recipe_set(request.recipe, &request.values, "n=2", &err));
  ses_want_changed(session, &request, false);
  settle(session);
  CHECK(is_in(session, "1.2.1"));
  ses_free(session);
  RunRequest wrong;
  request_of(own, "family", (const char *const[]){"what=counted", "n=2", NULL}, &wrong);
  wrong.launch_name = ls_strdup("1.2.1.2");
  CHECK(run_new(&wrong, NULL, &err) == NULL && strstr(err.message, "there is no launch 1.2.1.2") != NULL);
  run_request_fini(&wrong);
}

static void test_list(void) {
  Session *session = open_session(shipped, "quicksort_tree", NULL, "1.2.1");
  SesStep row;
  LsText words = {0};
  CHECK_INT(ses_step_count(session), 28);
  CHECK_INT(ses_step_here(session), 3);
  CHECK(ses_step(session, 3, &row) && row.depth == 2 && row.step == 0 && row.when == WHEN_HERE && row.was_run);
  CHECK_STR(row.number, ".1");
  CHECK_STR(row.stream, "forget");
  CHECK(strcmp(row.name, "quicksort") == 0 && row.time[0]);
  CHECK(ses_step(session, 1, &row) && row.launch == 1 && row.step == 2 && row.depth == 0);
  CHECK(ses_step(session, 24, &row) && row.step == 3 && !row.launch);   // the copy behind the whole tree
  ses_step_words(session, 3, &words);
  static const char place[] = "Launch 1.2.1 (quicksort<<<1, 1>>>, by thread (0,0,0) of block (0,0,0) of launch 1.2 at ";
  CHECK(strstr(ls_text_str(&words), place) == ls_text_str(&words));
  ls_text_free(&words);
  ses_go_step(session, 2);
  settle(session);
  CHECK(is_in(session, "1.2"));
  ses_free(session);
}

// Walls: a cell for each other launch, a click in it opens that.
static void test_bar(void) {
  enum { COLUMNS = 118 };
  SesBar bar[COLUMNS];
  int cursor, walls = 0, launch;
  Session *session = open_session(own, "family", (const char *const[]){"what=tail_of_tail", NULL}, "1.1");
  ses_time_bar(session, COLUMNS, bar, &cursor);
  for (int i = 0; i < COLUMNS; i++) walls += bar[i].mark == '|';
  CHECK_INT(walls, 8);
  CHECK(bar[3].mark == '|' && bar[5].mark != '|');      // 1 and 1.3 stand before it
  ses_time_bar_at(session, COLUMNS, 2, &launch);
  CHECK(ses_want_launch(session, launch));
  settle(session);
  CHECK(is_in(session, "1.3"));
  ses_free(session);
}

// ---- who wrote it --------------------------------------------------------------------------------------------------

static void go_to_load(Session *session, const char *array) {
  TraceQuery query;
  TraceEvent event;
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

static void check_writers(Session *behind, Session *sibling) {
  go_to_load(behind, "y");               // launch 2 reads what the child of launch 1 made
  give(behind, CMD_WRITER);
  CHECK(is_in(behind, "1.1"));
  CHECK(strstr(behind->message, "was written in launch 1.1, line ") != NULL);
  go_to_load(behind, "x");               // and that what its parent made
  give(behind, CMD_WRITER);
  CHECK(is_in(behind, "1"));
  go_to_load(sibling, "x");
  give(sibling, CMD_WRITER);
  CHECK(is_in(sibling, "1.1"));
  ses_free(behind);
  ses_free(sibling);
}

static const char *const next[] = {"what=next", NULL}, *const in_order[] = {"what=in_order", NULL};

static void test_writer(void) {
  Session *behind = open_session(own, "family", next, NULL);
  ses_want_launch(behind, 2);
  settle(behind);
  check_writers(behind, open_session(own, "family", in_order, "1.2"));
}

// ---- faults --------------------------------------------------------------------------------------------------------

static void test_faults(void) {
  SesRow row;
  LsText words = {0};
  Session *session = open_session(own, "family", (const char *const[]){"what=beyond", NULL}, NULL);
  CHECK_INT(ses_elsewhere_count(session), 1);
  CHECK(ses_elsewhere_row(session, 0, &row) && strstr(row.text, "launch 1.1: ") == row.text && row.when == WHEN_AFTER);
  ses_elsewhere_words(session, 0, &words);
  CHECK(strstr(ls_text_str(&words), "Enter opens launch 1.1. ") == ls_text_str(&words));
  ls_text_free(&words);
  CHECK(ses_go_elsewhere(session, 0));
  settle(session);
  CHECK(is_in(session, "1.1") && ses_elsewhere_count(session) == 0 && session->run->fault_count == 1);
  ses_free(session);
}

static void record_of(const char *name, const char *const *values, const char *path) {
  RunRequest request;
  request_of(own, name, values, &request);
  Run *run = program_record(&request, path, NULL, &err);
  if (!run) printf("\n%s\n", err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  run_free(run);
  run_request_fini(&request);
}

// ---- the device heap -----------------------------------------------------------------------------------------------

// What a kernel takes of it, its children and later launches find, until somebody gives it back.
static void test_heap(void) {
  static const struct { const char *what, *told; bool right; } rows[] = {
      {"what=lives", NULL, true}, {"what=freed", NULL, true}, {"what=later", NULL, true},
      {"what=gives_back", "that it took at heirs.cu:34, freed at heirs.cu:36", false},
      {"what=gives_twice", "frees once more the 160 bytes that it took at heirs.cu:42, freed at heirs.cu:18", false},
      {"what=gives_little", "just past the end of the 160 bytes that thread (0,0,0) took at heirs.cu:52", false},
  };
  for (int i = 0; i < LS_COUNT(rows); i++)
    for (int cut = 0; cut < 2; cut++) {
      RunRequest request;
      request_of(own, "heirs", (const char *const[]){rows[i].what, NULL}, &request);
      request.cut = (DevCut)cut;
      ProgramRun *run = program_run_new(&request, NULL, &err);
      CU_ASSERT_PTR_NOT_NULL_FATAL(run);
      bool told = false;
      for (int k = 0; k < run->told_count && rows[i].told; k++)
        told |= strstr(run->told[k].fault->message, rows[i].told) != NULL;
      bool ok = told == (rows[i].told != NULL) && (told || run->told_count == 0);
      if (!ok) printf("\n%s, cut %d: %s\n", rows[i].what, cut, run->told_count ? run->told[0].fault->message : "-");
      CHECK(ok && (!rows[i].right || run->verdict == RUN_RIGHT));
      program_run_close(run);
      run_request_fini(&request);
    }
}

// The launch of a file, executed anew, leaves what it left: y[i] is 3 i.
static void check_again(const char *path, int number) {
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(path);
  request.cut = DEV_COMPILED;
  request.launch_number = number;
  Run *run = run_new(&request, NULL, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  int found = 0;
  for (int i = 0; i < run->info.launch.arg_count; i++) {
    const LaunchArg *arg = &run->info.launch.args[i];
    uint64_t size;
    if (arg->role != LAUNCH_MEMORY || strcmp(arg->name, "y") != 0) continue;
    const int32_t *y = (const int32_t *)(const void *)run->device->buffer(run->device_run, i, &size);
    for (int k = 0; y && k < 40; k++) found += y[k] == 3 * k;
  }
  CHECK_INT(found, 40);
  CHECK_INT(run->fault_count, 0);
  run_free(run);
  run_request_fini(&request);
}

// In a file, too: a child that is executed again from there finds what its parent took. What is no heap is refused.
static void test_heap_saved(void) {
  const char *path = "test_child_heap.lst";
  record_of("heirs", (const char *const[]){"what=lives", NULL}, path);
  Run *first = run_open(path, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(first);
  Run *run = run_open_launch(path, program_run_find(first->whole, "1.2", false, &err), &first->whole->shared, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  const Launch *launch = &run->info.launch;
  CHECK(launch->heap && sim_is_heap(launch->heap, launch->heap_bytes) && !first->info.launch.heap);
  for (uint64_t i = 0; i < launch->heap_bytes; i++) sim_is_heap(launch->heap, i);   // cut off: nothing bad comes of it
  uint8_t *broken = ls_alloc(launch->heap_bytes);
  for (uint64_t i = 0; i < 200; i++) {
    memcpy(broken, launch->heap, launch->heap_bytes);
    broken[i] ^= 0xff;
    sim_is_heap(broken, launch->heap_bytes);
  }
  memset(broken, 0xff, 16);
  CHECK(!sim_is_heap(broken, launch->heap_bytes));
  free(broken);
  check_again(path, run->request.launch_number);
  run_free(run);
  run_free(first);
  remove(path);
}

// ---- files ---------------------------------------------------------------------------------------------------------

static void record(const char *const *values, const char *path) { record_of("family", values, path); }

static void same_times(const ProgramRun *a, const ProgramRun *b) {
  CU_ASSERT_FATAL(a->times && b->times);
  for (int i = 0; i < program_all_steps(&a->program); i++) {
    const ProgramTime *x = &a->times[i], *y = &b->times[i];
    CHECK(x->begin == y->begin && x->runs == y->runs && x->over == y->over && x->end == y->end);
    CHECK(x->waited_for == y->waited_for && x->last_child == y->last_child);
  }
}

static void test_saved(void) {
  const char *path = "test_child_launches.lst";
  RunRequest request;
  static const char *const tails[] = {"what=tail_of_tail", NULL};
  record(tails, path);
  request_of(own, "family", tails, &request);
  ProgramRun *whole = program_run_new(&request, NULL, &err);
  Run *run = run_open(path, &err);
  CU_ASSERT_FATAL(whole && run && run->whole);
  const ProgramRun *saved = run->whole;
  CHECK_INT(program_all_launches(&saved->program), 9);
  for (int number = 1; number <= 9; number++) {
    const ProgramChild *child, *kept;
    const ProgramLaunch *a = program_run_at(whole, number, &child), *b = program_run_at(saved, number, &kept);
    CHECK(memcmp(&a->counters, &b->counters, sizeof a->counters) == 0 && a->cost.block_ns == b->cost.block_ns);
    CHECK(!child == !kept);
    if (!child || !kept) continue;
    CHECK(child->parent == kept->parent && child->number == kept->number && child->depth == kept->depth);
    CHECK(child->entry == kept->entry && child->stream == kept->stream && child->after_count == kept->after_count);
  }
  CHECK(memcmp(&whole->counters, &saved->counters, sizeof saved->counters) == 0);
  same_times(whole, saved);
  Session *session = session_of(run);
  give(session, CMD_LAUNCH_NEXT);
  CHECK(is_in(session, "1.3") && session->steps > 0);
  ses_free(session);
  program_run_close(whole);
  run_request_fini(&request);
  remove(path);
}

static void test_saved_writer(void) {
  record(next, "test_child_next.lst");
  record(in_order, "test_child_order.lst");
  Run *first = run_open("test_child_order.lst", &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(first);
  int number = program_run_find(first->whole, "1.2", false, &err);
  Run *sibling = run_open_launch("test_child_order.lst", number, &first->whole->shared, &err);
  run_free(first);
  check_writers(session_of(run_open_launch("test_child_next.lst", 2, NULL, &err)), session_of(sibling));
  remove("test_child_next.lst");
  remove("test_child_order.lst");
}

// ---- side by side --------------------------------------------------------------------------------------------------

static void test_pairs(void) {
  RunRequest a, b;
  LsText words = {0};
  ProgramPairs pairs;
  request_of(own, "family", (const char *const[]){"what=counted", "n=2", NULL}, &a);
  request_of(own, "family", (const char *const[]){"what=counted", "n=1", NULL}, &b);
  ProgramRun *left = program_run_new(&a, NULL, &err), *right = program_run_new(&b, NULL, &err);
  CU_ASSERT_FATAL(left && right);
  program_pairs_init(&pairs, &left->program, &right->program);
  static const char *const names[][2] = {{"1", "1"}, {"1.1", "1.1"}, {"1.1.1", ""}, {"1.1.2", ""}, {"1.2", "1.2"},
                                         {"1.2.1", ""}, {"1.2.2", ""}};
  CHECK_INT(pairs.count, LS_COUNT(names));
  for (int i = 0; i < LS_MIN(pairs.count, LS_COUNT(names)); i++) {
    int numbers[2] = {pairs.items[i].left, pairs.items[i].right};
    for (int side = 0; side < 2; side++) {
      const HostProgram *p = side ? &right->program : &left->program;
      LsText name = {0};
      if (numbers[side]) program_launch_name(p, program_launch_step(p, numbers[side]), &name);
      CHECK_STR(ls_text_str(&name), names[i][side]);
      ls_text_free(&name);
    }
  }
  program_pairs_words(&pairs, &words);
  CHECK_STR(ls_text_str(&words), "1 launch side by side; by kernels 2 side by side, 4 only in the first");
  ls_text_free(&words);
  program_pairs_fini(&pairs);
  program_run_close(left);
  program_run_close(right);
  run_request_fini(&a);
  run_request_fini(&b);
}

// ---- a file of one's own -------------------------------------------------------------------------------------------

static void own_file(RunRequest *request, const char *kernel, const char *const *args) {
  const char *srcdir = getenv("srcdir");
  run_request_init(request);
  request->what = ls_format("%s/tests/runs/programs/family.ptx", srcdir ? srcdir : ".");
  request->cut = DEV_COMPILED;
  request->launch.kernel = ls_strdup(kernel);
  for (int i = 0; args[i]; i++) CHECK(launch_add_arg(&request->launch, args[i], &err));
}

// As in the recipe: each child counts the same, and memory persists; the next one runs nothing again.
static void test_own_file(void) {
  RunRequest request, same;
  own_file(&request, "counted", (const char *const[]){"int[1]=zero", "int=3", NULL});
  request_of(own, "family", (const char *const[]){"what=counted", "n=3", NULL}, &same);
  ProgramRun *recipe = program_run_new(&same, NULL, &err);
  Run *run = run_new(&request, NULL, &err);
  if (!run) printf("\n%s\n", err.message);
  CU_ASSERT_FATAL(run && recipe);
  CHECK_STR(run->info.title, "family.ptx");
  CHECK(run->whole && run->whole->program.child_count == 14 && strstr(run_notes(run), "explore shows") == NULL);
  for (int number = 1; run->whole && number <= 15; number++) {
    const ProgramLaunch *a = program_run_at(run->whole, number, NULL), *b = program_run_at(recipe, number, NULL);
    CHECK(memcmp(&a->counters, &b->counters, sizeof a->counters) == 0);
  }
  Session *session = session_of(run);
  const ProgramRun *whole = run->whole;
  give(session, CMD_LAUNCH_NEXT);
  CHECK(is_in(session, "1.1") && session->run->whole == whole);
  CHECK(strcmp(session->run->info.title, "family.ptx, launch 1.1") == 0 && session->steps > 0);
  give(session, CMD_LAUNCH_BACK);
  CHECK(is_in(session, "1") && session->run->whole == whole);
  ses_free(session);
  request.launch_name = ls_strdup("1.2.2.1");
  run = run_new(&request, NULL, &err);
  CHECK(run && run->request.launch_number > 1 && strcmp(run->request.launch_name, "1.2.2.1") == 0);
  run_free(run);
  program_run_close(recipe);
  run_request_fini(&request);
  run_request_fini(&same);
}

// What has none is one launch as ever; a name of one that is not there is refused.
static void test_own_file_without(void) {
  RunRequest request;
  own_file(&request, "count_one", (const char *const[]){"int[1]=zero", NULL});
  Run *run = run_new(&request, NULL, &err);
  CHECK(run && !run->whole && !run->program);
  run_free(run);
  request.launch_name = ls_strdup("1.1");
  CHECK(run_new(&request, NULL, &err) == NULL && strstr(err.message, "there is no launch 1.1") != NULL);
  run_request_fini(&request);
  own_file(&request, "counted", (const char *const[]){"int[1]=zero", "int=1", NULL});
  request.launch_name = ls_strdup("1.3");
  CHECK(run_new(&request, NULL, &err) == NULL && strstr(err.message, "the kernel of launch 1 launches 2") != NULL);
  run_request_fini(&request);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"a launch by a kernel as it is found", test_kept}, {"one of a thousand within 16 ms", test_quick},
      {"from launch to launch", test_going},              {"other parameters", test_other_parameters},
      {"the list", test_list},                            {"walls in the time bar", test_bar},
      {"who wrote it", test_writer},                      {"faults of other launches", test_faults},
      {"a file keeps them", test_saved},                  {"who wrote it, in a file", test_saved_writer},
      {"two programs side by side", test_pairs},          {"a file of one's own", test_own_file},
      {"a file without children", test_own_file_without}, {"the device heap lives on", test_heap},
      {"the device heap in a file", test_heap_saved},
  };
  const char *srcdir = getenv("srcdir");
  char *folder = ls_format("%s/tests/runs/programs", srcdir ? srcdir : ".");
  own = recipe_book_open(folder, &err);
  shipped = recipe_book_open(NULL, &err);
  free(folder);
  int status = own && shipped ? check_main("child_launches", checks, LS_COUNT(checks), argc, argv) : 1;
  if (own) own->free(own);
  if (shipped) shipped->free(shipped);
  return status;
}
