// panel_launches.c: the steps of a program in a table, from which its launches are opened.
#include <stdio.h>
#include <string.h>

#include "app/run/program_run.h"
#include "base/mem.h"
#include "ui/panels/list_panel.h"
#include "ui/views/view.h"

enum { WORDS_ROWS = 4, BLOCK_FROM = 100, PAGE_ROWS = 8, MARK_X = 3, STEP_X = 4, NUMBER_W = 7, NAME_LEAST = 8,
       INDENT = 2, MOST_INDENT = 8 };   // of children: deeper ones say it by their number

// The columns behind the name, from right to left in the order of the table; the width is that of the head at least.
typedef enum Column { COL_FINDINGS, COL_FAULTS, COL_TIME, COL_STREAM, COL_BLOCK, COL_GRID, COLUMNS } Column;
static const struct { const char *head; int width; } columns[COLUMNS] = {
    [COL_FINDINGS] = {"findings", 8}, [COL_FAULTS] = {"faults", 6}, [COL_TIME] = {"time", 8},
    [COL_STREAM] = {"stream", 8}, [COL_BLOCK] = {"block", 9}, [COL_GRID] = {"grid", 9},
};

// Where each column ends; of one that is not shown 0. Returns where the name ends.
static int place_columns(Rect body, int end[COLUMNS]) {
  int x = body.x + body.w - 1;
  for (int i = 0; i < COLUMNS; i++) {
    end[i] = i == COL_BLOCK && body.w < BLOCK_FROM ? 0 : x;
    if (end[i]) x -= columns[i].width + PANEL_GAP;
  }
  return x;
}

static int name_x(Rect body) { return body.x + STEP_X + 2 * NUMBER_W; }

static void draw_heads(Canvas *canvas, Rect body, const int end[COLUMNS]) {
  canvas_text_right(canvas, body.x + STEP_X + NUMBER_W - 2, body.y, ROLE_DIM, 0, "step");
  canvas_text_right(canvas, name_x(body) - 2, body.y, ROLE_DIM, 0, "launch");
  canvas_text(canvas, name_x(body), body.y, ROLE_DIM, 0, "kernel");
  for (int i = 0; i < COLUMNS; i++)
    if (end[i]) canvas_text_right(canvas, end[i], body.y, ROLE_DIM, 0, columns[i].head);
}

static void put(Canvas *canvas, int end, int width, int y, Role role, const char *text) {
  if (!end) return;
  int wide = LS_MIN(ls_utf8_width(text), width);
  canvas_text_cut(canvas, end - wide, y, width, role, 0, text);
}

static void draw_counts(Canvas *canvas, const SesStep *step, int y, const int end[COLUMNS]) {
  char text[24];
  snprintf(text, sizeof text, "▲ %d", step->faults);
  if (step->faults) put(canvas, end[COL_FAULTS], columns[COL_FAULTS].width, y, ROLE_ALARM, text);
  snprintf(text, sizeof text, "%d", step->findings);
  if (step->findings > 0) put(canvas, end[COL_FINDINGS], columns[COL_FINDINGS].width, y, ROLE_WASTED, text);
}

static void draw_step(Session *session, Canvas *canvas, Rect body, int row, int y) {
  int end[COLUMNS], name_end = place_columns(body, end);
  SesStep step;
  char number[24];
  if (!ses_step(session, row, &step)) return;
  bool chosen = row == session->pick, here = step.when == WHEN_HERE;
  Role role = step.launch ? ROLE_TEXT : ROLE_DIM;
  if (chosen) panel_draw_chosen(canvas, body, y);
  if (here) canvas_put(canvas, body.x + MARK_X + (chosen ? 1 : 0), y, 0x25cf, ROLE_CURSOR, STYLE_BOLD);
  snprintf(number, sizeof number, "%d", step.step);
  if (step.step) canvas_text_right(canvas, body.x + STEP_X + NUMBER_W - 2, y, ROLE_DIM, 0, number);
  Role number_role = here ? ROLE_CURSOR : ROLE_TEXT;
  int indent = INDENT * LS_MIN(step.depth, MOST_INDENT), name_begin = name_x(body) + indent;
  if (step.launch && !step.depth) canvas_text_right(canvas, name_x(body) - 2, y, number_role, 0, step.number);
  if (step.depth) name_begin = canvas_text(canvas, name_begin, y, number_role, 0, step.number) + 1;
  int next = step.launch ? end[COL_BLOCK] ? name_end : end[COL_GRID] - ls_utf8_width(step.grid) - PANEL_GAP
                         : end[COL_STREAM] - LS_MIN(ls_utf8_width(step.stream), columns[COL_STREAM].width) - PANEL_GAP;
  int room = next - name_begin;     // a name goes on into what the next columns leave empty
  canvas_text_cut(canvas, name_begin, y, room, role, chosen ? STYLE_BOLD : 0, step.name);
  if (step.launch) {
    put(canvas, end[COL_GRID], columns[COL_GRID].width, y, role, step.grid);
    put(canvas, end[COL_BLOCK], columns[COL_BLOCK].width, y, role, step.block);
  }
  put(canvas, end[COL_STREAM], columns[COL_STREAM].width, y, ROLE_DIM, step.stream);
  put(canvas, end[COL_TIME], columns[COL_TIME].width, y, role, step.time);
  draw_counts(canvas, &step, y, end);
}

