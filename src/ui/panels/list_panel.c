// list_panel.c: a list of places to go to, with all the words about the chosen one below.
#include <stdio.h>
#include "ui/panels/list_panel.h"

#include "base/mem.h"
#include "ui/views/view.h"

enum { HELP_ROWS = 5, MOST_WHO = 24 };

const FooterKey list_panel_keys[LIST_PANEL_KEYS] = {
    {"↑↓", "up down", "choose"}, {"⏎", "enter", "go there"}, {"esc", NULL, "close"}};

bool list_panel_open(Session *session, const ListPanel *list) {
  SesRow row;
  if (!list->count(session)) {
    ses_say(session, "%s", list->nothing);
    return false;
  }
  for (int i = 0; list->row(session, i, &row); i++)
    if (row.step <= session->step && row.grade == GRADE_FAULT) session->pick = i;
  return true;
}

static bool choose(Session *session, const ListPanel *list) {
  int row = session->pick;
  ses_close_panel(session);
  return list->go(session, row);
}

bool list_panel_key(Session *session, const ListPanel *list, uint32_t code) {
  int last = LS_MAX(list->count(session) - 1, 0), by = 0;
  CommandId id = command_for_key(code, CTX_X);
  switch (id) {
    case CMD_UP: by = -1; break;
    case CMD_DOWN: by = 1; break;
    case CMD_PAGE_UP: by = -8; break;
    case CMD_PAGE_DOWN: by = 8; break;
    case CMD_FIRST: by = -last; break;
    case CMD_LAST: by = last; break;
    case CMD_STEP_BACK: session->list_skip = LS_MAX(session->list_skip - 1, 0); return true;
    case CMD_STEP_NEXT: session->list_skip++; return true;   // drawing knows where it ends
    case CMD_ENTER: return choose(session, list);
    case CMD_CANCEL: case CMD_QUIT: case CMD_FAULTS: case CMD_OUTPUT: case CMD_LAUNCHES: case CMD_ORDERS:
      ses_close_panel(session);
      return true;
    default: return false;
  }
  session->pick = LS_CLAMP(session->pick + by, 0, last);
  session->list_skip = 0;
  return true;
}

static const char *when_mark(SesWhen when) {
  return when == WHEN_HERE ? "here" : when == WHEN_BEFORE ? "before" : when == WHEN_AFTER ? "later" : "not recorded";
}

static void draw_row(Canvas *canvas, Rect body, int y, const SesRow *row, bool chosen, int who, Role role) {
  if (chosen) panel_draw_chosen(canvas, body, y);
  bool past = row->when == WHEN_BEFORE || row->when == WHEN_HERE || row->when == WHEN_UNKNOWN;
  int right = body.x + body.w - 1, mark = ls_utf8_width(when_mark(row->when));
  int text = body.x + PANEL_TEXT_X + who + PANEL_GAP;
  Role grades[] = {[GRADE_FAULT] = role, [GRADE_WARNING] = ROLE_WAITING, [GRADE_NOTE] = ROLE_DIM};
  canvas_text_cut(canvas, body.x + PANEL_TEXT_X, y, who, grades[row->grade], 0, row->who);
  canvas_text_cut(canvas, text, y, right - mark - PANEL_GAP - text, past ? ROLE_TEXT : ROLE_DIM, 0, row->text);
  if (row->when != WHEN_UNKNOWN)
    canvas_text_right(canvas, right, y, row->when == WHEN_HERE ? ROLE_CURSOR : ROLE_DIM, 0, when_mark(row->when));
}

static void draw_words(Session *session, const ListPanel *list, Canvas *canvas, Rect words) {
  LsText help = {0};
  list->words(session, session->pick, &help);
  int needed = canvas_text_wrap(canvas, (Rect){words.x, words.y, words.w, 0}, 0, ROLE_DIM, 0, ls_text_str(&help));
  bool more = needed > words.h;
  session->list_skip = LS_CLAMP(session->list_skip, 0, LS_MAX(needed - words.h + more, 0));
  words.h -= more;   // the last row says so
  canvas_text_wrap(canvas, words, session->list_skip, ROLE_DIM, 0, ls_text_str(&help));
  const char *how = canvas->ascii ? "left right: more" : "←→ more";
  if (more) canvas_text(canvas, words.x, words.y + words.h, ROLE_CURSOR, 0, how);
  ls_text_free(&help);
}

// Words and an empty row; how many rows they take.
static int draw_head(Session *session, const ListPanel *list, Canvas *canvas, Rect rect, bool draws) {
  LsText head = {0};
  if (!list->head) return 0;
  list->head(session, &head);
  Rect words = {rect.x + 2, rect.y + 1, rect.w - 3, draws ? HELP_ROWS : 0};
  int rows = canvas_text_wrap(canvas, words, 0, ROLE_TEXT, 0, ls_text_str(&head));
  ls_text_free(&head);
  return LS_MIN(rows, HELP_ROWS) + 1;
}

void list_panel_draw(Session *session, const ListPanel *list, Canvas *canvas, Rect rect) {
  int above = draw_head(session, list, canvas, rect, false);
  int count = list->count(session), room = LS_MAX(rect.h - 1 - above - HELP_ROWS, 1);
  char right[64];
  if (count > room) snprintf(right, sizeof right, "▾ %d more   esc closes", count - room);
  else snprintf(right, sizeof right, "enter goes there, esc closes");
  Rect body = view_rule(canvas, rect, list->title, right);
  draw_head(session, list, canvas, rect, true);
  body = (Rect){body.x, body.y + above, body.w, body.h - above};
  session->pick = LS_CLAMP(session->pick, 0, LS_MAX(count - 1, 0));   // another run may have fewer
  int first = LS_CLAMP(session->pick - room / 2, 0, LS_MAX(count - room, 0)), rows = LS_MIN(room, count - first);
  int who = 0;
  SesRow row;
  for (int i = 0; i < rows && list->row(session, first + i, &row); i++) who = LS_MAX(who, ls_utf8_width(row.who));
  for (int i = 0; i < rows && list->row(session, first + i, &row); i++)
    draw_row(canvas, body, body.y + i, &row, first + i == session->pick, LS_MIN(who, MOST_WHO), list->role);
  int gap = list->head && body.h - rows > HELP_ROWS;
  draw_words(session, list, canvas, (Rect){body.x + 2, body.y + rows + gap, body.w - 3, body.h - rows - gap});
}
