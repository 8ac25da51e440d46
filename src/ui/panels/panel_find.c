// panel_find.c: the text that is to be found in the run.
#include "ui/panels/prompt.h"
#include "ui/views/frame.h"

static bool key(Session *session, uint32_t code) { return prompt_key(session, code, ses_find); }

static void draw(Session *session, Canvas *canvas, Rect rect) {
  (void)rect;
  frame_prompt(canvas, "/", session->input, "a line, a variable, a kind of event");
}

const SesPanel panel_find = {.place = PANEL_LINE, .key = key, .draw = draw};