static void draw_words(Session *session, Canvas *canvas, Rect words) {
  LsText text = {0};
  ses_step_words(session, session->pick, &text);
  int needed = canvas_text_wrap(canvas, (Rect){words.x, words.y, words.w, 0}, 0, ROLE_TEXT, 0, ls_text_str(&text));
  bool more = needed > words.h;
  session->list_skip = LS_CLAMP(session->list_skip, 0, LS_MAX(needed - words.h + more, 0));
  words.h -= more;
  canvas_text_wrap(canvas, words, session->list_skip, ROLE_TEXT, 0, ls_text_str(&text));
  const char *how = canvas->ascii ? "left right: more" : "←→ more";
  if (more) canvas_text(canvas, words.x, words.y + words.h, ROLE_CURSOR, 0, how);
  ls_text_free(&text);
}

// How many rows of the table are shown, and the first of them.
static int table_rows(const Session *session, Rect body, int count, int *first) {
  int room = LS_MAX(body.h - 2 - WORDS_ROWS, 1), rows = LS_MIN(room, count);
  *first = LS_CLAMP(session->pick - rows / 2, 0, count - rows);
  return rows;
}

static void draw_pairs(Session *session, Canvas *canvas, Rect rect);

static void draw(Session *session, Canvas *canvas, Rect rect) {
  int count = ses_step_count(session), end[COLUMNS], first;
  LsText whole = {0};
  canvas_fill(canvas, rect, ' ', ROLE_NONE, 0);
  canvas_background(canvas, rect, ROLE_NONE);
  if (ses_shows_pairs(session)) {
    draw_pairs(session, canvas, rect);
    return;
  }
  ses_program_words(session, &whole);
  Rect body = view_rule(canvas, rect, "program", ls_text_str(&whole));
  ls_text_free(&whole);
  session->pick = LS_CLAMP(session->pick, 0, LS_MAX(count - 1, 0));   // another run may have fewer
  int rows = table_rows(session, body, count, &first);
  place_columns(body, end);
  draw_heads(canvas, body, end);
  for (int i = 0; i < rows; i++) draw_step(session, canvas, body, first + i, body.y + 1 + i);
  int below = count - first - rows, y = body.y + 1 + rows;
  if (below > 0) canvas_textf(canvas, name_x(body), y, ROLE_DIM, 0, "▾ %d more", below);
  draw_words(session, canvas, (Rect){body.x + 2, y + 1, body.w - 4, LS_MAX(body.y + body.h - y - 1, 0)});
}

// ---- two programs --------------------------------------------------------------------------------------------------

enum { PAIR_NUMBER_W = 7, PAIR_VALUE_W = 9, PAIR_RATIO_W = 7, PAIR_VALUES = 2 };

static uint64_t sectors_of(const CounterSet *c) {
  return c->value[COUNTER_GLOBAL_LOAD_SECTORS] + c->value[COUNTER_GLOBAL_STORE_SECTORS] +
         c->value[COUNTER_GLOBAL_RED_SECTORS] + c->value[COUNTER_GLOBAL_ATOM_SECTORS];
}

static const CounterSet *counters_of(const ProgramRun *run, int launch) {
  const ProgramLaunch *of = program_run_at(run, launch, NULL);
  return of ? &of->counters : NULL;
}

// "3", and of "1.2.1.1.2" as much of the end as has room.
static void pair_number(const HostProgram *program, int number, char *out, size_t size) {
  LsText name = {0};
  if (number) program_launch_name(program, program_launch_step(program, number), &name);
  else ls_text_add(&name, "-");
  const char *text = ls_text_str(&name);
  int room = PAIR_NUMBER_W - 1;
  if ((int)name.length <= room) snprintf(out, size, "%s", text);
  else snprintf(out, size, "…%s", text + name.length - (size_t)(room - 1));
  ls_text_free(&name);
}

// Where the values of a table of pairs begin: warp instructions of both sides and their ratio, then sectors.
static int pair_values_x(Rect body) { return body.x + body.w - 1 - PAIR_VALUES * (2 * PAIR_VALUE_W + PAIR_RATIO_W); }

