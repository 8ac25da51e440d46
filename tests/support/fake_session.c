// fake_session.c: stands in for app/session/session.c, function by function, with canned data.
#include "fake_session.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "model/counter.h"

enum { MAX_LINES = 200, CURRENT_LINE = 17, BAR_LINE = 18 };
static struct {
  Scene scene;
  SceneVar vars[9];
  SceneArray arrays[3];
  char *text;
  const char *lines[MAX_LINES];
  int line_count;
} fake;

static uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void fill_var(SceneVar *var, const char *name, const char *type, uint8_t kind, uint8_t size, int64_t base,
                     int64_t step) {
  *var = (SceneVar){.name = name, .type = type, .kind = kind, .size = size, .in_scope = true, .valid = UINT32_MAX};
  for (int lane = 0; lane < 32; lane++) var->bits[lane] = (uint64_t)(base + lane * step);
}

static void fill_vars(Scene *scene) {
  SceneVar *v = fake.vars;
  fill_var(&v[0], "id", "int", PTX_DW_INT, 4, 0, 1);
  fill_var(&v[1], "tid", "int", PTX_DW_INT, 4, 768, 1);
  fill_var(&v[2], "stride", "int", PTX_DW_INT, 4, 1024, 0);
  fill_var(&v[3], "k", "int", PTX_DW_INT, 4, 16, 0);
  v[3].changed = UINT32_MAX;
  fill_var(&v[4], "sum", "float", PTX_DW_FLOAT, 4, 0, 0);
  v[4].in_scope = false;
  fill_var(&v[5], "next", "int", PTX_DW_INT, 4, 0, 0);
  v[5].valid = 0;
  fill_var(&v[6], "y", "float *", PTX_DW_POINTER, 8, 0x7f0000a00, 0);
  fill_var(&v[7], "x", "float *", PTX_DW_POINTER, 8, 0x7f0000c00, 0);
  fill_var(&v[8], "N", "int", PTX_DW_INT, 4, 9302, 0);
  v[6].is_param = v[7].is_param = v[8].is_param = true;
  scene->vars = v;
  scene->var_count = LS_COUNT(fake.vars);
  scene->values_known = true;
}

static void fill_warps(Scene *scene, int warps) {
  scene->warp_count = warps;
  for (int w = 0; w < warps; w++) {
    TraceWarp *warp = &scene->warps[w];
    *warp = (TraceWarp){.live = UINT32_MAX, .active = UINT32_MAX, .events = 40};
    scene->warp_line[w] = w < 6 ? BAR_LINE : 16;
    if (w > 0 && w < 6) warp->waiting = UINT32_MAX;
    if (w == 0) warp->active = 0xffff, scene->warp_line[0] = CURRENT_LINE;
    if (w == 10) warp->live = 0;
    if (w == 11) warp->live = 0x3fffff, warp->waiting = 0xff;
    if (w == 12) warp->events = 0, warp->active = 0, scene->warp_line[w] = 0;
  }
}

static void fill_arrays(Scene *scene) {
  fake.arrays[0] = (SceneArray){.name = "x",
                                .type = "float[9302]",
                                .space = TRACE_GLOBAL,
                                .kind = PTX_DW_FLOAT,
                                .elem_size = 4,
                                .count = 9302,
                                .base = 0x7f0000c00};
  fake.arrays[1] = (SceneArray){.name = "tsum",
                                .type = "float[256]",
                                .space = TRACE_SHARED,
                                .kind = PTX_DW_FLOAT,
                                .elem_size = 4,
                                .count = 256,
                                .touched = true,
                                .touched_first = 16,
                                .touched_last = 31};
  scene->arrays = fake.arrays;
  scene->array_count = 2;
}

