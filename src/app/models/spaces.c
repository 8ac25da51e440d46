// spaces.c: the model of one line of addresses with a window for each space: what a pointer of a lane points to.
#include "app/models/spaces.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "model/bank.h"
#include "model/coal.h"
#include "sim/core/memory.h"

enum { POINTERS, INPUT, EACH };
enum { WORD = 4, BUFFERS = 0x200000, ODD_EVEN = 0, HALVES = 1, FIRST_ALONE = 2 };

static const char *const pointers[] = {"odd even", "halves", "one lane", "all shared", "all global", "all local"};
static const char *const each[] = {"one variable", "array"};

static RecipeParam params[] = {
    [POINTERS] = {.name = "pointers", .help = "which lanes point into shared memory, and where the others point",
                  .is_text = true,
                  .max = LS_COUNT(pointers) - 1, .step = 1, .choices = (const char **)pointers,
                      .choice_count = LS_COUNT(pointers)},
    [INPUT] = {.name = "input", .help = "input of lane 0, one more for each lane: odd ones take &global, even ones "
                                        "&shared",
               .min = -32, .max = 32, .step = 1},
    [EACH] = {.name = "each", .help = "all lanes store to one variable, or each to its element of an array",
              .is_text = true,
              .max = 1, .step = 1, .choices = (const char **)each, .choice_count = LS_COUNT(each)},
};

const char *spaces_name(SpaceWindow window) {
  static const char *const names[] = {"local", "shared", "global"};
  return names[LS_CLAMP((int)window, 0, WINDOW_COUNT - 1)];
}

// In C, -3 % 2 is -1: it is not 0, so a negative odd number is as odd as another one.
static SpaceWindow window_of(int rule, int lane, int input) {
  switch (rule) {
    case ODD_EVEN: return input % 2 ? WINDOW_GLOBAL : WINDOW_SHARED;
    case HALVES: return lane < SPACES_LANES / 2 ? WINDOW_SHARED : WINDOW_GLOBAL;
    case FIRST_ALONE: return lane == 0 ? WINDOW_GLOBAL : WINDOW_SHARED;
    case 3: return WINDOW_SHARED;
    case 4: return WINDOW_GLOBAL;
    default: return WINDOW_LOCAL;
  }
}

static TraceEvent store_of(const SpacesModel *m, SpaceWindow window, uint64_t addr[SPACES_LANES]) {
  static const TraceSpace spaces[] = {TRACE_LOCAL, TRACE_SHARED, TRACE_GLOBAL};
  TraceEvent event = {.kind = TRACE_STORE, .space = (uint8_t)spaces[window], .width = WORD, .active = m->lanes[window],
                      .mask = m->lanes[window]};
  for (int lane = 0; lane < SPACES_LANES; lane++)
    addr[lane] = window == WINDOW_GLOBAL ? m->address[lane] : m->address[lane] - m->base[window];
  event.addr = addr;
  return event;
}

static void count_costs(SpacesModel *m) {
  uint64_t addr[SPACES_LANES];
  Coalescing moved;
  Banking banks;
  if (m->lanes[WINDOW_GLOBAL]) {
    TraceEvent event = store_of(m, WINDOW_GLOBAL, addr);
    coal_analyze(&event, COAL_SECTORS_32, &moved);
    m->sectors = moved.sectors;
  }
  if (m->lanes[WINDOW_SHARED]) {
    TraceEvent event = store_of(m, WINDOW_SHARED, addr);
    bank_analyze(&event, BANK_32X4, &banks);
    m->wavefronts = banks.wavefronts;
  }
}

void spaces_model(const ModelValues *values, SpacesModel *out) {
  *out = (SpacesModel){.base = {SIM_LOCAL_WINDOW, SIM_SHARED_WINDOW, SIM_GLOBAL_BASE},
                       .size = {SIM_WINDOW_BYTES, SIM_WINDOW_BYTES, SIM_HEAP_BASE - SIM_GLOBAL_BASE}};
  bool array = model_int(values, EACH) == 1;
  for (int lane = 0; lane < SPACES_LANES; lane++) {
    out->input[lane] = model_int(values, INPUT) + lane;
    SpaceWindow window = window_of(model_int(values, POINTERS), lane, out->input[lane]);
    uint64_t variable = out->base[window] + (window == WINDOW_GLOBAL ? BUFFERS : 0);
    out->window[lane] = window;
    out->address[lane] = variable + (array ? (uint64_t)lane * WORD : 0);
    out->lanes[window] |= 1u << lane;
  }
  count_costs(out);
}

// ---- numbers and words ---------------------------------------------------------------------------------------------

static void hex_fact(ModelFacts *out, const char *name, const char *format, uint64_t value) {
  char text[32];
  if (*format == 'm') snprintf(text, sizeof text, "0x%08" PRIx64, value);
  else snprintf(text, sizeof text, "0x%" PRIx64, value);
  fact_text(out, name, text);
}

static void facts(const ModelValues *values, ModelFacts *out) {
  SpacesModel m;
  spaces_model(values, &m);
  hex_fact(out, "shared_lanes", "mask", m.lanes[WINDOW_SHARED]);
  hex_fact(out, "global_lanes", "mask", m.lanes[WINDOW_GLOBAL]);
  hex_fact(out, "local_lanes", "mask", m.lanes[WINDOW_LOCAL]);
  fact_number(out, "global_requests", "requests", m.lanes[WINDOW_GLOBAL] != 0);
  fact_number(out, "global_sectors", "sectors", m.sectors);
  fact_number(out, "shared_wavefronts", "wavefronts", m.wavefronts);
  hex_fact(out, "lane0", "address", m.address[0]);
  hex_fact(out, "lane1", "address", m.address[1]);
  fact_text(out, "lane0_window", spaces_name(m.window[0]));
}

static void words(const ModelValues *values, LsText *out) {
  SpacesModel m;
  spaces_model(values, &m);
  int stores = 0;
  ls_text_add(out, "One instruction, st.u32 through a plain pointer: the hardware looks at each lane's address and "
                   "finds its window.");
  for (int w = 0; w < WINDOW_COUNT; w++) {
    int lanes = __builtin_popcount(m.lanes[w]);
    if (lanes) ls_text_addf(out, "%s %d %s in %s memory", stores++ ? "," : "", lanes, lanes == 1 ? "lane" : "lanes",
                            spaces_name((SpaceWindow)w));
  }
  ls_text_addf(out, ": %d %s.", stores, stores == 1 ? "store" : "stores one after the other");
  if (m.lanes[WINDOW_LOCAL]) ls_text_add(out, " In the local window the same address is another word for each lane.");
  else if (model_int(values, EACH) == 0 && stores) ls_text_add(out, " Lanes that store to one variable race: one of "
                                                                    "them wins, and nobody says which.");
}

const Model model_spaces = {
    .recipe = {.name = "spaces", .title = "Where does a pointer point", .topic = "memory",
               .about = "Since compute capability 2.0 all spaces lie on one line of addresses: a window for shared "
                        "memory, a "
                        "window for each thread's local memory, and the rest is global. A generic pointer is found "
                        "in its "
                        "window when it is used, lane by lane.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "Generic addressing (PTX ISA, cvta); windows where lanescope's emulator has them. Where they lie on a GPU "
             "differs from one to the next. Sectors and wavefronts as the counters count them.",
    .time = -1, .facts = facts, .words = words,
};