static void put_value(Canvas *canvas, int end, int y, const uint64_t *value) {
  char text[32];
  if (!value) snprintf(text, sizeof text, "-");
  else if (*value < 1000000) ls_group_digits(*value, text);
  else if (*value < 1000000000) snprintf(text, sizeof text, "%.3gM", (double)*value / 1e6);
  else snprintf(text, sizeof text, "%.3gG", (double)*value / 1e9);
  canvas_text_right(canvas, end, y, value ? ROLE_TEXT : ROLE_DIM, 0, text);
}

static void put_ratio(Canvas *canvas, int end, int y, uint64_t a, uint64_t b) {
  char text[32];
  double ratio = a ? (double)b / (double)a : 0;
  if (a == b) snprintf(text, sizeof text, "=");
  else if (!a || !b) snprintf(text, sizeof text, "%s", a ? "gone" : "new");
  else snprintf(text, sizeof text, ratio < 9.95 ? "%.2f×" : "%.0f×", ratio);
  canvas_text_right(canvas, end, y, a == b ? ROLE_DIM : b < a ? ROLE_GOOD : ROLE_WAITING, 0, text);
}

static void draw_values(Canvas *canvas, Rect body, int y, const CounterSet *left, const CounterSet *right) {
  for (int i = 0; i < PAIR_VALUES; i++) {
    int x = pair_values_x(body) + i * (2 * PAIR_VALUE_W + PAIR_RATIO_W);
    uint64_t a = left ? i ? sectors_of(left) : left->value[COUNTER_WARP_INSTRUCTIONS] : 0;
    uint64_t b = right ? i ? sectors_of(right) : right->value[COUNTER_WARP_INSTRUCTIONS] : 0;
    put_value(canvas, x + PAIR_VALUE_W, y, left ? &a : NULL);
    put_value(canvas, x + 2 * PAIR_VALUE_W, y, right ? &b : NULL);
    if (left && right) put_ratio(canvas, x + 2 * PAIR_VALUE_W + PAIR_RATIO_W, y, a, b);
  }
}

static void draw_pair_heads(Canvas *canvas, Rect body) {
  static const char *const heads[] = {"warp instructions", "sectors"};
  canvas_text_right(canvas, body.x + STEP_X + PAIR_NUMBER_W - 2, body.y + 1, ROLE_DIM, 0, "here");
  canvas_text_right(canvas, body.x + STEP_X + 2 * PAIR_NUMBER_W - 1, body.y + 1, ROLE_DIM, 0, "beside");
  canvas_text(canvas, body.x + STEP_X + 2 * PAIR_NUMBER_W + 1, body.y + 1, ROLE_DIM, 0, "kernel");
  for (int i = 0; i < PAIR_VALUES; i++) {
    int x = pair_values_x(body) + i * (2 * PAIR_VALUE_W + PAIR_RATIO_W);
    canvas_text_right(canvas, x + 2 * PAIR_VALUE_W, body.y, ROLE_DIM, 0, heads[i]);
    canvas_text_right(canvas, x + PAIR_VALUE_W, body.y + 1, ROLE_DIM, 0, "here");
    canvas_text_right(canvas, x + 2 * PAIR_VALUE_W, body.y + 1, ROLE_DIM, 0, "beside");
  }
}

static void draw_pair(Session *session, Canvas *canvas, Rect body, const ProgramPair *pair, bool chosen, int y) {
  const ProgramRun *left = session->run->whole, *right = session->other->whole;
  const ProgramRun *named = pair->left ? left : right;
  const char *kernel = named->program.steps[program_launch_step(&named->program,
                                                                pair->left ? pair->left : pair->right)].kernel;
  char numbers[2][16];
  int kernel_x = body.x + STEP_X + 2 * PAIR_NUMBER_W + 1;
  if (chosen) panel_draw_chosen(canvas, body, y);
  pair_number(&left->program, pair->left, numbers[0], sizeof numbers[0]);
  pair_number(&right->program, pair->right, numbers[1], sizeof numbers[1]);
  bool here = pair->left && pair->left == ses_launch(session);
  if (here) canvas_put(canvas, body.x + MARK_X + (chosen ? 1 : 0), y, 0x25cf, ROLE_CURSOR, STYLE_BOLD);
  canvas_text_right(canvas, body.x + STEP_X + PAIR_NUMBER_W - 2, y, here ? ROLE_CURSOR : ROLE_TEXT, 0, numbers[0]);
  canvas_text_right(canvas, body.x + STEP_X + 2 * PAIR_NUMBER_W - 1, y, ROLE_TEXT, 0, numbers[1]);
  canvas_text_cut(canvas, kernel_x, y, pair_values_x(body) - kernel_x, ROLE_TEXT, chosen ? STYLE_BOLD : 0, kernel);
  draw_values(canvas, body, y, counters_of(left, pair->left), counters_of(right, pair->right));
}

