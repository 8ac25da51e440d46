// page_kernels.c: the lecture kernels by topic, with what each is about and its parameters.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "app/run/recordings.h"
#include "base/mem.h"
#include "ui/views/frame.h"
#include "ui/pages/list.h"
#include "ui/pages/page.h"
#include "ui/views/view.h"

typedef struct KernelsPage {
  Page base;
  RecipeBook *book;
  const Recipe **recipes;    // by topic, then by name; owned array
  List list;
  Recordings *recordings;    // of each of them, once they were looked up; owned array
  bool *looked_up;
} KernelsPage;

enum { TOP = 2, WIDE = 100, NAME_X = 4, FORMS_W = 4 };

// The order of the course; topics that are not named here come last.
static const char *const topics[] = {
    "basics", "indexing", "warp", "divergence", "global memory", "shared memory", "matrix multiply", "reduction", "atomics",
};

static int topic_rank(const char *topic) {
  for (int i = 0; i < LS_COUNT(topics); i++)
    if (topic && strcmp(topics[i], topic) == 0) return i;
  return LS_COUNT(topics);
}

static int by_topic(const void *a, const void *b) {
  const Recipe *left = *(const Recipe *const *)a, *right = *(const Recipe *const *)b;
  int difference = topic_rank(left->topic) - topic_rank(right->topic);
  return difference ? difference : strcmp(left->name, right->name);
}

static const char *row_text(void *context, int row) {
  const KernelsPage *self = context;
  static char text[512];
  const Recipe *recipe = self->recipes[row];
  int at = snprintf(text, sizeof text, "%s %s %s", recipe->name, recipe->title, recipe->topic ? recipe->topic : "");
  for (int i = 0; recipe_has_forms(recipe) && i < recipe->form_count && at < (int)sizeof text; i++) {
    const RecipeForm *form = &recipe->forms[i];
    at += snprintf(text + at, sizeof text - (size_t)at, " %s %s %s", form->name, form->title ? form->title : "",
                   form->erratum ? form->erratum : "");
  }
  return text;
}

// Files are opened for the chosen kernel only.
static const Recordings *recordings_at(KernelsPage *self, int row) {
  if (!self->looked_up[row]) recordings_of(self->recipes[row]->name, &self->recordings[row]);
  self->looked_up[row] = true;
  return &self->recordings[row];
}

// Topics stand behind the longest name, where there is room for them; else beside the title of the chosen one.
static int topic_column(const KernelsPage *self, int width) {
  int name_w = 0, topic_w = 0;
  for (int i = 0; i < self->list.count; i++) {
    name_w = LS_MAX(name_w, ls_utf8_width(self->recipes[i]->name));
    topic_w = LS_MAX(topic_w, ls_utf8_width(self->recipes[i]->topic ? self->recipes[i]->topic : ""));
  }
  return NAME_X + name_w + 3 + topic_w + 1 <= width ? NAME_X + name_w + 3 : 0;
}

static void draw_list(KernelsPage *self, Canvas *canvas, int width) {
  List *list = &self->list;
  int rows = canvas->rows - TOP - 4, topic_x = topic_column(self, width);
  list_place(list, TOP + 2, list->count > rows ? rows - 1 : rows);
  canvas_text(canvas, 2, TOP, ROLE_TEXT, STYLE_BOLD, "Lecture kernels");
  for (int row = list->top; list_shows(list, row); row++) {
    const Recipe *recipe = self->recipes[row];
    int y = list->y + row - list->top;
    bool first = row == list->top || topic_rank(self->recipes[row - 1]->topic) != topic_rank(recipe->topic);
    list_mark(list, canvas, 0, width, row);
    int name_w = (topic_x ? topic_x : width) - NAME_X - 1;
    int end = NAME_X + canvas_text_cut(canvas, NAME_X, y, name_w, ROLE_TEXT, row == list->chosen ? STYLE_BOLD : 0, recipe->name);
    if (recipe_has_forms(recipe) && end + FORMS_W <= NAME_X + name_w)
      canvas_textf(canvas, end + 1, y, ROLE_DIM, 0, "×%d", recipe->form_count);
    if (topic_x && first && recipe->topic)
      canvas_text_cut(canvas, topic_x, y, width - topic_x - 1, ROLE_DIM, 0, recipe->topic);
  }
  list_count(list, canvas, NAME_X);
}

