// session_layout.c: what the panes of a session ask of the layout, and how the focus pane keeps its rows from step
// to step.
#include "app/session/session_parts.h"

// The picture's room for the columns that were asked for last: asking may take an analysis.
typedef struct Asking { Session *session, *peer; int cols; LayoutRoom room; } Asking;

static LayoutRoom room_of(Session *session, Session *drawn_as, int cols) {
  FocusRoom room = {0};
  session->room(drawn_as, drawn_as->focus, cols, &room);
  return (LayoutRoom){room.least, room.good, room.whole};
}

// In a comparison both pictures have the rows that the larger one wants.
static LayoutRoom ask_room(const void *context, int cols) {
  Asking *asking = (Asking *)context;
  if (asking->cols == cols) return asking->room;
  LayoutRoom room = room_of(asking->session, asking->session, cols);
  if (asking->peer) {
    LayoutRoom other = room_of(asking->session, asking->peer, cols);
    room.least = LS_MAX(room.least, other.least);
    room.good = LS_MAX(room.good, other.good);
    room.whole = LS_MAX(room.whole, other.whole);
  }
  asking->cols = cols;
  return asking->room = room;
}

static int ask_rail(const void *context, int cols) {
  const Session *session = ((const Asking *)context)->session;
  return session->rail_rows(session->rail_context, cols);
}

static unsigned flags_of(Session *session) {
  unsigned flags = session->layout_flags & (LAYOUT_RAIL | LAYOUT_CODE);
  if (session->other) flags |= LAYOUT_COMPARE | (ses_difference(session)->same_code ? LAYOUT_SAME : 0);
  else if (session->stage) flags |= LAYOUT_STAGE;
  bool hides = session->hides == SES_HIDES_PICTURE;
  if (session->zoom && !hides) flags |= LAYOUT_ZOOM;
  if (hides) flags |= LAYOUT_CODE;
  if (session->show_ptx) flags |= LAYOUT_PTX;
  return flags | ses_panel_flag(session);
}

static bool same_window(const LayoutHeld *a, const LayoutHeld *b) {
  return a->cols == b->cols && a->window_rows == b->window_rows && a->rail == b->rail && a->flags == b->flags;
}

static int focus_of_layout(const Layout *layout) { return layout->left.w ? layout->left.h - 1 : layout->focus.h; }

// The event at the cursor has a picture of its own: what is on the screen changes anyhow.
static bool shows_news(Session *session) {
  FocusKind unused;
  return session->steps && focus_of(&ses_scene(session)->event, &unused);
}

// The layout with the rows that the picture wants now, or those that it had, as long as it may keep them.
static void settle(Session *session, LayoutAsk *ask, Layout *layout) {
  LayoutHeld now = {.cols = session->cols, .window_rows = session->rows, .flags = ask->flags, .left = LAYOUT_PATIENCE,
                    .step = session->step};
  const LayoutHeld *held = &session->held;
  if (ask->rail) now.rail = ask->rail(ask->context, session->cols);
  layout_compute(session->cols, session->rows, ask, layout);
  int wanted = focus_of_layout(layout);
  bool far = held->step > now.step + LAYOUT_FAR || now.step > held->step + LAYOUT_FAR;   // another place begins anew
  if (!far && same_window(held, &now) && held->rows > wanted) {
    bool fits = 4 * wanted >= 3 * held->rows;
    if (!fits) now.left = held->left - (held->step != now.step && shows_news(session));
    if (now.left > 0) ask->held = held->rows;
    if (now.left > 0) layout_compute(session->cols, session->rows, ask, layout);
    else now.left = LAYOUT_PATIENCE;
  }
  now.rows = focus_of_layout(layout);
  session->held = now;
}

void ses_layout(Session *session, Layout *layout) {
  Asking asking = {.session = session, .peer = session->other && session->steps ? ses_peer(session) : NULL, .cols = -1};
  LayoutAsk ask = {.flags = flags_of(session), .warps = ses_warps(session), .variables = -1, .context = &asking};
  const Scene *scene = session->steps ? ses_scene(session) : NULL;
  if (scene && scene->values_known) ask.variables = scene->var_count;
  const char *const *lines, *path;
  if (scene) ask.lines = ses_source_lines(session, &lines, &path);
  ask.of_a_line = scene && scene->line && focus_kinds(session->focus);
  if (scene && session->room) ask.room = ask_room;
  if (session->rail_rows) ask.rail = ask_rail;
  settle(session, &ask, layout);
}
