// lanestrip.c: the lanes of a warp as a strip of cells by state, one to three columns each.
#include "ui/views/focus/lanestrip.h"
#include "base/mem.h"

enum { LANES = 32 };

void lanestrip_draw(Canvas *canvas, int x, int y, int pitch, LaneStates states) {
  canvas_tall(canvas, y);
  canvas_lanes(canvas, x, y, states.live, states.active, states.waiting);
  for (int lane = LANES - 1; lane >= 0 && pitch > 1; lane--) {   // from the end, so that none is drawn over before it
                                                                 // is read
    const Cell *at = canvas_at(canvas, x + lane, y);
    Cell cell = at ? *at : (Cell){.code = ' '};
    for (int i = 0; i < pitch; i++)
      canvas_put(canvas, x + lane * pitch + i, y, i < 2 ? cell.code : ' ', (Role)cell.role, cell.style);
  }
}

void lanestrip_header(Canvas *canvas, int x, int y, int pitch) {
  static const int marks[] = {0, 8, 16, 24, 31};
  for (int i = 0; pitch < 3 && i < LS_COUNT(marks); i++)
    canvas_textf(canvas, x + marks[i] * pitch - (marks[i] == 31 && pitch == 1), y, ROLE_DIM, 0, "%d", marks[i]);
  for (int lane = 0; pitch > 2 && lane < LANES; lane++)
    canvas_textf(canvas, x + lane * pitch, y, ROLE_DIM, 0, "%2d", lane);
}

uint32_t lanestrip_first(uint32_t mask, double share) {
  int count = (int)(share * LANES + 0.5);
  return count >= LANES ? mask : mask & ((1u << count) - 1);
}
