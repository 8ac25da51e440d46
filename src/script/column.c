// column.c: formulas over whole buffers, in chunks that stay in the cache.
#include "script/column.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"

static const ColumnDef defs[] = {
#define COLUMN_OP(ID, name, operands, kind) {name, operands, COLUMN_##kind},
#include "script/column.def"
#undef COLUMN_OP
};

const ColumnDef *column_def(ColumnOp op) { return &defs[op]; }

bool column_chunk_begin(ColumnChunk *chunk, uint64_t first, uint64_t stride, uint64_t count, uint64_t number) {
  chunk->number = number;
  chunk->count = 0;
  chunk->work = 0;
  for (uint64_t i = first; i < count && chunk->count < COLUMN_CHUNK; i += stride)
    chunk->at[chunk->count++] = (int64_t)i;
  return chunk->count > 0;
}

// ---- nodes ---------------------------------------------------------------------------------------------------------

static void begin(Column *column, ColumnOp op, bool is_float, uint64_t length) {
  memset(column, 0, offsetof(Column, values));
  column->op = op;
  column->is_float = is_float;
  column->length = length;
  column->depth = 1;
}

void column_index(Column *column, uint64_t length) { begin(column, COLUMN_INDEX, false, length); }

void column_integer(Column *column, int64_t value) {
  begin(column, COLUMN_CONSTANT, false, COLUMN_ENDLESS);
  for (int i = 0; i < COLUMN_CHUNK; i++) column->values.integer[i] = value;
}

void column_number(Column *column, double value) {
  begin(column, COLUMN_CONSTANT, true, COLUMN_ENDLESS);
  for (int i = 0; i < COLUMN_CHUNK; i++) column->values.number[i] = value;
}

static void add_operand(Column *column, int at, Column *operand) {
  column->operand[at] = operand;
  column->depth = LS_MAX(column->depth, operand->depth + 1);
  column->length = LS_MIN(column->length, operand->length);
}

void column_at(Column *column, const ColumnSource *source, Column *index) {
  begin(column, COLUMN_AT, launch_type_is_float(source->type), COLUMN_ENDLESS);
  column->source[0] = *source;
  add_operand(column, 0, index);
  if (index->op == COLUMN_INDEX) column->length = LS_MIN(column->length, source->count);
}

static bool gives_float(ColumnOp op, const Column *first) {
  if (op == COLUMN_TO_FLOAT) return true;
  if (op >= COLUMN_OPS) return first->is_float;
  ColumnKind kind = defs[op].kind;
  return kind == COLUMN_FLOAT || (kind == COLUMN_ARITHMETIC && first->is_float);
}

void column_operate(Column *column, ColumnOp op, Column *const operands[], int count) {
  begin(column, op, gives_float(op, operands[op == COLUMN_PICK]), COLUMN_ENDLESS);
  for (int i = 0; i < count; i++) add_operand(column, i, operands[i]);
}

void column_product(Column *column, const ColumnSource *a, const ColumnSource *b, uint64_t inner, uint64_t width) {
  begin(column, COLUMN_PRODUCT, true, inner && width ? a->count / inner * width : 0);
  column->source[0] = *a;
  column->source[1] = *b;
  column->inner = inner;
  column->width = width;
}

// ---- reading -------------------------------------------------------------------------------------------------------

static double half_value(const uint8_t *at) {
  uint16_t bits;
  memcpy(&bits, at, sizeof bits);
  return launch_value(LAUNCH_F16, bits);
}

#define READ(values, TYPE) \
  for (int i = 0; i < count; i++) { \
    TYPE element; \
    memcpy(&element, source->bytes + (uint64_t)at[i] * sizeof element, sizeof element); \
    out->values[i] = element; \
  } \
  break

// Those that exist.
static void read_elements(const ColumnSource *source, const int64_t *at, int count, ColumnValues *out) {
  switch (source->type) {
    case LAUNCH_U8: READ(integer, uint8_t);
    case LAUNCH_I8: READ(integer, int8_t);
    case LAUNCH_U16: READ(integer, uint16_t);
    case LAUNCH_I16: READ(integer, int16_t);
    case LAUNCH_U32: READ(integer, uint32_t);
    case LAUNCH_I32: READ(integer, int32_t);
    case LAUNCH_U64:
    case LAUNCH_I64: READ(integer, int64_t);
    case LAUNCH_F32: READ(number, float);
    case LAUNCH_F64: READ(number, double);
    case LAUNCH_F16:
      for (int i = 0; i < count; i++) out->number[i] = half_value(source->bytes + 2 * (uint64_t)at[i]);
      break;
    case LAUNCH_TYPE_COUNT: break;
  }
}

