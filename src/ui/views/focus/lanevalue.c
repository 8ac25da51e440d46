// lanevalue.c: the values of 32 lanes in few columns, and what their bits mean.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/focus/lanerow.h"

enum { LANES = 32, NEVER = 1000 };

// ---- one value -------------------------------------------------------------------------------------------------------

static double float_of(LaneFormat format, uint64_t bits) {
  double value;
  float narrow;
  uint32_t word = (uint32_t)bits;
  memcpy(&value, &bits, sizeof value);
  memcpy(&narrow, &word, sizeof narrow);
  return format.size == 8 ? value : (double)narrow;
}

static double whole_of(LaneFormat format, uint64_t bits) {
  if (format.size < 8) bits &= (1ull << 8 * format.size) - 1;
  bool negative = format.kind != PTX_DW_UINT && bits >> (8 * format.size - 1) & 1;
  if (negative && format.size < 8) bits |= ~0ull << 8 * format.size;
  return negative ? (double)(int64_t)bits : (double)bits;
}

// "999", "1.2k", "12k", "123k", "1.2M": two digits at least.
static void add_unit(double value, LsText *out) {
  static const char units[] = " kMGTPE";
  int unit = 0;
  while ((value >= 999.5 || value <= -999.5) && unit < 6) value /= 1000, unit++;
  if (!unit) ls_text_addf(out, "%.0f", value);
  else ls_text_addf(out, "%.*f%c", value < 9.95 && value > -9.95, value, units[unit]);
}

static void add_value(LaneFormat format, uint64_t bits, LsText *out) {
  if (format.unit) add_unit(whole_of(format, bits), out);
  else if (!format.digits) ses_format_value(format.kind, format.size, bits, format.hex, out);
  else ls_text_addf(out, "%.*g", format.digits, float_of(format, bits));
}

void lanerow_value_text(const LaneFit *fit, int lane, LsText *out) { add_value(fit->format, fit->bits[lane], out); }

static int widest(LaneFormat format, const uint64_t bits[32], uint32_t mask) {
  int most = 0;
  LsText text = {0};
  for (uint32_t left = mask; left; left &= left - 1) {
    ls_text_clear(&text);
    add_value(format, bits[__builtin_ctz(left)], &text);
    most = LS_MAX(most, ls_utf8_width(ls_text_str(&text)));
  }
  ls_text_free(&text);
  return most;
}

// ---- fitting ---------------------------------------------------------------------------------------------------------

// Rows in which values stand by turns, with a gap between those of a row; but single digits may touch, and where there
// is but one row, what has two. The first lane's reaches towards the label, which leaves it three columns.
static int turns_needed(const LaneRow *row, int most, const LaneFit *fit) {
  int width = widest(fit->format, fit->bits, fit->mask), rows = 1;
  if (width <= LS_MIN(row->pitch, most > 1 ? 1 : 2)) return 1;
  if (width > lanerow_column(row, 0) - row->x + 4) return NEVER;
  while (width > rows * row->pitch - 1) rows++;
  return rows;
}

static bool try_turns(const LaneRow *row, int most, LaneFit *fit) {
  bool is_float = fit->format.kind == PTX_DW_FLOAT && fit->format.size >= 4 && !fit->format.hex;
  static const int digits[] = {0, 4, 3, 2};
  for (int limit = LS_MIN(most, 2); limit <= most; limit++)
    for (int i = 0; i < (is_float ? LS_COUNT(digits) : 1); i++) {
      fit->format.digits = digits[i];
      fit->rounded = i > 0;
      fit->rows = turns_needed(row, most, fit);
      if (fit->rows <= limit) return true;
    }
  return false;
}

static bool try_units(const LaneRow *row, int most, LaneFit *fit) {
  bool is_whole = fit->format.kind == PTX_DW_INT || fit->format.kind == PTX_DW_UINT;
  fit->format.unit = fit->rounded = true;
  fit->rows = turns_needed(row, most, fit);
  return is_whole && !fit->format.hex && fit->rows <= most;
}

static bool try_folding(const LaneRow *row, int most, LaneFit *fit) {
  int room = row->end - row->x - 1, width = widest(fit->format, fit->bits, fit->mask) + 2;
  for (fit->across = 16; fit->across > 1 && fit->across * width > room; fit->across /= 2) continue;
  fit->rows = LANES / fit->across;
  fit->mode = LANES_FOLDED;
  return fit->rows <= most && fit->across * width <= room;
}

static bool all_same(const LaneFit *fit) {
  uint64_t first = fit->bits[__builtin_ctz(fit->mask)];
  for (uint32_t left = fit->mask; left; left &= left - 1)
    if (fit->bits[__builtin_ctz(left)] != first) return false;
  return true;
}

