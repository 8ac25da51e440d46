// test_models_drawn.c: pages of models: as a person looked at them (tests/screens), nothing cut or written over in any
// window, and their keys.
//
// UPDATE_SCREENS=1 tests/unit/ui/test_models_drawn     writes the screens anew; look at what git diff says before
// committing
#include "base/file.h"
#include "check_models.h"
#include "ui/models/pane.h"
#include "ui/models/pictures.h"
#include "ui/pages/page.h"

static void check_screen(const Canvas *canvas, const char *name) {
  char path[512];
  LsText text = {0};
  LsErr err = {0};
  snprintf(path, sizeof path, "%s/tests/screens/%s.txt", LS_SOURCE_DIR, name);
  canvas_to_text(canvas, canvas->ascii, &text);
  if (getenv("UPDATE_SCREENS")) CHECK(ls_file_write(path, text.data, text.length, &err));
  char *expected = ls_file_read(path, 1 << 20, NULL, &err);
  CHECK_STR(ls_text_str(&text), expected ? expected : "");
  free(expected);
  ls_text_free(&text);
}

static void draw_page(const Model *model, Canvas *canvas) {
  Page *page = page_model_new(model, NULL);
  page_draw(page, canvas);
  page->class->free(page);
}

static void screens_are_as_seen(void) {
  static const struct { int cols, rows; bool ascii; } sizes[] = {{80, 24, false}, {120, 36, false}, {80, 24, true}};
  for (int i = 0; model_at(i); i++)
    for (int s = 0; s < LS_COUNT(sizes); s++) {
      char name[80];
      Canvas *canvas = canvas_new(sizes[s].cols, sizes[s].rows);
      canvas->ascii = sizes[s].ascii;
      draw_page(model_at(i), canvas);
      snprintf(name, sizeof name, "model_%s-%dx%d%s", model_at(i)->recipe.name, sizes[s].cols, sizes[s].rows,
               sizes[s].ascii ? "-ascii" : "");
      check_screen(canvas, name);
      canvas_free(canvas);
    }
}

// ---- nothing cut, nothing written over -----------------------------------------------------------------------------

typedef struct Sight { Canvas *canvas; int lost, covered, unknown, looks; uint32_t sample; } Sight;

static void on_lost(void *context, int x, int y, uint32_t code) {
  Sight *sight = context;
  (void)x, (void)y;
  sight->lost++, sight->sample = code;
}

// Bars fill in over what is empty; a letter over a letter is a mistake.
static void on_covered(void *context, int x, int y, uint32_t old, uint32_t code) {
  Sight *sight = context;
  (void)x, (void)y;
  if (old <= 0x2000 && code <= 0x2000) sight->covered++, sight->sample = code;
}

// Neither a title nor a sentence ends in three dots.
static void check_nothing_dotted(const Canvas *canvas, const Model *model) {
  LsText text = {0};
  canvas_to_text(canvas, false, &text);
  bool dotted = strstr(ls_text_str(&text), "\u2026") != NULL;
  if (dotted) printf("\n%s\n%s\n", model->recipe.name, ls_text_str(&text));
  CHECK(!dotted);
  ls_text_free(&text);
}

static void look(void *context, const Model *model, const ModelValues *values) {
  Sight *sight = context;
  ModelPane pane;
  Canvas *canvas = sight->canvas;
  canvas_clear(canvas);
  sight->lost = sight->covered = 0;
  model_pane_init(&pane, model, values);
  model_pane_draw(&pane, canvas, (Rect){0, canvas->stage ? 0 : 1, canvas->cols,
                                        canvas->stage ? canvas->rows : canvas->rows - 2}, canvas->stage);
  if (sight->lost || sight->covered) {
    LsText text = {0};
    model_print_values(model, values, &text);
    printf("\n%s %s %dx%d: %d lost, %d covered (U+%04X)\n", model->recipe.name, ls_text_str(&text), canvas->cols,
           canvas->rows,
           sight->lost, sight->covered, sight->sample);
    if (getenv("SHOW")) ls_text_clear(&text), canvas_to_text(canvas, false, &text), printf("%s", ls_text_str(&text));
    ls_text_free(&text);
  }
  CHECK(!sight->lost && !sight->covered);
  if (canvas->cols >= 80 && canvas->rows >= 24) check_nothing_dotted(canvas, model);
  for (int i = 0; canvas->ascii && i < canvas->cols * canvas->rows; i++)
    if (glyph_of(&canvas->cells[i], true) == '?' && canvas->cells[i].code != '?') sight->unknown++;
  sight->looks++;
}

