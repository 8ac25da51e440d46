// glyph.c: what stands for a glyph where only ASCII can be shown.
#include <stdlib.h>
#include "ui/term/canvas.h"

typedef struct GlyphRow { uint32_t code; char ascii; } GlyphRow;

static const GlyphRow glyphs[] = {   // by code
    {0x00a0, ' '}, {0x00ab, '<'}, {0x00b0, 'o'}, {0x00b1, '~'}, {0x00b2, '2'}, {0x00b3, '3'}, {0x00b5, 'u'},
        {0x00b7, '-'},
    {0x00bb, '>'},
    {0x00d7, 'x'}, {0x00f7, '/'}, {0x03bc, 'u'}, {0x2010, '-'}, {0x2011, '-'}, {0x2012, '-'}, {0x2013, '-'},
        {0x2014, '-'},
    {0x2018, '\''}, {0x2019, '\''}, {0x201c, '"'}, {0x201d, '"'}, {0x2022, '*'}, {0x2026, '~'}, {0x2190, '<'},
    {0x2191, '^'}, {0x2192, '>'}, {0x2193, 'v'}, {0x2194, '='}, {0x21e7, 'S'}, {0x2208, 'e'}, {0x2212, '-'},
    {0x2248, '~'}, {0x2260, '!'}, {0x2264, '<'}, {0x2265, '>'}, {0x22ee, ':'}, {0x23ce, '<'},
    {0x2580, '"'}, {0x2581, '_'}, {0x2582, '_'}, {0x2583, '.'}, {0x2584, '-'}, {0x2585, '='}, {0x2586, '+'},
        {0x2587, '*'},
    {0x2588, '#'},
    {0x2589, '#'}, {0x258a, '#'}, {0x258b, '#'}, {0x258c, '#'}, {0x258d, '|'}, {0x258e, '|'}, {0x258f, '|'},
    {0x2590, '#'}, {0x2591, '.'}, {0x2592, '='}, {0x2593, '#'}, {0x2594, '-'}, {0x2595, '|'}, {0x25a0, '#'},
        {0x25a1, '-'},
    {0x25b2, '!'}, {0x25b4, '^'}, {0x25b6, '>'}, {0x25b8, '>'}, {0x25bc, 'V'}, {0x25bd, 'v'}, {0x25be, 'v'},
    {0x25bf, 'v'}, {0x25c0, '<'},
    {0x25c2, '<'}, {0x25c6, '*'},
    {0x25c9, '@'}, {0x25cb, 'o'}, {0x25cf, '*'}, {0x2713, 'v'}, {0x2717, 'x'},
};

static int by_code(const void *key, const void *row) {
  uint32_t wanted = *(const uint32_t *)key, code = ((const GlyphRow *)row)->code;
  return wanted < code ? -1 : wanted > code;
}

static uint32_t box_ascii(uint32_t code) {
  switch (code) {
    case 0x2500: case 0x2504: case 0x2508: case 0x254c: case 0x2574: case 0x2576: return '-';
    case 0x2501: case 0x2505: case 0x2550: case 0x2578: case 0x257a: return '=';
    case 0x2502: case 0x2503: case 0x2506: case 0x250a: case 0x254e: case 0x2551: case 0x2575: case 0x2577: return '|';
    default: return '+';
  }
}

uint32_t glyph_ascii(uint32_t code) {
  if (code < 0x80) return code;
  if (code >= 0x2500 && code < 0x2580) return box_ascii(code);
  if (code >= 0x2800 && code < 0x2900) return code == 0x2800 ? ' ' : '.';   // braille dots of plots
  const GlyphRow *row = bsearch(&code, glyphs, sizeof glyphs / sizeof *glyphs, sizeof *glyphs, by_code);
  return row ? (uint32_t)row->ascii : '?';
}

uint32_t glyph_of(const Cell *cell, bool ascii) {
  if (!ascii) return cell->code;
  if (cell->code == CELL_REST) return '?';
  if (cell->role == ROLE_GONE && cell->code == 0xb7) return ' ';
  if (cell->role == ROLE_WASTED && cell->code == 0x2591) return '-';
  return glyph_ascii(cell->code);
}
