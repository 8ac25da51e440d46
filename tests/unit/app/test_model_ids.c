// test_model_ids.c: ranks, warps and lanes of threads against the lecture's formula and its way back.
#include "app/models/ids.h"
#include "check_models.h"

static const ModelClaim claims[] = {
    {"a block of 40 x 2: three warps", "block_x=40 block_y=2", "warps", 3, NULL},
    {"the last one half empty", "block_x=40 block_y=2", "last_lanes", 16, NULL},
    {"x first", "block_x=8 block_y=4 thread=11", "x", 3, NULL},
    {"then y", "block_x=8 block_y=4 thread=11", "y", 1, NULL},
    {"3-D rank: (2 * 3 + 1) * 5 + 4", "block_x=5 block_y=3 block_z=4 thread=39", "z", 2, NULL},
    {"3-D rank: (2 * 3 + 1) * 5 + 4", "block_x=5 block_y=3 block_z=4 thread=39", "x", 4, NULL},
    {"lane", "block_x=64 block_y=2 thread=70", "lane", 6, NULL},
    {"warp", "block_x=64 block_y=2 thread=70", "warp", 2, NULL},
    {"row and column", "grid_x=3 block=4 block_x=16 block_y=16 thread=18", "row", 17, NULL},
    {"row and column", "grid_x=3 block=4 block_x=16 block_y=16 thread=18", "column", 18, NULL},
    {"linear", "grid_x=2 grid_y=2 block=3 block_x=8 block_y=4 thread=5", "linear", 3 * 32 + 5, NULL},
};

static void as_in_the_lectures(void) { check_claims(model_named("ids"), claims, LS_COUNT(claims)); }

// C014: the way back gives the same thread, for all of them.
static void the_way_back_is_the_same(void) {
  for (int z = 1; z <= 3; z++)
    for (int thread = 0; thread < 7 * 5 * z; thread++) {
      ModelValues values;
      IdsModel m;
      model_defaults(model_named("ids"), &values);
      values.numbers.value[2] = 7, values.numbers.value[3] = 5, values.numbers.value[4] = z;
      values.numbers.value[6] = thread;
      ids_model(&values, &m);
      CHECK_INT(ids_rank(&m, m.x, m.y, m.z), thread);
      CHECK(m.x < 7 && m.y < 5 && m.z < z);
    }
}

static const Check checks[] = {
    {"as in the lectures", as_in_the_lectures},
    {"the way back is the same", the_way_back_is_the_same},
};

int main(int argc, char **argv) { return check_main("model ids", checks, LS_COUNT(checks), argc, argv); }
