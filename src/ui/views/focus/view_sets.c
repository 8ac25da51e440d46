// view_sets.c: sets of lanes: votes with their masks, matches with their groups, reductions.
#include <stdio.h>
#include "base/mem.h"
#include "ui/views/focus/view_shuffle.h"

enum { LANES = 32, BINARY = 39, QUARTERS = 4, VALUE_ROWS = 32, GOOD_GROUPS = 6 };

// Rows below the rule that a picture takes, from what is still true to all of it. Between good and whole are blank rows
// and values in full.
typedef struct SetRows { int least, good, whole; } SetRows;

typedef struct Sets {
  Focus *focus;
  LaneRow row;
  int rows;                  // below the rule
} Sets;

static const PtxInstr *instr_of(const Focus *focus) {
  const PtxModule *module = focus->session->run->module;
  bool known = module && focus->event->pc >= 0 && focus->event->pc < module->code_count;
  return known ? &module->code[focus->event->pc] : NULL;
}

// Lanes whose turn has come while the event is played, a quarter of the warp at a time.
static uint32_t lanes_there(const Focus *focus) {
  uint32_t there = 0;
  for (int i = 0; i < QUARTERS; i++)
    if (focus_part(focus, i, QUARTERS + 1) > 0) there |= 0xffu << 8 * i;
  return there;
}

static bool result_there(const Focus *focus) { return focus_part(focus, QUARTERS, QUARTERS + 1) > 0; }

// ---- masks -----------------------------------------------------------------------------------------------------------

static bool mask_is_narrow(const Sets *s) { return s->row.x + 13 + BINARY > s->row.end; }

// A mask is written with lane 31 first, as numbers are.
static void draw_binary(const LaneRow *row, int x, int y, uint32_t mask, uint32_t there) {
  for (int bit = 31; bit >= 0; bit--) {
    bool set = mask >> bit & 1, known = there >> bit & 1;
    Role role = !known ? ROLE_GONE : bit == row->lane ? ROLE_CURSOR : set ? ROLE_ACTIVE : ROLE_MASKED;
    canvas_put(row->canvas, x++, y, !known ? 0xb7 : set ? '1' : '0', role, 0);
    if (bit && bit % 4 == 0) x++;
  }
}

static void draw_hex(const LaneRow *row, int y, uint32_t mask, uint32_t there) {
  int x = canvas_text(row->canvas, row->x, y, ROLE_TEXT, STYLE_BOLD, "0x");
  for (int digit = 7; digit >= 0; digit--, x++)
    if (there >> 4 * digit & 1) canvas_textf(row->canvas, x, y, ROLE_TEXT, STYLE_BOLD, "%x", mask >> 4 * digit & 15);
    else canvas_put(row->canvas, x, y, 0xb7, ROLE_GONE, 0);
}

// One row, or two in a narrow pane; explain: one more that names the ends.
static void draw_mask(const Sets *s, int y, uint32_t mask, bool explain) {
  const LaneRow *row = &s->row;
  uint32_t there = lanes_there(s->focus);
  bool narrow = mask_is_narrow(s);
  int x = narrow ? row->label_x : row->x + 13, at = narrow ? y + 1 : y;
  lanerow_label(row, y, ROLE_DIM, "mask");
  draw_hex(row, y, mask, there);
  draw_binary(row, x, at, mask, there);
  if (!explain) return;
  canvas_text(row->canvas, x, at + 1, ROLE_DIM, 0, "lane 31");
  canvas_text_right(row->canvas, x + BINARY, at + 1, ROLE_DIM, 0, "lane 0");
}

// ---- votes -----------------------------------------------------------------------------------------------------------

