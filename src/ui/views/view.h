// view.h: a view draws one aspect of a Session into a rectangle of a Canvas. The pictures of the focus pane
// are rows of app/focus.def, the others of views.def.
//
// Views are pure: the same session and rectangle give the same cells. They read the session and its scene, change
// nothing, and name roles, never colors. Every view draws its own rule into the first row of its rectangle.
#ifndef LS_UI_VIEW_H
#define LS_UI_VIEW_H

#include "app/session/session.h"
#include "ui/term/canvas.h"

typedef struct View {
  const char *name;          // as in export --view
  void (*draw)(Session *session, Canvas *canvas, Rect rect);   // rect includes the rule with the title, if the view has one
  const char *help;
} View;
const View *view_find(const char *name);
const View *view_all(int *count);
const View *view_of_focus(FocusKind kind);

// A view on its own, as export shows it; pictures of an event get their sentence underneath.
void view_draw(const View *view, Session *session, Canvas *canvas, Rect rect);

// The whole explorer on a canvas (title bar, panes by the layout, footer, open panels). The session knows the size.
void explorer_draw(Session *session, Canvas *canvas);

// ---- shared by views -------------------------------------------------------------------------------------------------

// Draws the rule into the first row of rect and returns what is below it.
Rect view_rule(Canvas *canvas, Rect rect, const char *title, const char *right);
// The same for a pane in which up and down move: its title is bright while it has the focus.
Rect view_pane_rule(const Session *session, SesPane pane, Canvas *canvas, Rect rect, const char *title, const char *right);
// Words wrapped into a rectangle; where it has too few rows for all of them, they end in an ellipsis. Returns rows
// used.
int view_words(Canvas *canvas, Rect rect, Role role, const char *text);
// A dim label followed by a value two columns on; returns the column after both.
int view_labeled(Canvas *canvas, int x, int y, const char *label, Role role, const char *value);
// A line of `width` columns with a knob where share, 0 to 1, stands.
void view_slider(Canvas *canvas, int x, int y, int width, double share, bool chosen);
// The glyph of what is wasted (SesBar.mark and height), and its role; 0: nothing is.
uint32_t view_waste_glyph(char mark, int height, Role *role);
// What a pane of values adds to its title where the run is not the emulator's: " · emulated", or "".
const char *view_values_tag(const Session *session);
// A picture of the focus pane with its sentence below it; the one that the pane shows.
void view_picture(FocusKind kind, Session *session, Canvas *canvas, Rect rect);
void view_focus(Session *session, Canvas *canvas, Rect rect);
// The picture without its words, and those: what the page beside it says in their place, or itself.
void view_picture_alone(FocusKind kind, Session *session, Canvas *canvas, Rect rect);
const char *view_picture_words(const Scene *scene);
// What a picture wants in a pane of so many columns, with its sentence and the gap above it counted in.
void view_room(Session *session, FocusKind kind, int cols, FocusRoom *room);
void view_waves_page(Session *session, Canvas *canvas, Rect rect);    // the waves with the block under the cursor named
void view_difference(Session *session, Canvas *canvas, Rect rect);    // two runs of the same code: whether they differ, and where
int view_totals_table(Session *session, Canvas *canvas, Rect rect);  // the same counters in plain rows, without a rule;
                                                                     // rows without room
void view_peer_totals(Session *session, Canvas *canvas, Rect rect);   // both runs' counters and their ratio

// One draw function per picture of the focus pane and per row of views.def.
#define FOCUS(ID, name, ...) void view_draw_##name(Session *session, Canvas *canvas, Rect rect);
#include "app/focus.def"
// One per picture of the focus pane: the room that it wants. Where it has nothing to show, its words' rows.
#define FOCUS(ID, name, ...) void view_room_##name(Session *session, int cols, FocusRoom *room);
#include "app/focus.def"
#define VIEW(name, ...) void view_draw_##name(Session *session, Canvas *canvas, Rect rect);
#include "ui/views/views.def"

#endif