static void fill_event(Scene *scene) {
  for (int lane = 0; lane < 32; lane++) scene->addr[lane] = (uint64_t)(lane + 16) * 4;
  scene->event = (TraceEvent){.step = 1184,
                              .block = 3,
                              .kind = TRACE_LOAD,
                              .active = 0xffff,
                              .mask = 0xffff,
                              .space = TRACE_SHARED,
                              .width = 4,
                              .addr = scene->addr};
  scene->step = 1184;
  scene->line = CURRENT_LINE;
  scene->so_far_known = true;
  uint64_t *v = scene->so_far.value;
  v[COUNTER_WARP_INSTRUCTIONS] = 1000, v[COUNTER_THREAD_INSTRUCTIONS] = 25920;
  v[COUNTER_GLOBAL_LOAD_REQUESTS] = 32, v[COUNTER_GLOBAL_LOAD_SECTORS] = 128, v[COUNTER_GLOBAL_LOAD_BYTES] = 4096;
  v[COUNTER_SHARED_LOAD_INSTRUCTIONS] = 12, v[COUNTER_BARRIERS] = 5, v[COUNTER_DIVERGENT_BRANCHES] = 3;
  snprintf(scene->sentence, sizeof scene->sentence,
           "Lanes 0-15 each read one 4-byte word of tsum, 64 bytes on: 16 words in 16 different banks. One wavefront, "
           "no conflict. "
           "Half of the warp is masked off: 16 lanes do work, 16 wait for them.");
}

static void load_source(void) {
  LsErr err;
  fake.text = ls_file_read(LS_SOURCE_DIR "/kernels/reduce2.cu", 1 << 20, NULL, &err);
  char *p = fake.text;
  for (fake.line_count = 0; p && *p && fake.line_count < MAX_LINES;) {
    fake.lines[fake.line_count++] = p;
    p += strcspn(p, "\n");
    if (*p) *p++ = 0;
  }
}

Session *fake_session_new(int warps) {
  memset(&fake, 0, sizeof fake);
  load_source();
  fill_warps(&fake.scene, warps);
  fill_vars(&fake.scene);
  fill_arrays(&fake.scene);
  fill_event(&fake.scene);
  Session *session = ls_alloc(sizeof *session);
  Run *run = ls_alloc(sizeof *run);
  TraceInfo *info = &run->info;
  info->device = "emu", info->device_name = "emulator", info->sched = "its", info->profile = "h200";
  info->title = "reduce2", info->kernel = "reduce2", info->code = "written";
  launch_init(&info->launch);
  info->launch.grid[0] = 4;
  info->launch.block[0] = (uint32_t)warps * 32;
  *session = (Session){.run = run,
                       .step = 1184,
                       .steps = 9302,
                       .block = 3,
                       .lane = -1,
                       .focus = FOCUS_BANKS,
                       .focus_auto = true,
                       .array_shown = -1,
                       .var_shown = -1};
  return session;
}

void fake_session_free(Session *session) {
  free(fake.text);
  free(session->run);
  free(session);
}

const Scene *ses_scene(Session *session) { (void)session; return &fake.scene; }

int ses_source_lines(Session *session, const char *const **lines, const char **path) {
  (void)session;
  *lines = fake.lines;
  *path = "kernels/reduce2.cu";
  return fake.line_count;
}

int ses_line_of(const Session *session, int pc, int *file) {
  (void)session, (void)pc;
  *file = -1;
  return 0;
}

int ses_source_top(Session *session, int rows) {
  (void)session;
  return LS_CLAMP(CURRENT_LINE - rows * 2 / 3, 0, LS_MAX(fake.line_count - rows, 0));
}

int ses_lanes_top(Session *session, int rows) { (void)rows; return session->warp; }
int ses_ptx_top(Session *session, int rows) { (void)session, (void)rows; return 0; }
int ses_ptx_rows(Session *session) { (void)session; return 3; }

const char *ses_ptx_row(Session *session, int row, int *pc, bool *current) {
  static const char *const text[] = {"add.s32 %r9, %r3, %r7;", "ld.shared.f32 %f4, [%rd8];", "add.f32 %f5, %f3, %f4;"};
  (void)session;
  *pc = 40 + row;
  *current = row == 1;
  return text[row];
}

const char *ses_margin_name(int margin) { (void)margin; return "active lanes"; }
bool ses_margin_average(int margin) { return margin < 2; }

bool ses_margin_value(Session *session, int line, double *value, bool *alarming) {
  (void)session;
  *alarming = line == CURRENT_LINE;
  *value = line == CURRENT_LINE ? 16 : 32;
  return line > 7 && line != 9 && line != 12 && line < 20;
}

