// theme.c: the palette, and how few colors make do.
#include "ui/term/theme.h"
#include <stdlib.h>
#include <string.h>

typedef struct RoleRow { int rich[THEME_LOOKS], eight, mono; } RoleRow;
static const RoleRow rows[ROLE_COUNT] = {
#define ROLE(NAME, DARK, LIGHT, STAGE_DARK, STAGE_LIGHT, EIGHT, MONO) {{LIGHT, DARK, STAGE_LIGHT, STAGE_DARK}, EIGHT, MONO},
#include "ui/term/role.def"
#undef ROLE
};

enum { DARK_INK = 0x101418, LIGHT_INK = 0xffffff };
enum { STAGE_DARK_GROUND = 0x000000, STAGE_LIGHT_GROUND = 0xffffff };   // of a hall, whatever the terminal's own is

int theme_rgb(Role role, int look) { return rows[role].rich[look]; }

static int cube_level(int component) { return component < 48 ? 0 : component < 116 ? 1 : (component - 36) / 40; }

static int distance(int rgb, int r, int g, int b) {
  int dr = (rgb >> 16) - r, dg = (rgb >> 8 & 255) - g, db = (rgb & 255) - b;
  return dr * dr + dg * dg + db * db;
}

int theme_nearest_256(int rgb) {
  static const int level[] = {0, 95, 135, 175, 215, 255};
  int r = cube_level(rgb >> 16), g = cube_level(rgb >> 8 & 255), b = cube_level(rgb & 255);
  int mean = ((rgb >> 16) + (rgb >> 8 & 255) + (rgb & 255)) / 3;
  int gray = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
  int value = 8 + 10 * gray;
  bool gray_is_nearer = distance(rgb, value, value, value) < distance(rgb, level[r], level[g], level[b]);
  return gray_is_nearer ? 232 + gray : 16 + 36 * r + 6 * g + b;
}

static int color_of(int rgb, int colors) { return rgb < 0 || colors == THEME_DIRECT ? rgb : theme_nearest_256(rgb); }

// Bars and the selected row are shades of the terminal's own background; every other background is a color that
// carries text, and the text must stand out from it.
static bool is_shade(uint8_t background) { return background == ROLE_BAR || background == ROLE_SELECTED; }

static int ink_on(int rgb) {
  int luma = 2 * (rgb >> 16) + 5 * (rgb >> 8 & 255) + (rgb & 255);
  return luma > 8 * 100 ? DARK_INK : LIGHT_INK;
}

static Paint paint_rich(const Cell *cell, int colors, int look) {
  Paint paint = {color_of(theme_rgb(cell->role, look), colors), -1, cell->style};
  if (!cell->background && look & THEME_STAGE) {
    paint.back = color_of(look & THEME_ON_DARK ? STAGE_DARK_GROUND : STAGE_LIGHT_GROUND, colors);
    if (paint.fore < 0) paint.fore = color_of(theme_rgb(ROLE_TEXT, look), colors);
  }
  if (!cell->background) return paint;
  int back = theme_rgb(cell->background, look);
  paint.back = color_of(back, colors);
  bool plain = cell->role == ROLE_NONE || cell->role == ROLE_TEXT;
  if (back >= 0 && plain && !is_shade(cell->background)) paint.fore = color_of(ink_on(back), colors);
  return paint;
}

// With few colors a shade is the reverse of the terminal's own, and all text on it is in one color, so that the bar
// stays one bar.
static Paint paint_poor(const Cell *cell, int colors) {
  bool mono = colors < THEME_8;
  Paint paint = {mono ? -1 : rows[cell->role].eight, -1, cell->style | rows[cell->role].mono};
  if (!cell->background) return paint;
  paint.style &= ~STYLE_DIM;
  if (mono || is_shade(cell->background) || rows[cell->background].eight < 0) {
    paint.fore = -1;
    paint.style |= STYLE_REVERSE;
  } else {
    enum { BLUE = 4, WHITE = 7 };
    paint.fore = rows[cell->background].eight == BLUE ? WHITE : 0;   // black on blue can hardly be read
    paint.back = rows[cell->background].eight;
    // Bold black is gray on most terminals, and hardly to be seen on a color.
    if (paint.style & STYLE_BOLD) paint.style = (paint.style & ~STYLE_BOLD) | STYLE_UNDERLINE;
  }
  return paint;
}

// On a stage letters are bold and nothing is faint; rules stay thin.
Paint theme_paint(const Cell *cell, int colors, int look) {
  Paint paint = colors >= THEME_256 ? paint_rich(cell, colors, look) : paint_poor(cell, colors);
  if (!(look & THEME_STAGE)) return paint;
  paint.style &= ~STYLE_DIM;
  if (cell->role != ROLE_RULE && !(cell->background && colors == THEME_8)) paint.style |= STYLE_BOLD;
  return paint;
}

int theme_look(const Canvas *canvas, bool dark) {
  return (dark ? THEME_ON_DARK : THEME_ON_LIGHT) | (canvas->stage ? THEME_STAGE : 0);
}

bool theme_is_dark(void) {
  const char *hint = getenv("COLORFGBG");   // "15;0" or "15;default;0": the last field is the background
  const char *back = hint ? strrchr(hint, ';') : NULL;
  if (!back) return true;
  int index = atoi(back + 1);
  return index != 7 && index != 15;
}
