// test_large.c: files that are large in one way: many lines, variables, labels, faults. What takes a moment here took
// minutes, or did not end, where something was looked for among all the others each time.
#include <unistd.h>

#include "app/session/session.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "model/counter.h"

enum { MANY = 200000 };

static const char header[] = ".version 7.0\n.target sm_75\n.address_size 64\n.file 1 \"large.cu\"\n";
static const char kernel[] = ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<8>;\n"
                             ".reg .b64 %a<4>;\n.reg .pred %p<2>;\n"
                             "ld.param.u64 %a1, [p];\n";

// ---- files and runs ------------------------------------------------------------------------------------------------

// Runs one warp of the kernel k on 256 words that hold zeros.
static Run *run_text(const LsText *text) {
  char folder[256];
  LsErr err = {0};
  RunRequest request;
  run_request_init(&request);
  if (!check_folder(folder, sizeof folder)) return NULL;
  request.what = ls_path_join(folder, "large.ptx");
  request.launch.kernel = ls_strdup("k");
  request.launch.block[0] = 32;
  free(request.device);
  request.device = ls_strdup("emu");
  Run *run = NULL;
  if (launch_add_arg(&request.launch, "u32[256]=zero", &err) &&
      ls_file_write(request.what, text->data, text->length, &err))
    run = run_new(&request, NULL, &err);
  if (!run) printf("\n%s\n", err.message);
  unlink(request.what);
  rmdir(folder);
  run_request_fini(&request);
  CHECK(run != NULL);
  return run;
}

static void begin(LsText *text) {
  *text = (LsText){0};
  ls_text_add(text, header);
}

static Run *finish(LsText *text) {
  ls_text_add(text, "ret;\n}\n");
  Run *run = run_text(text);
  ls_text_free(text);
  return run;
}

static uint64_t executed(const Run *run) { return counters_total(run->counters)->value[COUNTER_WARP_INSTRUCTIONS]; }

static uint64_t executed_at(const Run *run, int line) {
  CounterSet set;
  counters_line(run->counters, 0, line, &set);
  return set.value[COUNTER_WARP_INSTRUCTIONS];
}

// ---- lines ---------------------------------------------------------------------------------------------------------

static void a_line_of_a_large_number(void) {
  LsText text;
  begin(&text);
  ls_text_addf(&text, "%s.loc 1 1000000000 1\nmov.u32 %%r1, 1;\nmov.u32 %%r2, 1;\n", kernel);
  Run *run = finish(&text);
  if (!run) return;
  const PtxLines *lines = counters_lines(run->counters);
  CHECK(lines->count == 1 && lines->lines[0].line == 1000000000 && lines->lines[0].count == 1);
  CHECK_INT(executed_at(run, 1000000000), 3);
  CHECK_INT(executed_at(run, 999999999), 0);
  run_free(run);
}

static void many_lines(void) {
  LsText text;
  begin(&text);
  ls_text_addf(&text, "%s.loc 1 2 1\nld.param.u64 %%a2, [p];\n", kernel);
  for (int i = 0; i < MANY; i++) ls_text_addf(&text, ".loc 1 %d 1\nadd.s32 %%r1, %%r1, 1;\n", 2 * i + 2);
  Run *run = finish(&text);
  if (!run) return;
  const PtxLines *lines = counters_lines(run->counters);
  CHECK_INT(lines->count, MANY);
  uint64_t sum = 0;
  for (int i = 0; i < lines->count; i++) sum += executed_at(run, lines->lines[i].line);
  CHECK_INT(sum, MANY + 2);   // ret is of the last line
  CHECK_INT(executed(run), MANY + 3);
  Session *session = ses_new(run);   // of which the run is now
  ses_command(session, &(Command){CMD_GOTO, 1, NULL});
  CHECK_INT(ses_scene(session)->line, 2);
  ses_free(session);
}

// The line of a call counts what was inlined into it, once, however often it is in the chain.
static void lines_of_inlined_code(void) {
  LsText text;
  begin(&text);
  ls_text_addf(&text, ".file 2 \"inner.h\"\n%s.loc 1 5 1\nadd.s32 %%r1, %%r1, 1;\n", kernel);
  ls_text_add(&text, ".loc 2 9 1, function_name f, inlined_at 1 5 1\nadd.s32 %r1, %r1, 1;\n"
                     ".loc 2 9 1, function_name f, inlined_at 2 9 1\nadd.s32 %r1, %r1, 1;\n.loc 1 6 1\n");
  Run *run = finish(&text);
  if (!run) return;
  const PtxLines *lines = counters_lines(run->counters);
  CHECK_INT(lines->count, 3);
  CHECK_INT(executed_at(run, 5), 3);
  CHECK_INT(executed_at(run, 6), 1);
  CounterSet inner;
  counters_line(run->counters, 1, 9, &inner);
  CHECK_INT(inner.value[COUNTER_WARP_INSTRUCTIONS], 2);
  run_free(run);
}

