// frame.h: the bar at the top and the keys at the bottom, the same on every page.
#ifndef LS_UI_FRAME_H
#define LS_UI_FRAME_H

#include "app/footer.h"
#include "ui/term/canvas.h"

// " lanescope ▸ reduce2 ▸ block 3       middle    right ". The crumbs on the left go where there is no room, then the middle.
typedef struct FrameTitle {
  const char *crumbs[5]; int crumb_count;
  const char *middle[4]; // dim: where the numbers come from: the first of these that there is room for; NULL: none
  const char *right;     // bright: how far along
  const char *right_brief; // the same in fewer words, where else the second crumb would go; NULL: none
  bool needs_name;       // crumb 1 changes as one goes on, as the launch of a program: news may be brief for it, and the middle go
  const char *news[2];   // bright, before right: what must not be missed, and the same in fewer words; "" or NULL:
                         // nothing
  bool alarming;         // news is
  const char *found[2];  // bright, but no alarm: what is worth knowing, in full and in short; NULL: nothing
  const char *state;     // after right; goes first where room is short
} FrameTitle;
void frame_title(Canvas *canvas, const FrameTitle *title);

// Keys with what they do: from commands.def by context, or a list of pages with keys of their own.
void frame_footer(Canvas *canvas, unsigned context);
void frame_keys(Canvas *canvas, const FooterKey *keys, int count);
// A message instead of the keys, over the rows above them where it is long.
void frame_message(Canvas *canvas, const char *text, bool is_error);
// What holds for as long as the page is there, in rows above the keys; returns how many. "": none.
int frame_notice(Canvas *canvas, const char *text);
// A line of typing instead of the keys, with the cursor behind it, and dim help at the right.
void frame_prompt(Canvas *canvas, const char *prompt, const char *input, const char *help);
// Work in progress instead of the keys: what it is doing and with what, for how long, how far it is (0..1000; -1: not known), or
// how many bytes came (if not 0), and how to stop it.
typedef struct FrameProgress { const char *stage, *note; double seconds; int permille; uint64_t bytes; } FrameProgress;
void frame_progress(Canvas *canvas, const FrameProgress *progress);

void frame_too_small(Canvas *canvas, int cols, int rows);   // instead of a page that needs so much

#endif
