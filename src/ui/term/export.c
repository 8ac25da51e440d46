// export.c: a canvas as text, as text with ANSI colors, and as a picture.
#include <string.h>

#include "ui/term/canvas.h"
#include "ui/term/theme.h"

static int row_end(const Canvas *canvas, int y, bool ascii, bool keep_backgrounds) {
  int end = canvas->cols;
  for (; end > 0; end--) {
    const Cell *cell = canvas_at(canvas, end - 1, y);
    if (glyph_of(cell, ascii) != ' ' || (keep_backgrounds && cell->background)) break;
  }
  return end;
}

static void add_code(LsText *out, uint32_t code) {
  char utf8[5];
  ls_utf8_encode(code, utf8);
  ls_text_add(out, utf8);
}

// A character with its marks; nothing for the rest of a wide one.
static void add_cell(LsText *out, const Cell *cell, bool ascii) {
  uint32_t code = glyph_of(cell, ascii);
  if (code) add_code(out, code);
  for (int i = 0; !ascii && i < CELL_MARKS && cell->marks[i]; i++) add_code(out, cell->marks[i]);
}

void canvas_to_text(const Canvas *canvas, bool ascii, LsText *out) {
  for (int y = 0; y < canvas->rows; y++) {
    int end = row_end(canvas, y, ascii, false);
    for (int x = 0; x < end; x++) add_cell(out, canvas_at(canvas, x, y), ascii);
    ls_text_addc(out, '\n');
  }
}

// ---- ANSI ------------------------------------------------------------------------------------------------------------

static void add_sgr_color(LsText *out, int color, int colors, bool back) {
  if (color < 0) return;
  if (colors == THEME_DIRECT)
    ls_text_addf(out, ";%d;2;%d;%d;%d", back ? 48 : 38, color >> 16, color >> 8 & 255, color & 255);
  else if (colors == THEME_256) ls_text_addf(out, ";%d;5;%d", back ? 48 : 38, color);
  else ls_text_addf(out, ";%d", (back ? 40 : 30) + color);
}

static void add_sgr(LsText *out, Paint paint, int colors) {
  ls_text_add(out, "\033[0");
  if (paint.style & STYLE_BOLD) ls_text_add(out, ";1");
  if (paint.style & STYLE_DIM) ls_text_add(out, ";2");
  if (paint.style & STYLE_UNDERLINE) ls_text_add(out, ";4");
  if (paint.style & STYLE_REVERSE) ls_text_add(out, ";7");
  add_sgr_color(out, paint.fore, colors, false);
  add_sgr_color(out, paint.back, colors, true);
  ls_text_add(out, "m");
}

static bool same_paint(Paint a, Paint b) { return a.fore == b.fore && a.back == b.back && a.style == b.style; }

void canvas_to_ansi(const Canvas *canvas, bool ascii, int colors, LsText *out) {
  const Paint plain = {-1, -1, 0};
  if (colors < THEME_8) {   // no escapes at all: this goes to pipes and to NO_COLOR
    canvas_to_text(canvas, ascii, out);
    return;
  }
  int look = theme_look(canvas, theme_is_dark());
  for (int y = 0; y < canvas->rows; y++) {
    Paint now = plain;
    int end = row_end(canvas, y, ascii, true);
    for (int x = 0; x < end; x++) {
      const Cell *cell = canvas_at(canvas, x, y);
      if (!glyph_of(cell, ascii)) continue;
      Paint paint = theme_paint(cell, colors, look);
      if (!same_paint(paint, now)) add_sgr(out, paint, colors);
      now = paint;
      add_cell(out, cell, ascii);
    }
    ls_text_add(out, same_paint(now, plain) ? "\n" : "\033[0m\n");
  }
}

// ---- moving pictures -------------------------------------------------------------------------------------------------

static bool same_cell(const Cell *a, const Cell *b) {
  return a->code == b->code && a->role == b->role && a->style == b->style && a->background == b->background &&
         memcmp(a->marks, b->marks, sizeof a->marks) == 0;
}