static const char *vote_name(const PtxInstr *instr) {
  if (!instr) return "vote";
  if (instr->op == PTX_OP_activemask) return "__activemask";
  if (instr->op == PTX_OP_elect) return "elect.sync";
  switch (instr->mode) {
    case PTX_VOTE_ALL: return "__all_sync";
    case PTX_VOTE_ANY: return "__any_sync";
    case PTX_VOTE_UNI: return "vote.uni";
    default: return "__ballot_sync";
  }
}

static bool vote_is_mask(const Focus *focus) {
  const PtxInstr *instr = instr_of(focus);
  return instr && (instr->op == PTX_OP_activemask || instr->mode == PTX_VOTE_BALLOT);
}

// Whom the instruction chose, where it tells lanes apart; else the same for all.
static uint32_t vote_members(const TraceEvent *event) {
  return event->members ? event->members & event->mask : event->mask;
}

static SetRows vote_rows(const Sets *s) {
  int result = vote_is_mask(s->focus) ? 1 + mask_is_narrow(s) : 1, explains = vote_is_mask(s->focus);
  return (SetRows){.least = 1 + result, .good = 2 + result + explains, .whole = 3 + result + explains};
}

static void draw_vote(const Sets *s, SetRows want) {
  const TraceEvent *event = s->focus->event;
  const LaneRow *row = &s->row;
  int y = s->focus->body.y;
  uint32_t members = vote_members(event), there = lanes_there(s->focus);
  if (s->rows > want.least) lanerow_header(row, y++);
  lanerow_label(row, y, ROLE_DIM, "holds");
  lanerow_blocks(row, y, UINT32_MAX, 0xb7, ROLE_GONE);
  lanerow_blocks(row, y, members & ~event->taken & there, 0x2591, ROLE_MASKED);
  lanerow_blocks(row, y++, members & event->taken & there, 0x2588, ROLE_ACTIVE);
  if (s->rows >= want.whole) y++;
  int first = event->mask ? __builtin_ctz(event->mask) : 0;
  uint64_t result = event->result ? event->result[first] : event->taken;
  if (vote_is_mask(s->focus)) {
    draw_mask(s, y, (uint32_t)result, s->rows >= want.good);
    return;
  }
  lanerow_label(row, y, ROLE_DIM, "gets");
  const char *text = !result_there(s->focus) ? "…" : result ? "true in every lane" : "false in every lane";
  canvas_text(row->canvas, row->x, y, ROLE_TEXT, STYLE_BOLD, text);
}

// ---- matches ---------------------------------------------------------------------------------------------------------

typedef struct Groups { uint32_t masks[LANES]; int count; uint8_t of_lane[LANES]; } Groups;