static const char *const sizes[] = {"32", "64", "128", "256", "512", "1024"};
static RecipeParam params[] = {
    {.name = "N", .help = "elements to add", .fallback = 4096, .min = 1, .max = 1 << 24, .log2 = true, .step = 1},
    {.name = "blocks", .help = "blocks of the grid, one sum each", .fallback = 4, .min = 1, .max = 65535, .log2 =
     true, .step = 1},
    {.name = "threads", .help = "threads per block, a power of 2", .fallback = 3, .choices = (const char **)sizes,
     .choice_count = 6, .step = 1},
};
static const Recipe recipe = {
    .name = "reduce2", .title = "Reduction tree in shared memory", .params = params, .param_count = 3};

uint64_t ses_array_read(Session *session, const SceneArray *array, uint64_t first, uint64_t count, uint64_t *bits,
                        uint8_t *init) {
  (void)session, (void)array;
  for (uint64_t i = 0; i < count; i++) {
    bits[i] = float_bits((float)((first + i) * 37 % 101) / 2.0f);
    init[i] = first + i < 40;
  }
  return count;
}

bool ses_line_faults(Session *session, int line) { (void)session, (void)line; return false; }
char ses_line_finding(Session *session, int line) { (void)session, (void)line; return 0; }
const Findings *ses_findings(const Session *session) { return (void)session, NULL; }
int ses_finding_count(Session *session) { return (void)session, 0; }
const Finding *ses_finding(Session *session, int row) { return (void)session, (void)row, NULL; }
char ses_finding_mark(const Finding *finding) { return (void)finding, 0; }
bool ses_go_finding(Session *session, int row) { return (void)session, (void)row, false; }
void ses_title_found(const Session *session, bool brief, LsText *out) { (void)session, (void)brief, (void)out; }

int ses_groups(Session *session, SimGroup *groups, int room) {
  (void)session;
  if (room < 2) return 0;
  groups[0] = (SimGroup){0xffff0000, 50, 60, false};
  groups[1] = (SimGroup){0x0000ffff, 41, 60, false};
  return 2;
}

int ses_registers(Session *session, LsText *out) {
  (void)session;
  ls_text_add(out, "%r3 b32 16\n%r7 b32 5\n%f4 f32 39.5\n%p1 pred true\n");
  return 4;
}

void ses_time_bar(Session *session, int columns, SesBar *bar, int *cursor_column) {
  for (int i = 0; i < columns; i++)
    bar[i] = (SesBar){.height = (uint8_t)((i * i / 3) % 4),
                      .mark = i % 41 == 40 ? 'd' : i % 23 == 22 ? 'b' : i == 70 ? '!' : 0};
  *cursor_column = (int)((uint64_t)columns * session->step / session->steps);
}

const RunRequest *ses_request(const Session *session) {
  RunRequest *request = &session->run->request;
  request->recipe = &recipe;
  recipe_defaults(&recipe, &request->values);
  return request;
}

// The three parameters and what follows them in a real run.
static const SesParam param_rows[] = {
    {"N", "4096", "1 .. 16777216", true, 0.5}, {"blocks", "4", "1 .. 65535", true, 0.13},
    {"threads", "256", "32 .. 1024", true, 0.6},
    {"sched", "its", "its .. stack", true, 0}, {"profile", "h200", "g80 .. b200", true, 0.9},
};
bool ses_plays(const Session *session) { return session->playing; }
void ses_play_stop(Session *session) { session->playing = false; }
int ses_param_count(const Session *session) { (void)session; return (int)(sizeof param_rows / sizeof *param_rows); }

bool ses_param(const Session *session, int row, SesParam *out) {
  bool known = row >= 0 && row < ses_param_count(session);
  if (known) *out = param_rows[row];
  return known;
}

Session *ses_peer(Session *session) { return session->peer; }
int ses_compare_count(Session *session) { (void)session; return 2; }
const char *ses_compare_choice(Session *session, int row) {
  (void)session;
  return row ? "reduce3: any block size" : "this kernel as compiled";
}
const Difference *ses_difference(Session *session) {
  (void)session;
  return NULL;
}

bool ses_difference_waits(const Session *session) {
  (void)session;
  return false;
}

bool ses_waves_wait(const Session *session) {
  (void)session;
  return false;
}

