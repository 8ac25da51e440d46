// panel_line.c: a command as a line of text: goto 1184, set sched=stack.
#include "ui/panels/prompt.h"
#include "ui/views/frame.h"

static bool run(Session *session, const char *text) {
  return ses_command(session, &(Command){.id = CMD_TEXT, .text = text});
}

static bool key(Session *session, uint32_t code) { return prompt_key(session, code, run); }

static void draw(Session *session, Canvas *canvas, Rect rect) {
  (void)rect;
  frame_prompt(canvas, ":", session->input, "goto 1184   line 16   what is a wavefront");
}

const SesPanel panel_line = {.place = PANEL_LINE, .key = key, .draw = draw};