static SceneVar as_variable(const LaneFit *fit) {
  SceneVar var = {.kind = fit->format.kind, .size = (uint8_t)fit->format.size, .in_scope = true, .valid = fit->mask};
  memcpy(var.bits, fit->bits, sizeof var.bits);
  return var;
}

// One value for all, or a series: a row of words that leaves nothing out.
static bool words_tell_all(const LaneFit *fit) {
  SceneVar var = as_variable(fit);
  return all_same(fit) || ses_lanes_shape(&var) == SES_LANES_SERIES;
}

void lanerow_fit(const LaneRow *row, LaneFormat format, const uint64_t bits[32], uint32_t mask, int most,
                 LaneFit *fit) {
  enum { FOLDS_FROM = 5 };   // with fewer rows units are easier to read than folded rows
  const LaneFit clean = {.bits = bits, .mask = mask, .format = format, .rows = 1};
  *fit = clean;
  if (!mask || try_turns(row, LS_MIN(most, 2), fit)) return;
  *fit = clean;
  if (!all_same(fit) && try_turns(row, most, fit)) return;
  LaneFit folded = clean, units = clean;
  bool folds = try_folding(row, most, &folded), shortens = try_units(row, most, &units);
  *fit = clean;
  if (words_tell_all(fit) || (!folds && !shortens)) fit->mode = LANES_IN_WORDS;
  else *fit = folds && (most >= FOLDS_FROM || !shortens) ? folded : units;
}

// ---- drawing ---------------------------------------------------------------------------------------------------------

// As many as leave room for the count of the others.
static void add_some(const LaneFit *fit, int room, LsText *out) {
  enum { COUNT_W = 18 };
  LsText text = {0};
  int left = __builtin_popcount(fit->mask);
  for (uint32_t lanes = fit->mask; lanes; lanes &= lanes - 1, left--) {
    ls_text_clear(&text);
    if (out->length) ls_text_add(&text, "  ");
    add_value(fit->format, fit->bits[__builtin_ctz(lanes)], &text);
    if (ls_utf8_width(ls_text_str(out)) + ls_utf8_width(ls_text_str(&text)) + COUNT_W > room) break;
    ls_text_add(out, ls_text_str(&text));
  }
  if (left) ls_text_addf(out, "%s▾ %d more value%s", out->length ? "  " : "", left, left == 1 ? "" : "s");
  ls_text_free(&text);
}

static void draw_words(const LaneRow *row, int y, const LaneFit *fit) {
  SceneVar var = as_variable(fit);
  LsText text = {0};
  int room = row->end - row->x - 1;
  if (all_same(fit)) {
    add_value(fit->format, fit->bits[__builtin_ctz(fit->mask)], &text);
    ls_text_add(&text, fit->mask == UINT32_MAX ? " in every lane" : " in each");
  } else if (ses_lanes_shape(&var) == SES_LANES_SERIES) ses_format_lanes(&var, fit->format.hex, room, &text);
  else add_some(fit, room, &text);
  canvas_text_cut(row->canvas, row->x, y, room, ROLE_TEXT, 0, ls_text_str(&text));
  ls_text_free(&text);
}

static void draw_folded(const LaneRow *row, int y, const LaneFit *fit, uint32_t shown, const Role roles[32]) {
  LsText text = {0};
  int column = (row->end - row->x - 1) / fit->across;
  for (int lane = 0; lane < LANES; lane++) {
    int x = row->x + lane % fit->across * column, at = y + lane / fit->across;
    if (lane % fit->across == 0) canvas_textf(row->canvas, row->x - 3, at, ROLE_DIM, 0, "%2d", lane);
    ls_text_clear(&text);
    bool there = fit->mask & shown & 1u << lane;
    if (there) lanerow_value_text(fit, lane, &text);
    else ls_text_add(&text, "·");
    Role role = lane == row->lane ? ROLE_CURSOR : roles ? roles[lane] : ROLE_TEXT;
    canvas_text(row->canvas, x, at, there ? role : ROLE_GONE, 0, ls_text_str(&text));
  }
  ls_text_free(&text);
}

static void draw_turns(const LaneRow *row, int y, const LaneFit *fit, uint32_t shown, const Role roles[32]) {
  LsText text = {0};
  bool touch = row->pitch == 2 && fit->rows == 1;
  for (int lane = 0; lane < LANES; lane++) {
    int end = lanerow_column(row, lane) + 1, at = y + lane % fit->rows;
    if (!(fit->mask & shown & 1u << lane)) {
      canvas_put(row->canvas, end - 1, at, 0xb7, ROLE_GONE, 0);
      continue;
    }
    ls_text_clear(&text);
    lanerow_value_text(fit, lane, &text);
    Role role = lane == row->lane ? ROLE_CURSOR : roles ? roles[lane] : ROLE_TEXT;
    if (touch && lane % 2) canvas_background(row->canvas, (Rect){end - 2, at, 2, 1}, ROLE_SELECTED);
    canvas_text_right(row->canvas, end, at, role, 0, ls_text_str(&text));
  }
  ls_text_free(&text);
}

