// matrices.c: programs of mma and wmma, their operands, and what an element of their results is.
#include "matrices.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "base/random.h"
#include "matrices_sparse.h"
#include "matrices_values.h"

enum { BLOCK = 256, TILES_PER_BLOCK = BLOCK / MATRIX_LANES };

static const MatricesForm forms[] = {
#define MATRICES(what, shape, types, clamps) {shape, types, MATRICES_##what, clamps, "", "", "row.col"},
#define MATRICES_OF_BITS(what, shape, counts) \
  {shape, "s32.b1.b1.s32", MATRICES_##what, false, counts, "", "row.col"},
#define MATRICES_SPARSE(shape, types, clamps, variant) {shape, types, false, clamps, "", variant, "row.col"},
#define MATRICES_QUADS(types, layouts) {"m8n8k4", types, false, false, "", "", layouts},
#define MATRICES_MMA false
#define MATRICES_WMMA true
#include "matrices.def"
#undef MATRICES
#undef MATRICES_OF_BITS
#undef MATRICES_SPARSE
#undef MATRICES_QUADS
};

// ---- forms ---------------------------------------------------------------------------------------------------------

static PtxType type_named(const char *name, size_t length) {
  static const PtxType types[] = {PTX_F16, PTX_BF16, PTX_TF32, PTX_F32, PTX_F64, PTX_E4M3, PTX_E5M2,
                                  PTX_S8,  PTX_U8,   PTX_S4,   PTX_U4,  PTX_S32,  PTX_B1};
  for (int i = 0; i < LS_COUNT(types); i++) {
    const char *has = ptx_type_name(types[i]);
    if (strlen(has) == length && memcmp(has, name, length) == 0) return types[i];
  }
  return PTX_NOTYPE;
}

static int bits_of(PtxType type) {
  switch (type) {
  case PTX_B1: return 1;
  case PTX_S4: case PTX_U4: return 4;
  case PTX_S8: case PTX_U8: case PTX_E4M3: case PTX_E5M2: return 8;
  case PTX_F16: case PTX_BF16: return 16;
  case PTX_F64: return 64;
  default: return 32;
  }
}

static MatrixFragment part_of(const Matrices *m, int part) {
  static const MatrixRole roles[] = {MATRIX_C, MATRIX_A, MATRIX_B, MATRIX_C};
  MatrixFragment f = {.role = (uint8_t)roles[part], .type = (uint8_t)m->types[part]};
  f.bits = (uint8_t)bits_of(m->types[part]);
  f.reg_bytes = f.bits == 64 ? 8 : 4;
  f.quads = m->quads;
  f.by_column = m->quads && f.role != MATRIX_C && strncmp(m->form->layouts + 4 * (part == MATRICES_B), "col", 3) == 0;
  f.rows = part == MATRICES_B ? m->shape.k : m->shape.m * (m->quads ? MATRIX_QUADS : 1);
  f.cols = part == MATRICES_A ? m->depth : m->shape.n * (m->quads && part == MATRICES_B ? MATRIX_QUADS : 1);
  f.per_lane = f.rows * f.cols / MATRIX_LANES;
  bool twice = m->form->wmma && f.role != MATRIX_C && f.type == PTX_F16;   // fragments of f16 always have 8 registers
  f.reg_count = twice ? 8 : f.per_lane * f.bits / 8 / f.reg_bytes;
  return f;
}

static int part_elements(const Matrices *m, int part) { return m->parts[part].rows * m->parts[part].cols; }

static uint32_t part_bytes(const Matrices *m, int part) {
  return (uint32_t)(part_elements(m, part) * m->parts[part].bits / 8);
}

static uint32_t part_at(const Matrices *m, int part) {   // in a tile of the input
  uint32_t at = 0;
  for (int before = MATRICES_A; before < part; before++) at += part_bytes(m, before);
  return at;
}

static void take_apart(const MatricesForm *form, int mode, uint64_t results, Matrices *m) {
  *m = (Matrices){.form = form};
  unsigned rows, cols, depth;
  const char *name = form->types;
  if (sscanf(form->shape, "m%un%uk%u", &rows, &cols, &depth) == 3)
    m->shape = (PtxShape){(uint16_t)rows, (uint16_t)cols, (uint16_t)depth};
  for (int i = 0; i < 4; i++) {
    size_t length = strcspn(name, ".");
    m->types[i] = type_named(name, length);
    name += length + (name[length] != 0);
  }
  m->depth = form->sparse[0] ? m->shape.k / 2 : m->shape.k;
  m->quads = strcmp(form->shape, "m8n8k4") == 0 && m->types[MATRICES_A] == PTX_F16;
  for (int i = 0; i < 4; i++) m->parts[i] = part_of(m, i);
  m->tile_bytes = part_at(m, MATRICES_C) + part_bytes(m, MATRICES_C);
  if (form->sparse[0]) {
    m->selector = mode % sparsity_selectors(m);
    m->tile_bytes += SPARSITY_BYTES;
  }
  uint64_t per_block = (uint64_t)part_elements(m, MATRICES_D) * TILES_PER_BLOCK;
  m->tiles = (uint32_t)((results + per_block - 1) / per_block) * TILES_PER_BLOCK;
}

int matrices_programs(void) { return LS_COUNT(forms) * MATRICES_MODES; }

void matrices_name(int number, char *name, size_t size) {
  const MatricesForm *form = &forms[number / MATRICES_MODES];
  bool usual = strcmp(form->layouts, "row.col") == 0;
  snprintf(name, size, "tensor %s%s%s %s %s%s%s%s%s, %s", form->wmma ? "wmma" : "mma", form->sparse[0] ? "." : "",
           form->sparse, form->shape, form->types, form->counts, form->clamps ? " satfinite" : "", usual ? "" : " ",
           usual ? "" : form->layouts, matrices_mode_name(number % MATRICES_MODES));
}

// ---- where elements are --------------------------------------------------------------------------------------------

// Element i of a part, in the order of memory.
static void element_place(const Matrices *m, int part, int i, int *row, int *col) {
  const MatrixFragment *f = &m->parts[part];
  bool by_columns = part == MATRICES_B;
  if (!m->form->wmma) {
    matrix_place(f, i / f->per_lane, i % f->per_lane, row, col);
    return;
  }
  *row = by_columns ? i % f->rows : i / f->cols;
  *col = by_columns ? i / f->rows : i % f->cols;
}

static uint64_t element(const uint8_t *bytes, int bits, int i) {
  uint64_t value = 0;
  if (bits < 8) return bytes[i * bits / 8] >> (i * bits % 8) & ((1 << bits) - 1);
  memcpy(&value, bytes + i * bits / 8, (size_t)bits / 8);
  return value;
}

void matrices_operands(const Matrices *m, const Buffers *before, int part, uint64_t tile, uint64_t *by_rows) {
  const MatrixFragment *f = &m->parts[part];
  const uint8_t *bytes = before->bytes[0] + tile * m->tile_bytes + part_at(m, part);
  for (int i = 0; i < f->rows * f->cols; i++) {
    int row, col;
    element_place(m, part, i, &row, &col);
    by_rows[row * f->cols + col] = element(bytes, f->bits, i);
  }
}

static const uint8_t *metadata_of(const Matrices *m, const uint8_t *tile) {
  return tile + part_at(m, MATRICES_C) + part_bytes(m, MATRICES_C);
}

void matrices_factors(const Matrices *m, const Buffers *before, const uint64_t *a, const uint64_t *b, uint64_t tile,
                      int row, int col, uint64_t *left, uint64_t *right) {
  uint32_t metadata[MATRIX_LANES];
  int n = m->parts[MATRICES_B].cols, at = m->quads ? row / m->shape.m * m->shape.n + col : col;
  if (m->form->sparse[0])
    memcpy(metadata, metadata_of(m, before->bytes[0] + tile * m->tile_bytes), sizeof metadata);
  for (int i = 0; i < m->depth; i++) {
    left[i] = a[row * m->depth + i];
    right[i] = b[(m->form->sparse[0] ? sparsity_column(m, metadata, row, i) : i) * n + at];
  }
}

void matrices_result_at(const Matrices *m, uint64_t index, uint64_t *tile, int *row, int *col) {
  uint64_t count = (uint64_t)part_elements(m, MATRICES_D);
  *tile = index / count;
  element_place(m, MATRICES_D, (int)(index % count), row, col);
}

static void store_part(const Matrices *m, int part, const uint64_t *values, uint8_t *bytes) {
  const MatrixFragment *f = &m->parts[part];
  for (int i = 0; i < f->rows * f->cols; i++) {
    int row, col;
    element_place(m, part, i, &row, &col);
    uint64_t value = values[row * f->cols + col];
    if (f->bits < 8) bytes[i * f->bits / 8] |= (uint8_t)(value << (i * f->bits % 8));
    else memcpy(bytes + i * f->bits / 8, &value, f->bits / 8);
  }
}

static uint8_t *random_tiles(const Matrices *m, int mode, Rng *rng) {
  uint64_t a[MATRICES_MOST], b[MATRICES_MOST], c[MATRICES_MOST];
  uint8_t *bytes = ls_alloc((size_t)m->tiles * m->tile_bytes);
  for (uint32_t tile = 0; tile < m->tiles; tile++) {
    uint8_t *at = bytes + (size_t)tile * m->tile_bytes;
    matrices_fill(m, mode, rng, a, b, c);
    store_part(m, MATRICES_A, a, at);
    store_part(m, MATRICES_B, b, at + part_at(m, MATRICES_B));
    store_part(m, MATRICES_C, c, at + part_at(m, MATRICES_C));
    uint32_t metadata[MATRIX_LANES];
    if (!m->form->sparse[0]) continue;
    sparsity_fill(m, rng, metadata);
    memcpy(at + m->tile_bytes - SPARSITY_BYTES, metadata, sizeof metadata);
  }
  return bytes;
}

void matrices_keep_line(const Program *program, const uint8_t *results, uint64_t size, LsText *out) {
  ls_text_addf(out, "%s: %016" PRIx64 "\n", program->name, ls_hash64(results, size));
}

// ---- text ----------------------------------------------------------------------------------------------------------

static void write_list(LsText *out, const Matrices *m, int part) {
  for (int i = 0; i < m->parts[part].reg_count; i++) ls_text_addf(out, "%s%%%c%d", i ? ", " : "{", "dabc"[part], i);
  ls_text_add(out, "}");
}

static void write_registers(LsText *out, const Matrices *m) {
  for (int i = 0; i < 4; i++)
    ls_text_addf(out, "  .reg .b%d %%%c<%d>;\n", 8 * m->parts[i].reg_bytes, "dabc"[i], m->parts[i].reg_count);
}

static void write_head(LsText *out, const Matrices *m, const char *entry) {
  ls_text_addf(out, ".visible .entry %s(.param .u64 in, .param .u64 out)\n{\n", entry);
  write_registers(out, m);
  ls_text_add(out, "  .reg .b32 %tile, %lane, %metadata;\n  .reg .b64 %in, %out, %at, %offset;\n"
                   "  mov.u32 %tile, %ctaid.x;\n  mov.u32 %lane, %tid.x;\n");
  ls_text_addf(out, "  mad.lo.u32 %%tile, %%tile, %d, %%lane;\n", BLOCK);
  ls_text_add(out, "  shr.u32 %tile, %tile, 5;\n  and.b32 %lane, %lane, 31;\n");
  ls_text_addf(out, "  ld.param.u64 %%in, [in];\n  cvta.to.global.u64 %%in, %%in;\n"
               "  mul.wide.u32 %%offset, %%tile, %u;\n"
               "  add.s64 %%in, %%in, %%offset;\n", m->tile_bytes);
  ls_text_addf(out, "  ld.param.u64 %%out, [out];\n  cvta.to.global.u64 %%out, %%out;\n"
               "  mul.wide.u32 %%offset, %%tile, %u;\n"
               "  add.s64 %%out, %%out, %%offset;\n", part_bytes(m, MATRICES_D));
}

// The registers of a lane lie one behind the other.
static void write_lane(LsText *out, const Matrices *m, int part) {
  const MatrixFragment *f = &m->parts[part];
  bool store = part == MATRICES_D;
  uint32_t at = store ? 0 : part_at(m, part);
  ls_text_addf(out, "  mul.wide.u32 %%offset, %%lane, %d;\n  add.s64 %%at, %s, %%offset;\n",
               f->reg_count * f->reg_bytes, store ? "%out" : "%in");
  for (int i = 0; i < f->reg_count; i++) {
    uint32_t place = at + (uint32_t)(i * f->reg_bytes);
    if (store) ls_text_addf(out, "  st.global.b%d [%%at+%u], %%d%d;\n", 8 * f->reg_bytes, place, i);
    else ls_text_addf(out, "  ld.global.b%d %%%c%d, [%%at+%u];\n", 8 * f->reg_bytes, "dabc"[part], i, place);
  }
}

static void write_mma(LsText *out, const Matrices *m) {
  const MatricesForm *form = m->form;
  for (int part = MATRICES_A; part <= MATRICES_C; part++) write_lane(out, m, part);
  if (form->sparse[0])
    ls_text_addf(out, "  mul.wide.u32 %%offset, %%lane, 4;\n  add.s64 %%at, %%in, %%offset;\n"
                      "  ld.global.b32 %%metadata, [%%at+%u];\n", m->tile_bytes - SPARSITY_BYTES);
  ls_text_addf(out, "  mma%s%s.sync.aligned.%s.%s%s.%s%s ", form->sparse[0] ? "." : "", form->sparse, form->shape,
               form->layouts, form->clamps ? ".satfinite" : "", form->types, form->counts);
  for (int part = 0; part < 4; part++) {
    write_list(out, m, part);
    if (part < MATRICES_C) ls_text_add(out, ", ");
  }
  if (form->sparse[0]) ls_text_addf(out, ", %%metadata, %d", m->selector);
  ls_text_add(out, ";\n");
  write_lane(out, m, MATRICES_D);
}

static void write_wmma(LsText *out, const Matrices *m) {
  static const int strides[] = {0, 'k', 'k', 'n'};
  for (int part = MATRICES_A; part <= MATRICES_C; part++) {
    ls_text_addf(out, "  add.s64 %%at, %%in, %u;\n", part_at(m, part));
    ls_text_addf(out, "  wmma.load.%c.sync.aligned.%s.%s.global.%s ", "dabc"[part],
                 part == MATRICES_B ? "col" : "row", m->form->shape, ptx_type_name(m->types[part]));
    write_list(out, m, part);
    ls_text_addf(out, ", [%%at], %d;\n", strides[part] == 'k' ? m->shape.k : m->shape.n);
  }
  ls_text_addf(out, "  wmma.mma%s.sync.aligned.row.col.%s.", m->form->counts, m->form->shape);
  if (m->types[MATRICES_A] == PTX_F16)
    ls_text_addf(out, "%s.%s ", ptx_type_name(m->types[MATRICES_D]), ptx_type_name(m->types[MATRICES_C]));
  else ls_text_addf(out, "%s%s ", m->form->types, m->form->clamps ? ".satfinite" : "");
  for (int part = 0; part < 4; part++) {
    write_list(out, m, part);
    ls_text_add(out, part < MATRICES_C ? ", " : ";\n");
  }
  ls_text_addf(out, "  wmma.store.d.sync.aligned.row.%s.global.%s [%%out], ", m->form->shape,
               ptx_type_name(m->types[MATRICES_D]));
  write_list(out, m, MATRICES_D);
  ls_text_addf(out, ", %d;\n", m->shape.n);
}

// ---- programs ------------------------------------------------------------------------------------------------------

static void describe(const Program *program, const Buffers *before, uint64_t index) {
  const Matrices *m = program->detail;
  uint64_t tile;
  int row, col;
  matrices_result_at(m, index, &tile, &row, &col);
  uint64_t a[MATRICES_MOST], b[MATRICES_MOST], c[MATRICES_MOST];
  matrices_operands(m, before, MATRICES_A, tile, a);
  matrices_operands(m, before, MATRICES_B, tile, b);
  matrices_operands(m, before, MATRICES_C, tile, c);
  uint64_t left[MATRICES_DEPTH], right[MATRICES_DEPTH];
  matrices_factors(m, before, a, b, tile, row, col, left, right);
  printf(" (tile %" PRIu64 ", row %d, column %d: c %" PRIx64 ", a b", tile, row, col, c[row * m->shape.n + col]);
  for (int k = 0; k < m->depth; k++) printf(" %" PRIx64 ",%" PRIx64, left[k], right[k]);
  printf(")");
}

static LaunchType unsigned_of(int bits) { return bits == 64 ? LAUNCH_U64 : bits == 32 ? LAUNCH_U32 : LAUNCH_U16; }

void matrices_batch_init(Batch *batch) {
  batch_init(batch);
  batch->ptx.length = 0;
  ls_text_add(&batch->ptx, ".version 8.7\n.target sm_90\n.address_size 64\n\n");
  batch->header = batch->ptx.length;
}

void matrices_add(Batch *batch, int number, uint64_t seed, uint64_t least) {
  char entry[32];
  Matrices *m = ls_alloc(sizeof *m);
  Rng rng = {seed + ((uint64_t)number << 32)};
  take_apart(&forms[number / MATRICES_MODES], number % MATRICES_MODES, least, m);
  snprintf(entry, sizeof entry, "matrices_%d", number);
  Program *program = batch_begin(batch, entry);
  matrices_name(number, program->name, sizeof program->name);
  program->detail = m;
  program->describe = describe;
  program->launch.kernel = ls_strdup(entry);
  program->launch.block[0] = BLOCK;
  program->launch.grid[0] = m->tiles / TILES_PER_BLOCK;
  batch_add_buffer(program, LAUNCH_U32, (uint64_t)m->tiles * m->tile_bytes / 4,
                   random_tiles(m, number % MATRICES_MODES, &rng));
  uint64_t results = (uint64_t)m->tiles * (uint64_t)part_elements(m, MATRICES_D);
  batch_add_buffer(program, unsigned_of(m->parts[MATRICES_D].bits), results, NULL);
  write_head(&batch->ptx, m, entry);
  if (m->form->wmma) write_wmma(&batch->ptx, m);
  else write_mma(&batch->ptx, m);
  ls_text_add(&batch->ptx, "  ret;\n}\n\n");
  batch_end(batch);
}
