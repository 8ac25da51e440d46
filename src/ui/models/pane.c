// pane.c: a model with its sliders: keys, clicks, play, and how the rows share the room.
//
//   picture
//   what it says, in words
//   ── parameters ──────────────────────────
//   ▸ threads   256   ───────●──────  1 .. 1024
#include "ui/models/pane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/models/pictures.h"
#include "ui/views/view.h"

enum { NAME_X = 3, GAP = 2, SLIDER_MIN = 8, SLIDER_MOST = 40, TWO_COLUMNS = 100, TWO_NARROW_COLUMNS = 76, MANY_ROWS = 6,
      WORDS_MOST = 6, WORDS_LEAST = 0,
      SLIDERS_LEAST = 2,
       GAP_FROM = 17 };
static const double PLAY_SECONDS = 0.35;   // from one value of the time to the next

void model_pane_init(ModelPane *pane, const Model *model, const ModelValues *values) {
  *pane = (ModelPane){.model = model, .columns = 1};
  if (values) pane->values = *values;
  else model_defaults(model, &pane->values);
  pane->first = pane->values;
}

static int param_count(const ModelPane *pane) { return pane->model->recipe.param_count; }
static int row_count(const ModelPane *pane) { return param_count(pane) + (pane->model->script != NULL); }
static bool on_script(const ModelPane *pane) { return pane->chosen >= param_count(pane); }
static const RecipeParam *param_at(const ModelPane *pane, int row) { return &pane->model->recipe.params[row]; }

// As a slider has it: no wider than the other values allow.
static RecipeParam slider_at(const ModelPane *pane, int row) {
  RecipeParam param = *param_at(pane, row);
  if (!param.choice_count) param.max = model_most(pane->model, &pane->values, row);
  return param;
}

// Lines that the parameters take side by side; the script has one of its own below them.
static int param_rows(const ModelPane *pane, int columns) { return (param_count(pane) + columns - 1) / columns; }

static const char *name_at(const ModelPane *pane, int row) {
  return row < param_count(pane) ? param_at(pane, row)->name : pane->model->script_name;
}

// ---- changes -------------------------------------------------------------------------------------------------------

static void put(ModelPane *pane, int row, int64_t value) {
  bool at_end = model_at_end(pane->model, &pane->values) && row != pane->model->time;
  pane->values.numbers.value[row] = value;
  model_changed(pane->model, &pane->values, at_end);
}

static bool turn(ModelPane *pane, int direction) {
  pane->playing = false;
  if (on_script(pane)) return true;
  RecipeParam param = slider_at(pane, pane->chosen);
  int64_t value = pane->values.numbers.value[pane->chosen];
  if (direction < 0 || param.choice_count || value < param.max)   // what is beyond the slider was typed
    put(pane, pane->chosen, recipe_step_value(&param, value, direction));
  return true;
}

static bool choose(ModelPane *pane, int by) {
  int count = row_count(pane);
  if (count) pane->chosen = (pane->chosen + by + count) % count;
  return true;
}

static bool reset(ModelPane *pane) {
  pane->values = pane->first;
  pane->playing = false;
  return true;
}

static void begin_typing(ModelPane *pane, const char *text) {
  pane->typing = true;
  snprintf(pane->input, sizeof pane->input, "%s", text);
}

static bool finish_typing(ModelPane *pane) {
  char assignment[MODEL_SCRIPT + 64];
  LsErr err = {0};
  pane->typing = false;
  if (!pane->input[0] && !on_script(pane)) return true;
  snprintf(assignment, sizeof assignment, "%.60s=%s", name_at(pane, pane->chosen), pane->input);
  if (!model_set(pane->model, &pane->values, assignment, &err)) snprintf(pane->message, sizeof pane->message, "%.500s",
                                                                         err.message);
  return true;
}

static bool typing_key(ModelPane *pane, uint32_t code) {
  size_t length = strlen(pane->input);
  if (code == KEY_RETURN_) return finish_typing(pane);
  if (code == KEY_ESC_) return pane->typing = false, true;
  if (code == KEY_BACKSPACE_) {
    if (length) pane->input[length - 1] = 0;
    else pane->typing = false;
  } else if (code >= ' ' && code < 127 && length + 1 < sizeof pane->input) {
    pane->input[length] = (char)code;
    pane->input[length + 1] = 0;
  }
  return true;
}