static void work_out_index(Column *column, const ColumnChunk *chunk) {
  memcpy(column->values.integer, chunk->at, sizeof *chunk->at * (size_t)chunk->count);
  for (int i = chunk->count; i-- > 0 && (uint64_t)chunk->at[i] >= column->length;)
    column->absent[i] = column->any_absent = true;
}

static void work_out_at(Column *column, int count) {
  const int64_t *index = column->operand[0]->values.integer;
  int64_t at[COLUMN_CHUNK];
  for (int i = 0; i < count; i++) {
    bool exists = (uint64_t)index[i] < column->source[0].count && !column->absent[i];
    column->absent[i] = !exists;
    column->any_absent |= !exists;
    at[i] = exists ? index[i] : 0;
  }
  if (column->source[0].count) read_elements(&column->source[0], at, count, &column->values);
  else memset(&column->values, 0, sizeof column->values);
}

// ---- arithmetic ----------------------------------------------------------------------------------------------------

static int64_t wrapped(uint64_t bits) { return (int64_t)bits; }

// Lua's, for a divisor that is not 0; -1 would overflow.
static int64_t floor_quotient(int64_t a, int64_t b) {
  if (b == -1) return wrapped(0 - (uint64_t)a);
  int64_t quotient = a / b;
  return (a ^ b) < 0 && quotient * b != a ? quotient - 1 : quotient;
}

static int64_t floor_rest(int64_t a, int64_t b) {
  if (b == -1) return 0;
  int64_t rest = a % b;
  return rest != 0 && (rest ^ b) < 0 ? rest + b : rest;
}

static double float_rest(double a, double b) {
  double rest = fmod(a, b);
  return (rest > 0 && b < 0) || (rest < 0 && b > 0) ? rest + b : rest;
}

static int64_t shifted(int64_t value, int64_t left) {
  if (left <= -64 || left >= 64) return 0;
  return left >= 0 ? wrapped((uint64_t)value << left) : wrapped((uint64_t)value >> -left);
}

#define LOOP(result) \
  for (int i = 0; i < count; i++) result; \
  break

static void divide_integers(Column *column, int count) {
  const int64_t *a = column->operand[0]->values.integer, *b = column->operand[1]->values.integer;
  bool rest = column->op == COLUMN_MODULO;
  for (int i = 0; i < count; i++) {
    column->absent[i] |= b[i] == 0;
    column->any_absent |= column->absent[i];
    int64_t by = b[i] ? b[i] : 1;
    column->values.integer[i] = rest ? floor_rest(a[i], by) : floor_quotient(a[i], by);
  }
}

// Dividing takes long: by a constant power of 2 it is a shift, or a mask.
static bool divide_by_power(Column *column, int count) {
  const Column *by = column->operand[1];
  int64_t power = by->op == COLUMN_CONSTANT ? by->values.integer[0] : 0;
  if (power <= 0 || (power & (power - 1))) return false;
  const int64_t *a = column->operand[0]->values.integer;
  int64_t *out = column->values.integer;
  int shift = __builtin_ctzll((unsigned long long)power);
  if (column->op == COLUMN_MODULO) for (int i = 0; i < count; i++) out[i] = a[i] & (power - 1);
  else for (int i = 0; i < count; i++) out[i] = a[i] >> shift;
  return true;
}

// Numbers of 31 bits divide exactly as doubles do, rounded down, and several at once.
static bool divide_small(Column *column, int count) {
  const Column *by = column->operand[1];
  const int64_t *a = column->operand[0]->values.integer;
  int64_t divisor = by->op == COLUMN_CONSTANT ? by->values.integer[0] : 0;
  uint64_t all = 0;
  for (int i = 0; i < count; i++) all |= (uint64_t)a[i];
  if (divisor <= 0 || divisor > INT32_MAX || all > INT32_MAX) return false;
  bool rest = column->op == COLUMN_MODULO;
  for (int i = 0; i < count; i++) {
    int32_t value = (int32_t)a[i], quotient = (int32_t)((double)value / (double)divisor);
    column->values.integer[i] = rest ? value - quotient * (int32_t)divisor : quotient;
  }
  return true;
}