// A wide character is one with its rest.
static bool differs(const Canvas *before, const Canvas *after, int x, int y) {
  const Cell *cell = canvas_at(after, x, y), *next = canvas_at(after, x + 1, y);
  if (!before) return glyph_of(cell, false) != ' ' || cell->background;
  if (!same_cell(cell, canvas_at(before, x, y))) return true;
  return next && next->code == CELL_REST && !same_cell(next, canvas_at(before, x + 1, y));
}

static void add_differing(const Canvas *before, const Canvas *after, int y, bool ascii, bool dark, Paint *now,
                          LsText *out) {
  int look = theme_look(after, dark);
  bool moved = false;   // the cursor is where x is
  for (int x = 0; x < after->cols; x++) {
    const Cell *cell = canvas_at(after, x, y);
    if (!glyph_of(cell, ascii)) continue;
    if (!differs(before, after, x, y)) {
      moved = false;
      continue;
    }
    Paint paint = theme_paint(cell, THEME_DIRECT, look);
    if (!moved) ls_text_addf(out, "\033[%d;%dH", y + 1, x + 1);
    if (!same_paint(paint, *now)) add_sgr(out, paint, THEME_DIRECT);
    *now = paint;
    add_cell(out, cell, ascii);
    moved = true;
  }
}

void canvas_to_delta(const Canvas *before, const Canvas *after, bool ascii, bool dark, LsText *out) {
  const Paint plain = {-1, -1, 0};
  Paint now = plain;
  if (!before) ls_text_add(out, "\033[0m\033[2J\033[?25l");
  for (int y = 0; y < after->rows; y++) add_differing(before, after, y, ascii, dark, &now, out);
  if (!same_paint(now, plain)) ls_text_add(out, "\033[0m");
}

// ---- SVG: blocks and rules are shapes, so that they join whatever the font; text has an x per glyph -------------------

enum { CELL_W = 9, CELL_H = 18, BASELINE = 13, FONT_SIZE = 14, PADDING = 14 };
enum { PAPER_DARK = 0x101418, PAPER_LIGHT = 0xffffff, INK_DARK = 0xd8dee9, INK_LIGHT = 0x1c2128 };

typedef struct Svg { const Canvas *canvas; LsText *out; bool ascii, dark; } Svg;

static int svg_fore(const Svg *svg, const Cell *cell) {
  Paint paint = theme_paint(cell, THEME_DIRECT, theme_look(svg->canvas, svg->dark));
  int own = svg->dark ? INK_DARK : INK_LIGHT;
  int fore = paint.fore < 0 ? own : paint.fore;
  if (!(paint.style & STYLE_DIM)) return fore;
  int paper = svg->dark ? PAPER_DARK : PAPER_LIGHT, mixed = 0;
  for (int shift = 0; shift <= 16; shift += 8) mixed |= (((fore >> shift & 255) + (paper >> shift & 255)) / 2) << shift;
  return mixed;
}

static int svg_back(const Svg *svg, const Cell *cell) {
  if (cell->style & STYLE_REVERSE) return svg_fore(svg, cell);
  return theme_paint(cell, THEME_DIRECT, theme_look(svg->canvas, svg->dark)).back;
}

static int svg_ink(const Svg *svg, const Cell *cell) {
  if (cell->style & STYLE_REVERSE) return svg->dark ? PAPER_DARK : PAPER_LIGHT;
  return svg_fore(svg, cell);
}