// The forms, each with what it is. Returns the row behind them.
static int draw_forms(const Recipe *recipe, Canvas *canvas, int x, int y, int width) {
  int name_w = 0;
  for (int i = 0; i < recipe->form_count; i++) name_w = LS_MAX(name_w, ls_utf8_width(recipe->forms[i].name));
  for (int i = 0; i < recipe->form_count && y < canvas->rows - 2; i++) {
    const RecipeForm *form = &recipe->forms[i];
    canvas_text(canvas, x, y, recipe_form_is_bug(form) ? ROLE_ALARM : ROLE_ACTIVE, 0, form->name);
    const char *title = form->title ? form->title : i ? "" : "what runs if nothing is said";
    int at = x + name_w + 2, end = at + canvas_text_cut(canvas, at, y, x + width - at, ROLE_TEXT, 0, title);
    if (form->erratum) canvas_text_cut(canvas, end + 2, y, x + width - end - 2, ROLE_DIM, 0, form->erratum);
    y++;
  }
  return y;
}

static int draw_params(const Recipe *recipe, Canvas *canvas, int x, int y, int width) {
  LsText value = {0};
  int name_w = 6, value_w = 5;
  RecipeValues defaults;
  recipe_defaults(recipe, &defaults);
  for (int i = 0; i < recipe->param_count; i++) {
    ls_text_clear(&value);
    recipe_value_text(&recipe->params[i], defaults.value[i], &value);
    name_w = LS_MAX(name_w, ls_utf8_width(recipe->params[i].name));
    value_w = LS_MAX(value_w, ls_utf8_width(ls_text_str(&value)));
  }
  for (int i = 0; i < recipe->param_count && y < canvas->rows - 2; i++) {
    if (y == canvas->rows - 3 && i + 1 < recipe->param_count) {
      canvas_textf(canvas, x, y++, ROLE_DIM, 0, "▾ %d more", recipe->param_count - i);
      break;
    }
    const RecipeParam *param = &recipe->params[i];
    ls_text_clear(&value);
    recipe_value_text(param, defaults.value[i], &value);
    canvas_text(canvas, x, y, ROLE_ACTIVE, 0, param->name);
    canvas_text_right(canvas, x + name_w + 2 + value_w, y, ROLE_TEXT, 0, ls_text_str(&value));
    Rect help = {x + name_w + value_w + 4, y, width - name_w - value_w - 4, canvas->rows - 2 - y};
    if (i + 1 < recipe->param_count) help.h = LS_MAX(help.h - 1, 1);
    y += LS_MAX(view_words(canvas, help, ROLE_DIM, param->help ? param->help : ""), 1);
  }
  ls_text_free(&value);
  return y;
}

// What was recorded on a GPU, with the key that opens it. Returns rows used.
static int draw_recordings(const Recordings *all, Canvas *canvas, int x, int y, int width) {
  LsText text = {0};
  int top = y;
  if (!all->count || y + 2 >= canvas->rows - 2) return 0;
  canvas_rule(canvas, x - 2, y++, width + 3, "recorded on a GPU", "R opens it");
  for (int i = 0; i < all->count && y < canvas->rows - 3; i++) {
    ls_text_clear(&text);
    recording_words(&all->items[i], &text);
    Rect words = {x, y, width, canvas->rows - 3 - y};
    y += LS_MAX(canvas_text_wrap(canvas, words, 0, ROLE_TEXT, 0, ls_text_str(&text)), 1);
  }
  ls_text_free(&text);
  return y + 1 - top;
}

// topic: it is not in the list.
static void draw_about(const Recipe *recipe, const Recordings *recorded, bool topic, Canvas *canvas, int x, int width) {
  int y = TOP;
  const char *title = recipe->title ? recipe->title : recipe->name;
  y += LS_MIN(canvas_text_wrap(canvas, (Rect){x, y, width, 3}, 0, ROLE_TEXT, STYLE_BOLD, title), 3);
  if (topic && recipe->topic) canvas_text_cut(canvas, x, y++, width, ROLE_DIM, 0, recipe->topic);
  y++;
  if (recipe->about) y += view_words(canvas, (Rect){x, y, width, canvas->rows - 2 - y}, ROLE_TEXT, recipe->about) + 1;
  if (y + 2 < canvas->rows - 2 && recipe->param_count) {
    canvas_rule(canvas, x - 2, y, width + 3, "parameters", NULL);
    y = draw_params(recipe, canvas, x, y + 1, width) + 1;
  }
  if (recipe_has_forms(recipe) && y + 2 < canvas->rows - 2) {
    canvas_rule(canvas, x - 2, y, width + 3, "forms", NULL);
    y = draw_forms(recipe, canvas, x, y + 1, width) + 1;
  }
  y += draw_recordings(recorded, canvas, x, y, width);
  if (y >= canvas->rows - 2) return;
  int at = canvas_text(canvas, x, y, ROLE_DIM, 0, recipe->model ? "model  " : "source  ");
  at = canvas_text(canvas, at, y, ROLE_TEXT, 0, recipe->model ? recipe->model : recipe->forms[0].source) + 4;
  if (!recipe->lesson_count || at > x + width - 12) return;
  at = canvas_text(canvas, at, y, ROLE_DIM, 0, recipe->lesson_count == 1 ? "lesson  " : "lessons  ");
  for (int i = 0; i < recipe->lesson_count && at + 4 < x + width; i++)
    at = canvas_text(canvas, at, y, ROLE_TEXT, 0, recipe->lessons[i]) + 1;
}

