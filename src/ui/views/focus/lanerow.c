// lanerow.c: rows with one column per lane.
#include "ui/views/focus/lanerow.h"
#include <string.h>
#include "base/mem.h"

enum { LABEL = 9, LANES = 32 };

void lanerow_init(LaneRow *row, const Focus *focus) {
  *row = (LaneRow){.canvas = focus->canvas, .label_x = focus->body.x + FOCUS_INDENT,
                   .pitch = focus->wide ? 3 : focus->body.w >= FOCUS_LANES ? 2 : 1,
                   .end = focus->body.x + focus->body.w, .lane = focus->session->lane};
  row->x = row->label_x + LABEL;
}

void lanerow_label(const LaneRow *row, int y, Role role, const char *text) {
  canvas_text(row->canvas, row->label_x, y, role, 0, text);
}

// Where numbers would touch, some are left out.
void lanerow_header(const LaneRow *row, int y) {
  static const int every[] = {0, 8, 2, 1};
  lanerow_label(row, y, ROLE_DIM, "lane");
  for (int lane = 0; lane < LANES; lane += every[row->pitch]) {
    bool here = lane == row->lane;
    const char *format = row->pitch > 1 ? "%2d" : "%d";
    canvas_textf(row->canvas, row->x + lane * row->pitch, y, here ? ROLE_CURSOR : ROLE_DIM, here ? STYLE_BOLD : 0, format, lane);
  }
}

static void format_value(LaneFormat format, uint64_t bits, LsText *out) {
  if (!format.digits || format.kind != PTX_DW_FLOAT || format.size < 4 || format.hex) {
    ses_format_value(format.kind, format.size, bits, format.hex, out);
    return;
  }
  double value;
  float narrow;
  uint32_t word = (uint32_t)bits;
  memcpy(&value, &bits, sizeof value);
  memcpy(&narrow, &word, sizeof narrow);
  ls_text_addf(out, "%.*g", format.digits, format.size == 8 ? value : (double)narrow);
}

static int rows_needed(const LaneRow *row, LaneFormat format, const uint64_t bits[32], uint32_t mask) {
  enum { NEVER = 1000 };
  int widest = 0, rows = 1;
  if (row->pitch == 1) return NEVER;
  LsText text = {0};
  for (uint32_t left = mask; left; left &= left - 1) {
    ls_text_clear(&text);
    format_value(format, bits[__builtin_ctz(left)], &text);
    widest = LS_MAX(widest, ls_utf8_width(ls_text_str(&text)));
  }
  ls_text_free(&text);
  while (widest > 2 && widest > rows * row->pitch - 1) rows++;
  return rows;
}

int lanerow_fit(const LaneRow *row, LaneFormat *format, const uint64_t bits[32], uint32_t mask, int most) {
  static const int digits[] = {0, 4, 3, 2};
  for (int limit = LS_MIN(most, 2); limit <= most; limit++)
    for (int i = 0; i < LS_COUNT(digits); i++) {
      format->digits = digits[i];
      int rows = rows_needed(row, *format, bits, mask);
      if (rows <= limit) return rows;
    }
  format->digits = 0;
  return 1;
}

static bool all_same(const uint64_t bits[32], uint32_t mask) {
  uint64_t first = bits[__builtin_ctz(mask)];
  for (uint32_t left = mask; left; left &= left - 1)
    if (bits[__builtin_ctz(left)] != first) return false;
  return true;
}

// Where even turns do not make room: one value for all, or one after another, as many as fit.
static void draw_list(const LaneRow *row, int y, LaneFormat format, const uint64_t bits[32], uint32_t mask) {
  LsText text = {0};
  if (all_same(bits, mask)) {
    format_value(format, bits[__builtin_ctz(mask)], &text);
    ls_text_add(&text, " in every lane");
    mask = 0;
  }
  for (uint32_t left = mask; left; left &= left - 1) {
    if (text.length) ls_text_addc(&text, ' ');
    format_value(format, bits[__builtin_ctz(left)], &text);
  }
  canvas_text_cut(row->canvas, row->x, y, row->end - row->x - 1, ROLE_TEXT, 0, ls_text_str(&text));
  ls_text_free(&text);
}

