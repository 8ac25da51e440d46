// work_pane.c: writes, orders and chooses code, and tries it in the background.
#include "ui/pages/work_pane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/own/editor.h"
#include "base/file.h"
#include "base/mem.h"

enum { SOURCE_LIMIT = 1 << 20 };
static const int RULE = -1;

static bool chooses(const LessonWork *work) { return work->kind != WORK_ORDER && !work_can_compile(); }

// ---- opening -------------------------------------------------------------------------------------------------------

static void order_begin(WorkPane *pane) {
  const LessonWork *work = pane->work;
  int placed = work->text ? work_take_order(work, work->text, pane->order) : 0;
  pane->rows = placed;
  if (placed && work->spare_count) pane->order[pane->rows++] = RULE;
  for (int i = 0; i < work->piece_count; i++) {
    bool there = false;
    for (int k = 0; k < placed; k++) there |= pane->order[k] == work->shuffle[i];
    if (!there) pane->order[pane->rows++] = work->shuffle[i];
  }
  if (!placed && work->spare_count) pane->order[pane->rows++] = RULE;
  pane->chosen = 0;
}

static void stop_watching(WorkPane *pane) {
  watch_free(pane->watch);
  if (pane->path) remove(pane->path);
  free(pane->path);
  pane->watch = NULL;
  pane->path = NULL;
}

void work_pane_fini(WorkPane *pane) {
  job_free(pane->job);
  stop_watching(pane);
  edit_fini(&pane->edit);
  *pane = (WorkPane){0};
}

void work_pane_show(WorkPane *pane, Lesson *lesson) {
  work_pane_fini(pane);
  pane->lesson = lesson;
  pane->work = lesson_work(lesson);
  LessonWork *work = pane->work;
  if (!work) return;
  if (work->state == WORK_RUNNING) work->state = WORK_OPEN;   // it was left
  bool starts = work->kind == WORK_WRITE && !work->text;
  edit_init(&pane->edit, starts ? work->starter : work->text ? work->text : "", work->kind == WORK_FILL);
  pane->edit.cursor = starts || work->kind == WORK_FILL ? strlen(pane->edit.text) : 0;
  if (work->kind == WORK_ORDER) order_begin(pane);
}

char *work_pane_text(const WorkPane *pane) {
  int order[WORK_PIECES], count = 0;
  bool picked = chooses(pane->work) && pane->work->chosen >= 0;
  if (picked) return ls_strdup(work_option(pane->work, pane->work->chosen)->text);
  if (pane->work->kind != WORK_ORDER) return ls_strdup(pane->edit.text);
  for (int i = 0; i < pane->rows && pane->order[i] != RULE; i++) order[count++] = pane->order[i];
  return work_ordered(pane->work, order, count);
}

// ---- trying --------------------------------------------------------------------------------------------------------

static void start_run(WorkPane *pane) {
  RunRequest request;
  if (!lesson_work_wants(pane->lesson, &request)) return;
  pane->job = job_start(&request);
  run_request_fini(&request);
}

static WorkKey try_it(WorkPane *pane) {
  if (pane->job) return WORK_KEY_USED;
  char *text = work_pane_text(pane);
  lesson_work_begin(pane->lesson, text);
  free(text);
  pane->typing = false;
  pane->scroll = 0;
  pane->seconds = 0;
  start_run(pane);
  return WORK_KEY_TRIED;
}

bool work_pane_cancel(WorkPane *pane) {
  if (pane->job) job_cancel(pane->job);
  return pane->job != NULL;
}

// The run that is there is judged, and the next one begins.
static bool take_run(WorkPane *pane, LsErr *err) {
  LsErr why = {0};
  Run *run = job_take(pane->job, &why);
  pane->job = NULL;
  if (!run && why.kind == LS_ECANCEL) return pane->work->state = WORK_OPEN, true;
  if (!lesson_work_give(pane->lesson, run, &why, err)) return false;
  start_run(pane);
  return true;
}

// ---- $EDITOR -------------------------------------------------------------------------------------------------------

