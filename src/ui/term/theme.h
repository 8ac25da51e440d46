// theme.h: from what a cell means to how it is painted, for any number of colors.
#ifndef LS_UI_THEME_H
#define LS_UI_THEME_H

#include "ui/term/canvas.h"

// How a canvas is painted: THEME_ON_DARK, or not, and THEME_STAGE with it where it is seen from afar.
enum { THEME_ON_LIGHT = 0, THEME_ON_DARK = 1, THEME_STAGE = 2, THEME_LOOKS = 4 };
enum { THEME_MONO = 0, THEME_8 = 8, THEME_256 = 256, THEME_DIRECT = 1 << 24 };

// Colors are -1 (the terminal's own), an index below 8 or 256, or 0xrrggbb, by the number of colors asked for.
typedef struct Paint { int fore, back, style; } Paint;

Paint theme_paint(const Cell *cell, int colors, int look);
// The 24-bit color of a role; -1 for the terminal's own.
int theme_rgb(Role role, int look);
// Index of the nearest of the 6x6x6 cube and the gray ramp of 256-color terminals.
int theme_nearest_256(int rgb);
int theme_look(const Canvas *canvas, bool dark);
// What the environment says of the background ($COLORFGBG); dark if it says nothing.
bool theme_is_dark(void);

#endif
