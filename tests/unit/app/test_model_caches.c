// test_model_caches.c: sectors by level against the lecture's layouts and the counters, and what a cache must do.
#include "app/models/caches.h"
#include "check_models.h"
#include "model/cache.h"

typedef struct Row { const char *access, *path; int l1, sectors, near, l2, memory; } Row;

// 1,024 threads: 1,152 sectors of structures and 384 of arrays are what position_aos and position_soa count.
static void as_in_the_lecture(void) {
  static const Row rows[] = {
      {"AoS", "Kepler", 48, 1152, 0, 1152, 384},      {"AoS LDG", "Kepler", 48, 1152, 768, 384, 384},
      {"AoS staged", "Kepler", 48, 384, 0, 384, 384}, {"SoA", "Kepler", 48, 384, 0, 384, 384},
      {"AoS", "unified", 48, 1152, 768, 384, 384},    {"AoS", "unified", 4, 1152, 0, 1152, 384},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    ModelValues values;
    CachesModel m;
    LsErr err = {0};
    char words[48];
    const Model *model = model_named("caches");
    model_defaults(model, &values);
    snprintf(words, sizeof words, "access=%s", rows[i].access);
    CHECK(model_set(model, &values, words, &err));
    snprintf(words, sizeof words, "path=%s", rows[i].path);
    CHECK(model_set(model, &values, words, &err));
    snprintf(words, sizeof words, "l1=%d", rows[i].l1);
    CHECK(model_set(model, &values, words, &err));
    caches_model(&values, &m);
    CHECK_INT(m.asked, rows[i].sectors);
    CHECK_INT(m.found[0], rows[i].near);
    CHECK_INT(m.asked - m.found[0], rows[i].l2);
    CHECK_INT(m.found[2], rows[i].memory);
  }
}

// 002, constant memory: one word for all lanes is broadcast, n different words take n passes, as const_load_addresses
// counts them. 32 warps, three loads each; the table is small, so only the first warp of each load misses.
static const ModelClaim constants[] = {
    {"broadcast", "access=constant distinct=1", "passes", 96, NULL},
    {"two words", "access=constant distinct=2", "passes", 192, NULL},
    {"each its own", "access=constant distinct=32", "passes", 96 * 32, NULL},
    {"one warp", "access=constant distinct=32 warps=1", "passes", 3 * 32, NULL},
    {"128 bytes of each load", "access=constant distinct=32", "memory", 12, NULL},
    {"the others hit", "access=constant distinct=32", "near_hits", 31 * 12, NULL},
    {"another way has no such port", "access=SoA distinct=32", "passes", NAN, NULL},
};

static void constants_go_through_one_port(void) { check_claims(model_named("caches"), constants, LS_COUNT(constants)); }

// S3: what is read k times hits (k - 1) / k of the time if L2 keeps it; a stream as large as the L2 drives it out
// otherwise.
static const ModelClaim persistence[] = {
    {"S3 kept", "access=reuse warps=4 kept=64", "table_hits", 0.75, NULL},
    {"S3 kept", "access=reuse warps=10 kept=64", "table_hits", 0.9, NULL},
    {"S3 not kept", "access=reuse warps=4", "table_hits", 0, NULL},
    {"S3 half of it", "access=reuse warps=4 kept=32", "table_hits", 0, NULL},
};

static void what_is_kept_stays(void) { check_claims(model_named("caches"), persistence, LS_COUNT(persistence)); }

// A cache has what it was given last, as far as it has room; it never has what nobody asked for.
static void a_cache_keeps_what_fits(void) {
  Cache cache;
  cache_init(&cache, 4096, 0);
  for (int round = 0; round < 3; round++)
    for (uint64_t i = 0; i < 128; i++) CHECK(cache_access(&cache, i, false) == (round > 0));
  CHECK(cache.hits == 256 && cache.misses == 128);
  for (uint64_t i = 0; i < 136; i++) cache_access(&cache, 1000 + i, false);
  CHECK(!cache_access(&cache, 0, false));
  cache_fini(&cache);
  cache_init(&cache, 4096, 1024);
  for (uint64_t i = 0; i < 32; i++) cache_access(&cache, i, true);
  for (uint64_t i = 0; i < 5000; i++) cache_access(&cache, 1000 + i, false);
  for (uint64_t i = 0; i < 32; i++) CHECK(cache_access(&cache, i, true));
  cache_fini(&cache);
}

static const Check checks[] = {
    {"as in the lecture", as_in_the_lecture},
    {"constants go through one port", constants_go_through_one_port},
    {"what is kept stays", what_is_kept_stays},
    {"a cache keeps what fits", a_cache_keeps_what_fits},
};

int main(int argc, char **argv) { return check_main("model caches", checks, LS_COUNT(checks), argc, argv); }
