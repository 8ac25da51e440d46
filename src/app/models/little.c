// little.c: the model of Little's law: what must be under way is rate times time, on stairs and on the way to memory.
#include "app/models/little.h"

#include <math.h>

#include "base/mem.h"
#include "model/latency.h"

enum { RIDERS, STEPS, SECONDS, PROFILE, MHZ, LATENCY, LOADS };
enum { LINE = 128 };

static RecipeParam params[] = {
    [RIDERS] = {.name = "riders", .help = "people on the escalator at a time", .fallback = 5, .min = 1, .max = 40,
                .step = 1},
    [STEPS] = {.name = "steps", .help = "from the foot of the escalator to its top", .fallback = 20, .min = 1,
               .max = 40, .step = 1},
    [SECONDS] = {.name = "seconds", .help = "from one step to the next at the foot", .fallback = 2, .min = 1, .max = 10,
                 .step = 1},
    [PROFILE] = MODEL_PROFILE,
    [MHZ] = {.name = "mhz", .help = "clock of the SM", .fallback = 732, .min = 100, .max = 3000, .step = 1},
    [LATENCY] = {.name = "latency", .help = "cycles from a load to its value", .fallback = 500, .min = 10, .max = 2000,
                 .step = 10},
    [LOADS] = {.name = "loads", .help = "loads of 4 bytes a lane that each warp has under way", .fallback = 1, .min = 1,
               .max = 8,
               .step = 1},
};

void little_model(const ModelValues *values, LittleModel *out) {
  *out = (LittleModel){.riders = model_int(values, RIDERS), .steps = model_int(values, STEPS),
                       .seconds = model_int(values, SECONDS), .arch = model_profile(model_int(values, PROFILE)),
                       .mhz = model_int(values, MHZ), .latency = model_int(values, LATENCY), .loads = model_int(values,
                                                                                                                LOADS)};
  out->ride = (double)out->steps * out->seconds;
  out->most = 1.0 / out->seconds;
  out->rate = LS_MIN(out->riders / out->ride, out->most);
  double bytes_a_cycle = out->arch->bandwidth_gbs * 1e9 / out->arch->sm_count / (out->mhz * 1e6);
  out->bytes = latency_in_flight(bytes_a_cycle, out->latency);
  out->lines = out->bytes / LINE;
  double warps = ceil(out->lines / out->loads);
  out->warps = warps <= out->arch->warps_per_sm ? (int)warps : 0;
}

static void facts(const ModelValues *values, ModelFacts *out) {
  LittleModel m;
  little_model(values, &m);
  fact_number(out, "ride", "s", m.ride);
  fact_number(out, "rate", "people a second", m.rate);
  fact_number(out, "riders_needed", "people", latency_in_flight(m.most, m.ride));
  fact_number(out, "bytes", "bytes", m.bytes);
  fact_number(out, "lines", "lines", m.lines);
  fact_number(out, "sectors", "sectors", m.bytes / 32);
  fact_number(out, "warps_needed", "warps", m.warps ? (double)m.warps : NAN);
}

static void words(const ModelValues *values, LsText *out) {
  LittleModel m;
  little_model(values, &m);
  ls_text_addf(out, "In flight = rate x time. %d on the stairs and %.4g s to the top are %.3g people a second; ", m.riders,
               m.ride, m.rate);
  ls_text_addf(out, "%d fill it.", m.steps);
  char bytes[32];
  ls_text_addf(out, " The same for an SM of the %s: %s bytes under way, %.1f lines of 128.", m.arch->name,
               ls_group_digits((uint64_t)(m.bytes + 0.5), bytes), m.lines);
  if (m.warps) ls_text_addf(out, " With %d %s in each warp these are %d warps.", m.loads,
                            m.loads == 1 ? "load" : "loads", m.warps);
  else ls_text_addf(out, " With %d %s in each warp even all %d warps are not enough.", m.loads,
                    m.loads == 1 ? "load" : "loads", m.arch->warps_per_sm);
}

const Model model_little = {
    .recipe = {.name = "little", .title = "How much must be under way", .topic = "latency",
               .about = "Little's law on an escalator, and on the way to memory: what is in flight is rate times "
                        "time. Fewer "
                        "than that, and steps stay empty; more give nothing.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "Riders spread evenly; at most one on a step. Bandwidth of the data sheet divided by the SMs, a load of "
             "a warp is one "
             "line of 128 bytes.",
    .profile = "k20x", .time = -1, .facts = facts, .words = words,
};
