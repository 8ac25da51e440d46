// canvas.h: a grid of cells that views draw into. Nothing here knows a terminal.
//
// A cell is one code point and a style: a role (what it means), and bold, reverse or underline. Roles become colors in
// the theme; on monochrome terminals they become attributes, and in ASCII mode glyphs are replaced on the way out, so
// views always draw Unicode. Everything is clipped to the canvas and to the clip rectangle.
//
// A wide character (ls_code_width) takes its cell and the one to the right of it, which is its rest. Whatever is drawn
// over one half leaves a blank in the other; a wide character of which only one half is inside of the clip is a blank.
// Combining marks stay with the character before them. Characters that are not seen (joiners, directions, variants) are
// left out: terminals differ in what they do to the width of the others.
//
//        column   0    1      2    3       4        5
//        "a漢b"   'a'  U+6f22 rest 'b'     "é" in two code points: 'e' with the mark U+0301
#ifndef LS_UI_CANVAS_H
#define LS_UI_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include "app/layout.h"
#include "base/text.h"

typedef enum Role {
#define ROLE(NAME, ...) ROLE_##NAME,
#include "ui/term/role.def"
#undef ROLE
  ROLE_COUNT
} Role;

enum { STYLE_BOLD = 1, STYLE_REVERSE = 2, STYLE_UNDERLINE = 4, STYLE_DIM = 8 };

enum { CELL_REST = 0, CELL_MARKS = 2 };
// code CELL_REST: the right half of the wide character to the left. background: a Role used as back color, 0 for none.
// Text that is drawn later keeps it.
typedef struct Cell { uint32_t code; uint8_t role, style, background; uint32_t marks[CELL_MARKS]; } Cell;

// For tests: who is told of every text, of every character that would stand outside of the clip, and of those that are
// drawn over others. A blank is no character. Either may be NULL.
typedef struct CanvasWatch {
  void *context;
  void (*text)(void *context, int x, int end, int y, const char *text, size_t bytes);
  void (*lost)(void *context, int x, int y, uint32_t code);
  void (*covered)(void *context, int x, int y, uint32_t old, uint32_t code);
} CanvasWatch;

enum { CANVAS_TALL = 512 };  // rows further down stay as they are

typedef struct Canvas {
  int cols, rows;
  Cell *cells;               // rows * cols, row by row
  Rect clip;
  int cursor_x, cursor_y;    // where the hardware cursor stands (screen readers follow it); -1: anywhere
  bool typing;               // the hardware cursor is to be seen
  const CanvasWatch *watch;  // borrowed; NULL: nobody
  bool stage;                // whoever looks sits far away: pictures alone, in high contrast
  uint64_t tall[CANVAS_TALL / 64];   // rows that are cells of a picture: canvas_tall
  bool ascii;                // the output will be ASCII: views that name keys spell them out
} Canvas;

Canvas *canvas_new(int cols, int rows);
void canvas_free(Canvas *canvas);
void canvas_clear(Canvas *canvas);                       // spaces, no clip, no cursor
Rect canvas_clip(Canvas *canvas, Rect clip);             // returns the old one
const Cell *canvas_at(const Canvas *canvas, int x, int y);   // NULL outside
// Returns the columns it takes. One that takes none joins the character to the left of x.
int canvas_put(Canvas *canvas, int x, int y, uint32_t code, Role role, int style);
// A row is part of a picture's cells, which may be stretched (views/stretch.h), unlike words.
void canvas_tall(Canvas *canvas, int y);
bool canvas_is_tall(const Canvas *canvas, int y);
// Draws UTF-8 text; returns the column after it. Control characters become spaces. Never wraps.
int canvas_text(Canvas *canvas, int x, int y, Role role, int style, const char *text);
int canvas_textf(Canvas *canvas, int x, int y, Role role, int style, const char *format, ...) __attribute__((format(printf, 6, 7)));
// Text cut to width columns with an ellipsis; returns columns used.
int canvas_text_cut(Canvas *canvas, int x, int y, int width, Role role, int style, const char *text);
int canvas_text_right(Canvas *canvas, int x_end, int y, Role role, int style, const char *text);   // ends before x_end
// Wraps words into a rectangle from its row `skip`; returns rows needed in all. rect.h == 0 only measures.
int canvas_text_wrap(Canvas *canvas, Rect rect, int skip, Role role, int style, const char *text);
void canvas_fill(Canvas *canvas, Rect rect, uint32_t code, Role role, int style);
void canvas_background(Canvas *canvas, Rect rect, Role role);
// A thin rule with a title, and an optional second title at its right end: ── title ───────── right ──
// Where both do not fit the right one is left out.
void canvas_rule(Canvas *canvas, int x, int y, int w, const char *title, const char *right);
// A 32-lane strip: one glyph per lane by state: active, masked off, waiting at a barrier, gone.
void canvas_lanes(Canvas *canvas, int x, int y, uint32_t live, uint32_t active, uint32_t waiting);
// A horizontal bar of `width` cells, `part` of `whole` of it filled, in eighths of a cell; the rest is shaded.
void canvas_meter(Canvas *canvas, int x, int y, int width, double part, double whole, Role role);

// Out of the canvas. ascii: only ASCII glyphs. Trailing blanks are cut in text.
void canvas_to_text(const Canvas *canvas, bool ascii, LsText *out);
void canvas_to_ansi(const Canvas *canvas, bool ascii, int colors, LsText *out);   // 0, 8, 256 or 1 << 24
// What turns `before` on a terminal into `after`, which has the same size: cursor moves, colors and text of what
// differs. before NULL: the screen is cleared first.
void canvas_to_delta(const Canvas *before, const Canvas *after, bool ascii, bool dark, LsText *out);
void canvas_to_svg(const Canvas *canvas, bool ascii, bool dark, LsText *out);
// The ASCII stand-in of a glyph.
uint32_t glyph_ascii(uint32_t code);
// The glyph of a cell on the way out. In ASCII one shade stands for different things by role: a masked lane is '.',
// a wasted byte is '-', a lane that is gone is blank.
// The rest of a wide character is 0, nothing to be written; in ASCII both halves are '?'.
uint32_t glyph_of(const Cell *cell, bool ascii);

#endif