// ---- play ----------------------------------------------------------------------------------------------------------

static bool play(ModelPane *pane) {
  int time = pane->model->time;
  if (time < 0) return false;
  pane->playing = !pane->playing;
  pane->waited = 0;
  int64_t *now = &pane->values.numbers.value[time];
  if (pane->playing && model_time_after(pane->model, &pane->values) == *now) *now = param_at(pane, time)->min;
  return true;
}

bool model_pane_tick(ModelPane *pane, double seconds) {
  if (!pane->playing) return false;
  pane->waited += seconds;
  if (pane->waited < PLAY_SECONDS) return false;
  pane->waited = 0;
  int64_t *now = &pane->values.numbers.value[pane->model->time], next = model_time_after(pane->model, &pane->values);
  pane->playing = next != *now;
  *now = next;
  return true;
}

// ---- keys and clicks -----------------------------------------------------------------------------------------------

// The row of the sliders at a place; -1: none is there.
static int row_at(const ModelPane *pane, int x, int y) {
  int columns = LS_MAX(pane->columns, 1), rows = param_rows(pane, columns), column_w = pane->sliders.w / columns;
  if (x < 0 || y < 0 || x >= pane->sliders.w || y >= pane->sliders.h || column_w <= 0) return -1;
  int line = y + pane->first_row, row = LS_MIN(x / column_w, columns - 1) * rows + line;
  if (line >= rows) row = param_count(pane) + line - rows;
  else if (row >= param_count(pane)) return -1;
  return row < row_count(pane) ? row : -1;
}

static bool click(ModelPane *pane, AppKey key) {
  int x = key.x - pane->sliders.x, row = row_at(pane, x, key.y - pane->sliders.y);
  if (row < 0) return false;
  pane->chosen = row;
  if (key.button == 4 || key.button == 5) return turn(pane, key.button == 4 ? 1 : -1);
  int on = x % (pane->sliders.w / pane->columns) - pane->slider_x;
  if (on_script(pane) || on < 0 || on >= pane->slider_w || pane->slider_w < 2) return true;
  pane->playing = false;
  RecipeParam param = slider_at(pane, row);
  put(pane, row, recipe_value_at(&param, (double)on / (pane->slider_w - 1)));
  return true;
}

static bool begins_value(const ModelPane *pane, uint32_t code) {
  return code >= '0' && code <= '9' && !on_script(pane);
}

bool model_pane_key(ModelPane *pane, AppKey key) {
  uint32_t code = key.code;
  char digit[2] = {(char)code, 0};
  pane->message[0] = 0;
  if (code == KEYX_MOUSE) return (key.button == 1 || key.button >= 4) && click(pane, key);
  if (pane->typing) return typing_key(pane, code);
  if (pane->model->key && pane->model->key(&pane->values, code)) return pane->playing = false, true;
  if (begins_value(pane, code)) return begin_typing(pane, digit), true;
  if (code == 'R') return reset(pane);
  if (code == KEY_TAB_ || code == KEYX_SHIFT_TAB) return choose(pane, code == KEY_TAB_ ? 1 : -1);
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: return choose(pane, -1);
    case CMD_DOWN: return choose(pane, 1);
    case CMD_STEP_BACK: case CMD_SLOWER: return turn(pane, -1);
    case CMD_STEP_NEXT: case CMD_FASTER: return turn(pane, 1);
    case CMD_PLAY: return play(pane);
    case CMD_ENTER: return begin_typing(pane, on_script(pane) ? pane->values.script : ""), true;
    default: return false;
  }
}

// ---- drawing -------------------------------------------------------------------------------------------------------

static void value_text(const ModelPane *pane, int row, LsText *out) {
  if (row < param_count(pane)) recipe_value_text(param_at(pane, row), pane->values.numbers.value[row], out);
  else ls_text_add(out, pane->values.script);
}

static void note_of(const RecipeParam *param, LsText *out) {
  recipe_value_text(param, param->choice_count ? 0 : param->min, out);
  ls_text_add(out, " .. ");
  recipe_value_text(param, param->choice_count ? param->choice_count - 1 : param->max, out);
}

