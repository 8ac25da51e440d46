// test_model_reuse.c: reads of a matrix product against the lectures' numbers and the counters of the kernels.
#include "app/models/reuse.h"
#include "check_models.h"

static const ModelClaim claims[] = {
    {"C085 naive", "width=64 tile=1", "requests", 16384, NULL},
    {"C085 naive", "width=64 tile=1", "sectors", 32768, NULL},
    {"C085 tile 16", "width=64 tile=5", "requests", 1024, NULL},
    {"C085 tile 16", "width=64 tile=5", "sectors", 4096, NULL},
    {"C085 traffic / 16", "width=64 tile=5", "reads_of_an_element", 4, NULL},
    {"000 4 bytes a flop", "width=64 tile=1", "flop_per_byte", 0.25, NULL},
    {"L12 tile 16", "width=64 tile=5", "flop_per_byte", 4, NULL},
    {"L12 tile 32", "width=64 tile=6", "flop_per_byte", 8, NULL},
    {"matmul_tiled 16, 8", "width=16 tile=4", "requests", 32, NULL},
    {"matmul_tiled 16, 8", "width=16 tile=4", "sectors", 128, NULL},
    {"gputiled, 2 T^2 4 bytes", "tile=5", "shared_bytes", 2048, NULL},
};

static void set_tile(ModelValues *values, const char *tile) {
  LsErr err = {0};
  char words[32];
  snprintf(words, sizeof words, "tile=%s", tile);
  CHECK(model_set(model_named("reuse"), values, words, &err));
}

// Tiles are numbers, so that they are given as such.
static void as_in_the_lectures(void) {
  static const char *const tiles[] = {"", "naive", "2", "4", "8", "16", "32"};
  const Model *model = model_named("reuse");
  for (int i = 0; i < LS_COUNT(claims); i++) {
    ModelValues values;
    ModelFacts facts = {0};
    int width = 8, tile = 1;
    model_defaults(model, &values);
    if (sscanf(claims[i].set, "width=%d tile=%d", &width, &tile) < 2) sscanf(claims[i].set, "tile=%d", &tile);
    values.numbers.value[0] = width;
    set_tile(&values, tiles[tile]);
    model->facts(&values, &facts);
    double is = fact_find(&facts, claims[i].fact)->number;
    if (is != claims[i].number) printf("\n%s: %s is %g, expected %g\n", claims[i].says, claims[i].fact, is,
                                       claims[i].number);
    CHECK(is == claims[i].number);
  }
}

// What the cells say adds up to the words that are read, at any size and tile.
static void cells_add_up(void) {
  static const char *const tiles[] = {"naive", "2", "4", "8", "16", "32"};
  for (int width = 1; width <= REUSE_MOST; width += 7)
    for (int t = 0; t < LS_COUNT(tiles); t++) {
      ModelValues values;
      ReuseModel m;
      model_defaults(model_named("reuse"), &values);
      values.numbers.value[0] = values.numbers.value[4] = width;
      set_tile(&values, tiles[t]);
      reuse_model(&values, &m);
      int64_t words = 0;
      for (int i = 0; i < width; i++)
        for (int k = 0; k < width; k++) words += reuse_reads_m(&m, i, k) + reuse_reads_n(&m, k, i);
      CHECK_INT(words, m.words);
    }
}

static void steps_bring_tiles(void) {
  ModelValues values;
  ReuseModel m;
  int from, to;
  model_defaults(model_named("reuse"), &values);
  CHECK_INT(values.numbers.value[4], 8);
  values.numbers.value[4] = 5;
  set_tile(&values, "4");
  reuse_model(&values, &m);
  reuse_tile_now(&m, &from, &to);
  CHECK(from == 4 && to == 8 && reuse_reads_m(&m, 0, 7) == 2 && reuse_reads_m(&m, 0, 0) == 2);
  values.numbers.value[4] = 4;
  reuse_model(&values, &m);
  CHECK(reuse_reads_m(&m, 0, 7) == 0 && reuse_reads_m(&m, 0, 3) == 2);
  set_tile(&values, "naive");
  reuse_model(&values, &m);
  reuse_tile_now(&m, &from, &to);
  CHECK(from == to && reuse_reads_m(&m, 0, 3) == 8 && reuse_reads_m(&m, 0, 4) == 0);
}

static const Check checks[] = {
    {"as in the lectures", as_in_the_lectures},
    {"cells add up", cells_add_up},
    {"steps bring tiles", steps_bring_tiles},
};

int main(int argc, char **argv) { return check_main("model reuse", checks, LS_COUNT(checks), argc, argv); }
