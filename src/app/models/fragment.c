// fragment.c: the model of matrices that lie in the registers of a warp.
#include "app/models/fragment.h"

#include <stdio.h>

#include "base/mem.h"

enum { INSTRUCTION, LANE, SHOWN };

// m, n, k; the types of A and B, and of C, with their bits.
typedef enum Kind { DENSE, WMMA, QUADS, SPARSE } Kind;
typedef struct Form { const char *name; int m, n, k, type, bits, sum_type, sum_bits; Kind kind; } Form;
static const Form forms[] = {
    {"mma m16n8k16 f16", 16, 8, 16, PTX_F16, 16, PTX_F32, 32, false},
    {"mma m16n8k8 f16", 16, 8, 8, PTX_F16, 16, PTX_F32, 32, false},
    {"mma m16n8k8 tf32", 16, 8, 8, PTX_TF32, 32, PTX_F32, 32, false},
    {"mma m16n8k4 tf32", 16, 8, 4, PTX_TF32, 32, PTX_F32, 32, false},
    {"mma m16n8k32 s8", 16, 8, 32, PTX_S8, 8, PTX_S32, 32, false},
    {"mma m16n8k16 s8", 16, 8, 16, PTX_S8, 8, PTX_S32, 32, false},
    {"mma m8n8k16 s8", 8, 8, 16, PTX_S8, 8, PTX_S32, 32, false},
    {"mma m8n8k4 f64", 8, 8, 4, PTX_F64, 64, PTX_F64, 64, false},
    {"wmma m16n16k16 f16", 16, 16, 16, PTX_F16, 16, PTX_F32, 32, WMMA},
    {"mma m8n8k4 f16", 8, 8, 4, PTX_F16, 16, PTX_F32, 32, QUADS},
    {"mma.sp m16n8k32 f16", 16, 8, 32, PTX_F16, 16, PTX_F32, 32, SPARSE},
    {"mma.sp m16n8k16 f16", 16, 8, 16, PTX_F16, 16, PTX_F32, 32, SPARSE},
    {"mma.sp m16n8k16 tf32", 16, 8, 16, PTX_TF32, 32, PTX_F32, 32, SPARSE},
};
static const char *const names[] = {"mma m16n8k16 f16", "mma m16n8k8 f16", "mma m16n8k8 tf32", "mma m16n8k4 tf32",
                                    "mma m16n8k32 s8", "mma m16n8k16 s8", "mma m8n8k16 s8", "mma m8n8k4 f64",
                                    "wmma m16n16k16 f16", "mma m8n8k4 f16", "mma.sp m16n8k32 f16",
                                    "mma.sp m16n8k16 f16", "mma.sp m16n8k16 tf32"};
_Static_assert(LS_COUNT(forms) == LS_COUNT(names), "a form has no name");

static const char *const matrices[] = {"all", "A", "B", "C"};

static RecipeParam params[] = {
    [INSTRUCTION] = {.name = "instruction", .help = "shape m x n x k, and the type of A and B", .is_text = true,
                     .max = LS_COUNT(names) - 1, .step = 1, .choices = (const char **)names,
                     .choice_count = LS_COUNT(names)},
    [LANE] = {.name = "lane", .help = "the lane whose elements are marked", .fallback = 5, .max = MATRIX_LANES - 1,
              .step = 1},
    [SHOWN] = {.name = "matrix", .help = "all of them, as many as there is room for, or one", .is_text = true,
               .max = FRAGMENT_MATRICES, .step = 1, .choices = (const char **)matrices,
               .choice_count = FRAGMENT_MATRICES + 1},
};

static MatrixFragment fragment_of(const Form *form, MatrixRole role) {
  bool sum = role == MATRIX_C;
  MatrixFragment f = {.role = (uint8_t)role, .type = (uint8_t)(sum ? form->sum_type : form->type),
                      .bits = (uint8_t)(sum ? form->sum_bits : form->bits), .opaque = form->kind == WMMA,
                      .quads = form->kind == QUADS};
  f.by_column = f.quads && role == MATRIX_B;
  f.reg_bytes = f.bits == 64 ? 8 : 4;
  f.rows = role == MATRIX_B ? form->k : form->m;
  f.cols = role == MATRIX_A ? form->k / (form->kind == SPARSE ? 2 : 1) : form->n;
  if (f.quads && role == MATRIX_B) f.cols *= MATRIX_QUADS;
  else if (f.quads) f.rows *= MATRIX_QUADS;
  f.per_lane = f.rows * f.cols / MATRIX_LANES;
  f.reg_count = LS_MAX(f.per_lane * f.bits / 8 / f.reg_bytes, 1);
  return f;
}

