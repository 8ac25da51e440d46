// rail_pen.c: wraps marked-up text, word by word.
#include "ui/pages/rail_pen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/course/lesson.h"

static void new_row(Pen *pen) {
  pen->row++;
  pen->col = pen->indent;
  pen->fresh = true;
}

void pen_end(Pen *pen) {
  if (!pen->fresh) new_row(pen);
}

void pen_blank(Pen *pen) {
  pen_end(pen);
  if (pen->row && !pen->gap) new_row(pen);
  pen->gap = true;
}

// after: columns of what follows without a blank, and stays in the row of the word.
static void put_word(Pen *pen, const char *word, int length, int space_before, int after, Role role, int style) {
  char text[256];
  snprintf(text, sizeof text, "%.*s", length, word);
  int width = ls_utf8_width(text), room = pen->rect.w - pen->col;
  if (!pen->fresh && width + after + space_before > room) new_row(pen), space_before = 0;
  if (pen->fresh) space_before = 0;
  pen->col += space_before;
  int y = pen->rect.y + pen->row - pen->skip;
  if (pen->row >= pen->skip && y < pen->rect.y + pen->rect.h)
    canvas_text_cut(pen->canvas, pen->rect.x + pen->col, y, LS_MAX(pen->rect.w - pen->col, 1), role, style, text);
  pen->col += width;
  pen->fresh = pen->gap = false;
}

// One word (no blanks inside), wrapped as a whole; longer than a row, it is cut there.
void pen_word(Pen *pen, const char *word, int length, int space_before, Role role, int style) {
  put_word(pen, word, length, space_before, 0, role, style);
}

void pen_cell(Pen *pen, int column, uint32_t code, Role role, int style) {
  int y = pen->rect.y + pen->row - pen->skip;
  bool seen = pen->row >= pen->skip && y < pen->rect.y + pen->rect.h && column < pen->rect.w;
  if (seen) canvas_put(pen->canvas, pen->rect.x + column, y, code, role, style);
  pen->fresh = pen->gap = false;
}

static const Role span_roles[] = {ROLE_TEXT, ROLE_ACTIVE, ROLE_TEXT};
static const int span_styles[] = {0, 0, STYLE_BOLD};

// Columns of what stands behind a piece without a blank, as the full stop of "`x`.", marks not counted.
static int columns_glued(const char *behind) {
  int columns = 0;
  for (; *behind && *behind != ' '; ls_utf8_next(&behind)) columns += *behind != '`' && *behind != '*';
  return columns;
}

// A piece of one style, inside a line of the text.
void pen_span(Pen *pen, const char *start, int length, int style, Role role, int *space) {
  const char *p = start, *end = start + length;
  while (p < end) {
    size_t blanks = strspn(p, " ");
    if (blanks > (size_t)(end - p)) blanks = (size_t)(end - p);
    if (blanks) *space = pen->exact ? (int)blanks : 1;
    p += blanks;
    size_t word = strcspn(p, " ");
    if (word > (size_t)(end - p)) word = (size_t)(end - p);
    if (!word) continue;
    int after = p + word == end ? columns_glued(end) : 0;
    put_word(pen, p, (int)word, *space, after, style == 1 ? span_roles[1] : role, span_styles[style]);
    *space = 0;
    p += word;
  }
}

// A line of the text; lines of a paragraph flow together, an empty one parts paragraphs, "- " and blanks stand alone.
void pen_line(Pen *pen, const char *line, size_t length, Role role) {
  if (length == 0) {
    pen_blank(pen);
    return;
  }
  bool item = length > 2 && line[0] == '-' && line[1] == ' ', alone = line[0] == ' ';
  if (item || alone) pen_end(pen);
  if (alone) pen->col += (int)strspn(line, " ");
  pen->exact = alone;
  char *copy = ls_strndup(line, length);
  const char *text = copy, *start;
  int span, style;
  int space = !pen->fresh;
  if (item) {
    pen_word(pen, "-", 1, 0, ROLE_DIM, 0);
    text += 2;
    pen->indent = 2;
    space = 1;
  }
  while (lesson_span(&text, &start, &span, &style)) pen_span(pen, start, span, style, role, &space);
  free(copy);
  pen->exact = false;
  if (item || alone) {
    pen->indent = 0;
    pen_end(pen);
  }
}

void pen_text(Pen *pen, const char *text, Role role) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    pen_line(pen, text, length, role);
    text += length + (text[length] == '\n');
  }
  pen_end(pen);
}

void pen_labeled(Pen *pen, const char *label, Role label_role, const char *text, Role role) {
  pen_blank(pen);
  pen_word(pen, label, (int)strlen(label), 0, label_role, STYLE_BOLD);
  pen->indent = 0;
  pen_text(pen, text, role);
}