const WaveChart *ses_wave_chart(Session *session) {
  static WaveChart chart;   // a computed chart owns nothing
  (void)session;
  wavechart_computed(2500, 132, 8, &chart);
  return &chart;
}

void ses_wave_view(Session *session, Rect rect, WaveView *view) {
  waveview_place(ses_wave_chart(session), &session->waves, session->block, rect, view);
}

void ses_wave_words(Session *session, const WaveView *view, LsText *out) {
  (void)session;
  ls_text_addf(out, "block %u", view->cursor.block);
}

void ses_waves_words(Session *session, LsText *out) { waveview_words(ses_wave_chart(session), out); }

static const SesRow fault_rows[] = {
    {"uninitialized", "thread (0,0,0) of block (0,0,0) reads 4 bytes at ts[0], which nobody has written; reduce2.cu:18",
     WHEN_BEFORE, 0, GRADE_FAULT},
    {"race", "thread (32,0,0) of block (7,0,0) reads ts[40], which thread (8,0,0) writes with no barrier in between; reduce2.cu:18",
     WHEN_NOT_RECORDED, 0, GRADE_FAULT},
    {"exited_lanes", "block (0,0,0): lanes 0-7 of warp 1 come to a block barrier without lanes 8-31, which have ended; "
     "reduce2.cu:18",
     WHEN_AFTER, 0, GRADE_NOTE},
};
static const SesRow output_rows[] = {
    {"block 3 thread 0", "the sum of block 3 begins", WHEN_BEFORE, 0, GRADE_FAULT},
    {"block 3 thread 32", "half way", WHEN_HERE, 0, GRADE_FAULT},
    {"block 3 thread 64", "nearly done", WHEN_AFTER, 0, GRADE_FAULT},
    {"block 4 thread 0", "the next one", WHEN_NOT_RECORDED, 0, GRADE_FAULT},
};
static bool row_of(const SesRow *rows, int count, int row, SesRow *out) {
  if (row >= 0 && row < count) *out = rows[row];
  return row >= 0 && row < count;
}

int ses_fault_count(Session *session) { return (void)session, LS_COUNT(fault_rows); }
bool ses_fault_row(Session *session, int row, SesRow *out) {
  return (void)session, row_of(fault_rows, LS_COUNT(fault_rows), row, out);
}
void ses_fault_words(Session *session, int row, LsText *out) {
  (void)session, (void)row;
  ls_text_addf(out, "Block 7 is not recorded: Enter runs the kernel again and records it (as --blocks 7 does). %s.",
               fault_rows[1].text);
}
int ses_print_count(Session *session) { return (void)session, LS_COUNT(output_rows); }
bool ses_print_row(Session *session, int row, SesRow *out) {
  return (void)session, row_of(output_rows, LS_COUNT(output_rows), row, out);
}
bool ses_title_news(const Session *session, bool brief, LsText *out) {
  (void)session;
  ls_text_add(out, brief ? "▲ 2 faults" : "▲ 2 faults · ! lists them");
  return true;
}

void ses_print_words(Session *session, int row, LsText *out) {
  (void)session, (void)row;
  ls_text_add(out, "Enter goes to step 1184.");
}

void ses_param_help(const Session *session, int row, LsText *out) { (void)session, ls_text_add(out, params[row].help); }
int ses_warps(const Session *session) { return (void)session, 8; }
uint64_t ses_grid_blocks(const Session *session) { return (void)session, 4; }