static void work_out_integers(Column *column, int count) {
  const int64_t *a = column->operand[0]->values.integer;
  const int64_t *b = column->operand[1] ? column->operand[1]->values.integer : a;
  int64_t *out = column->values.integer;
  switch (column->op) {
    case COLUMN_ADD: LOOP(out[i] = wrapped((uint64_t)a[i] + (uint64_t)b[i]));
    case COLUMN_SUBTRACT: LOOP(out[i] = wrapped((uint64_t)a[i] - (uint64_t)b[i]));
    case COLUMN_MULTIPLY: LOOP(out[i] = wrapped((uint64_t)a[i] * (uint64_t)b[i]));
    case COLUMN_MODULO:
    case COLUMN_FLOOR_DIVIDE:
      if (!divide_by_power(column, count) && !divide_small(column, count)) divide_integers(column, count);
      break;
    case COLUMN_NEGATE: LOOP(out[i] = wrapped(0 - (uint64_t)a[i]));
    case COLUMN_AND: LOOP(out[i] = a[i] & b[i]);
    case COLUMN_OR: LOOP(out[i] = a[i] | b[i]);
    case COLUMN_XOR: LOOP(out[i] = a[i] ^ b[i]);
    case COLUMN_NOT: LOOP(out[i] = ~a[i]);
    case COLUMN_SHIFT_LEFT: LOOP(out[i] = shifted(a[i], b[i]));
    case COLUMN_SHIFT_RIGHT: LOOP(out[i] = shifted(a[i], wrapped(0 - (uint64_t)b[i])));
    case COLUMN_LARGER: LOOP(out[i] = a[i] < b[i] ? b[i] : a[i]);
    case COLUMN_SMALLER: LOOP(out[i] = b[i] < a[i] ? b[i] : a[i]);
    case COLUMN_MAGNITUDE: LOOP(out[i] = a[i] < 0 ? wrapped(0 - (uint64_t)a[i]) : a[i]);
    case COLUMN_LESS: LOOP(out[i] = a[i] < b[i]);
    default: LOOP(out[i] = a[i] == b[i]);
  }
}

static void compare_floats(Column *column, int count) {
  const double *a = column->operand[0]->values.number, *b = column->operand[1]->values.number;
  int64_t *out = column->values.integer;
  if (column->op == COLUMN_LESS) for (int i = 0; i < count; i++) out[i] = a[i] < b[i];
  else for (int i = 0; i < count; i++) out[i] = a[i] == b[i];
}

static void work_out_floats(Column *column, int count) {
  const double *a = column->operand[0]->values.number;
  const double *b = column->operand[1] ? column->operand[1]->values.number : a;
  double *out = column->values.number;
  switch (column->op) {
    case COLUMN_ADD: LOOP(out[i] = a[i] + b[i]);
    case COLUMN_SUBTRACT: LOOP(out[i] = a[i] - b[i]);
    case COLUMN_MULTIPLY: LOOP(out[i] = a[i] * b[i]);
    case COLUMN_MODULO: LOOP(out[i] = float_rest(a[i], b[i]));
    case COLUMN_FLOOR_DIVIDE: LOOP(out[i] = floor(a[i] / b[i]));
    case COLUMN_NEGATE: LOOP(out[i] = -a[i]);
    case COLUMN_DIVIDE: LOOP(out[i] = a[i] / b[i]);
    case COLUMN_POWER: LOOP(out[i] = b[i] == 2 ? a[i] * a[i] : pow(a[i], b[i]));   // as Lua
    case COLUMN_LARGER: LOOP(out[i] = a[i] < b[i] ? b[i] : a[i]);
    case COLUMN_SMALLER: LOOP(out[i] = b[i] < a[i] ? b[i] : a[i]);
    case COLUMN_MAGNITUDE: LOOP(out[i] = fabs(a[i]));
    case COLUMN_ROOT: LOOP(out[i] = sqrt(a[i]));
    default: LOOP(out[i] = (double)(float)a[i]);
  }
}

// ---- the other nodes -----------------------------------------------------------------------------------------------

static void work_out_pick(Column *column, int count) {
  const Column *condition = column->operand[0];
  column->any_absent = false;
  for (int i = 0; i < count; i++) {
    bool holds = condition->is_float ? condition->values.number[i] != 0 : condition->values.integer[i] != 0;
    const Column *arm = column->operand[holds ? 1 : 2];
    column->absent[i] = (condition->any_absent && condition->absent[i]) || (arm->any_absent && arm->absent[i]);
    column->any_absent |= column->absent[i];
    if (column->is_float) column->values.number[i] = arm->values.number[i];
    else column->values.integer[i] = arm->values.integer[i];
  }
}

// Elements of one row of the result: a row of a times the columns of b that are asked for, term after term, so that b
// is read row by row.
static void multiply_row(Column *column, const int64_t *at, int count, double *out) {
  uint64_t row = (uint64_t)at[0] / column->width;
  int64_t place[COLUMN_CHUNK];
  ColumnValues terms, factor;
  memset(out, 0, (size_t)count * sizeof *out);
  for (uint64_t k = 0; k < column->inner; k++) {
    int64_t of_a = (int64_t)(row * column->inner + k);
    for (int i = 0; i < count; i++)
      place[i] = at[i] - (int64_t)(row * column->width) + (int64_t)(k * column->width);
    read_elements(&column->source[0], &of_a, 1, &factor);
    read_elements(&column->source[1], place, count, &terms);
    for (int i = 0; i < count; i++) out[i] += factor.number[0] * terms.number[i];
  }
}