static void draw_pairs(Session *session, Canvas *canvas, Rect rect) {
  enum { HEADS = 2, BELOW = 6 };   // below: all launches, an empty row, and words
  ProgramPairs pairs;
  LsText words = {0};
  if (!ses_pairs(session, &pairs)) return;
  Rect body = view_rule(canvas, rect, "launches of both programs", session->other_label);
  session->pick = LS_CLAMP(session->pick, 0, LS_MAX(pairs.count - 1, 0));
  int rows = LS_MIN(LS_MAX(body.h - HEADS - BELOW, 1), pairs.count), y = body.y + HEADS;
  int first = LS_CLAMP(session->pick - rows / 2, 0, pairs.count - rows);
  draw_pair_heads(canvas, body);
  for (int i = 0; i < rows; i++, y++)
    draw_pair(session, canvas, body, &pairs.items[first + i], first + i == session->pick, y);
  int more = pairs.count - first - rows;
  canvas_text_right(canvas, body.x + STEP_X + 2 * PAIR_NUMBER_W - 1, y, ROLE_DIM, 0, "all launches");
  draw_values(canvas, body, y++, &session->run->whole->counters, &session->other->whole->counters);
  if (more > 0) canvas_textf(canvas, body.x + STEP_X + 2 * PAIR_NUMBER_W, y, ROLE_DIM, 0, "▾ %d more", more);
  program_pairs_words(&pairs, &words);
  canvas_text_wrap(canvas, (Rect){body.x + 2, y + 1, body.w - 4, LS_MAX(body.y + body.h - y - 1, 0)}, 0, ROLE_TEXT, 0,
                   ls_text_str(&words));
  ls_text_free(&words);
  program_pairs_fini(&pairs);
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static int row_count(Session *session) {
  ProgramPairs pairs;
  if (!ses_pairs(session, &pairs)) return ses_step_count(session);
  int count = pairs.count;
  program_pairs_fini(&pairs);
  return count;
}

// The row of the pair of the launch that is open.
static int pair_here(Session *session) {
  ProgramPairs pairs;
  int row = 0;
  if (!ses_pairs(session, &pairs)) return 0;
  for (int i = 0; i < pairs.count; i++)
    if (pairs.items[i].left == ses_launch(session)) row = i;
  program_pairs_fini(&pairs);
  return row;
}

static bool open(Session *session) {
  if (!ses_step_count(session)) {
    ses_say(session, "this is one launch, and no program of several");
    return false;
  }
  session->pick = ses_shows_pairs(session) ? pair_here(session) : ses_step_here(session);
  return true;
}

static bool choose(Session *session) {
  int row = session->pick;
  bool pairs = ses_shows_pairs(session);
  ses_close_panel(session);
  return pairs ? ses_go_pair(session, row) : ses_go_step(session, row);
}

static bool key(Session *session, uint32_t code) {
  int last = LS_MAX(row_count(session) - 1, 0), by = 0;
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: by = -1; break;
    case CMD_DOWN: by = 1; break;
    case CMD_PAGE_UP: by = -PAGE_ROWS; break;
    case CMD_PAGE_DOWN: by = PAGE_ROWS; break;
    case CMD_FIRST: by = -last; break;
    case CMD_LAST: by = last; break;
    case CMD_STEP_BACK: session->list_skip = LS_MAX(session->list_skip - 1, 0); return true;
    case CMD_STEP_NEXT: session->list_skip++; return true;   // drawing knows where it ends
    case CMD_ENTER: return choose(session);
    case CMD_CANCEL: case CMD_QUIT: case CMD_LAUNCHES: ses_close_panel(session); return true;
    default: return false;
  }
  session->pick = LS_CLAMP(session->pick + by, 0, last);
  session->list_skip = 0;
  return true;
}

// A click chooses a row, on the chosen one it opens it; the wheel moves.
static bool click(Session *session, Rect rect, AppKey mouse) {
  Rect body = {rect.x, rect.y + 1, rect.w, LS_MAX(rect.h - 1, 0)};
  int count = ses_step_count(session), first, rows = table_rows(session, body, count, &first);
  if (mouse.button == 4 || mouse.button == 5) return key(session, mouse.button == 4 ? KEYX_UP : KEYX_DOWN);
  if (ses_shows_pairs(session)) return false;
  int row = mouse.y - body.y - 1;
  if (mouse.button != 1 || row < 0 || row >= rows) return false;
  if (first + row == session->pick) return choose(session);
  session->pick = first + row;
  session->list_skip = 0;
  return true;
}

const SesPanel panel_launches = {
    .place = PANEL_SCREEN, .keys = list_panel_keys, .key_count = LIST_PANEL_KEYS, .open = open, .key = key,
    .click = click, .draw = draw,
};