void lanerow_values(const LaneRow *row, int y, const LaneFit *fit, uint32_t shown, const Role roles[32]) {
  if (fit->rounded) canvas_put(row->canvas, row->x - 4, y, 0x2248, ROLE_DIM, 0);
  if (fit->mode == LANES_FOLDED) draw_folded(row, y, fit, shown, roles);
  else if (fit->mode == LANES_BY_TURNS) draw_turns(row, y, fit, shown, roles);
  else if (!(fit->mask & ~shown) && fit->mask) draw_words(row, y, fit);
}

// ---- what bits mean --------------------------------------------------------------------------------------------------

static bool format_of_type(uint8_t type, LaneFormat *format) {
  static const LaneFormat formats[PTX_TYPE_COUNT] = {
      [PTX_F16] = {.kind = PTX_DW_FLOAT, .size = 2}, [PTX_F32] = {.kind = PTX_DW_FLOAT, .size = 4},
      [PTX_F64] = {.kind = PTX_DW_FLOAT, .size = 8}, [PTX_U16] = {.kind = PTX_DW_UINT, .size = 2},
      [PTX_U32] = {.kind = PTX_DW_UINT, .size = 4},  [PTX_U64] = {.kind = PTX_DW_UINT, .size = 8},
      [PTX_S16] = {.kind = PTX_DW_INT, .size = 2},   [PTX_S32] = {.kind = PTX_DW_INT, .size = 4},
      [PTX_S64] = {.kind = PTX_DW_INT, .size = 8}};
  if (type >= PTX_TYPE_COUNT || !formats[type].size) return false;
  *format = formats[type];
  return true;
}

static bool is_reg(const PtxOperand *operand, int reg) { return operand->kind == PTX_OPD_REG && operand->reg == reg; }

static bool format_of_reg(const PtxFunc *func, int reg, LaneFormat *format) {
  return reg >= 0 && reg < func->reg_count && format_of_type(func->regs[reg].type, format);
}

// Moves carry bits without a meaning: follow them to an instruction that gives them one.
static bool follow(const PtxModule *module, const PtxFunc *func, int reg, bool backwards, int depth,
                   LaneFormat *format) {
  if (format_of_reg(func, reg, format)) return true;
  for (int pc = func->first; depth > 0 && pc < func->first + func->count; pc++) {
    const PtxInstr *instr = &module->code[pc];
    if (instr->op == PTX_OP_shfl || instr->operand_count < 2 || instr->operands[0].kind != PTX_OPD_REG) continue;
    bool writes = is_reg(&instr->operands[0], reg), reads = false;
    for (int i = 1; i < instr->operand_count; i++) reads |= is_reg(&instr->operands[i], reg);
    if (!(backwards ? writes : reads)) continue;
    if (instr->op != PTX_OP_mov) {
      if (instr->op != PTX_OP_cvt && format_of_type(instr->type, format)) return true;
      continue;
    }
    const PtxOperand *other = &instr->operands[backwards ? 1 : 0];
    if (other->kind == PTX_OPD_REG && follow(module, func, other->reg, backwards, depth - 1, format)) return true;
  }
  return false;
}

LaneFormat lanerow_format(const Session *session, const TraceEvent *event) {
  const PtxModule *module = session->run->module;
  LaneFormat format = {.kind = PTX_DW_INT, .size = 4};
  if (module && event->pc >= 0 && event->pc < module->code_count) {
    const PtxInstr *instr = &module->code[event->pc];
    const PtxFunc *func = &module->funcs[instr->func];
    bool known = format_of_type(instr->type, &format);
    if (!known && instr->operand_count >= 2) {
      const PtxOperand *to = &instr->operands[0], *from = &instr->operands[1];
      known = to->kind == PTX_OPD_REG && follow(module, func, to->reg, false, 3, &format);
      if (!known && from->kind == PTX_OPD_REG) follow(module, func, from->reg, true, 3, &format);
    }
    if (instr->type == PTX_B64 && !known) format.size = 8;
  }
  // Whole numbers of either sign are written the way people read them.
  if (format.kind == PTX_DW_UINT && event->kind == TRACE_SHUFFLE) format.kind = PTX_DW_INT;
  format.hex = session->hex;
  return format;
}