void fragment_model(const ModelValues *values, FragmentModel *out) {
  const Form *form = &forms[model_int(values, INSTRUCTION)];
  *out = (FragmentModel){.instruction = form->name, .is_wmma = form->kind == WMMA,
                         .in_quads = form->kind == QUADS, .is_sparse = form->kind == SPARSE,
                         .products = form->m * form->n * form->k, .lane = model_int(values, LANE),
                         .only = model_int(values, SHOWN) - 1};
  if (out->in_quads) out->products *= MATRIX_QUADS;
  if (out->is_sparse) out->products /= 2;
  for (int role = 0; role < FRAGMENT_MATRICES; role++) {
    MatrixFragment *f = &out->of[role];
    *f = fragment_of(form, (MatrixRole)role);
    for (int lane = 0; lane < MATRIX_LANES; lane++)
      for (int i = 0; i < f->per_lane; i++) {
        int row, col;
        matrix_place(f, lane, i, &row, &col);
        out->owner[role][row * f->cols + col] = (uint8_t)lane;
        out->element[role][row * f->cols + col] = (uint8_t)i;
      }
  }
}

// ---- numbers and words ---------------------------------------------------------------------------------------------

static void places_text(const FragmentModel *m, int role, LsText *out) {
  const MatrixFragment *f = &m->of[role];
  for (int i = 0; i < f->per_lane; i++) {
    int row, col;
    matrix_place(f, m->lane, i, &row, &col);
    ls_text_addf(out, "%s%d,%d", i ? " " : "", row, col);
  }
}

static void facts(const ModelValues *values, ModelFacts *out) {
  FragmentModel m;
  static const char *const letters[] = {"a", "b", "c"};
  fragment_model(values, &m);
  for (int role = 0; role < FRAGMENT_MATRICES; role++) {
    char name[32];
    LsText text = {0};
    snprintf(name, sizeof name, "%s_per_lane", letters[role]);
    fact_number(out, name, "elements", m.of[role].per_lane);
    snprintf(name, sizeof name, "%s_registers", letters[role]);
    fact_number(out, name, "registers", m.of[role].reg_count);
    snprintf(name, sizeof name, "%s_places", letters[role]);
    places_text(&m, role, &text);
    fact_text(out, name, ls_text_str(&text));
    ls_text_free(&text);
  }
  fact_number(out, "products", "multiplications", m.products);
}

static void words(const ModelValues *values, LsText *out) {
  FragmentModel m;
  fragment_model(values, &m);
  int row, col;
  matrix_place(&m.of[MATRIX_C], m.lane, 0, &row, &col);
  ls_text_addf(out, "One instruction of a warp: %d multiplications. ", m.products);
  ls_text_addf(out, "Lane %d holds %d elements of A, %d of B and %d of the sums, from row %d, column %d on.", m.lane,
               m.of[MATRIX_A].per_lane, m.of[MATRIX_B].per_lane, m.of[MATRIX_C].per_lane, row, col);
  if (m.in_quads)
    ls_text_addf(out, " Four products side by side: lanes %d-%d and %d-%d hold this one's.", m.lane / 4 % 4 * 4,
                 m.lane / 4 % 4 * 4 + 3, m.lane / 4 % 4 * 4 + 16, m.lane / 4 % 4 * 4 + 19);
  if (m.is_sparse)
    ls_text_addf(out, " A is sparse: of %s in a row stored, and metadata say which.",
                 m.of[MATRIX_A].bits == 32 ? "two elements one is" : "four elements two are");
  if (m.is_wmma) ls_text_add(out, " This is lanescope's own order: of wmma nobody says which lane holds what.");
}

const Model model_fragment = {
    .recipe = {.name = "fragment", .title = "Which lane holds what of a matrix", .topic = "matrix multiply",
               .about = "A tensor core multiplies small matrices that lie in the registers of a warp, some elements "
                        "in each lane. "
                        "The number in a cell is the lane that holds it.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "PTX ISA, \"Matrix Fragments for mma\"; the same map as the emulator's, which gives an H200's results "
                                                  "bit for "
             "bit. The order of wmma is not specified: the emulator's is by rows.",
    .time = -1, .facts = facts, .words = words,
};