static void kernels_draw(Page *page, Canvas *canvas) {
  KernelsPage *self = (KernelsPage *)page;
  char count[48];
  int models = 0;
  for (int i = 0; i < self->list.count; i++) models += self->recipes[i]->model != NULL;
  int length = snprintf(count, sizeof count, "%d kernels", self->list.count - models);
  if (models) snprintf(count + length, sizeof count - (size_t)length, ", %d models", models);
  FrameTitle title = {.crumbs = {"lanescope", "kernels"}, .crumb_count = 2, .right = count};
  frame_title(canvas, &title);
  int width = canvas->cols >= WIDE ? 50 : 32;
  draw_list(self, canvas, width);
  if (self->list.count)
    draw_about(self->recipes[self->list.chosen], recordings_at(self, self->list.chosen), !topic_column(self, width),
               canvas,
               width + 4, LS_MIN(canvas->cols - width - 6, 84));
  static const FooterKey keys[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "explore"}, {"/", NULL, "find"},
                                  {"n N", NULL, "next"},       {"?", NULL, "help"},       {"q", NULL, "back"}};
  if (self->list.searching) frame_prompt(canvas, "/", self->list.search, "a name, a title, a topic");
  else frame_keys(canvas, keys, LS_COUNT(keys));
}

static bool kernels_key(Page *page, AppKey key) {
  KernelsPage *self = (KernelsPage *)page;
  bool was_searching = self->list.searching;
  ListResult result = list_key(&self->list, key);
  if (result == LIST_OPEN) page->open = page_recipe_new(self->book, self->recipes[self->list.chosen]->name);
  if (result != LIST_IGNORED || was_searching) return true;
  CommandId id = command_for_key(key.code, CTX_M);
  const Recordings *recorded = id == CMD_RECORDING && self->list.count ? recordings_at(self, self->list.chosen) : NULL;
  if (recorded && recorded->count) page->open = page_recording_new(self->book, self->recipes[self->list.chosen]->name);
  page->closed = id == CMD_QUIT || id == CMD_CANCEL;
  if (id == CMD_HELP) page->open = page_help_new(CTX_M);
  return page->closed || page->open;
}

static void kernels_free(Page *page) {
  KernelsPage *self = (KernelsPage *)page;
  for (int i = 0; i < self->list.count; i++) recordings_fini(&self->recordings[i]);
  free(self->recordings);
  free(self->looked_up);
  free(self->recipes);
  free(self);
}

static const PageClass kernels_class = {kernels_draw, kernels_key, NULL, kernels_free};

Page *page_kernels_new(RecipeBook *book) {
  KernelsPage *self = ls_alloc(sizeof *self);
  self->base.class = &kernels_class;
  self->book = book;
  int count = book->count(book), loaded = 0;
  self->recipes = ls_alloc(sizeof *self->recipes * (size_t)LS_MAX(count, 1));
  self->recordings = ls_alloc(sizeof *self->recordings * (size_t)LS_MAX(count, 1));
  self->looked_up = ls_alloc(sizeof *self->looked_up * (size_t)LS_MAX(count, 1));
  for (int i = 0; i < count; i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), NULL);   // a broken one is told by `lanescope kernels`
    if (recipe) self->recipes[loaded++] = recipe;
  }
  qsort(self->recipes, (size_t)loaded, sizeof *self->recipes, by_topic);
  self->list = (List){.count = loaded, .text = row_text, .context = self};
  return &self->base;
}