typedef struct Columns { int name, value, note; } Columns;

static Columns measure(const ModelPane *pane) {
  Columns widths = {0, 4, 0};
  LsText text = {0};
  for (int row = 0; row < row_count(pane); row++) {
    widths.name = LS_MAX(widths.name, ls_utf8_width(name_at(pane, row)));
    if (row >= param_count(pane)) continue;
    const RecipeParam *param = param_at(pane, row);
    RecipeParam slider = slider_at(pane, row);
    for (int i = 0; i < param->choice_count; i++) widths.value = LS_MAX(widths.value, ls_utf8_width(param->choices[i]));
    ls_text_clear(&text);
    if (!param->choice_count) recipe_value_text(param, param->max, &text);
    widths.value = LS_MAX(widths.value, ls_utf8_width(ls_text_str(&text)));
    ls_text_clear(&text);
    note_of(&slider, &text);
    widths.note = LS_MAX(widths.note, ls_utf8_width(ls_text_str(&text)));
  }
  ls_text_free(&text);
  return widths;
}

// What is typed, or the text of the script; its end if it is longer than the room.
static void draw_text(const ModelPane *pane, Canvas *canvas, int x, int y, int width, const char *text, bool typing) {
  while (ls_utf8_width(text) > width - 1 && *text) ls_utf8_next(&text);
  int end = canvas_text(canvas, x, y, typing ? ROLE_CURSOR : ROLE_TEXT, STYLE_BOLD, text);
  if (typing) canvas->cursor_x = end, canvas->cursor_y = y, canvas->typing = true;
  else if (!*text) canvas_text_cut(canvas, x, y, width, ROLE_DIM, 0, pane->model->script_help);
}

static void draw_row(ModelPane *pane, Canvas *canvas, Rect cell, int row, Columns widths) {
  bool chosen = row == pane->chosen, typing = chosen && pane->typing;
  LsText value = {0}, note = {0};
  if (chosen) {
    canvas_background(canvas, cell, ROLE_SELECTED);
    canvas_put(canvas, cell.x + 1, cell.y, 0x25b8, ROLE_CURSOR, STYLE_BOLD);
    if (!typing) canvas->cursor_x = cell.x + 1, canvas->cursor_y = cell.y;
  }
  int x = cell.x + NAME_X, y = cell.y, end = cell.x + cell.w - 1;
  canvas_text(canvas, x, y, chosen ? ROLE_TEXT : ROLE_DIM, 0, name_at(pane, row));
  x += widths.name + GAP;
  value_text(pane, row, &value);
  if (row >= param_count(pane) || typing) {
    draw_text(pane, canvas, x, y, end - x, typing ? pane->input : ls_text_str(&value), typing);
  } else {
    canvas_text_right(canvas, x + widths.value, y, ROLE_TEXT, chosen ? STYLE_BOLD : 0, ls_text_str(&value));
    x += widths.value + GAP;
    RecipeParam param = slider_at(pane, row);
    note_of(&param, &note);
    int room = end - x, slider = LS_MIN(room - widths.note - GAP, SLIDER_MOST);
    bool noted = slider >= SLIDER_MIN;
    if (!noted) slider = LS_MIN(room, SLIDER_MOST);
    if (slider >= 2) view_slider(canvas, x, y, slider,
                                  LS_MIN(recipe_share(&param, pane->values.numbers.value[row]), 1.0), chosen);
    pane->slider_x = x - cell.x, pane->slider_w = slider;
    if (noted) canvas_text(canvas, x + slider + GAP, y, ROLE_DIM, 0, ls_text_str(&note));
  }
  ls_text_free(&value);
  ls_text_free(&note);
}

static int column_count(const ModelPane *pane, int cols) {
  int two = row_count(pane) >= MANY_ROWS ? TWO_NARROW_COLUMNS : TWO_COLUMNS;
  return cols >= two && row_count(pane) > 1 ? 2 : 1;
}

static int slider_rows(const ModelPane *pane, int cols) {
  return param_rows(pane, column_count(pane, cols)) + (pane->model->script != NULL);
}