static void work_out_product(Column *column, ColumnChunk *chunk) {
  int64_t width = (int64_t)column->width;
  memset(column->absent, 0, sizeof column->absent);
  column->any_absent = false;
  for (int first = 0, next; first < chunk->count; first = next) {
    for (next = first + 1; next < chunk->count && chunk->at[next] / width == chunk->at[first] / width;) next++;
    if ((uint64_t)chunk->at[next - 1] < column->length)
      multiply_row(column, chunk->at + first, next - first, column->values.number + first);
    else
      for (int i = first; i < next; i++) column->absent[i] = column->any_absent = true;
  }
  chunk->work += (uint64_t)chunk->count * column->inner;
}

// ---- a chunk -------------------------------------------------------------------------------------------------------

static void join_absent(Column *column, int count) {
  column->any_absent = false;
  for (int k = 0; k < COLUMN_OPERANDS && column->operand[k]; k++)
    column->any_absent |= column->operand[k]->any_absent;
  memset(column->absent, 0, (size_t)count);
  if (!column->any_absent) return;
  for (int k = 0; k < COLUMN_OPERANDS && column->operand[k]; k++)
    for (int i = 0; i < count && column->operand[k]->any_absent; i++)
      column->absent[i] |= column->operand[k]->absent[i];
}

static void work_out(Column *column, ColumnChunk *chunk) {
  int count = chunk->count;
  bool floats = column->operand[0] && column->operand[0]->is_float;
  if (column->op == COLUMN_INDEX) work_out_index(column, chunk);
  else if (column->op == COLUMN_PICK) work_out_pick(column, count);
  else if (column->op == COLUMN_AT) work_out_at(column, count);
  else if (column->op == COLUMN_TO_FLOAT)
    for (int i = 0; i < count; i++) column->values.number[i] = (double)column->operand[0]->values.integer[i];
  else if (floats && (column->op == COLUMN_LESS || column->op == COLUMN_EQUAL)) compare_floats(column, count);
  else if (floats) work_out_floats(column, count);
  else work_out_integers(column, count);
}

void column_evaluate(Column *column, ColumnChunk *chunk) {
  if (column->op == COLUMN_CONSTANT || column->chunk == chunk->number) return;
  column->chunk = chunk->number;
  chunk->work += (uint64_t)chunk->count;
  for (int i = 0; i < COLUMN_OPERANDS && column->operand[i]; i++) column_evaluate(column->operand[i], chunk);
  if (column->op == COLUMN_PRODUCT) {
    work_out_product(column, chunk);
    return;
  }
  join_absent(column, chunk->count);
  work_out(column, chunk);
}

// ---- what there is not ---------------------------------------------------------------------------------------------

static const Column *absent_operand(const Column *column, int lane) {
  const Column *condition = column->operand[0];
  if (column->op == COLUMN_PICK && !(condition->any_absent && condition->absent[lane]))
    return column->operand[column_value(condition, lane) != 0 ? 1 : 2];
  for (int i = 0; i < COLUMN_OPERANDS && column->operand[i]; i++)
    if (column->operand[i]->any_absent && column->operand[i]->absent[lane]) return column->operand[i];
  return NULL;
}

static void no_element(const ColumnSource *source, int64_t at, LsText *out) {
  ls_text_addf(out, "%s[%" PRId64 "] does not exist: ", source->name, at);
  if (source->count) ls_text_addf(out, "the buffer has elements 0 to %" PRIu64, source->count - 1);
  else ls_text_add(out, "the buffer is empty");
}

void column_why_absent(const Column *column, const ColumnChunk *chunk, int lane, LsText *out) {
  for (const Column *next; (next = absent_operand(column, lane)) != NULL;) column = next;
  if (column->op == COLUMN_AT) no_element(&column->source[0], column->operand[0]->values.integer[lane], out);
  else if (column->op == COLUMN_INDEX)
    ls_text_addf(out, "element %" PRId64 " does not exist: the column has %" PRIu64, chunk->at[lane], column->length);
  else if (column->op == COLUMN_PRODUCT)
    ls_text_addf(out, "the product has no element %" PRId64 ": it has %" PRIu64, chunk->at[lane], column->length);
  else ls_text_addf(out, "element %" PRId64 " would be divided by 0", chunk->at[lane]);
}
