// test_model_spaces.c: windows and lanes of the lecture's ambiguous pointer, as the emulator runs it.
#include "app/models/spaces.h"
#include "check_models.h"

static const ModelClaim claims[] = {
    {"000 odd and even", "", "shared_lanes", 0, "0x55555555"},
    {"000 odd and even", "", "global_lanes", 0, "0xaaaaaaaa"},
    {"L09 one request, one sector", "", "global_requests", 1, NULL},
    {"L09 one request, one sector", "", "global_sectors", 1, NULL},
    {"L09 one wavefront", "", "shared_wavefronts", 1, NULL},
    {"L09 lane 0", "", "lane0", 0, "0x7e0000000000"},
    {"L09 lane 1", "", "lane1", 0, "0x7f0000200000"},
    {"EQ7 -3 % 2 is -1", "input=-3", "lane0_window", 0, "global"},
    {"EQ7 -4 % 2 is 0", "input=-4", "lane0_window", 0, "shared"},
};

static void as_in_the_lectures(void) { check_claims(model_named("spaces"), claims, LS_COUNT(claims)); }

static void facts_of(const char *pointers, const char *each, SpacesModel *m) {
  ModelValues values;
  LsErr err = {0};
  const Model *model = model_named("spaces");
  model_defaults(model, &values);
  CHECK(model_set(model, &values, pointers, &err) && model_set(model, &values, each, &err));
  spaces_model(&values, m);
}

static void every_pointer_is_in_its_window(void) {
  static const char *const rules[] = {"pointers=odd even", "pointers=halves", "pointers=one lane",
                                      "pointers=all shared",
                                      "pointers=all global", "pointers=all local"};
  for (int i = 0; i < LS_COUNT(rules); i++) {
    SpacesModel m;
    uint32_t all = 0;
    facts_of(rules[i], "each=array", &m);
    for (int w = 0; w < WINDOW_COUNT; w++) {
      CHECK_INT(all & m.lanes[w], 0);
      all |= m.lanes[w];
    }
    CHECK_INT(all, 0xffffffff);
    for (int lane = 0; lane < SPACES_LANES; lane++) {
      SpaceWindow w = m.window[lane];
      CHECK(m.address[lane] >= m.base[w] && m.address[lane] < m.base[w] + m.size[w] && m.lanes[w] >> lane & 1);
    }
  }
}

static void costs_are_those_of_the_counters(void) {
  SpacesModel m;
  facts_of("pointers=all global", "each=array", &m);
  CHECK(m.sectors == 4 && m.wavefronts == 0);
  facts_of("pointers=all shared", "each=array", &m);
  CHECK(m.sectors == 0 && m.wavefronts == 1);
  facts_of("pointers=halves", "each=array", &m);
  CHECK(m.sectors == 2 && m.wavefronts == 1);
}

static const Check checks[] = {
    {"as in the lectures", as_in_the_lectures},
    {"every pointer is in its window", every_pointer_is_in_its_window},
    {"costs are those of the counters", costs_are_those_of_the_counters},
};

int main(int argc, char **argv) { return check_main("model spaces", checks, LS_COUNT(checks), argc, argv); }
