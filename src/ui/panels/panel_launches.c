// panel_launches.c: the steps of a program, from which its launches are opened.
#include "ui/panels/list_panel.h"

static const ListPanel list = {
    .title = "steps of the program", .nothing = "this is one launch, and no program of several", .role = ROLE_TITLE,
    .count = ses_step_count, .row = ses_step_row, .words = ses_step_words, .go = ses_go_step,
};

static bool open(Session *session) { return list_panel_open(session, &list); }
static bool key(Session *session, uint32_t code) { return list_panel_key(session, &list, code); }
static void draw(Session *session, Canvas *canvas, Rect rect) { list_panel_draw(session, &list, canvas, rect); }

const SesPanel panel_launches = {
    .place = PANEL_LIST, .keys = list_panel_keys, .key_count = LIST_PANEL_KEYS, .open = open, .key = key, .draw = draw,
};
