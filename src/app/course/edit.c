// edit.c: the keys of a small editor of code.
#include "app/course/edit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "app/keys.h"
#include "base/mem.h"
#include "base/text.h"

enum { INDENT = 2, PAGE = 10, MOST = 1 << 16, MOST_PAST = 200 };
enum { CTRL_A = 1, CTRL_E = 5, CTRL_K = 11, CTRL_U = 21 };

void edit_init(Edit *edit, const char *text, bool single) {
  *edit = (Edit){.text = ls_strdup(text), .goal = -1, .single = single};
  edit->cursor = strlen(text);
}

static void forget(Edit *edit) {
  for (int i = 0; i < edit->past_count; i++) free(edit->past[i].text);
  free(edit->past);
}

void edit_fini(Edit *edit) {
  forget(edit);
  free(edit->text);
  *edit = (Edit){0};
}

// ---- places --------------------------------------------------------------------------------------------------------

static size_t line_begin(const Edit *edit, size_t at) {
  while (at && edit->text[at - 1] != '\n') at--;
  return at;
}

static size_t line_end(const Edit *edit, size_t at) { return at + strcspn(edit->text + at, "\n"); }

static size_t before(const Edit *edit, size_t at) {
  if (at) at--;
  while (at && (edit->text[at] & 0xc0) == 0x80) at--;
  return at;
}

static size_t behind(const Edit *edit, size_t at) {
  if (edit->text[at]) at++;
  while ((edit->text[at] & 0xc0) == 0x80) at++;
  return at;
}

int edit_row(const Edit *edit) {
  int row = 0;
  for (size_t i = 0; i < edit->cursor; i++) row += edit->text[i] == '\n';
  return row;
}

int edit_rows(const Edit *edit) {
  int rows = 1;
  for (const char *p = edit->text; *p; p++) rows += *p == '\n';
  return rows;
}