static void svg_rect(const Svg *svg, double x, double y, double w, double h, int color, double opacity) {
  ls_text_addf(svg->out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#%06x\"", x, y, w, h, color);
  if (opacity < 1) ls_text_addf(svg->out, " fill-opacity=\"%g\"", opacity);
  ls_text_add(svg->out, "/>\n");
}

// A shape inside a cell, in eighths from its left and top.
typedef struct Block { int left, top, right, bottom; double opacity; } Block;

static bool block_shape(uint32_t code, Block *block) {
  *block = (Block){0, 0, 8, 8, 1};
  if (code >= 0x2581 && code <= 0x2588) block->top = 8 - (int)(code - 0x2580);
  else if (code >= 0x2589 && code <= 0x258f) block->right = (int)(0x2590 - code);
  else if (code == 0x2590) block->left = 4;
  else if (code >= 0x2591 && code <= 0x2593) block->opacity = 0.25 * (code - 0x2590) + (code == 0x2591 ? 0.1 : 0);
  else if (code == 0x2594) block->bottom = 1;
  else if (code == 0x2595) block->left = 7;
  else return false;
  return true;
}

enum { ARM_UP = 1, ARM_RIGHT = 2, ARM_DOWN = 4, ARM_LEFT = 8 };

static int rule_arms(uint32_t code) {
  switch (code) {
    case 0x2500: case 0x2501: case 0x254c: return ARM_LEFT | ARM_RIGHT;
    case 0x2502: case 0x2503: case 0x250a: return ARM_UP | ARM_DOWN;
    case 0x250c: case 0x256d: return ARM_RIGHT | ARM_DOWN;
    case 0x2510: case 0x256e: return ARM_LEFT | ARM_DOWN;
    case 0x2514: case 0x2570: return ARM_RIGHT | ARM_UP;
    case 0x2518: case 0x256f: return ARM_LEFT | ARM_UP;
    case 0x251c: return ARM_UP | ARM_RIGHT | ARM_DOWN;
    case 0x2524: return ARM_UP | ARM_LEFT | ARM_DOWN;
    case 0x252c: return ARM_RIGHT | ARM_DOWN | ARM_LEFT;
    case 0x2534: return ARM_RIGHT | ARM_UP | ARM_LEFT;
    case 0x253c: return ARM_UP | ARM_RIGHT | ARM_DOWN | ARM_LEFT;
    case 0x2574: return ARM_LEFT;
    case 0x2575: return ARM_UP;
    case 0x2576: return ARM_RIGHT;
    case 0x2577: return ARM_DOWN;
    default: return 0;
  }
}

static bool is_shape(uint32_t code) {
  Block unused;
  return block_shape(code, &unused) || rule_arms(code);
}

static bool same_look(const Svg *svg, const Cell *a, const Cell *b) {
  return svg_ink(svg, a) == svg_ink(svg, b) &&
         (a->style & (STYLE_BOLD | STYLE_UNDERLINE)) == (b->style & (STYLE_BOLD | STYLE_UNDERLINE));
}

static void svg_rule(const Svg *svg, int x, int y, int run, int arms, bool heavy, int color) {
  double thick = heavy ? 2.5 : 1.2;
  double cx = PADDING + x * CELL_W + CELL_W / 2.0, cy = PADDING + y * CELL_H + CELL_H / 2.0;
  double left = arms & ARM_LEFT ? cx - CELL_W / 2.0 : cx - thick / 2;
  double right = cx + (run - 1) * CELL_W + (arms & ARM_RIGHT ? CELL_W / 2.0 : thick / 2);
  double top = arms & ARM_UP ? cy - CELL_H / 2.0 : cy - thick / 2;
  double bottom = arms & ARM_DOWN ? cy + CELL_H / 2.0 : cy + thick / 2;
  if (arms & (ARM_LEFT | ARM_RIGHT)) svg_rect(svg, left, cy - thick / 2, right - left, thick, color, 1);
  if (arms & (ARM_UP | ARM_DOWN)) svg_rect(svg, cx - thick / 2, top, thick, bottom - top, color, 1);
}

static void svg_shape(const Svg *svg, int x, int y, int run, uint32_t code, int color) {
  Block block;
  if (!block_shape(code, &block)) {
    svg_rule(svg, x, y, run, rule_arms(code), code == 0x2501 || code == 0x2503, color);
    return;
  }
  double px = PADDING + x * CELL_W, py = PADDING + y * CELL_H, unit_x = CELL_W / 8.0, unit_y = CELL_H / 8.0;
  double w = run > 1 ? run * CELL_W : (block.right - block.left) * unit_x;
  svg_rect(svg, px + block.left * unit_x, py + block.top * unit_y, w, (block.bottom - block.top) * unit_y, color,
           block.opacity);
}

static bool spans_cell(uint32_t code) {   // such shapes join with their right neighbor into one
  Block block;
  if (block_shape(code, &block)) return block.left == 0 && block.right == 8;
  return rule_arms(code) == (ARM_LEFT | ARM_RIGHT);
}

static void svg_glyph(LsText *out, const Cell *cell, bool ascii) {
  switch (glyph_of(cell, ascii)) {
    case '<': ls_text_add(out, "&lt;"); break;
    case '>': ls_text_add(out, "&gt;"); break;
    case '&': ls_text_add(out, "&amp;"); break;
    default: add_cell(out, cell, ascii);
  }
}

static void svg_text(const Svg *svg, int x, int y, int run) {
  const Cell *first = canvas_at(svg->canvas, x, y);
  ls_text_addf(svg->out, "<text y=\"%d\" fill=\"#%06x\"", PADDING + y * CELL_H + BASELINE, svg_ink(svg, first));
  if (first->style & STYLE_BOLD) ls_text_add(svg->out, " font-weight=\"bold\"");
  if (first->style & STYLE_UNDERLINE) ls_text_add(svg->out, " text-decoration=\"underline\"");
  ls_text_add(svg->out, " x=\"");
  for (int i = 0; i < run; i++) ls_text_addf(svg->out, i ? " %d" : "%d", PADDING + (x + i) * CELL_W);
  ls_text_add(svg->out, "\">");
  for (int i = 0; i < run; i++) svg_glyph(svg->out, canvas_at(svg->canvas, x + i, y), svg->ascii);
  ls_text_add(svg->out, "</text>\n");
}

static void svg_backgrounds(const Svg *svg, int y) {
  for (int x = 0; x < svg->canvas->cols;) {
    int color = svg_back(svg, canvas_at(svg->canvas, x, y)), end = x + 1;
    while (end < svg->canvas->cols && svg_back(svg, canvas_at(svg->canvas, end, y)) == color) end++;
    if (color >= 0) svg_rect(svg, PADDING + x * CELL_W, PADDING + y * CELL_H, (end - x) * CELL_W, CELL_H, color, 1);
    x = end;
  }
}

// Of more than one cell or code point: it has a place of its own, because viewers differ in how they count these.
static bool is_alone(const Svg *svg, const Cell *cell) {
  return !svg->ascii && (cell->marks[0] || ls_code_width(cell->code) == 2);
}

static void svg_row(const Svg *svg, int y) {
  int end = row_end(svg->canvas, y, svg->ascii, false);
  for (int x = 0, run; x < end; x += run) {
    const Cell *cell = canvas_at(svg->canvas, x, y);
    uint32_t code = glyph_of(cell, svg->ascii);
    bool shape = is_shape(code);
    run = 1;
    if (code == ' ' || !code) continue;
    bool single = is_alone(svg, cell) || (shape && !spans_cell(code));
    for (; x + run < end && !single; run++) {
      const Cell *next = canvas_at(svg->canvas, x + run, y);
      uint32_t next_code = glyph_of(next, svg->ascii);
      bool joins = shape ? next_code == code : next_code != ' ' && !is_shape(next_code) && !is_alone(svg, next);
      if (!joins || !same_look(svg, cell, next)) break;
    }
    if (shape) svg_shape(svg, x, y, run, code, svg_ink(svg, cell));
    else svg_text(svg, x, y, run);
  }
}

void canvas_to_svg(const Canvas *canvas, bool ascii, bool dark, LsText *out) {
  Svg svg = {canvas, out, ascii, dark};
  int w = canvas->cols * CELL_W + 2 * PADDING, h = canvas->rows * CELL_H + 2 * PADDING;
  ls_text_addf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
               "xml:space=\"preserve\" "
               "font-family=\"DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace\" font-size=\"%d\">\n",
               w, h, w, h, FONT_SIZE);
  ls_text_addf(out, "<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#%06x\"/>\n", w, h,
               dark ? PAPER_DARK : PAPER_LIGHT);
  for (int y = 0; y < canvas->rows; y++) svg_backgrounds(&svg, y);
  for (int y = 0; y < canvas->rows; y++) svg_row(&svg, y);
  ls_text_add(out, "</svg>\n");
}
