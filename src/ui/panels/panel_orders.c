// panel_orders.c: what the launch leaves when its warps and lanes run in other orders.
#include "ui/panels/list_panel.h"

static const ListPanel list = {
    .title = "in other orders", .nothing = "no other orders were tried: :orders does", .role = ROLE_TEXT,
    .count = ses_outcome_count, .row = ses_outcome_row, .head = ses_outcomes_words, .words = ses_outcome_words,
    .go = ses_go_outcome,
};

static bool open(Session *session) { return list_panel_open(session, &list); }
static bool key(Session *session, uint32_t code) { return list_panel_key(session, &list, code); }

static void draw(Session *session, Canvas *canvas, Rect rect) {
  canvas_fill(canvas, rect, ' ', ROLE_NONE, 0);
  canvas_background(canvas, rect, ROLE_NONE);
  list_panel_draw(session, &list, canvas, rect);
}

const SesPanel panel_orders = {
    .place = PANEL_SCREEN, .keys = list_panel_keys, .key_count = LIST_PANEL_KEYS, .open = open, .key = key, .draw = draw,
};
