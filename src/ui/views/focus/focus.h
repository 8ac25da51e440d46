// focus.h: what the focus panes share: which event they explain, labels, lanes in cells. Private to view_*.c and
// focus.c.
#ifndef LS_UI_FOCUS_H
#define LS_UI_FOCUS_H

#include "ui/views/view.h"

enum {
  FOCUS_INDENT = 2,
  FOCUS_LEAST = 44,          // least columns for one per lane, and a label: the side of a comparison
  FOCUS_LANES = 75,          // for two per lane or bank
  FOCUS_WIDE = 108,          // three per lane
};

// What a pane is about to draw.
typedef struct Focus {
  Session *session;
  Canvas *canvas;
  const Scene *scene;
  const TraceInfo *info;
  const TraceEvent *event;
  Rect body;                 // below the rule
  bool wide;
} Focus;

// What a pane explains, and what it says of itself where there is nothing to explain.
typedef struct FocusPane {
  FocusKind kind;
  const char *nothing;       // "This warp has not touched global memory yet."
} FocusPane;

// Everything but the event, for panes that explain a state.
void focus_init(Session *session, Canvas *canvas, Rect rect, Focus *focus);
// Finds the event. If there is none, draws the rule and one calm line, and returns false: the pane is done.
bool focus_begin(const FocusPane *pane, Session *session, Canvas *canvas, Rect rect, Focus *focus);
// The same for view_room_*, without a canvas: sets the event, and a body of so many columns and any number of rows. If
// there is no event, fills in the room of the calm line, and returns false.
bool focus_room(const FocusPane *pane, Session *session, int cols, Focus *focus, FocusRoom *room);
// Draws the rule and sets the body. Where the event is not the one at the cursor, the rule says which step it is of.
void focus_rule(Focus *focus, Rect rect, const char *title, const char *right);
// Columns that the right side may have beside a title: what is wider is left out.
int focus_rule_room(const Focus *focus, Rect rect, const char *title);
// The same with a first part of the right side in the color of the alarm: "2 wavefronts", " where 1 would do".
void focus_rule_alarm(Focus *focus, Rect rect, const char *title, const char *alarm, const char *right);

// False, with a line that says so, where the pane has fewer columns than the picture needs.
bool focus_fits(const Focus *focus, int columns);

// How far the i-th of n parts of the picture has come while its event is played, 0: not yet there, 1: there. Parts come
// one after another in the order of i; a picture that stands still has all of them.
double focus_part(const Focus *focus, int i, int n);
// Whether the picture's own event is being played, and has not come to its end: an earlier event stands still.
bool focus_plays(const Focus *focus);

// How far what is played has come: "turn 14 of 32"; to a hall that was asked for the number only "turn 14".
void focus_count(const Focus *focus, const char *noun, int now, int all, char *out, size_t size);

// The n-th of the colors that tell sets apart.
Role focus_set(int n);
// That of the i-th of n that come one after another: as long as there are colors for all of them, else two by turns.
Role focus_turn(int i, int n);
// A line of the source, trimmed, and its number (0: unknown) for a pc. text may be NULL.
int focus_line(Session *session, int pc, const char **text);
// The block of the cursor in the trace: its steps. count 0: none.
TraceBlock focus_block(const Focus *focus);
// "x + 0x0a00", or "+ 0x0a00" if brief; "0x7f00" if nobody is there.
void focus_address(const TraceInfo *info, int space, uint64_t addr, bool brief, LsText *out);
// What is missing in the row y, in dim words: "▾ 12 more lines · z", without the key where the pane has all of the
// window. noun: of one of them.
void focus_more(const Focus *focus, int y, int count, const char *noun);
// The same with more words: "▾ 12 more lines like these · z".
void focus_more_of(const Focus *focus, int y, int count, const char *noun, const char *tail);
// The part of `count` rows that so many rows of a pane show around one of them, and how many are missing before and
// after it, each of which takes a row to say so. In two rows all that is missing is counted after.
typedef struct FocusWindow { int top, shown, before, after; } FocusWindow;
FocusWindow focus_window(int count, int rows, int around);
// What is missing above: "▴ 3 rows before".
void focus_before(const Focus *focus, int y, int count, const char *noun);

#endif