// ---- other things of which there may be many -----------------------------------------------------------------------

static void many_variables(void) {
  LsText text;
  begin(&text);
  for (int i = 0; i < MANY; i++) ls_text_addf(&text, ".global .align 4 .u32 v%d = %d;\n", i, i);
  ls_text_addf(&text, "%sld.global.u32 %%r1, [v%d];\nst.global.u32 [%%a1], %%r1;\n", kernel, MANY - 1);
  Run *run = finish(&text);
  if (!run) return;
  uint64_t size;
  const uint8_t *bytes = run->device->buffer(run->device_run, 0, &size);
  uint32_t last;
  memcpy(&last, bytes, sizeof last);
  CHECK_INT(last, MANY - 1);
  CHECK_INT(executed(run), 4);
  run_free(run);
}

// Each in code of its own line, which was inlined by a call of its own.
static void many_constants_and_calls(void) {
  LsText text;
  begin(&text);
  ls_text_addf(&text, ".file 2 \"inner.h\"\n%s", kernel);
  for (int i = 0; i < MANY; i++) {
    ls_text_addf(&text, ".loc 1 %d 1\nadd.s32 %%r1, %%r1, %d;\n", i + 1, i);
    ls_text_addf(&text, ".loc 2 1 1, function_name f, inlined_at 1 %d 1\nadd.s32 %%r2, %%r2, 1;\n", i + 1);
  }
  Run *run = finish(&text);
  if (!run) return;
  CHECK_INT(counters_lines(run->counters)->count, MANY + 1);
  CHECK_INT(executed_at(run, 1), 2);
  CounterSet inner;
  counters_line(run->counters, 1, 1, &inner);
  CHECK_INT(inner.value[COUNTER_WARP_INSTRUCTIONS], MANY + 1);
  run_free(run);
}

// All jump back to the first one, so that what follows after each is all that comes after it.
static void many_jumps_back(void) {
  LsText text;
  begin(&text);
  ls_text_addf(&text, "%sL0:\nsetp.ne.s32 %%p1, 0, 0;\n", kernel);
  for (int i = 0; i < MANY; i++) ls_text_add(&text, "@%p1 bra L0;\n");
  Run *run = finish(&text);
  if (!run) return;
  CHECK_INT(executed(run), MANY + 3);
  run_free(run);
}

// Each instruction has a fault of its own.
static void many_faults(void) {
  LsText text;
  begin(&text);
  ls_text_add(&text, kernel);
  for (int i = 0; i < MANY; i++) ls_text_add(&text, "div.u32 %r1, %r2, %r3;\n");
  Run *run = finish(&text);
  if (!run) return;
  CHECK_INT(run->fault_count, MANY);
  CHECK(run->faults[MANY - 1].kind == FAULT_DIVIDE_BY_ZERO && run->faults[MANY - 1].count == 1);
  run_free(run);
}

static void many_files(void) {
  LsText text;
  begin(&text);
  for (int i = 1; i < MANY; i++) ls_text_addf(&text, ".file %d \"f%d.h\"\n", i + 1, i);
  ls_text_add(&text, kernel);
  for (int i = 0; i < MANY; i++) ls_text_addf(&text, ".loc %d 3 1\nadd.s32 %%r1, %%r1, 1;\n", i + 1);
  Run *run = finish(&text);
  if (!run) return;
  const PtxLines *lines = counters_lines(run->counters);
  CHECK(lines->count == MANY && lines->lines[MANY - 1].file == MANY - 1);
  run_free(run);
}

static const Check checks[] = {
    {"a line of a large number", a_line_of_a_large_number},
    {"many lines", many_lines},
    {"lines of inlined code", lines_of_inlined_code},
    {"many variables", many_variables},
    {"many constants and calls", many_constants_and_calls},
    {"many jumps back", many_jumps_back},
    {"many faults", many_faults},
    {"many files", many_files},
};

int main(int argc, char **argv) { return check_main("large", checks, LS_COUNT(checks), argc, argv); }
