// keys.c: names of keys, for tables and scripts one way, for people the other.
#include "app/keys.h"

#include <string.h>
#include "base/mem.h"
#include "base/text.h"

typedef struct KeyRow { const char *name; uint32_t code; const char *shown, *plain; } KeyRow;

// name: as tables and scripts write it; shown and plain: as footer and help do, with and without Unicode.
static const KeyRow rows[] = {
    {"Left", KEYX_LEFT, "←", "left"},
    {"Right", KEYX_RIGHT, "→", "right"},
    {"Up", KEYX_UP, "↑", "up"},
    {"Down", KEYX_DOWN, "↓", "down"},
    {"S-Left", KEYX_SHIFT_LEFT, "⇧←", "shift-left"},
    {"S-Right", KEYX_SHIFT_RIGHT, "⇧→", "shift-right"},
    {"S-Up", KEYX_SHIFT_UP, "⇧↑", "shift-up"},
    {"S-Down", KEYX_SHIFT_DOWN, "⇧↓", "shift-down"},
    {"C-Left", KEYX_CTRL_LEFT, "^←", "ctrl-left"},
    {"C-Right", KEYX_CTRL_RIGHT, "^→", "ctrl-right"},
    {"Home", KEYX_HOME, "home", "home"},
    {"End", KEYX_END, "end", "end"},
    {"PgUp", KEYX_PGUP, "pgup", "pgup"},
    {"PgDn", KEYX_PGDN, "pgdn", "pgdn"},
    {"Insert", KEYX_INSERT, "ins", "ins"},
    {"Delete", KEYX_DELETE, "del", "del"},
    {"Space", ' ', "space", "space"},
    {"Tab", KEY_TAB_, "tab", "tab"},
    {"BackTab", KEYX_SHIFT_TAB, "⇧tab", "shift-tab"},
    {"Return", KEY_RETURN_, "⏎", "enter"},
    {"Enter", KEY_RETURN_, "⏎", "enter"},
    {"Esc", KEY_ESC_, "esc", "esc"},
    {"Backspace", KEY_BACKSPACE_, "⌫", "backspace"},
    {"C-l", KEY_CTRL_L_, "^L", "ctrl-l"},
    {"F1", KEYX_F1, "F1", "F1"},
    {"F5", KEYX_F5, "F5", "F5"},
    {"Resize", KEYX_RESIZE, "resize", "resize"},
    {"Mouse", KEYX_MOUSE, "mouse", "mouse"},
};

uint32_t key_parse(const char *name) {
  if (!name || !*name) return KEY_NONE_;
  for (int i = 0; i < LS_COUNT(rows); i++)
    if (strcmp(rows[i].name, name) == 0) return rows[i].code;
  const char *rest = name;
  uint32_t code = ls_utf8_next(&rest);
  return *rest == 0 && code > ' ' && code != 127 ? code : KEY_NONE_;
}

const char *key_name(uint32_t code, bool unicode) {
  static char ascii[128][2], other[8][8];
  static int turn;
  for (int i = 0; i < LS_COUNT(rows); i++)
    if (rows[i].code == code) return unicode ? rows[i].shown : rows[i].plain;
  if (code <= ' ' || code == 127 || code >= KEYX_UP) return "?";
  if (code < 128) {
    ascii[code][0] = (char)code;
    return ascii[code];
  }
  char *buffer = other[turn++ % LS_COUNT(other)];
  ls_utf8_encode(code, buffer);
  return buffer;
}

uint32_t key_read(const char **shown) {
  const char *text = *shown;
  size_t longest = 0;
  uint32_t code = KEY_NONE_;
  for (int i = 0; i < LS_COUNT(rows); i++)
    for (int plain = 0; plain < 2; plain++) {
      const char *name = plain ? rows[i].plain : rows[i].shown;
      if (!ls_starts_with(text, name) || strlen(name) <= longest) continue;
      longest = strlen(name);
      code = rows[i].code;
    }
  *shown += longest;
  if (!longest && *text) code = ls_utf8_next(shown);
  while (**shown == ' ') ++*shown;
  return code;
}
