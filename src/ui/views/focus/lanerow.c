// lanerow.c: rows with one column per lane.
#include "ui/views/focus/lanerow.h"
#include "base/mem.h"

enum { LABEL = 9, LANES = 32, MOST_PITCH = 6 };

void lanerow_init(LaneRow *row, const Focus *focus) {
  *row = (LaneRow){.canvas = focus->canvas, .label_x = focus->body.x + FOCUS_INDENT,
                   .pitch = LS_CLAMP((focus->body.w - FOCUS_INDENT - LABEL) / LANES, 1, MOST_PITCH),
                   .end = focus->body.x + focus->body.w, .lane = focus->session->lane};
  row->x = row->label_x + LABEL;
}

// Numbers end in the second column of narrow cells, and stand in the middle of wide ones.
int lanerow_column(const LaneRow *row, int lane) {
  return row->x + lane * row->pitch + (row->pitch == 2 ? 1 : (row->pitch - 1) / 2);
}

void lanerow_label(const LaneRow *row, int y, Role role, const char *text) {
  canvas_text_cut(row->canvas, row->label_x, y, LABEL - 1, role, 0, text);
}

// Where numbers would touch, the last digit has to do, or every eighth.
void lanerow_header(const LaneRow *row, int y) {
  lanerow_label(row, y, ROLE_DIM, "lane");
  for (int lane = 0; lane < LANES; lane += row->pitch == 1 ? 8 : 1) {
    bool here = lane == row->lane;
    Role role = here ? ROLE_CURSOR : ROLE_DIM;
    int x = lanerow_column(row, lane), style = here ? STYLE_BOLD : 0;
    if (row->pitch == 1) canvas_textf(row->canvas, x, y, role, style, "%d", lane);
    else if (row->pitch == 2) canvas_textf(row->canvas, x, y, role, style, "%d", lane % 10);
    else canvas_textf(row->canvas, x - 1, y, role, style, "%2d", lane);
  }
}

void lanerow_blocks(const LaneRow *row, int y, uint32_t mask, uint32_t code, Role role) {
  canvas_tall(row->canvas, y);
  int width = row->pitch > 2 ? row->pitch - 1 : 1, indent = row->pitch == 2;   // where a number would end
  for (uint32_t left = mask; left; left &= left - 1)
    for (int i = 0; i < width; i++)
      canvas_put(row->canvas, row->x + __builtin_ctz(left) * row->pitch + indent + i, y, code, role, 0);
}

// Neighbors that touch: the odd ones are text in the color, the even ones have it as their ground.
void lanerow_cell(const LaneRow *row, int y, int lane, Role role, const char *text) {
  canvas_tall(row->canvas, y);
  int width = row->pitch > 2 ? row->pitch - 1 : row->pitch, x = row->x + lane * row->pitch;
  bool plain = row->pitch <= 2 && lane % 2;
  if (!plain) canvas_background(row->canvas, (Rect){x, y, width, 1}, role);
  int end = lanerow_column(row, lane) + 1;
  canvas_text_right(row->canvas, end, y, plain ? role : ROLE_TEXT, plain ? STYLE_BOLD : 0, text);
}
