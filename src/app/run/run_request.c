// run_request.c: what decides a run: copied, changed, and the blocks that it names.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/run.h"
#include "base/mem.h"

void run_request_init(RunRequest *request) {
  *request = (RunRequest){.cut = DEV_WRITTEN, .checks = SIM_CHECK_ALL, .record = true};
  launch_init(&request->launch);
  request->device = ls_strdup("auto");
  request->profile = ls_strdup("h200");
}

static char *copy_or_null(const char *text) { return text ? ls_strdup(text) : NULL; }

void run_request_copy(RunRequest *to, const RunRequest *from) {
  *to = *from;
  to->what = copy_or_null(from->what);
  to->text = copy_or_null(from->text);
  to->device = copy_or_null(from->device);
  to->profile = copy_or_null(from->profile);
  to->blocks = copy_or_null(from->blocks);
  to->order_of = copy_or_null(from->order_of);
  to->launch_name = copy_or_null(from->launch_name);
  to->runner = copy_or_null(from->runner);
  if (to->whole) to->whole->sharers++;
  if (to->code) to->code->shared.sharers++;
  launch_copy(&to->launch, &from->launch);
}

void run_request_fini(RunRequest *request) {
  free(request->what);
  free(request->text);
  free(request->device);
  free(request->profile);
  free(request->blocks);
  free(request->order_of);
  free(request->launch_name);
  free(request->runner);
  run_request_set_whole(request, NULL);
  run_request_set_code(request, NULL);
  launch_fini(&request->launch);
  *request = (RunRequest){0};
}

void run_request_set_whole(RunRequest *request, RunShared *whole) {
  RunShared *before = request->whole;
  if (whole) whole->sharers++;
  request->whole = whole;
  if (before && before->sharers-- == 0) before->free(before);
}

void run_request_set_code(RunRequest *request, RunCode *code) {
  RunCode *before = request->code;
  if (code) code->shared.sharers++;
  request->code = code;
  if (before && before->shared.sharers-- == 0) before->shared.free(&before->shared);
}

void run_request_set_launch(RunRequest *request, const HostProgram *program, int number) {
  LsText name = {0};
  free(request->launch_name);
  request->launch_name = NULL;
  request->launch_number = number;
  if (number <= program->launches) return;
  program_launch_name(program, program_launch_step(program, number), &name);
  request->launch_name = ls_text_take(&name);
}

void run_request_set_device(RunRequest *request, const char *device) {
  if (strcmp(request->device, device) == 0) return;
  free(request->device);
  request->device = ls_strdup(device);
  if (strcmp(device, "emu") != 0 && strcmp(device, "auto") != 0) {
    request->sched = SIM_ITS;
    request->seed = request->threads = 0;
    request->order_given = false;
  }
  if (strcmp(device, "cuda") == 0) return;
  free(request->runner);
  request->runner = NULL;
}

void run_request_use_cut(RunRequest *request) {
  const Recipe *recipe = request->recipe;
  if (recipe && recipe->cut_given && !request->cut_given) request->cut = recipe->is_compiled ? DEV_COMPILED : DEV_WRITTEN;
}

SimOrder run_request_order(const RunRequest *request) {
  if (request->runner || request->order_of) return SIM_WHOLE;
  if (request->order_given) return request->order;
  return request->record ? SIM_TURNS : SIM_WHOLE;
}

static bool program_blocks_of(const RunRequest *request, uint64_t *blocks) {
  HostProgram program;
  if (!request->recipe->sequence(request->recipe, &request->values, &program, NULL)) return false;
  int step = request->launch_name ? -1 : program_launch_step(&program, LS_MAX(request->launch_number, 1));
  const uint32_t *grid = step < 0 ? NULL : program.steps[step].grid;   // of a launch by a kernel only a run can tell
  if (grid) *blocks = (uint64_t)grid[0] * grid[1] * grid[2];
  program_fini(&program);
  return step >= 0;
}

bool run_request_blocks(const RunRequest *request, uint64_t *blocks) {
  Launch launch;
  if (request->recipe && request->recipe->sequence) return program_blocks_of(request, blocks);
  if (request->recipe && !request->recipe->launch) return false;   // a model
  if (!request->recipe) launch_copy(&launch, &request->launch);
  else if (!request->recipe->launch(request->recipe, &request->values, &launch, NULL)) return false;
  *blocks = launch_blocks(&launch);
  launch_fini(&launch);
  return true;
}

const char *run_request_runner(const RunRequest *request) {
  if (request->runner) return request->runner;
  const char *usual = strcmp(request->device, "cuda") == 0 ? getenv("LANESCOPE_RUNNER") : NULL;
  return usual && *usual ? usual : NULL;
}

// A number, or a word for one that is there in every grid.
static bool parse_block(const char *item, uint64_t blocks, uint64_t *block) {
  if (strcmp(item, "middle") == 0) return *block = blocks / 2, true;
  if (strcmp(item, "last") == 0) return *block = blocks - 1, true;
  return ls_parse_u64(item, block);
}

static bool parse_range(const char *text, size_t length, uint64_t blocks, uint8_t *chosen, LsErr *err) {
  char item[64];
  snprintf(item, sizeof item, "%.*s", (int)LS_MIN(length, sizeof item - 1), text);
  char *dash = strchr(item, '-');
  uint64_t first, last;
  if (dash) *dash = 0;
  if (!parse_block(item, blocks, &first) || !parse_block(dash ? dash + 1 : item, blocks, &last) || first > last)
    return ls_fail(err, LS_EREQUEST, "--blocks takes block numbers like 0,3-5,middle,last or all, not '%s'",
                   LS_QUOTE_N(text, length));
  if (last >= blocks)
    return ls_fail(err, LS_EREQUEST, "there is no block %llu: the grid has %llu, numbered from 0",
                   (unsigned long long)last, (unsigned long long)blocks);
  memset(chosen + first, 1, last - first + 1);
  return true;
}

uint8_t *run_parse_blocks(const char *list, uint64_t blocks, LsErr *err) {
  uint8_t *chosen = ls_alloc(blocks);
  if (strcmp(list, "all") == 0) {
    memset(chosen, 1, blocks);
    return chosen;
  }
  const char *p = list;
  for (;;) {
    size_t length = strcspn(p, ",");
    if (!parse_range(p, length, blocks, chosen, err)) {
      free(chosen);
      return NULL;
    }
    if (!p[length]) return chosen;
    p += length + 1;
  }
}
