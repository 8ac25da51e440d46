// page_model.c: a model on a page of its own, with sliders; and the list of all models.
#include <stdio.h>
#include <stdlib.h>

#include "app/models/models.h"
#include "base/mem.h"
#include "ui/models/pane.h"
#include "ui/pages/list.h"
#include "ui/pages/page.h"
#include "ui/views/frame.h"
#include "ui/views/view.h"

enum { RUN_NAME = 64 };

typedef struct ModelPage { Page base; ModelPane pane; char run[RUN_NAME]; } ModelPage;   // run: that it is of; "": none

enum { KEYS_MOST = 12 };

static void draw_keys(const ModelPage *self, Canvas *canvas) {
  FooterKey keys[KEYS_MOST];
  int count = 0;
  const Model *model = self->pane.model;
  keys[count++] = (FooterKey){"←→", "left right", "change"};
  keys[count++] = (FooterKey){"↑↓", "up down", "choose"};
  for (int i = 0; i < model->key_count && count < KEYS_MOST - 5; i++) keys[count++] = (FooterKey){model->keys[i].key,
      NULL, model->keys[i].word};
  if (model->time >= 0) keys[count++] = (FooterKey){"space", NULL, self->pane.playing ? "pause" : "play"};
  keys[count++] = (FooterKey){"0-9 ⏎", "0-9 enter", "type"};
  keys[count++] = (FooterKey){"R", NULL, "reset"};
  keys[count++] = (FooterKey){"?", NULL, "about"};
  keys[count++] = (FooterKey){"q", NULL, "back"};
  frame_keys(canvas, keys, count);
}

static void model_page_draw(Page *page, Canvas *canvas) {
  ModelPage *self = (ModelPage *)page;
  const Recipe *recipe = &self->pane.model->recipe;
  if (canvas->stage) {
    model_pane_draw(&self->pane, canvas, (Rect){0, 0, canvas->cols, canvas->rows}, true);
    return;
  }
  FrameTitle title = {.crumbs = {"lanescope", self->run[0] ? self->run : recipe->name, recipe->name},
                      .crumb_count = self->run[0] ? 3 : 2, .middle = {recipe->title},
                      .right = "computed"};
  frame_title(canvas, &title);
  model_pane_draw(&self->pane, canvas, (Rect){0, 1, canvas->cols, canvas->rows - 2}, false);
  if (self->pane.message[0]) frame_message(canvas, self->pane.message, true);
  else draw_keys(self, canvas);
}

static Page *about(const Model *model) {
  LsText text = {0};
  ls_text_addf(&text, "%s\n\n%s\n\nRules\n%s\n\nParameters\n", model->recipe.title, model->recipe.about, model->rules);
  for (int i = 0; i < model->recipe.param_count; i++)
    ls_text_addf(&text, "  %s: %s\n", model->recipe.params[i].name, model->recipe.params[i].help);
  if (model->script) ls_text_addf(&text, "  %s: %s\n", model->script_name, model->script_help);
  ls_text_add(&text, "\nKeys\n  left and right change the chosen parameter; up, down and Tab choose it\n"
                     "  digits or Enter type a value\n");
  for (int i = 0; i < model->key_count; i++) ls_text_addf(&text, "  %s: %s\n", model->keys[i].key, model->keys[i].word);
  if (model->time >= 0) ls_text_add(&text, "  space plays and pauses\n");
  ls_text_addf(&text, "  R: all parameters as they were at first\n  q or Esc: back\n");
  Page *page = page_message_new(model->recipe.name, ls_text_str(&text));
  ls_text_free(&text);
  return page;
}

static bool model_page_key(Page *page, AppKey key) {
  ModelPage *self = (ModelPage *)page;
  bool said = self->pane.message[0] != 0, used = model_pane_key(&self->pane, key);
  page->ticking = self->pane.playing;
  if (used) return true;
  switch (command_for_key(key.code, CTX_M)) {
    case CMD_HELP: page->open = about(self->pane.model); return true;
    case CMD_QUIT: case CMD_CANCEL: page->closed = true; return true;
    default: return said;
  }
}

static bool model_page_tick(Page *page, double seconds) {
  ModelPage *self = (ModelPage *)page;
  bool changed = model_pane_tick(&self->pane, seconds);
  page->ticking = self->pane.playing;
  return changed;
}

