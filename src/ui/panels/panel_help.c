// panel_help.c: every command with its keys, in columns by section.
#include "base/mem.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

enum { KEYS_W = 12, ASCII_KEYS_W = 16, ENTRY_W = 56, HELP_MARGIN = 2 };

// The commands of a context, each with the rows that its words need, dealt out to columns. The first of a section has a
// title above it, and a blank row above that unless it begins a column. The few of a list go without titles.
enum { TITLE_ROWS = 2 };
typedef struct HelpPlan {
  CommandId ids[CMD_COUNT];
  int rows[CMD_COUNT], column[CMD_COUNT], y[CMD_COUNT], count, columns, width, keys_w, height;
  bool titled;
} HelpPlan;

static bool begins_section(const HelpPlan *plan, int i) {
  return plan->titled && (i == 0 || command_section(plan->ids[i]) != command_section(plan->ids[i - 1]));
}

// Where each entry stands if columns are `height` rows high; how many columns that takes.
static int deal_out(HelpPlan *plan, int height) {
  int column = 0, y = 0;
  for (int i = 0; i < plan->count; i++) {
    int title = begins_section(plan, i) ? TITLE_ROWS : 0;
    if (y > 0 && y + title + plan->rows[i] > height) column++, y = 0;
    if (y == 0 && title) title--;
    plan->column[i] = column;
    plan->y[i] = y + title;
    y += title + plan->rows[i];
  }
  return column + 1;
}

static int words_rows(const HelpPlan *plan, CommandId id) {
  Rect rect = {0, 0, plan->width - plan->keys_w - HELP_MARGIN, 0};
  return LS_MAX(canvas_text_wrap(NULL, rect, 0, ROLE_TEXT, 0, command_def(id)->help), 1);
}

static void plan_help(HelpPlan *plan, int width, bool ascii, unsigned contexts) {
  int total = 0;
  plan->columns = LS_MAX(width / ENTRY_W, 1);
  plan->width = (width - HELP_MARGIN) / plan->columns;
  plan->keys_w = ascii ? ASCII_KEYS_W : KEYS_W;   // keys are spelled out
  plan->count = 0;
  plan->titled = contexts & CTX_X;
  for (int id = 0; command_def((CommandId)id); id++) {
    if (!(command_def((CommandId)id)->contexts & contexts)) continue;
    plan->ids[plan->count] = (CommandId)id;
    plan->rows[plan->count++] = words_rows(plan, (CommandId)id);
    total += plan->rows[plan->count - 1];
  }
  plan->height = (total + plan->columns - 1) / plan->columns;
  while (deal_out(plan, plan->height) > plan->columns) plan->height++;
}

// As far as its rows are inside of the body.
static void draw_entry(Canvas *canvas, const HelpPlan *plan, Rect body, int x, int y, CommandId id) {
  int at = x, skip = LS_MAX(body.y - y, 0), bottom = body.y + body.h;
  uint32_t code;
  for (int n = 0; !skip && y < bottom && (code = command_key(id, n)); n++) {
    const char *name = key_name(code, !canvas->ascii);
    if (at + ls_utf8_width(name) >= x + plan->keys_w) break;
    at = canvas_text(canvas, at, y, ROLE_CURSOR, 0, name) + 1;
  }
  Rect words = {x + plan->keys_w, y + skip, plan->width - plan->keys_w - HELP_MARGIN, LS_MAX(bottom - y - skip, 0)};
  canvas_text_wrap(canvas, words, skip, ROLE_TEXT, 0, command_def(id)->help);
}

void panel_help_draw(Canvas *canvas, Rect rect, unsigned contexts, int first) {
  canvas_background(canvas, rect, ROLE_NONE);
  canvas_fill(canvas, rect, ' ', ROLE_NONE, 0);
  HelpPlan plan;
  plan_help(&plan, rect.w, canvas->ascii, contexts);
  bool all = plan.height <= rect.h - 2;
  Rect body = view_rule(canvas, rect, "keys", all ? "esc closes" : "↑↓ more   esc closes");
  body.y++;
  body.h--;
  first = LS_CLAMP(first, 0, LS_MAX(plan.height - body.h, 0));
  for (int i = 0; i < plan.count; i++) {
    int x = body.x + HELP_MARGIN + plan.column[i] * plan.width, y = body.y + plan.y[i] - first;
    bool shown = y - 1 >= body.y && y - 1 < body.y + body.h;
    if (shown && begins_section(&plan, i)) canvas_text(canvas, x, y - 1, ROLE_DIM, 0, command_section(plan.ids[i]));
    draw_entry(canvas, &plan, body, x, y, plan.ids[i]);
  }
}

// ---- the panel -------------------------------------------------------------------------------------------------------

static bool key(Session *session, uint32_t code) {
  int by = 0;
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: by = -1; break;
    case CMD_DOWN: by = 1; break;
    case CMD_PAGE_UP: by = -10; break;
    case CMD_PAGE_DOWN: by = 10; break;
    case CMD_HELP: case CMD_CANCEL: case CMD_QUIT: case CMD_ENTER: ses_close_panel(session); return true;
    default: return false;
  }
  session->pick = LS_CLAMP(session->pick + by, 0, (int)CMD_GOTO - 1);
  return true;
}

static void draw(Session *session, Canvas *canvas, Rect rect) {
  panel_help_draw(canvas, rect, session->layout_flags & LAYOUT_RAIL ? CTX_X | CTX_L : CTX_X, session->pick);
}

static const FooterKey keys[] = {{"↑↓", "up down", "scroll"}, {"esc", NULL, "close"}};

const SesPanel panel_help = {
    .place = PANEL_SCREEN, .keys = keys, .key_count = LS_COUNT(keys), .key = key, .draw = draw,
};