static void find_groups(const TraceEvent *event, Groups *groups) {
  groups->count = 0;
  for (uint32_t left = event->value ? event->mask : 0; left; left &= left - 1) {
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

static bool group_there(const Sets *s, const Groups *groups, int group) {
  return focus_part(s->focus, group, LS_MAX(groups->count, 1)) > 0;
}

static void draw_group(const Sets *s, const Groups *groups, int group, int y) {
  const LaneRow *row = &s->row;
  char name[3];
  LsText text = {0};
  if (!group_there(s, groups, group)) return;
  group_name(group, name);
  canvas_background(row->canvas, (Rect){row->x, y, 1, 1}, focus_set(group));
  canvas_text(row->canvas, row->x, y, ROLE_TEXT, 0, name);
  int x = canvas_textf(row->canvas, row->x + 3, y, ROLE_TEXT, 0, "0x%08x", groups->masks[group]) + 3;
  sentence_lanes(groups->masks[group], &text);
  canvas_text_cut(row->canvas, x, y, row->end - x - 1, ROLE_DIM, 0, ls_text_str(&text));
  ls_text_free(&text);
}

static void draw_letters(const Sets *s, const Groups *groups, int y) {
  lanerow_label(&s->row, y, ROLE_DIM, "group");
  for (int lane = 0; lane < LANES; lane++) {
    char name[3];
    if (!(s->focus->event->mask >> lane & 1)) {
      canvas_put(s->row.canvas, lanerow_column(&s->row, lane), y, 0xb7, ROLE_GONE, 0);
      continue;
    }
    if (!group_there(s, groups, groups->of_lane[lane])) continue;
    group_name(groups->of_lane[lane], name);
    lanerow_cell(&s->row, y, lane, focus_set(groups->of_lane[lane]), name);
  }
}

static void fit_values(const Sets *s, int most, LaneFit *fit) {
  const TraceEvent *event = s->focus->event;
  LaneFormat format = lanerow_format(s->focus->session, event);
  *fit = (LaneFit){.rows = 0};
  if (event->value) lanerow_fit(&s->row, format, event->value, event->mask, most, fit);
}

static int value_rows(const Sets *s, int most) {
  LaneFit fit;
  fit_values(s, most, &fit);
  return fit.rows;
}

static bool is_match_all(const Focus *focus) {
  const PtxInstr *instr = instr_of(focus);
  return instr && instr->mode == PTX_MATCH_ALL;
}

// __match_all_sync has one answer; else every lane gets the mask of its group.
static SetRows match_rows(const Sets *s) {
  Groups groups;
  find_groups(s->focus->event, &groups);
  int all = is_match_all(s->focus);
  return (SetRows){.least = value_rows(s, 1) + 1 + all + LS_MIN(groups.count, 1),
                   .good = 1 + value_rows(s, 2) + 1 + all + LS_MIN(groups.count, GOOD_GROUPS),
                   .whole = 1 + value_rows(s, VALUE_ROWS) + 1 + all + 1 + groups.count};
}

static void draw_groups(const Sets *s, const Groups *groups, int y, int rows) {
  int shown = groups->count <= rows ? groups->count : LS_MAX(rows - 1, 0);
  if (rows < 1) return;
  if (shown) lanerow_label(&s->row, y, ROLE_DIM, "masks");
  for (int i = 0; i < shown; i++) draw_group(s, groups, i, y + i);
  if (shown < groups->count) focus_more(s->focus, y + shown, groups->count - shown, "group");
}

static void draw_match(const Sets *s, SetRows want) {
  Groups groups;
  LaneFit values;
  find_groups(s->focus->event, &groups);
  fit_values(s, s->rows >= want.whole ? VALUE_ROWS : s->rows >= want.good ? 2 : 1, &values);
  int y = s->focus->body.y, end = y + s->rows;
  if (s->rows > want.least) lanerow_header(&s->row, y++);
  lanerow_label(&s->row, y, ROLE_DIM, "value");
  lanerow_values(&s->row, y, &values, UINT32_MAX, NULL);
  y += values.rows;
  draw_letters(s, &groups, y++);
  if (is_match_all(s->focus) && y < end) {
    bool same = groups.count == 1, there = group_there(s, &groups, groups.count - 1);
    lanerow_label(&s->row, y, ROLE_DIM, "gets");
    if (!there) canvas_text(s->row.canvas, s->row.x, y, ROLE_DIM, 0, "…");
    else canvas_textf(s->row.canvas, s->row.x, y, ROLE_TEXT, STYLE_BOLD, "0x%08x: %s", same ? groups.masks[0] : 0,
                      same ? "all agree" : "they differ");
    y++;
  }
  if (s->rows >= want.whole) y++;
  draw_groups(s, &groups, y, end - y);
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

static SetRows redux_rows(const Sets *s) {
  return (SetRows){
      .least = value_rows(s, 1) + 1, .good = 1 + value_rows(s, 2) + 1, .whole = 2 + value_rows(s, VALUE_ROWS) + 1};
}

static void draw_redux(const Sets *s, SetRows want) {
  const TraceEvent *event = s->focus->event;
  LaneFit values;
  LaneFormat format = lanerow_format(s->focus->session, event);
  fit_values(s, s->rows >= want.whole ? VALUE_ROWS : s->rows >= want.good ? 2 : 1, &values);
  int y = s->focus->body.y;
  if (s->rows > want.least) lanerow_header(&s->row, y++);
  if (values.rows) {
    Role roles[LANES];
    uint32_t there = lanes_there(s->focus);
    for (int lane = 0; lane < LANES; lane++) roles[lane] = there >> lane & 1 ? ROLE_ACTIVE : ROLE_DIM;
    lanerow_label(&s->row, y, ROLE_DIM, "value");
    lanerow_values(&s->row, y, &values, UINT32_MAX, roles);
    y += values.rows;
  }
  if (s->rows >= want.whole) y++;
  if (!event->result || !event->mask) return;
  LsText text = {0};
  ses_format_value(format.kind, format.size, event->result[__builtin_ctz(event->mask)], format.hex, &text);
  ls_text_add(&text, " in every lane");
  lanerow_label(&s->row, y, ROLE_DIM, redux_name(instr_of(s->focus)));
  canvas_text(s->row.canvas, s->row.x, y, ROLE_TEXT, STYLE_BOLD, result_there(s->focus) ? ls_text_str(&text) : "…");
  ls_text_free(&text);
}

// ---- the pane --------------------------------------------------------------------------------------------------------

static void title_of(const Focus *focus, char *out, size_t size) {
  const PtxInstr *instr = instr_of(focus);
  if (focus->event->kind == TRACE_VOTE) snprintf(out, size, "vote · %s", vote_name(instr));
  else if (focus->event->kind == TRACE_MATCH)
    snprintf(out, size, "match · %s", is_match_all(focus) ? "__match_all_sync" : "__match_any_sync");
  else if (focus->event->kind == TRACE_SHUFFLE) snprintf(out, size, "shuffle · its lanes are not recorded");
  else snprintf(out, size, "reduction · %s of the warp", redux_name(instr));
}

static SetRows rows_of(const Sets *s) {
  switch (s->focus->event->kind) {
    case TRACE_VOTE: return vote_rows(s);
    case TRACE_MATCH: return match_rows(s);
    default: return redux_rows(s);
  }
}

void view_draw_sets(Focus *focus, Rect rect) {
  char title[64];
  title_of(focus, title, sizeof title);
  focus_rule(focus, rect, title, NULL);
  if (!focus_fits(focus, FOCUS_LEAST)) return;
  Sets s = {.focus = focus, .rows = focus->body.h};
  lanerow_init(&s.row, focus);
  SetRows want = rows_of(&s);
  Rect old = canvas_clip(focus->canvas, focus->body);
  switch (focus->event->kind) {
    case TRACE_VOTE: draw_vote(&s, want); break;
    case TRACE_MATCH: draw_match(&s, want); break;
    default: draw_redux(&s, want); break;
  }
  canvas_clip(focus->canvas, old);
  if (s.rows < want.least && s.rows > 0) {   // not even the least: the last row says so
    canvas_fill(focus->canvas, (Rect){focus->body.x, focus->body.y + s.rows - 1, focus->body.w, 1}, ' ', ROLE_NONE, 0);
    canvas_background(focus->canvas, (Rect){focus->body.x, focus->body.y + s.rows - 1, focus->body.w, 1}, ROLE_NONE);
    focus_more(focus, focus->body.y + s.rows - 1, want.least - s.rows + 1, "row");
  }
}

void view_room_sets(Focus *focus, FocusRoom *room) {
  Groups groups;
  Sets s = {.focus = focus};
  lanerow_init(&s.row, focus);
  SetRows want = rows_of(&s);
  find_groups(focus->event, &groups);
  int parts = focus->event->kind == TRACE_MATCH ? LS_MAX(groups.count, 1) : QUARTERS + 1;
  *room = (FocusRoom){.least = 1 + want.least, .good = 1 + want.good, .whole = 1 + want.whole, .parts = parts};
}