char *work_pane_editor(WorkPane *pane, char message[512]) {
  const LessonWork *work = pane->work;
  LsErr err = {0};
  if (!work || work->kind != WORK_WRITE || !work_can_compile() || pane->job) return NULL;
  stop_watching(pane);
  char *folder = ls_xdg_path("CACHE", "lesson");
  pane->path = ls_path_join(folder, work->file);
  char *source = work_source(work, pane->edit.text);
  bool ok = ls_make_dirs(folder, &err) && ls_file_write(pane->path, source, strlen(source), &err);
  free(source);
  free(folder);
  if (!ok) {
    snprintf(message, 512, "%.500s", err.message);
    stop_watching(pane);
    return NULL;
  }
  pane->watch = watch_new(pane->path);
  return editor_command(pane->path, work->first_line);
}

// What stands between the lines that are given. False: these were changed.
static bool take_file(WorkPane *pane) {
  const LessonWork *work = pane->work;
  size_t size, before = strlen(work->before), after = strlen(work->after);
  char *source = ls_file_read(pane->path, SOURCE_LIMIT, &size, NULL);
  bool ok = source && size >= before + after && memcmp(source, work->before, before) == 0 &&
            memcmp(source + size - after, work->after, after) == 0;
  if (ok) {
    source[size - after] = 0;
    edit_set(&pane->edit, source + before);
  }
  free(source);
  return ok;
}

static bool look_at_file(WorkPane *pane) {
  if (!pane->watch || pane->job || watch_look(pane->watch, pane->clock) != WATCH_CHANGED) return false;
  if (take_file(pane)) {
    try_it(pane);
  } else {
    LessonWork *work = pane->work;
    work->state = WORK_FAILED;
    work->message_count = 0;
    snprintf(work->failure, sizeof work->failure,
             "more than the lines that are yours was changed in %s: put the others back, or press E for a fresh file",
             work->file);
  }
  return true;
}

bool work_pane_busy(const WorkPane *pane) { return pane->job || pane->watch; }

