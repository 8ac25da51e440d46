// test_program_file.c: a program with all of its launches in one trace file: whole, gone through, cut off, damaged,
// forged.
#include <unistd.h>

#include "app/run/job.h"
#include "app/run/program_run.h"
#include "app/session/session_parts.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "cli/program_text.h"
#include "forge.h"
#include "script/recipe.h"
#include "ui/panels/panel.h"

static RecipeBook *own, *shipped;
static char folder[256], *path;

static void request_of(RecipeBook *book, const char *name, const char *const *values, RunRequest *request) {
  LsErr err = {0};
  run_request_init(request);
  request->what = ls_strdup(name);
  request->recipe = book->get(book, name, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(request->recipe);
  request->cut = DEV_COMPILED;
  recipe_defaults(request->recipe, &request->values);
  for (int i = 0; values && values[i]; i++) CHECK(recipe_set(request->recipe, &request->values, values[i], &err));
}

// Saves a program; gives the request and the run of its first launch.
static Run *record(RecipeBook *book, const char *name, const char *const *values, RunRequest *request) {
  LsErr err = {0};
  request_of(book, name, values, request);
  Job *job = job_start_to_file(request, path);
  Run *run = job_take(job, &err);
  if (!run) printf("\n%s: %s\n", name, err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  return run;
}

// ---- whole ---------------------------------------------------------------------------------------------------------

static bool same_bytes(const LaunchArg *a, const LaunchArg *b) {
  uint64_t size = a->is_buffer ? a->count * (uint64_t)launch_type_size(a->type) : 0;
  if (a->count != b->count || a->scalar != b->scalar) return false;
  if (!a->data != !b->data || !a->written != !b->written) return false;
  return (!a->data || !size || memcmp(a->data, b->data, size) == 0) &&
         (!a->written || !size || memcmp(a->written, b->written, size) == 0);
}

static void check_launch(const RunRequest *request, int number) {
  LsErr err = {0};
  RunRequest one;
  run_request_copy(&one, request);
  one.launch_number = number;
  Run *run = run_new(&one, NULL, &err), *saved = run_open_launch(path, number, NULL, &err);
  run_request_fini(&one);
  if (!saved) printf("\nlaunch %d: %s\n", number, err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  CU_ASSERT_PTR_NOT_NULL_FATAL(saved);
  while (run_advance_totals(saved, 1 << 20)) continue;
  CHECK_STR(saved->info.title, run->info.title);
  CHECK_INT(trace_steps(saved->trace), trace_steps(run->trace));
  CHECK_INT(saved->fault_count, run->fault_count);
  CHECK_INT(saved->info.launch.arg_count, run->info.launch.arg_count);
  for (int i = 0; i < run->info.launch.arg_count; i++)
    CHECK(same_bytes(&saved->info.launch.args[i], &run->info.launch.args[i]));
  CHECK(memcmp(counters_total(saved->counters), counters_total(run->counters), sizeof(CounterSet)) == 0);
  run_free(run);
  run_free(saved);
}

static char *json_of(ProgramRun *run) {
  LsText text = {0};
  run->elapsed_ns = 0;
  program_json(run, &text);
  return ls_text_take(&text);
}

// A file does not say which form of its recipe it holds, but in its parameters.
static void leave_the_form_out(char *json) {
  static const char begin[] = ", \"form\": {";
  char *form = strstr(json, begin), *end = form ? strchr(form + sizeof begin, '}') : NULL;
  if (end) memmove(form, end + 1, strlen(end));
}

// What is told of the saved program is what is told of the program.
static void check_whole(const RunRequest *request, const Run *first) {
  LsErr err = {0};
  RunRequest plain;
  run_request_copy(&plain, request);
  plain.record = false;
  ProgramRun *run = program_run_new(&plain, NULL, &err);
  run_request_fini(&plain);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  CU_ASSERT_PTR_NOT_NULL_FATAL(first->whole);
  char *told = json_of(first->whole), *wanted = json_of(run);
  leave_the_form_out(wanted);
  if (strcmp(told, wanted) != 0) printf("\n%s\n%s\n", told, wanted);
  CHECK_STR(told, wanted);
  free(told);
  free(wanted);
  program_run_close(run);
}

static void check_saved(RecipeBook *book, const char *name, const char *const *values, int by) {
  RunRequest request;
  int others;
  Run *first = record(book, name, values, &request);
  check_whole(&request, first);
  trace_launches(first->trace, &others);
  int last = first->whole->stopped ? LS_MAX(first->whole->launch_count, 1) : first->program->launches;
  CHECK_INT(others + 1, last);
  for (int number = last; number > 0; number -= by) check_launch(&request, number);
  run_free(first);
  run_request_fini(&request);
}

static void test_saved(void) {
  check_saved(shipped, "sums", (const char *const[]){"version=0", "N=4096", NULL}, 1);
  check_saved(own, "state", (const char *const[]){"launches=40", NULL}, 3);
  check_saved(own, "flow", (const char *const[]){"what=event", NULL}, 1);
  check_saved(own, "flow", (const char *const[]){"what=no_event", NULL}, 1);
  check_saved(own, "flow", (const char *const[]){"what=unwritten", "n=4097", NULL}, 1);
  check_saved(own, "flow", (const char *const[]){"what=too_far", NULL}, 1);
  check_saved(own, "flow", (const char *const[]){"what=host_address", NULL}, 1);
  check_saved(own, "flow", (const char *const[]){"what=on_host", NULL}, 1);
}

// ---- in the explorer -----------------------------------------------------------------------------------------------

static void settle(Session *session) {
  LsErr err = {0};
  if (!session->want_rerun) return;
  session->want_rerun = false;
  Run *run = run_new(&session->next, NULL, &err);
  if (run) ses_replace_run(session, run);
  else ses_run_failed(session, &err);
}

static void test_explorer(void) {
  RunRequest request;
  LsErr err = {0};
  run_free(record(own, "flow", (const char *const[]){"what=unwritten", NULL}, &request));
  run_request_fini(&request);
  Session *session = ses_new(run_open(path, &err));
  session->panels = panels;
  const ProgramRun *whole = session->run->whole;
  SesStep step;
  CHECK_INT(ses_launch(session), 1);
  CHECK_INT(ses_launch_count(session), 2);
  CHECK_INT(ses_fault_count(session), 1);
  CHECK(ses_step(session, 2, &step) && step.launch == 2 && step.faults == 1 && step.time[0]);
  ses_command(session, &(Command){.id = CMD_LAUNCH_NEXT});
  settle(session);
  CHECK_INT(ses_launch(session), 2);
  CHECK(session->run->whole == whole);             // read once
  CHECK_INT(session->run->fault_count, 1);
  ses_command(session, &(Command){.id = CMD_LAUNCH_NEXT});
  CHECK(session->message_is_error);
  CHECK(ses_go_step(session, 1));
  settle(session);
  CHECK_INT(ses_launch(session), 1);
  ses_free(session);
}

// Who wrote a value is found in the launches that are in the file.
static void test_writer(void) {
  RunRequest request;
  LsErr err = {0};
  TraceQuery query;
  uint64_t at = 0;
  run_free(record(own, "flow", (const char *const[]){"what=one_stream", NULL}, &request));
  run_request_fini(&request);
  Session *session = ses_new(run_open_launch(path, 2, NULL, &err));
  trace_query_init(&query);
  query.kinds = 1u << TRACE_LOAD;
  CHECK(trace_find(session->run->trace, 0, 1, &query, &at, &err));
  TraceEvent event;
  while (trace_event(session->run->trace, at, &event, &err) && event.space != TRACE_GLOBAL)
    CHECK(trace_find(session->run->trace, at, 1, &query, &at, &err));
  ses_go(session, at);
  ses_command(session, &(Command){.id = CMD_WRITER});
  settle(session);
  CHECK_INT(ses_launch(session), 1);
  CHECK(strstr(session->message, "was written in launch 1 of 2, line ") != NULL);
  CHECK(ses_event_at(session, session->step, &event) && event.kind == TRACE_STORE);
  ses_free(session);
}

// ---- bad files -----------------------------------------------------------------------------------------------------

static uint8_t *small_file(size_t *size) {
  RunRequest request;
  LsErr err = {0};
  run_free(record(own, "flow", (const char *const[]){"what=event", "n=40", NULL}, &request));
  run_request_fini(&request);
  uint8_t *bytes = (uint8_t *)ls_file_read(path, 1 << 20, size, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
  return bytes;
}

// Opens all that is there. True if the file was taken; what is refused is refused with words.
static bool try_file(const uint8_t *bytes, size_t size, int *launches) {
  LsErr err = {0};
  CHECK(ls_file_write(path, bytes, size, NULL));
  Run *run = run_open(path, &err);
  *launches = 0;
  if (!run) {
    CHECK(err.message[0] != 0);
    return false;
  }
  int others;
  const TraceLaunch *inside = trace_launches(run->trace, &others);
  for (int i = 0; i < others; i++) {
    LsErr why = {0};
    Run *launch = run_open_launch(path, inside[i].number, NULL, &why);
    CHECK(launch || why.message[0]);
    *launches += launch != NULL;
    run_free(launch);
  }
  if (run->whole) free(json_of(run->whole));
  run_free(run);
  return true;
}

static void test_cut_off(void) {
  size_t size;
  int launches, most = 0;
  uint8_t *bytes = small_file(&size);
  CHECK(try_file(bytes, size, &launches) && launches == 1);
  for (size_t length = 0; length < size; length += length < 1000 ? 97 : 13) {
    bool opened = try_file(bytes, length, &launches);
    CHECK(opened || launches == 0);
    CHECK(launches >= most);           // more of the file, more of its launches
    most = launches;
  }
  CHECK_INT(most, 1);
  free(bytes);
}

static void test_damaged(void) {
  size_t size;
  int launches;
  uint8_t *bytes = small_file(&size);
  for (size_t at = 0; at < size; at += 11) {
    bytes[at] ^= 0x41;
    try_file(bytes, size, &launches);
    bytes[at] ^= 0x41;
  }
  free(bytes);
}

static const ForgeSection *program_section(const uint8_t *bytes, size_t size, ForgeSection *sections) {
  int count = forge_sections(bytes, size, sections);
  for (int i = 0; i < count; i++)
    if (strcmp(sections[i].tag, "PROG") == 0) return &sections[i];
  return NULL;
}

// Every byte of what is told of the program, changed behind its checksums.
static void test_forged(void) {
  size_t size, raw_size, forged_size;
  int launches, refused = 0, taken = 0;
  uint8_t *bytes = small_file(&size);
  ForgeSection sections[FORGE_MOST];
  const ForgeSection *program = program_section(bytes, size, sections);
  CU_ASSERT_PTR_NOT_NULL_FATAL(program);
  uint8_t *raw = forge_unpack(bytes, program, 1 << 20, &raw_size);
  CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
  for (size_t at = 0; at < raw_size; at++) {
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    uint8_t before = raw[at];
    raw[at] = (uint8_t)(raw[at] ^ changes[at % LS_COUNT(changes)]);
    uint8_t *forged = forge_replace(bytes, size, program, raw, raw_size, &forged_size);
    if (try_file(forged, forged_size, &launches)) taken++;
    else refused++;
    raw[at] = before;
    free(forged);
  }
  CHECK(refused > 100 && taken > 100);
  uint8_t *forged = forge_replace(bytes, size, program, raw, raw_size / 2, &forged_size);
  LsErr err = {0};
  CHECK(ls_file_write(path, forged, forged_size, NULL));
  CHECK(run_open(path, &err) == NULL);
  CHECK(strstr(err.message, "what it tells of the program cannot be read") != NULL);
  free(forged);
  free(raw);
  free(bytes);
}

// Readers of before see a trace of the first launch; what is asked for and is not there is told.
static void test_not_there(void) {
  size_t size;
  LsErr err = {0};
  uint8_t *bytes = small_file(&size);
  CHECK(run_open_launch(path, 3, NULL, &err) == NULL);
  CHECK(strstr(err.message, "launch 3 is not in ") != NULL);
  RunRequest request;
  request_of(own, "flow", NULL, &request);
  request.launch_number = 1;
  Run *one = run_new_to_file(&request, path, NULL, &err);
  CHECK(one && !trace_program(one->trace, &size, &(int){0}));
  run_free(one);
  run_request_fini(&request);
  CHECK(run_open_launch(path, 2, NULL, &err) == NULL);
  CHECK(strstr(err.message, "this is a trace of one launch") != NULL);
  free(bytes);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"saved and opened", test_saved},
      {"in the explorer", test_explorer},
      {"who wrote it", test_writer},
      {"cut off", test_cut_off},
      {"damaged", test_damaged},
      {"forged", test_forged},
      {"what is not there", test_not_there},
  };
  LsErr err = {0};
  const char *srcdir = getenv("srcdir");
  char *programs = ls_format("%s/tests/runs/programs", srcdir ? srcdir : ".");
  own = recipe_book_open(programs, &err);
  shipped = recipe_book_open(NULL, &err);
  free(programs);
  if (!own || !shipped || !check_folder(folder, sizeof folder)) return 1;
  path = ls_path_join(folder, "program.lst");
  int status = check_main("program_file", checks, LS_COUNT(checks), argc, argv);
  unlink(path);
  rmdir(folder);
  free(path);
  own->free(own);
  shipped->free(shipped);
  return status;
}