// The help of the chosen row, in the rule above the sliders. Where they have too little room, those around the chosen
// one
// are shown.
static void draw_sliders(ModelPane *pane, Canvas *canvas, Rect rect) {
  char more[32] = "";
  const char *help = on_script(pane) ? pane->model->script_help : param_at(pane, pane->chosen)->help;
  int lines = slider_rows(pane, rect.w), shown = LS_MIN(rect.h - 1, lines);
  if (shown < lines) snprintf(more, sizeof more, "%d of %d", pane->chosen + 1, row_count(pane));
  Rect body = view_rule(canvas, rect, help, more);
  pane->columns = column_count(pane, rect.w);
  int rows = param_rows(pane, pane->columns), column_w = body.w / pane->columns;
  int chosen = on_script(pane) ? rows : pane->chosen % rows;
  pane->first_row = LS_CLAMP(chosen - shown + 1, 0, lines - shown);
  pane->sliders = body;
  Columns widths = measure(pane);
  for (int row = 0; row < row_count(pane); row++) {
    bool script = row >= param_count(pane);
    int y = (script ? rows : row % rows) - pane->first_row, x = script ? 0 : row / rows * column_w;
    Rect cell = {body.x + x, body.y + y, script ? body.w : column_w, 1};
    if (y >= 0 && y < shown) draw_row(pane, canvas, cell, row, widths);
  }
}

// How the rows are shared: the picture gets the least that it needs, the sliders may be a window of SLIDERS_LEAST, the
// words a few rows.
typedef struct Share { int picture, gap, words, sliders; } Share;

static Share share_rows(const ModelPane *pane, Rect rect, int words, bool bare) {
  PictureRoom room = model_room(pane->model, &pane->values, rect.w - 2);
  int sliders = bare || !row_count(pane) ? 0 : slider_rows(pane, rect.w) + 1;
  Share share = {.words = LS_MIN(words, WORDS_MOST), .sliders = sliders};
  share.picture = rect.h - share.words - share.sliders;
  while (share.picture < room.least && share.sliders > SLIDERS_LEAST + 1) share.sliders--, share.picture++;
  while (share.picture < room.least && share.words > WORDS_LEAST) share.words--, share.picture++;
  share.picture = LS_MIN(share.picture, LS_MAX(room.whole, room.least) + 1);
  share.gap = words && share.picture >= GAP_FROM && share.picture > room.least;
  share.picture -= share.gap;
  return share;
}

// Keeps the sentences that fit into so many rows: a thought that is cut off tells less than one that is left out. If
// not even the first one fits, all stay.
static void keep_what_fits(LsText *words, int width, int rows) {
  const char *text = ls_text_str(words);
  size_t kept = 0;
  for (const char *end = text; (end = strstr(end, ". ")) != NULL; end += 2) {
    size_t length = (size_t)(end - text) + 1;
    char *begin = ls_strndup(text, length);
    bool fits = canvas_text_wrap(NULL, (Rect){0, 0, width, 0}, 0, ROLE_TEXT, 0, begin) <= rows;
    free(begin);
    if (!fits) break;
    kept = length;
  }
  if (kept) words->data[words->length = kept] = 0;
}

void model_pane_draw(ModelPane *pane, Canvas *canvas, Rect rect, bool bare) {
  LsText words = {0};
  pane->model->words(&pane->values, &words);
  pane->sliders = (Rect){0, 0, 0, 0};
  int wanted = canvas_text_wrap(canvas, (Rect){0, 0, rect.w - 2, 0}, 0, ROLE_TEXT, 0, ls_text_str(&words));
  Share share = share_rows(pane, rect, wanted, bare);
  Rect picture = {rect.x + 1, rect.y, rect.w - 2, share.picture};
  model_draw(pane->model, &pane->values, canvas, picture);
  if (wanted > share.words) keep_what_fits(&words, rect.w - 2, share.words);
  Rect text = {rect.x + 1, rect.y + share.picture + share.gap, rect.w - 2, share.words};
  view_words(canvas, text, ROLE_TEXT, ls_text_str(&words));
  if (share.sliders) draw_sliders(pane, canvas, (Rect){rect.x, rect.y + rect.h - share.sliders, rect.w, share.sliders});
  ls_text_free(&words);
}