bool work_pane_tick(WorkPane *pane, double seconds, bool *ended, LsErr *err) {
  pane->clock += seconds;
  pane->seconds += seconds;
  *ended = false;
  if (!pane->work) return false;
  bool changed = look_at_file(pane);
  if (!pane->job) return changed;
  if (!job_wait(pane->job, 0)) return true;
  if (!take_run(pane, err)) return true;
  *ended = !pane->job;
  return true;
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static bool typing_key(WorkPane *pane, AppKey key, WorkKey *came) {
  *came = WORK_KEY_USED;
  if (key.code == KEY_RETURN_ && pane->work->kind == WORK_FILL) *came = try_it(pane);
  else if (key.code == KEY_ESC_ && pane->work->kind == WORK_WRITE) *came = try_it(pane);
  else if (key.code == KEY_ESC_) pane->typing = false;
  else edit_key(&pane->edit, key.code);
  return true;
}

static void move_line(WorkPane *pane, int by) {
  int to = pane->chosen + by;
  if (to < 0 || to >= pane->rows) return;
  int kept = pane->order[to];
  pane->order[to] = pane->order[pane->chosen];
  pane->order[pane->chosen] = kept;
  pane->chosen = to;
}

static void choose_line(WorkPane *pane, int by) {
  int to = LS_CLAMP(pane->chosen + by, 0, pane->rows - 1);
  if (pane->order[to] == RULE) to = LS_CLAMP(to + by, 0, pane->rows - 1);
  if (pane->order[to] != RULE) pane->chosen = to;
}

static WorkKey order_key(WorkPane *pane, AppKey key) {
  switch (key.code) {
    case KEYX_UP: case 'k': choose_line(pane, -1); break;
    case KEYX_DOWN: case 'j': choose_line(pane, 1); break;
    case KEYX_SHIFT_UP: case 'K': move_line(pane, -1); break;
    case KEYX_SHIFT_DOWN: case 'J': move_line(pane, 1); break;
    case KEY_RETURN_: return try_it(pane);
    default: return WORK_KEY_NONE;
  }
  return WORK_KEY_USED;
}

static WorkKey choice_key(WorkPane *pane, AppKey key) {
  LessonWork *work = pane->work;
  int last = work_options(work) - 1;
  bool number = key.code >= '1' && key.code < '1' + (uint32_t)work_options(work);
  if (number) work->chosen = (int)(key.code - '1');
  else if (key.code == KEYX_UP || key.code == 'k') work->chosen = LS_MAX(work->chosen - 1, 0);
  else if (key.code == KEYX_DOWN || key.code == 'j') work->chosen = LS_MIN(work->chosen + 1, last);
  else if (key.code == KEY_RETURN_ && work->chosen >= 0) return try_it(pane);
  else return WORK_KEY_NONE;
  return WORK_KEY_USED;
}

static WorkKey write_key(WorkPane *pane, AppKey key) {
  if (key.code == KEYX_UP) pane->scroll--;
  else if (key.code == KEYX_DOWN) pane->scroll++;
  else if (key.code == KEY_RETURN_ || key.code == 'i') pane->typing = true, pane->scroll = 0;
  else return WORK_KEY_NONE;
  return WORK_KEY_USED;
}

// What was done may be done again; Enter goes on then.
WorkKey work_pane_key(WorkPane *pane, AppKey key, char message[512]) {
  WorkKey came;
  message[0] = 0;
  if (!pane->work) return WORK_KEY_NONE;
  if (pane->typing && typing_key(pane, key, &came)) return came;
  bool done = !lesson_waits(lesson_current(pane->lesson));
  if (done && key.code == KEY_RETURN_) return WORK_KEY_NONE;
  if (pane->job) return WORK_KEY_NONE;
  if (pane->work->kind == WORK_ORDER) return order_key(pane, key);
  return chooses(pane->work) ? choice_key(pane, key) : write_key(pane, key);
}

// ---- footer --------------------------------------------------------------------------------------------------------

const FooterKey *work_pane_keys(const WorkPane *pane, int *count) {
  static const FooterKey writing[] = {{"⏎", "enter", "write"}, {"t", NULL, "tip"}, {"s", NULL, "skip"},
                                     {"E", NULL, "editor"}, {"o", NULL, "look at the run"},
                                     {"↑↓", "up down", "scroll"}, {"⌫", "backspace", "back"}, {"q", NULL, "leave"}};
  static const FooterKey writing_in[] = {{"⏎", "enter", "write"}, {"t", NULL, "tip"}, {"s", NULL, "skip"},
                                        {"o", NULL, "look at the run"}, {"↑↓", "up down", "scroll"},
                                        {"⌫", "backspace", "back"}, {"q", NULL, "leave"}};
  static const FooterKey trying_lines[] = {{"⏎", "enter", "try it"}, {"↑↓", "up down", "choose"}, {"J", NULL, "down"},
                                          {"K", NULL, "up"}, {"t", NULL, "tip"}, {"s", NULL, "skip"},
                                          {"o", NULL, "look at the run"}, {"⌫", "backspace", "back"},
                                          {"q", NULL, "leave"}};
  static const FooterKey choosing[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "try it"}, {"t", NULL, "tip"},
                                      {"s", NULL, "skip"}, {"o", NULL, "look at the run"},
                                      {"⌫", "backspace", "back"}, {"q", NULL, "leave"}};
  static const FooterKey typing[] = {{"esc", NULL, "try it"}, {"^U", NULL, "undo"}, {"^K", NULL, "cut the line"},
                                    {"tab", NULL, "indent"}};
  static const FooterKey filling[] = {{"⏎", "enter", "try it"}, {"esc", NULL, "leave it"}, {"^U", NULL, "undo"}};
  static const FooterKey worked[] = {{"⏎", "enter", "go on"}, {"o", NULL, "look at the run"}, {"i", NULL, "write on"},
                                    {"⌫", "backspace", "back"}, {"q", NULL, "leave"}};
  const LessonWork *work = pane->work;
#define KEYS(list) (*count = LS_COUNT(list), list)
  if (!work) return NULL;
  if (pane->typing) return work->kind == WORK_FILL ? KEYS(filling) : KEYS(typing);
  if (!lesson_waits(lesson_current(pane->lesson))) return KEYS(worked);
  if (work->kind == WORK_ORDER) return KEYS(trying_lines);
  if (!work_can_compile()) return KEYS(choosing);
  return work->kind == WORK_FILL ? KEYS(writing_in) : KEYS(writing);
#undef KEYS
}
