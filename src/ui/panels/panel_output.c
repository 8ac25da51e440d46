// panel_output.c: the list of what the kernel printed.
#include "ui/panels/list_panel.h"

static const ListPanel list = {
    .title = "printed", .nothing = "the kernel printed nothing", .role = ROLE_DIM,
    .count = ses_print_count, .row = ses_print_row, .words = ses_print_words, .go = ses_go_print,
};

static bool open(Session *session) { return list_panel_open(session, &list); }
static bool key(Session *session, uint32_t code) { return list_panel_key(session, &list, code); }
static void draw(Session *session, Canvas *canvas, Rect rect) { list_panel_draw(session, &list, canvas, rect); }

const SesPanel panel_output = {
    .place = PANEL_LIST, .keys = list_panel_keys, .key_count = LIST_PANEL_KEYS, .open = open, .key = key, .draw = draw,
};
