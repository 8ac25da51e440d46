// view_sets.c: sets of lanes: votes with their masks, matches with their groups, reductions.
#include <stdio.h>
#include "base/mem.h"
#include "ui/views/focus/view_shuffle.h"

enum { LANES = 32 };

static const PtxInstr *instr_of(const Focus *focus) {
  const PtxModule *module = focus->session->run->module;
  bool known = module && focus->event->pc >= 0 && focus->event->pc < module->code_count;
  return known ? &module->code[focus->event->pc] : NULL;
}

// ---- votes -----------------------------------------------------------------------------------------------------------

static const char *vote_name(const PtxInstr *instr) {
  if (!instr) return "vote";
  if (instr->op == PTX_OP_activemask) return "__activemask";
  switch (instr->mode) {
    case PTX_VOTE_ALL: return "__all_sync";
    case PTX_VOTE_ANY: return "__any_sync";
    case PTX_VOTE_UNI: return "vote.uni";
    default: return "__ballot_sync";
  }
}

// A mask is written with lane 31 first, as numbers are.
static void draw_binary(const LaneRow *row, int x, int y, uint32_t mask) {
  for (int bit = 31; bit >= 0; bit--) {
    bool set = mask >> bit & 1;
    canvas_put(row->canvas, x++, y, set ? '1' : '0', bit == row->lane ? ROLE_CURSOR : set ? ROLE_ACTIVE : ROLE_MASKED, 0);
    if (bit && bit % 4 == 0) x++;
  }
}

static void draw_mask(const LaneRow *row, int y, const char *label, uint32_t mask, bool explain) {
  enum { BINARY = 39 };
  lanerow_label(row, y, ROLE_DIM, label);
  int x = canvas_textf(row->canvas, row->x, y, ROLE_TEXT, STYLE_BOLD, "0x%08x", mask) + 3;
  if (x + BINARY > row->end) return;
  draw_binary(row, x, y, mask);
  if (explain)
    canvas_text(row->canvas, x, y + 1, ROLE_DIM, 0, "lane 31"),
        canvas_text_right(row->canvas, x + BINARY, y + 1, ROLE_DIM, 0, "lane 0");
}

static void draw_vote(Focus *focus, Rect rect) {
  const TraceEvent *event = focus->event;
  const PtxInstr *instr = instr_of(focus);
  const char *name = vote_name(instr);
  bool is_mask = instr && (instr->op == PTX_OP_activemask || instr->mode == PTX_VOTE_BALLOT);
  char title[64];
  snprintf(title, sizeof title, "vote · %s", name);
  focus_rule(focus, rect, title, NULL);
  LaneRow row;
  lanerow_init(&row, focus);
  if (!focus_fits(focus, FOCUS_LEAST)) return;
  int y = focus->body.y, rows = focus->body.h;
  uint32_t members = event->members ? event->members & event->mask : event->mask;
  lanerow_header(&row, y++);
  lanerow_label(&row, y, ROLE_DIM, "holds");
  lanerow_blocks(&row, y, UINT32_MAX, 0xb7, ROLE_GONE);
  lanerow_blocks(&row, y, members & ~event->taken, 0x2591, ROLE_MASKED);
  lanerow_blocks(&row, y++, members & event->taken, 0x2588, ROLE_ACTIVE);
  if (rows >= 5) y++;
  int first = event->mask ? __builtin_ctz(event->mask) : 0;
  uint64_t result = event->result ? event->result[first] : event->taken;
  if (is_mask) {
    draw_mask(&row, y, "mask", (uint32_t)result, rows >= 5);
    return;
  }
  lanerow_label(&row, y, ROLE_DIM, "gets");
  canvas_textf(row.canvas, row.x, y, ROLE_TEXT, STYLE_BOLD, "%s in every lane", result ? "true" : "false");
}

// ---- matches ---------------------------------------------------------------------------------------------------------

typedef struct Groups { uint32_t masks[LANES]; int count; uint8_t of_lane[LANES]; } Groups;

static void find_groups(const TraceEvent *event, Groups *groups) {
  groups->count = 0;
  for (uint32_t left = event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left), group = 0;
    uint64_t own = event->value[lane];
    while (group < groups->count && event->value[__builtin_ctz(groups->masks[group])] != own) group++;
    if (group == groups->count) groups->masks[groups->count++] = 0;
    groups->masks[group] |= 1u << lane;
    groups->of_lane[lane] = (uint8_t)group;
  }
}

static void group_name(int group, char out[3]) {
  snprintf(out, 3, "%c", group < 26 ? 'A' + group : 'a' + group - 26);
}

