// test_model_fragment.c: fragments of mma against the formulas of the PTX ISA, written down here once more.
#include "app/models/fragment.h"
#include "check_models.h"

static void make(const char *instruction, int lane, FragmentModel *m) {
  ModelValues values;
  LsErr err = {0};
  char words[80];
  model_defaults(model_named("fragment"), &values);
  snprintf(words, sizeof words, "instruction=%s", instruction);
  CHECK(model_set(model_named("fragment"), &values, words, &err));
  values.numbers.value[1] = lane;
  fragment_model(&values, m);
}

// Row and column of element i, PTX ISA "Matrix Fragments for mma.m16n8k16 with floating point type" and those after it.
// per: elements of a 32-bit register.
static void documented(MatrixRole role, int per, int lane, int i, int *row, int *col) {
  int group = lane >> 2, thread = lane % 4, pair = i / per, within = i % per;
  if (role == MATRIX_A) {
    *row = pair % 2 == 0 ? group : group + 8;
    *col = thread * per + within + (pair >= 2 ? 4 * per : 0);
  } else if (role == MATRIX_B) {
    *row = thread * per + within + (pair >= 1 ? 4 * per : 0);
    *col = group;
  } else {
    *row = i < 2 ? group : group + 8;
    *col = thread * 2 + (i & 1);
  }
}

static void as_documented(void) {
  static const struct { const char *name; int per; } forms[] = {
      {"mma m16n8k16 f16", 2}, {"mma m16n8k8 f16", 2}, {"mma m16n8k8 tf32", 1}, {"mma m16n8k4 tf32", 1},
      {"mma m16n8k32 s8", 4},  {"mma m16n8k16 s8", 4}};
  for (int form = 0; form < LS_COUNT(forms); form++) {
    FragmentModel m;
    make(forms[form].name, 0, &m);
    for (int role = 0; role < FRAGMENT_MATRICES; role++)
      for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < m.of[role].per_lane; i++) {
          int row, col;
          documented((MatrixRole)role, forms[form].per, lane, i, &row, &col);
          CHECK_INT(m.owner[role][row * m.of[role].cols + col], lane);
          CHECK_INT(m.element[role][row * m.of[role].cols + col], i);
        }
  }
}

static void doubles_as_documented(void) {
  FragmentModel m;
  make("mma m8n8k4 f64", 0, &m);
  for (int lane = 0; lane < 32; lane++) {
    CHECK_INT(m.owner[MATRIX_A][(lane >> 2) * 4 + lane % 4], lane);
    CHECK_INT(m.owner[MATRIX_B][lane % 4 * 8 + (lane >> 2)], lane);
    for (int i = 0; i < 2; i++) CHECK_INT(m.owner[MATRIX_C][(lane >> 2) * 8 + lane % 4 * 2 + i], lane);
  }
}

// Row and column of element i of a lane, PTX ISA "Matrix Fragments for mma.m8n8k4 with .f16": four products.
static void quads_as_documented(void) {
  FragmentModel m;
  make("mma m8n8k4 f16", 0, &m);
  CHECK_INT(m.products, 4 * 8 * 8 * 4);
  for (int lane = 0; lane < 32; lane++) {
    int product = lane / 4 % 4, row = lane < 16 ? lane % 4 : lane % 4 + 4;
    for (int i = 0; i < 4; i++) {
      CHECK_INT(m.owner[MATRIX_A][(8 * product + row) * 4 + i], lane);
      CHECK_INT(m.owner[MATRIX_B][i * 32 + 8 * product + row], lane);
    }
    for (int i = 0; i < 8; i++) {
      int r = (lane & 1) + (i & 2) + (lane < 16 ? 0 : 4), c = (i & 4) + (lane & 2) + (i & 1);
      CHECK_INT(m.owner[MATRIX_C][(8 * product + r) * 8 + c], lane);
      CHECK_INT(m.element[MATRIX_C][(8 * product + r) * 8 + c], i);
    }
  }
}

// PTX ISA "Matrix Fragments for sparse mma.m16n8k32 with .f16": A is stored as a dense one of half the columns, B has
// elements of rows 2 t and 8 further on, four times.
static void sparse_as_documented(void) {
  FragmentModel m;
  make("mma.sp m16n8k32 f16", 0, &m);
  CHECK(m.is_sparse && m.products == 16 * 8 * 32 / 2);
  CHECK(m.of[MATRIX_A].cols == 16 && m.of[MATRIX_B].rows == 32);
  for (int lane = 0; lane < 32; lane++)
    for (int i = 0; i < 8; i++) {
      int row = i < 2 || (i >= 4 && i < 6) ? lane >> 2 : (lane >> 2) + 8;
      int col = lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8);
      CHECK_INT(m.owner[MATRIX_A][row * 16 + col], lane);
      CHECK_INT(m.owner[MATRIX_B][(lane % 4 * 2 + (i & 1) + i / 2 * 8) * 8 + (lane >> 2)], lane);
    }
}

// Every element is somebody's, and every lane has as many as it should.
static void every_element_has_one_owner(void) {
  const RecipeParam *param = &model_named("fragment")->recipe.params[0];
  for (int form = 0; form < param->choice_count; form++) {
    FragmentModel m;
    make(param->choices[form], 3, &m);
    for (int role = 0; role < FRAGMENT_MATRICES; role++) {
      int count[32] = {0}, size = m.of[role].rows * m.of[role].cols;
      CHECK_INT(m.of[role].per_lane * 32, size);
      for (int i = 0; i < size; i++) count[m.owner[role][i]]++;
      for (int lane = 0; lane < 32; lane++) CHECK_INT(count[lane], m.of[role].per_lane);
    }
  }
}

static const ModelClaim claims[] = {
    {"S2 8 of the 256 results each", "instruction=9", "c_per_lane", 8, NULL},
    {"lane l has row l / 2, column 8 (l mod 2) on", "instruction=9 lane=5", "c_places", 0,
     "2,8 2,9 2,10 2,11 2,12 2,13 2,14 2,15"},
    {"a product of a warp", "instruction=9", "products", 4096, NULL},
    {"PTX ISA: registers of m16n8k16", "", "a_registers", 4, NULL},
    {"PTX ISA: registers of m16n8k16", "", "b_registers", 2, NULL},
    {"PTX ISA: registers of m16n8k16", "", "c_registers", 4, NULL},
    {"PTX ISA: lane 5", "lane=5", "c_places", 0, "1,2 1,3 9,2 9,3"},
};

static void as_in_the_lectures(void) { check_claims(model_named("fragment"), claims, LS_COUNT(claims)); }

static const Check checks[] = {
    {"as documented", as_documented},
    {"quads as documented", quads_as_documented},
    {"sparse as documented", sparse_as_documented},
    {"doubles as documented", doubles_as_documented},
    {"every element has one owner", every_element_has_one_owner},
    {"as in the lectures", as_in_the_lectures},
};

int main(int argc, char **argv) { return check_main("model fragment", checks, LS_COUNT(checks), argc, argv); }
