// panel_faults.c: the list of what went wrong, in all blocks.
#include "ui/panels/list_panel.h"

static const ListPanel list = {
    .title = "what went wrong", .nothing = "nothing went wrong in this run", .role = ROLE_ALARM,
    .count = ses_fault_count, .row = ses_fault_row, .words = ses_fault_words, .go = ses_go_fault,
};

static bool open(Session *session) { return list_panel_open(session, &list); }
static bool key(Session *session, uint32_t code) { return list_panel_key(session, &list, code); }
static void draw(Session *session, Canvas *canvas, Rect rect) { list_panel_draw(session, &list, canvas, rect); }

const SesPanel panel_faults = {
    .place = PANEL_LIST, .keys = list_panel_keys, .key_count = LIST_PANEL_KEYS, .open = open, .key = key, .draw = draw,
};