int edit_column(const Edit *edit) {
  size_t begin = line_begin(edit, edit->cursor);
  char *part = ls_strndup(edit->text + begin, edit->cursor - begin);
  int column = ls_utf8_width(part);
  free(part);
  return column;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

// ---- changes -------------------------------------------------------------------------------------------------------

static void remember(Edit *edit) {
  EditPast past = {ls_strdup(edit->text), edit->cursor};
  if (edit->past_count == MOST_PAST) {
    free(edit->past[0].text);
    memmove(edit->past, edit->past + 1, sizeof *edit->past * (size_t)(MOST_PAST - 1));
    edit->past_count--;
  }
  LS_PUSH(edit->past, edit->past_count, edit->past_capacity, past);
}

// Puts `with` in the place of a piece; the cursor goes behind it.
static void replace(Edit *edit, size_t from, size_t to, const char *with) {
  LsText text = {0};
  ls_text_addn(&text, edit->text, from);
  ls_text_add(&text, with);
  ls_text_add(&text, edit->text + to);
  edit->cursor = from + strlen(with);
  free(edit->text);
  edit->text = text.data ? ls_text_take(&text) : ls_strdup("");
}

static bool change(Edit *edit, size_t from, size_t to, const char *with) {
  if (from == to && !*with) return false;
  if (strlen(edit->text) + strlen(with) > MOST) return false;
  remember(edit);
  replace(edit, from, to, with);
  return true;
}

static bool undo(Edit *edit) {
  if (!edit->past_count) return false;
  EditPast past = edit->past[--edit->past_count];
  free(edit->text);
  edit->text = past.text;
  edit->cursor = past.cursor;
  return true;
}

void edit_set(Edit *edit, const char *text) {
  change(edit, 0, strlen(edit->text), text);
  edit->goal = -1;
}

static bool type(Edit *edit, uint32_t code) {
  char bytes[5];
  ls_utf8_encode(code, bytes);
  bool goes_on = edit->typed && edit->past_count;
  if (!goes_on) return edit->typed = change(edit, edit->cursor, edit->cursor, bytes);
  if (strlen(edit->text) + strlen(bytes) > MOST) return false;
  replace(edit, edit->cursor, edit->cursor, bytes);
  return true;
}

static size_t indent_of(const Edit *edit, size_t begin) { return strspn(edit->text + begin, " "); }

// A new line begins under the code of the one that it is broken off; deeper behind a brace.
static bool break_line(Edit *edit) {
  if (edit->single) return false;
  size_t begin = line_begin(edit, edit->cursor), indent = indent_of(edit, begin);
  bool opens = edit->cursor > begin && edit->text[edit->cursor - 1] == '{';
  indent = LS_MIN(indent, edit->cursor - begin) + (opens ? INDENT : 0);
  char *with = ls_format("\n%*s", (int)indent, "");
  bool done = change(edit, edit->cursor, edit->cursor, with);
  free(with);
  return done;
}

static bool erase_back(Edit *edit) {
  size_t begin = line_begin(edit, edit->cursor), column = edit->cursor - begin;
  bool in_indent = column >= INDENT && indent_of(edit, begin) >= column;
  size_t from = in_indent ? edit->cursor - (column % INDENT ? column % INDENT : INDENT) : before(edit, edit->cursor);
  return change(edit, from, edit->cursor, "");
}

static bool indent_line(Edit *edit, bool deeper) {
  static const char blanks[INDENT + 1] = "  ";
  size_t begin = line_begin(edit, edit->cursor), indent = indent_of(edit, begin), at = edit->cursor;
  size_t less = LS_MIN(indent, INDENT);
  if (deeper && edit->single) return false;
  if (!change(edit, begin, deeper ? begin : begin + less, deeper ? blanks : "")) return false;
  edit->cursor = deeper ? at + INDENT : LS_MAX(at, begin + less) - less;
  return true;
}

static bool cut_line(Edit *edit) {
  size_t begin = line_begin(edit, edit->cursor), end = line_end(edit, edit->cursor);
  if (edit->text[end]) end++;
  else if (begin) begin--;
  if (!change(edit, begin, end, "")) return false;
  edit->cursor = line_begin(edit, edit->cursor);
  return true;
}

// ---- moves ---------------------------------------------------------------------------------------------------------

static size_t at_column(const Edit *edit, size_t begin, int column) {
  size_t end = line_end(edit, begin);
  char *line = ls_strndup(edit->text + begin, end - begin);
  size_t at = begin + ls_utf8_within(line, column);
  free(line);
  return LS_MIN(at, end);
}

static bool move_rows(Edit *edit, int rows) {
  int goal = edit->goal >= 0 ? edit->goal : edit_column(edit);
  size_t begin = line_begin(edit, edit->cursor), was = edit->cursor;
  for (; rows < 0 && begin; rows++) begin = line_begin(edit, begin - 1);
  for (; rows > 0 && edit->text[line_end(edit, begin)]; rows--) begin = line_end(edit, begin) + 1;
  edit->cursor = at_column(edit, begin, goal);
  edit->goal = goal;
  return edit->cursor != was;
}

static void move_word(Edit *edit, int direction) {
  const char *text = edit->text;
  size_t at = edit->cursor;
  if (direction > 0) {
    while (text[at] && !is_word(text[at])) at++;
    while (text[at] && is_word(text[at])) at++;
  } else {
    while (at && !is_word(text[at - 1])) at--;
    while (at && is_word(text[at - 1])) at--;
  }
  edit->cursor = at;
}

static void move_home(Edit *edit) {
  size_t begin = line_begin(edit, edit->cursor), code = begin + indent_of(edit, begin);
  edit->cursor = edit->cursor == code ? begin : code;
}

static bool vertical_key(Edit *edit, uint32_t code) {
  if (edit->single) return false;
  switch (code) {
    case KEYX_UP: return move_rows(edit, -1), true;
    case KEYX_DOWN: return move_rows(edit, 1), true;
    case KEYX_PGUP: return move_rows(edit, -PAGE), true;
    case KEYX_PGDN: return move_rows(edit, PAGE), true;
    default: return false;
  }
}

static bool move_key(Edit *edit, uint32_t code) {
  switch (code) {
    case KEYX_LEFT: edit->cursor = before(edit, edit->cursor); break;
    case KEYX_RIGHT: edit->cursor = behind(edit, edit->cursor); break;
    case KEYX_CTRL_LEFT: move_word(edit, -1); break;
    case KEYX_CTRL_RIGHT: move_word(edit, 1); break;
    case KEYX_HOME: case CTRL_A: move_home(edit); break;
    case KEYX_END: case CTRL_E: edit->cursor = line_end(edit, edit->cursor); break;
    default: return false;
  }
  return true;
}

static bool change_key(Edit *edit, uint32_t code) {
  switch (code) {
    case KEY_RETURN_: return break_line(edit);
    case KEY_BACKSPACE_: return erase_back(edit);
    case KEYX_DELETE: return change(edit, edit->cursor, behind(edit, edit->cursor), "");
    case KEY_TAB_: return indent_line(edit, true);
    case KEYX_SHIFT_TAB: return indent_line(edit, false);
    case CTRL_K: return cut_line(edit);
    case CTRL_U: return undo(edit);
    default: return false;
  }
}

bool edit_key(Edit *edit, uint32_t code) {
  bool character = code >= ' ' && code != 127 && code < KEYX_UP;
  if (character) {
    edit->goal = -1;
    return type(edit, code);
  }
  edit->typed = false;
  if (vertical_key(edit, code)) return true;
  edit->goal = -1;
  return move_key(edit, code) || change_key(edit, code);
}