// What a picture never asks for: keys do.
bool ses_command(Session *session, const Command *command) { return (void)session, (void)command, false; }
bool ses_find(Session *session, const char *text) { return (void)session, (void)text, false; }
bool ses_go_fault(Session *session, int row) { return (void)session, (void)row, false; }
int ses_step_count(Session *session) { return (void)session, 0; }
int ses_step_here(const Session *session) { return (void)session, 0; }
bool ses_step(Session *session, int row, SesStep *out) { return (void)session, (void)row, (void)out, false; }
void ses_program_words(Session *session, LsText *out) { (void)session, (void)out; }
void ses_step_words(Session *session, int row, LsText *out) { (void)session, (void)row, (void)out; }
bool ses_shows_pairs(const Session *session) { return (void)session, false; }
bool ses_pairs(const Session *session, ProgramPairs *pairs) { return (void)session, (void)pairs, false; }
bool ses_go_pair(Session *session, int row) { return (void)session, (void)row, false; }
int ses_launch(const Session *session) { return (void)session, 0; }
bool ses_go_launch_of(Session *session, const char *name) { return (void)session, (void)name, false; }
bool ses_go_step(Session *session, int row) { return (void)session, (void)row, false; }
int ses_outcome_count(Session *session) { return (void)session, 0; }
bool ses_outcome_row(Session *session, int row, SesRow *out) { return (void)session, (void)row, (void)out, false; }
void ses_outcomes_words(Session *session, LsText *out) { (void)session, (void)out; }
void ses_outcome_words(Session *session, int row, LsText *out) { (void)session, (void)row, (void)out; }
bool ses_go_outcome(Session *session, int row) { return (void)session, (void)row, false; }
bool ses_go_print(Session *session, int row) { return (void)session, (void)row, false; }
bool ses_param_is_signed(const Session *session, int row) { return (void)session, (void)row, false; }
bool ses_param_type(Session *session, int row, const char *text) { return (void)session, (void)row, (void)text, false; }
bool ses_can_rerun(Session *session) { return (void)session, true; }
bool ses_make_choices(Session *session) { return (void)session, true; }
void ses_free_choices(Session *session) { (void)session; }
bool ses_compare_with(Session *session, int row) { return (void)session, (void)row, false; }
void ses_close_compare(Session *session) { (void)session; }
void ses_say(Session *session, const char *format, ...) { (void)session, (void)format; }
bool ses_complain(Session *session, const char *format, ...) { return (void)session, (void)format, true; }

// ---- a small catalog and a small course
// ------------------------------------------------------------------------------

static const char *lessons[] = {"L14"};
static const Recipe book_recipes[] = {
    {.name = "bcast",
     .title = "Broadcast in a warp",
     .topic = "warp",
     RECIPE_ONE_FORM("bcast.cu"),
     .about = "One lane gives its value to all."},
    {.name = "histogram",
     .title = "Histogram",
     .topic = "atomics",
     RECIPE_ONE_FORM("histogram.cu"),
     .about = "Lanes queue on the same address."},
    {.name = "reduce2",
     .title = "Reduction tree in shared memory",
     .topic = "reduction",
     RECIPE_ONE_FORM("reduce2.cu"),
     .params = params,
     .param_count = 3,
     .lessons = lessons,
     .lesson_count = 1,
     .about =
         "Every thread collects a partial sum, then the block halves them: the lower half adds the upper half, with a "
         "barrier at each level."},
};

static int book_count(RecipeBook *book) { (void)book; return LS_COUNT(book_recipes); }
static const char *book_name(RecipeBook *book, int index) { (void)book; return book_recipes[index].name; }

static const Recipe *book_get(RecipeBook *book, const char *name, LsErr *err) {
  (void)book;
  for (int i = 0; i < LS_COUNT(book_recipes); i++)
    if (strcmp(book_recipes[i].name, name) == 0) return &book_recipes[i];
  ls_fail(err, LS_EREQUEST, "there is no kernel %s", name);
  return NULL;
}

RecipeBook *fake_book(void) {
  static RecipeBook book = {book_count, book_name, book_get, NULL, book_count, NULL};
  return &book;
}

Course *fake_course(void) {
  static const char *kernels[] = {"reduce2", "bcast"}, *needs[] = {"L01"};
  static CourseLesson rows[] = {
      {.id = "L01",
       .name = "hello",
       .title = "Hello, GPU",
       .glimpse = "One lit lane, then a whole warp.",
       .minutes = 20,
       .steps = 10,
       .questions = 3,
       .file = "hello.lua"},
      {.id = "L02",
       .name = "warps",
       .title = "Warps and SIMT",
       .glimpse = "How a block folds into warps.",
       .kernels = kernels,
       .kernel_count = 2,
       .needs = needs,
       .need_count = 1,
       .minutes = 30,
       .steps = 20,
       .questions = 6,
       .file = "warps.lua"},
      {.id = "L03", .name = "banks", .title = "Banks", .glimpse = "32 banks, one word each at a time.", .minutes = 35},
  };
  static Course course = {"CUDA, seen from inside a warp", rows, LS_COUNT(rows), .open = NULL};
  return &course;
}
