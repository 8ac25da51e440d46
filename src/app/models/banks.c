// banks.c: the model of which bank a byte of shared memory lies in, by the maps of all generations.
#include "app/models/banks.h"

#include "base/mem.h"

enum { MAP, WIDTH, STRIDE, OFFSET };
enum { WORD = 4, STRIDE_MOST = 64 };

static const char *const maps[] = {"4 bytes", "8 bytes", "Kepler 4", "16 banks"};
static const char *const widths[] = {"4", "8"};

static RecipeParam params[] = {
    [MAP] = {.name = "map", .help = "4 bytes a bank (now), Kepler's two maps, or 16 banks of 1.x",
             .is_text = true, .fallback = BANKS_EIGHT, .max = BANKS_MAPS - 1, .step = 1,
             .choices = (const char **)maps, .choice_count = BANKS_MAPS},
    [WIDTH] = {.name = "width", .help = "bytes that a lane reads", .max = LS_COUNT(widths) - 1, .step = 1,
               .choices = (const char **)widths, .choice_count = LS_COUNT(widths)},
    [STRIDE] = {.name = "stride", .help = "words of 4 bytes from one lane to the next", .fallback = 2,
                .max = STRIDE_MOST, .step = 1},
    [OFFSET] = {.name = "offset", .help = "words of 4 bytes before that of lane 0", .max = STRIDE_MOST, .step = 1},
};

const char *banks_map_name(BanksMap map) { return maps[LS_CLAMP((int)map, 0, BANKS_MAPS - 1)]; }

int banks_bank(BanksMap map, uint64_t byte) {
  if (map == BANKS_EIGHT) return (int)(byte / 8 % 32);
  return (int)(byte / WORD % (map == BANKS_SIXTEEN ? 16 : 32));
}

int banks_row(BanksMap map, uint64_t byte) {
  static const int bytes[] = {[BANKS_FOUR] = 128, [BANKS_EIGHT] = 256, [BANKS_KEPLER_FOUR] = 256, [BANKS_SIXTEEN] = 64};
  return (int)(byte / (uint64_t)bytes[map]);
}

int banks_word(BanksMap map, int bank, int row, int half) {
  switch (map) {
    case BANKS_EIGHT: return row * 64 + bank * 2 + half;
    case BANKS_KEPLER_FOUR: return row * 64 + half * 32 + bank;
    case BANKS_SIXTEEN: return row * 16 + bank;
    default: return row * 32 + bank;
  }
}

// ---- what a warp asks for ------------------------------------------------------------------------------------------

// Different rows that lanes [first, end) want of a bank: each is given in a wavefront of its own.
static int rows_of(const BanksModel *m, int bank, int first, int end) {
  int rows[BANKS_LANES * 2], count = 0;
  for (int lane = first; lane < end; lane++)
    for (int at = 0; at < m->width; at += WORD) {
      uint64_t byte = m->byte[lane] + (uint64_t)at;
      int row = banks_row(m->map, byte), i = 0;
      if (banks_bank(m->map, byte) != bank) continue;
      while (i < count && rows[i] != row) i++;
      if (i == count) rows[count++] = row;
    }
  return count;
}

// A pass is half a warp where there are 16 banks, and where lanes want 8 bytes of banks that have 4.
static int pass_of(const BanksModel *m) {
  bool half = m->map == BANKS_SIXTEEN || (m->width > WORD && m->bank_bytes == WORD);
  return half ? BANKS_LANES / 2 : BANKS_LANES;
}

static void count_wavefronts(BanksModel *m) {
  int pass = pass_of(m);
  for (int first = 0; first < BANKS_LANES; first += pass) {
    int most = 0;
    for (int bank = 0; bank < m->banks; bank++) {
      int rows = rows_of(m, bank, first, first + pass);
      m->turns[bank] = LS_MAX(m->turns[bank], rows);
      most = LS_MAX(most, rows);
    }
    m->wavefronts += most;
    m->degree = LS_MAX(m->degree, most);
  }
}

void banks_model(const ModelValues *values, BanksModel *out) {
  *out = (BanksModel){.map = (BanksMap)model_int(values, MAP), .width = model_int(values, WIDTH) ? 8 : 4,
                      .stride = model_int(values, STRIDE), .offset = model_int(values, OFFSET)};
  out->banks = out->map == BANKS_SIXTEEN ? 16 : 32;
  out->bank_bytes = out->map == BANKS_EIGHT || out->map == BANKS_KEPLER_FOUR ? 8 : 4;
  for (int lane = 0; lane < BANKS_LANES; lane++) {
    uint64_t byte = (uint64_t)(out->offset + lane * out->stride) * WORD;
    byte -= byte % (uint64_t)out->width;   // an access stands at a multiple of its width
    out->byte[lane] = byte;
    out->bank[lane] = banks_bank(out->map, byte);
    out->row[lane] = banks_row(out->map, byte);
  }
  count_wavefronts(out);
}

// ---- numbers and words ---------------------------------------------------------------------------------------------

static int banks_used(const BanksModel *m) {
  int used = 0;
  for (int bank = 0; bank < m->banks; bank++) used += m->turns[bank] != 0;
  return used;
}

static void facts(const ModelValues *values, ModelFacts *out) {
  BanksModel m;
  banks_model(values, &m);
  fact_number(out, "wavefronts", "wavefronts", m.wavefronts);
  fact_number(out, "degree", "", m.degree);
  fact_number(out, "banks_used", "banks", banks_used(&m));
  fact_number(out, "lane1_bank", "", m.bank[1]);
  fact_number(out, "lane1_row", "", m.row[1]);
  fact_number(out, "lane31_bank", "", m.bank[31]);
  fact_number(out, "lane31_row", "", m.row[31]);
}

static const char *const told[] = {
    "32 banks of 4 bytes: word w lies in bank w mod 32.",
    "Kepler's wide mode: 32 banks of 8 bytes, two words that follow one another lie in one bank, and come together.",
    "Kepler with 4 bytes: words w and w + 32 lie in one bank, side by side, and come together.",
    "16 banks of 4 bytes, and half a warp at a time: compute capability 1.x."};

static void words(const ModelValues *values, LsText *out) {
  BanksModel m;
  banks_model(values, &m);
  ls_text_addf(out, "%s 32 lanes, %d bytes each, %d %s apart: ", told[m.map], m.width, m.stride,
               m.stride == 1 ? "word" : "words");
  int used = banks_used(&m), least = BANKS_LANES / pass_of(&m);
  ls_text_addf(out, "%d %s of %d, %d %s", used, used == 1 ? "bank" : "banks", m.banks, m.wavefronts,
               m.wavefronts == 1 ? "wavefront" : "wavefronts");
  ls_text_add(out, m.wavefronts > least ? "." : ", which is the least.");
}

const Model model_banks = {
    .recipe = {.name = "banks", .title = "Which bank has which word", .topic = "shared memory",
               .about = "Shared memory lies in banks, each of which gives one row at a time. Which words stand in one "
                        "row of a bank changed from one generation to the next: with Kepler's 8 bytes a stride of two "
                        "words is free.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "CUDA C++ Programming Guide, shared memory of compute capability 1.x, 3.x and 5.x. Lanes that want one "
             "row of a bank get it together. 8 bytes a lane take two passes of 16 lanes where a bank has 4 bytes.",
    .time = -1, .facts = facts, .words = words,
};