void lanerow_values(const LaneRow *row, int y, int rows, LaneFormat format, const uint64_t bits[32], uint32_t mask, uint32_t dim) {
  if (rows_needed(row, format, bits, mask) > rows) {
    draw_list(row, y, format, bits, mask);
    return;
  }
  LsText text = {0};
  int room = LS_MAX(rows * row->pitch - 1, 2);
  for (int lane = 0; lane < LANES; lane++) {
    int end = row->x + lane * row->pitch + 2, at = y + lane % rows;
    if (!(mask >> lane & 1)) {
      canvas_put(row->canvas, end - 1, at, 0xb7, ROLE_GONE, 0);
      continue;
    }
    ls_text_clear(&text);
    format_value(format, bits[lane], &text);
    int used = LS_MIN(ls_utf8_width(ls_text_str(&text)), room);
    Role role = lane == row->lane ? ROLE_CURSOR : dim >> lane & 1 ? ROLE_DIM : ROLE_TEXT;
    bool touches = row->pitch == 2 && rows == 1 && lane % 2;
    canvas_text_cut(row->canvas, end - used, at, used, role, touches ? STYLE_BOLD : 0, ls_text_str(&text));
  }
  ls_text_free(&text);
}

void lanerow_blocks(const LaneRow *row, int y, uint32_t mask, uint32_t code, Role role) {
  int width = LS_MAX(row->pitch - 1, 1), indent = row->pitch == 2;   // where a number would end
  for (uint32_t left = mask; left; left &= left - 1)
    for (int i = 0; i < width; i++)
      canvas_put(row->canvas, row->x + __builtin_ctz(left) * row->pitch + indent + i, y, code, role, 0);
}

void lanerow_cell(const LaneRow *row, int y, int lane, Role role, const char *text) {
  int width = LS_MIN(row->pitch, 2);
  canvas_background(row->canvas, (Rect){row->x + lane * row->pitch, y, width, 1}, role);
  canvas_textf(row->canvas, row->x + lane * row->pitch, y, ROLE_TEXT, row->pitch == 2 && lane % 2 ? STYLE_BOLD : 0, "%*s", width,
               text);
}

// ---- what bits mean --------------------------------------------------------------------------------------------------

static bool format_of_type(uint8_t type, LaneFormat *format) {
  static const LaneFormat formats[PTX_TYPE_COUNT] = {
      [PTX_F16] = {PTX_DW_FLOAT, 2, false, 0}, [PTX_F32] = {PTX_DW_FLOAT, 4, false, 0}, [PTX_F64] = {PTX_DW_FLOAT, 8, false, 0},
      [PTX_U16] = {PTX_DW_UINT, 2, false, 0}, [PTX_U32] = {PTX_DW_UINT, 4, false, 0}, [PTX_U64] = {PTX_DW_UINT, 8, false, 0},
      [PTX_S16] = {PTX_DW_INT, 2, false, 0}, [PTX_S32] = {PTX_DW_INT, 4, false, 0}, [PTX_S64] = {PTX_DW_INT, 8, false, 0}};
  if (type >= PTX_TYPE_COUNT || !formats[type].size) return false;
  *format = formats[type];
  return true;
}

static bool is_reg(const PtxOperand *operand, int reg) { return operand->kind == PTX_OPD_REG && operand->reg == reg; }

static bool format_of_reg(const PtxFunc *func, int reg, LaneFormat *format) {
  return reg >= 0 && reg < func->reg_count && format_of_type(func->regs[reg].type, format);
}

// Moves carry bits without a meaning: follow them to an instruction that gives them one.
static bool follow(const PtxModule *module, const PtxFunc *func, int reg, bool backwards, int depth, LaneFormat *format) {
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
  LaneFormat format = {PTX_DW_INT, 4, false, 0};
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