static void draw_group(const LaneRow *row, const Groups *groups, int group, int y) {
  char name[3];
  LsText text = {0};
  group_name(group, name);
  canvas_text(row->canvas, row->x, y, focus_set(group), STYLE_BOLD, name);
  int x = canvas_textf(row->canvas, row->x + 3, y, ROLE_TEXT, 0, "0x%08x", groups->masks[group]) + 3;
  sentence_lanes(groups->masks[group], &text);
  canvas_text_cut(row->canvas, x, y, row->end - x - 1, ROLE_DIM, 0, ls_text_str(&text));
  ls_text_free(&text);
}

static void draw_groups(const Focus *focus, const LaneRow *row, const Groups *groups, int y, int rows) {
  int shown = groups->count <= rows ? groups->count : rows - 1;
  if (rows < 2) return;
  lanerow_label(row, y, ROLE_DIM, "masks");
  for (int i = 0; i < shown; i++) draw_group(row, groups, i, y + i);
  if (shown < groups->count) focus_more(focus, y + shown, groups->count - shown, "group");
}

static void draw_match(Focus *focus, Rect rect) {
  const TraceEvent *event = focus->event;
  const PtxInstr *instr = instr_of(focus);
  focus_rule(focus, rect, instr && instr->mode == PTX_MATCH_ALL ? "match · __match_all_sync" : "match · __match_any_sync", NULL);
  if (!event->value) return;
  LaneRow row;
  Groups groups;
  lanerow_init(&row, focus);
  if (!focus_fits(focus, FOCUS_LEAST)) return;
  find_groups(event, &groups);
  LaneFormat format = lanerow_format(focus->session, event);
  int y = focus->body.y, end = y + focus->body.h;
  int values = lanerow_fit(&row, &format, event->value, event->mask, LS_MAX(focus->body.h - 2, 1));
  lanerow_header(&row, y++);
  lanerow_label(&row, y, ROLE_DIM, "value");
  lanerow_values(&row, y, values, format, event->value, event->mask, 0);
  y += values;
  lanerow_label(&row, y, ROLE_DIM, "group");
  for (uint32_t left = event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    char name[3];
    group_name(groups.of_lane[lane], name);
    lanerow_cell(&row, y, lane, focus_set(groups.of_lane[lane]), name);
  }
  draw_groups(focus, &row, &groups, y + 2, end - y - 2);
}

// ---- reductions ------------------------------------------------------------------------------------------------------

static const char *redux_name(const PtxInstr *instr) {
  switch (instr ? instr->mode : PTX_MODE_NONE) {
    case PTX_AT_ADD: return "sum";
    case PTX_AT_MIN: return "least";
    case PTX_AT_MAX: return "greatest";
    case PTX_AT_AND: return "and";
    case PTX_AT_OR: return "or";
    case PTX_AT_XOR: return "xor";
    default: return "result";
  }
}

static void draw_redux(Focus *focus, Rect rect) {
  const TraceEvent *event = focus->event;
  char title[64];
  const char *name = redux_name(instr_of(focus));
  snprintf(title, sizeof title, "reduction · %s of the warp", name);
  focus_rule(focus, rect, title, NULL);
  LaneRow row;
  lanerow_init(&row, focus);
  if (!focus_fits(focus, FOCUS_LEAST)) return;
  LaneFormat format = lanerow_format(focus->session, event);
  int y = focus->body.y;
  lanerow_header(&row, y++);
  if (event->value) {
    int rows = lanerow_fit(&row, &format, event->value, event->mask, LS_MAX(focus->body.h - 2, 1));
    lanerow_label(&row, y, ROLE_DIM, "value");
    lanerow_values(&row, y, rows, format, event->value, event->mask, 0);
    y += rows;
  }
  if (focus->body.h >= 5) y++;
  if (!event->result || !event->mask) return;
  LsText text = {0};
  ses_format_value(format.kind, format.size, event->result[__builtin_ctz(event->mask)], format.hex, &text);
  lanerow_label(&row, y, ROLE_DIM, name);
  canvas_textf(row.canvas, row.x, y, ROLE_TEXT, STYLE_BOLD, "%s in every lane", ls_text_str(&text));
  ls_text_free(&text);
}

void view_draw_sets(Focus *focus, Rect rect) {
  switch (focus->event->kind) {
    case TRACE_VOTE: draw_vote(focus, rect); break;
    case TRACE_MATCH: draw_match(focus, rect); break;
    default: draw_redux(focus, rect); break;
  }
}