static void nothing_is_cut(void) {
  static const struct { int cols, rows; bool stage; } sizes[] = {{60, 20, false}, {80, 24, false}, {100, 30, false},
                                                                 {120, 36, false},
                                                                {200, 60, false}, {60, 18, true}};
  for (int s = 0; s < LS_COUNT(sizes); s++) {
    Sight sight = {.canvas = canvas_new(sizes[s].cols, sizes[s].rows)};
    CanvasWatch watch = {.context = &sight, .lost = on_lost, .covered = on_covered};
    sight.canvas->stage = sizes[s].stage;
    for (int i = 0; model_at(i); i++) {
      sight.canvas->watch = &watch;
      sight.canvas->ascii = s == 1;
      each_end(model_at(i), look, &sight);
      each_drawn(model_at(i), 60, look, &sight);
    }
    CHECK(sight.looks > 60);
    CHECK_INT(sight.unknown, 0);
    canvas_free(sight.canvas);
  }
}

// What a parameter means stands whole in the rule above the sliders of a window of 80 columns, beside "12 of 13".
static void help_is_whole(void) {
  enum { WIDTH = 64 };
  for (int i = 0; model_at(i); i++) {
    const Model *model = model_at(i);
    for (int k = 0; k < model->recipe.param_count; k++) CHECK(ls_utf8_width(model->recipe.params[k].help) <= WIDTH);
    CHECK(!model->script || ls_utf8_width(model->script_help) <= WIDTH);
  }
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static void press(ModelPane *pane, const char *keys) {
  for (const char *p = keys; *p; p++) CHECK(model_pane_key(pane,
      (AppKey){.code = *p == '\n' ? KEY_RETURN_ : (uint32_t)(unsigned char)*p}));
}

static void keys_change_values(void) {
  ModelPane pane;
  model_pane_init(&pane, model_named("occupancy"), NULL);
  press(&pane, "jl");                                           // down, right
  CHECK_INT(pane.values.numbers.value[1], 288);
  press(&pane, "hh");
  CHECK_INT(pane.values.numbers.value[1], 224);
  press(&pane, "96\n");
  CHECK_INT(pane.values.numbers.value[1], 96);
  press(&pane, "9999\n");
  CHECK_STR(pane.message, "threads is 9999; it can be 1 to 1024");
  CHECK_INT(pane.values.numbers.value[1], 96);
  press(&pane, "12");
  CHECK(model_pane_key(&pane, (AppKey){.code = KEY_ESC_}) && !pane.typing);
  CHECK_INT(pane.values.numbers.value[1], 96);
  press(&pane, "k\na100\n");                                    // Enter types a word
  CHECK_STR(model_profiles[pane.values.numbers.value[0]], "a100");
  CHECK(!model_pane_key(&pane, (AppKey){.code = 'r'}));         // R: r is a key of its own elsewhere
  press(&pane, "R");
  CHECK_STR(model_profiles[pane.values.numbers.value[0]], "v100");
  CHECK_INT(pane.values.numbers.value[1], 256);
  CHECK(!model_pane_key(&pane, (AppKey){.code = 'q'}) && !model_pane_key(&pane, (AppKey){.code = '?'}));
  CHECK(!model_pane_key(&pane, (AppKey){.code = ' '}));         // nothing plays here
}

// Sliders end where the other values do; what is typed may go on, to the range of the parameter.
static void sliders_know_the_device(void) {
  ModelPane pane;
  model_pane_init(&pane, model_named("occupancy"), NULL);       // a V100: 96 KB for a block
  press(&pane, "jjj98000\nl");
  CHECK_INT(pane.values.numbers.value[3], 98304);
  press(&pane, "l");
  CHECK_INT(pane.values.numbers.value[3], 98304);
  press(&pane, "200000\nl");
  CHECK_INT(pane.values.numbers.value[3], 200000);
  press(&pane, "h");
  CHECK_INT(pane.values.numbers.value[3], 98304);
  press(&pane, "kkkh");                                         // the device before it has 48 KB
  CHECK_INT(model_most(pane.model, &pane.values, 3), 49152);
  model_pane_init(&pane, model_named("queues"), NULL);
  CHECK_INT(model_most(pane.model, &pane.values, pane.model->time), 10);
}

static void clicks_set_sliders(void) {
  ModelPane pane;
  Canvas *canvas = canvas_new(80, 24);
  model_pane_init(&pane, model_named("occupancy"), NULL);
  model_pane_draw(&pane, canvas, (Rect){0, 1, 80, 22}, false);
  AppKey at = {.code = KEYX_MOUSE, .button = 1, .x = pane.slider_x, .y = pane.sliders.y + 1};
  CHECK(model_pane_key(&pane, at));
  CHECK_INT(pane.values.numbers.value[1], 1);
  at.x += pane.slider_w - 1;
  CHECK(model_pane_key(&pane, at));
  CHECK_INT(pane.values.numbers.value[1], 1024);
  at.button = 5;
  CHECK(model_pane_key(&pane, at));
  CHECK_INT(pane.values.numbers.value[1], 992);
  at = (AppKey){.code = KEYX_MOUSE, .button = 1, .x = 3, .y = pane.sliders.y + 3};
  CHECK(model_pane_key(&pane, at) && pane.chosen == 3);
  at.y = 2;
  CHECK(!model_pane_key(&pane, at));
  canvas_free(canvas);
}

// Play goes from the least value to the end, and stands there.
static void play_comes_to_an_end(void) {
  for (int i = 0; model_at(i); i++) {
    ModelPane pane;
    if (model_at(i)->time < 0) continue;
    model_pane_init(&pane, model_at(i), NULL);
    CHECK(model_pane_key(&pane, (AppKey){.code = ' '}) && pane.playing);
    int ticks = 0;
    while (pane.playing && ticks < 100000) model_pane_tick(&pane, 1), ticks++;
    CHECK(!pane.playing && ticks > 1);
    CHECK_INT(model_time_after(model_at(i), &pane.values), pane.values.numbers.value[model_at(i)->time]);
  }
}

static void the_list_opens_each(void) {
  Page *page = page_models_new();
  Canvas *canvas = canvas_new(80, 24);
  page_draw(page, canvas);
  check_screen(canvas, "models-80x24");
  CHECK(page->class->key(page, (AppKey){.code = KEY_RETURN_}) && page->open);
  page->open->class->free(page->open);
  page->open = NULL;
  CHECK(page->class->key(page, (AppKey){.code = 'q'}) && page->closed);
  page->class->free(page);
  canvas_free(canvas);
}

static const Check checks[] = {
    {"what parameters mean is not cut", help_is_whole},
    {"screens are as seen", screens_are_as_seen},
    {"nothing is cut", nothing_is_cut},
    {"keys change values", keys_change_values},
    {"sliders know the device", sliders_know_the_device},
    {"clicks set sliders", clicks_set_sliders},
    {"play comes to an end", play_comes_to_an_end},
    {"the list opens each", the_list_opens_each},
};

int main(int argc, char **argv) { return check_main("models drawn", checks, LS_COUNT(checks), argc, argv); }
