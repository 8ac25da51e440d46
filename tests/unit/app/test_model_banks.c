// test_model_banks.c: banks of words against the lecture's bits of an address, wavefronts against the counters' model.
#include "app/models/banks.h"
#include "check_models.h"
#include "model/bank.h"

// Maps by their numbers: 4 bytes, 8 bytes, Kepler 4, 16 banks.
// 002, Kepler: 8-byte mode, bits BBBBBxxx; 4-byte mode, bits HBBBBBxx.
static const ModelClaim claims[] = {
    {"8 bytes, stride 1", "map=2 stride=1", "wavefronts", 1, NULL},
    {"8 bytes, stride 2 is free", "map=2 stride=2", "wavefronts", 1, NULL},
    {"8 bytes, 8 bytes a lane", "map=2 stride=2 width=8", "wavefronts", 1, NULL},
    {"4 bytes, stride 2", "map=1 stride=2", "wavefronts", 2, NULL},
    {"4 bytes, 8 bytes a lane", "map=1 stride=2 width=8", "wavefronts", 2, NULL},
    {"Kepler 4, stride 2 is free", "map=3 stride=2", "wavefronts", 1, NULL},
    {"Kepler 4, stride 32", "map=3 stride=32", "wavefronts", 16, NULL},
    {"4 bytes, a column", "map=1 stride=32", "wavefronts", 32, NULL},
    {"4 bytes, a padded column", "map=1 stride=33", "wavefronts", 1, NULL},
    {"one word for all", "map=1 stride=0", "wavefronts", 1, NULL},
    {"16 banks, stride 1", "map=4 stride=1", "wavefronts", 2, NULL},
    {"16 banks, stride 2", "map=4 stride=2", "wavefronts", 4, NULL},
    {"word 1 with 8 bytes", "map=2 stride=1", "lane1_bank", 0, NULL},
    {"word 31 with 8 bytes", "map=2 stride=1", "lane31_bank", 15, NULL},
    {"word 32 of Kepler 4", "map=3 stride=32", "lane1_bank", 0, NULL},
    {"is in its other half", "map=3 stride=32", "lane1_row", 0, NULL},
};

static void as_in_the_lectures(void) { check_claims(model_named("banks"), claims, LS_COUNT(claims)); }

// All strides, both widths: what the model of the focus pane says of the same access.
static void as_the_counters_count(void) {
  static const struct { BanksMap map; BankMode mode; } rows[] = {{BANKS_FOUR, BANK_32X4}, {BANKS_EIGHT, BANK_KEPLER_8},
                                                                 {BANKS_SIXTEEN, BANK_16_HALF}};
  for (int i = 0; i < LS_COUNT(rows); i++)
    for (int stride = 0; stride <= 64; stride++)
      for (int offset = 0; offset < 3; offset++) {
        ModelValues values;
        BanksModel m;
        Banking expected;
        model_defaults(model_named("banks"), &values);
        values.numbers.value[0] = rows[i].map, values.numbers.value[2] = stride, values.numbers.value[3] = offset;
        banks_model(&values, &m);
        TraceEvent event = {.kind = TRACE_LOAD, .space = TRACE_SHARED, .width = 4, .active = UINT32_MAX,
                            .mask = UINT32_MAX, .addr = m.byte};
        bank_analyze(&event, rows[i].mode, &expected);
        CHECK_INT(m.wavefronts, expected.wavefronts);
      }
}

// A word and the place that it has: there and back, on all maps.
static void places_and_words(void) {
  for (int map = 0; map < BANKS_MAPS; map++)
    for (int word = 0; word < 512; word++) {
      uint64_t byte = (uint64_t)word * 4;
      int bank = banks_bank((BanksMap)map, byte), row = banks_row((BanksMap)map, byte), found = 0;
      for (int half = 0; half < 2; half++) found += banks_word((BanksMap)map, bank, row, half) == word;
      CHECK(found >= 1 && bank < (map == BANKS_SIXTEEN ? 16 : 32));
    }
}

static const Check checks[] = {
    {"places and words", places_and_words},
    {"as in the lectures", as_in_the_lectures},
    {"as the counters count", as_the_counters_count},
};

int main(int argc, char **argv) { return check_main("model banks", checks, LS_COUNT(checks), argc, argv); }
