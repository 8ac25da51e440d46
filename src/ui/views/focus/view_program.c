// view_program.c: the program that the launch is a part of, over time. The page with the model is timeline_page.c.
#include "ui/views/focus/focus.h"
#include "ui/views/timeline.h"

void view_draw_program(Session *session, Canvas *canvas, Rect rect) {
  const Schedule *schedule = ses_schedule(session);
  if (schedule->chart) {
    timeline_picture(session, canvas, rect);
    return;
  }
  Rect body = view_rule(canvas, rect, focus_title(FOCUS_PROGRAM), NULL);
  const char *why = schedule->why_not ? schedule->why_not : "The program is run for its times ...";
  canvas_text_cut(canvas, body.x + FOCUS_INDENT, body.y, body.w - 2 * FOCUS_INDENT, ROLE_DIM, 0, why);
}

// Rows that have no room are counted on the rule.
void view_room_program(Session *session, int cols, FocusRoom *room) {
  enum { FRAME = 2, LEAST_ROWS = 2, BELOW = 2 };   // the rule and the axis; the use of the SMs and the critical path
  const Schedule *schedule = ses_schedule(session);
  (void)cols;
  int rows = schedule->chart ? schedule->chart->row_count : 0;
  *room = (FocusRoom){.parts = 1, .least = FRAME + LS_MIN(rows, LEAST_ROWS), .good = FRAME + rows,
                      .whole = FRAME + rows + (rows ? BELOW : 0)};
}
