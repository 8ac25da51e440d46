// edit.h: a few lines of code being edited: text, cursor, and what was there before. No screen.
#ifndef LS_APP_EDIT_H
#define LS_APP_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct EditPast { char *text; size_t cursor; } EditPast;

typedef struct Edit {
  char *text;                // UTF-8, lines end with '\n' but for the last one; owned
  size_t cursor;             // byte
  int goal;                  // column that up and down keep to; -1: that of the cursor
  bool single;               // one line: Return means nothing here
  bool typed;                // the last key was a character: one undo takes back all of them
  EditPast *past; int past_count, past_capacity;
} Edit;

void edit_init(Edit *edit, const char *text, bool single);   // the cursor is at the end
void edit_fini(Edit *edit);                                  // also of a zeroed one
// A key as of app/keys.h. False if it means nothing here; then nothing changed.
//   characters, Return (indents as the line before), Backspace, Delete, Tab and Shift-Tab (by two blanks)
//   arrows, Ctrl-arrows by words, Home (to the code, then to the margin), End, page keys by ten lines
//   Ctrl-A, Ctrl-E: Home, End; Ctrl-K: cuts the line; Ctrl-U: undo
bool edit_key(Edit *edit, uint32_t code);
void edit_set(Edit *edit, const char *text);                 // with undo
int edit_row(const Edit *edit);                              // of the cursor, from 0
int edit_column(const Edit *edit);                           // in columns of the screen, from 0
int edit_rows(const Edit *edit);

#endif