static void model_page_free(Page *page) { free(page); }

static const PageClass model_class = {model_page_draw, model_page_key, model_page_tick, model_page_free};

Page *page_model_new(const Model *model, const ModelValues *values) {
  ModelPage *self = ls_alloc(sizeof *self);
  self->base.class = &model_class;
  model_pane_init(&self->pane, model, values);
  return &self->base;
}

void page_model_set(Page *page, const ModelValues *values, int chosen) {
  ModelPane *pane = &((ModelPage *)page)->pane;
  pane->values = *values;
  pane->chosen = chosen;
}

Page *page_model_of_run(const Model *model, const ModelValues *values, const char *run) {
  Page *page = page_model_new(model, values);
  snprintf(((ModelPage *)page)->run, RUN_NAME, "%s", run);
  return page;
}

// ---- the list ------------------------------------------------------------------------------------------------------

typedef struct ModelsPage { Page base; List list; } ModelsPage;

enum { TOP = 2, NAME_X = 4, NAMES_W = 20, BOTTOM = 2 };

static const char *row_text(void *context, int row) {
  static char text[256];
  (void)context;
  const Recipe *recipe = &model_at(row)->recipe;
  snprintf(text, sizeof text, "%s %s %s", recipe->name, recipe->title, recipe->topic);
  return text;
}

// The picture of the chosen one, small, beside the names.
static void draw_chosen(const Model *model, Canvas *canvas, Rect rect) {
  ModelValues values;
  model_defaults(model, &values);
  canvas_text_cut(canvas, rect.x, rect.y, rect.w, ROLE_TEXT, STYLE_BOLD, model->recipe.title);
  int y = rect.y + 2;
  y += canvas_text_wrap(canvas, (Rect){rect.x, y, rect.w, rect.y + rect.h - y}, 0, ROLE_TEXT, 0,
                        model->recipe.about) + 1;
  if (y < rect.y + rect.h) view_words(canvas, (Rect){rect.x, y, rect.w, rect.y + rect.h - y}, ROLE_DIM, model->rules);
}

static void models_draw(Page *page, Canvas *canvas) {
  ModelsPage *self = (ModelsPage *)page;
  List *list = &self->list;
  FrameTitle title = {.crumbs = {"lanescope", "models"}, .crumb_count = 2, .middle = {"pictures without a kernel"}};
  frame_title(canvas, &title);
  int rows = canvas->rows - TOP - BOTTOM;
  list_place(list, TOP, list->count > rows ? rows - 1 : rows);
  for (int row = list->top; list_shows(list, row); row++) {
    list_mark(list, canvas, 0, NAMES_W + NAME_X, row);
    canvas_text_cut(canvas, NAME_X, list->y + row - list->top, NAMES_W - 1, ROLE_TEXT,
                    row == list->chosen ? STYLE_BOLD : 0,
                    model_at(row)->recipe.name);
  }
  list_count(list, canvas, NAME_X);
  int x = NAMES_W + NAME_X + 2;
  draw_chosen(model_at(list->chosen), canvas, (Rect){x, TOP, LS_MIN(canvas->cols - x - 2, 84), rows});
  static const FooterKey keys[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "open"}, {"/", NULL, "find"}, {"q", NULL,
                                                                                                              "back"}};
  if (list->searching) frame_prompt(canvas, "/", list->search, "a name, a title, a topic");
  else frame_keys(canvas, keys, LS_COUNT(keys));
}

static bool models_key(Page *page, AppKey key) {
  ModelsPage *self = (ModelsPage *)page;
  bool was_searching = self->list.searching;
  ListResult result = list_key(&self->list, key);
  if (result == LIST_OPEN) page->open = page_model_new(model_at(self->list.chosen), NULL);
  if (result != LIST_IGNORED || was_searching) return true;
  CommandId id = command_for_key(key.code, CTX_M);
  page->closed = id == CMD_QUIT || id == CMD_CANCEL;
  return page->closed;
}

static void models_free(Page *page) { free(page); }

static const PageClass models_class = {models_draw, models_key, NULL, models_free};

Page *page_models_new(void) {
  ModelsPage *self = ls_alloc(sizeof *self);
  int count = 0;
  while (model_at(count)) count++;
  self->base.class = &models_class;
  self->list = (List){.count = count, .text = row_text, .context = self};
  return &self->base;
}
