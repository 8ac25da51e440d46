// keys.h: keys and mouse as the application sees them; terminals are translated to this in ui/term/term_curses.c.
#ifndef LS_APP_KEYS_H
#define LS_APP_KEYS_H

#include <stdbool.h>
#include <stdint.h>

// Printable keys are their code point; the others start above Unicode.
enum {
  KEY_NONE_ = 0, KEY_ESC_ = 27, KEY_RETURN_ = 13, KEY_TAB_ = 9, KEY_BACKSPACE_ = 8, KEY_CTRL_L_ = 12,
  KEYX_UP = 0x110000, KEYX_DOWN, KEYX_LEFT, KEYX_RIGHT, KEYX_HOME, KEYX_END, KEYX_PGUP, KEYX_PGDN, KEYX_INSERT, KEYX_DELETE,
  KEYX_SHIFT_LEFT, KEYX_SHIFT_RIGHT, KEYX_SHIFT_UP, KEYX_SHIFT_DOWN, KEYX_CTRL_LEFT, KEYX_CTRL_RIGHT,
  KEYX_SHIFT_TAB, KEYX_F1, KEYX_F5, KEYX_RESIZE, KEYX_MOUSE,
};

typedef struct AppKey {
  uint32_t code;
  int x, y;              // KEYX_MOUSE: cell
  int button;            // 1 left press, 2 middle, 3 right, 4 wheel up, 5 wheel down, 6 left drag
} AppKey;

// "Left", "S-Left", "C-Left", "Space", "Tab", "Return", "Esc", "BackTab", "F1", "a", "[" -> code; 0 if unknown. Key
// scripts of tests and commands.def use these names.
uint32_t key_parse(const char *name);
// The key that the text begins with, as key_name shows it, and steps over it and a blank: "↑↓" is two. 0: at its end.
uint32_t key_read(const char **shown);
const char *key_name(uint32_t code, bool unicode);   // for footer and help: "←", "⇧←", "space"; static buffer per code

#endif
