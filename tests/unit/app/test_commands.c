// test_commands.c: keys, the table of commands, the footer, and values in words.
#include "check.h"

#include "app/session/session.h"
#include "base/mem.h"

static void key_names(void) {
  CHECK_INT(key_parse("Left"), KEYX_LEFT);
  CHECK_INT(key_parse("S-Left"), KEYX_SHIFT_LEFT);
  CHECK_INT(key_parse("C-Right"), KEYX_CTRL_RIGHT);
  CHECK_INT(key_parse("Space"), ' ');
  CHECK_INT(key_parse("Return"), 13);
  CHECK_INT(key_parse("a"), 'a');
  CHECK_INT(key_parse("["), '[');
  CHECK_INT(key_parse("é"), 0xe9);
  CHECK_INT(key_parse(""), 0);
  CHECK_INT(key_parse("Nowhere"), 0);
  CHECK_INT(key_parse("\x01"), 0);
  CHECK_STR(key_name(KEYX_SHIFT_LEFT, true), "⇧←");
  CHECK_STR(key_name(KEYX_SHIFT_LEFT, false), "shift-left");
  CHECK_STR(key_name(' ', true), "space");
  CHECK_STR(key_name('g', true), "g");
  CHECK_STR(key_name(0xe9, true), "é");
}

static void no_two_meanings(void) {
  for (int a = 0; command_def((CommandId)a); a++) {
    uint32_t code;
    for (int n = 0; (code = command_key((CommandId)a, n)); n++)
      for (int b = 0; b < a; b++) {
        uint32_t other;
        for (int m = 0; (other = command_key((CommandId)b, m)); m++) {
          unsigned both = command_def((CommandId)a)->contexts & command_def((CommandId)b)->contexts;
          if (code == other && both)
            printf("\n%s: %s and %s", key_name(code, false), command_def((CommandId)a)->name,
                   command_def((CommandId)b)->name);
          CHECK(code != other || !both);
        }
      }
  }
}

// Every word of every row is a key, and leads back to its row.
static void every_key_parses(void) {
  for (int id = 0; command_def((CommandId)id); id++) {
    const CommandDef *def = command_def((CommandId)id);
    int words = 0;
    for (const char *at = def->keys; *at; words++) {
      at += strcspn(at, " ");
      at += strspn(at, " ");
    }
    CHECK(words > 0 && command_key((CommandId)id, words - 1) != 0);
    for (int n = 0; n < words; n++) CHECK_INT(command_for_key(command_key((CommandId)id, n), def->contexts), id);
    CHECK_INT(command_by_name(def->name), id);
    CHECK(def->help[0] != 0);
  }
  CHECK_INT(command_for_key('Q', CTX_X | CTX_M | CTX_L), CMD_NONE);
  CHECK_INT(command_for_key('r', CTX_X), CMD_NONE);
  CHECK_INT(command_for_key('r', CTX_X | CTX_L), CMD_RETURN_PLACE);
}

// The table of keys of the design, for the explorer and a lesson in it.
static void promised_keys(void) {
  static const struct { const char *key; CommandId id; } promised[] = {
      {"Left", CMD_STEP_BACK}, {"h", CMD_STEP_BACK}, {"Right", CMD_STEP_NEXT}, {"l", CMD_STEP_NEXT},
      {"Up", CMD_UP}, {"k", CMD_UP}, {"Down", CMD_DOWN}, {"j", CMD_DOWN}, {"g", CMD_FIRST}, {"G", CMD_LAST},
      {"PgUp", CMD_PAGE_UP}, {"PgDn", CMD_PAGE_DOWN}, {"S-Left", CMD_LINE_BACK}, {"H", CMD_LINE_BACK},
      {"S-Right", CMD_LINE_NEXT}, {"L", CMD_LINE_NEXT}, {"C-Left", CMD_WARP_BACK}, {"<", CMD_WARP_BACK},
      {"C-Right", CMD_WARP_NEXT}, {">", CMD_WARP_NEXT}, {"n", CMD_EVENT_NEXT}, {"N", CMD_EVENT_BACK},
      {"[", CMD_MARK_BACK}, {"]", CMD_MARK_NEXT}, {"Space", CMD_PLAY}, {"+", CMD_FASTER}, {"-", CMD_SLOWER},
      {"Tab", CMD_FOCUS_NEXT}, {"BackTab", CMD_FOCUS_BACK}, {"a", CMD_FOCUS_AUTO}, {"v", CMD_VARIANT}, {"z", CMD_ZOOM},
      {"b", CMD_BLOCK}, {"w", CMD_WARP}, {"i", CMD_LANE}, {"p", CMD_PARAMS}, {"c", CMD_COMPARE}, {"m", CMD_MARGIN},
      {"o", CMD_CODE}, {"O", CMD_PTX}, {"x", CMD_HEX}, {"u", CMD_WRITER}, {"/", CMD_FIND}, {":", CMD_LINE_COMMAND},
      {"t", CMD_TIP}, {"Return", CMD_ENTER}, {"Backspace", CMD_BACK}, {"r", CMD_RETURN_PLACE}, {"?", CMD_HELP},
      {"F1", CMD_HELP}, {"q", CMD_QUIT}, {"Esc", CMD_CANCEL},
  };
  for (int i = 0; i < LS_COUNT(promised); i++)
    CHECK_INT(command_for_key(key_parse(promised[i].key), CTX_X | CTX_L), promised[i].id);
}

static void footer_words(void) {
  FooterItem items[FOOTER_ROOM];
  for (int cols = 20; cols <= 250; cols++) {
    int count = footer_compute(cols, CTX_X, true, items), end = 0;
    CHECK(count > 0);
    for (int i = 0; i < count; i++) {
      CHECK(items[i].x > end - (i == 0) && items[i].x + items[i].w <= cols);
      end = items[i].x + items[i].w;
    }
    CHECK_INT(items[count - 1].command, CMD_QUIT);
  }
  footer_compute(200, CTX_X, true, items);
  CHECK_STR(items[0].keys, "←→");
  CHECK_STR(items[0].word, "step");
  CHECK_STR(items[1].keys, "⇧←→");
  CHECK_STR(items[2].keys, "n N");
  footer_compute(200, CTX_X, false, items);
  CHECK_STR(items[0].keys, "h l");
  CHECK_STR(items[1].keys, "H L");
}

static const char *value_text(uint8_t kind, int size, uint64_t bits, bool hex) {
  static char text[64];
  LsText out = {0};
  ses_format_value(kind, size, bits, hex, &out);
  snprintf(text, sizeof text, "%s", ls_text_str(&out));
  ls_text_free(&out);
  return text;
}

static uint64_t f32(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t f64(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void values(void) {
  CHECK_STR(value_text(PTX_DW_INT, 4, 0xffffffff, false), "-1");
  CHECK_STR(value_text(PTX_DW_INT, 1, 0x80, false), "-128");
  CHECK_STR(value_text(PTX_DW_INT, 8, UINT64_MAX, false), "-1");
  CHECK_STR(value_text(PTX_DW_UINT, 4, 0xffffffff, false), "4294967295");
  CHECK_STR(value_text(PTX_DW_INT, 4, 255, true), "0xff");
  CHECK_STR(value_text(PTX_DW_BOOL, 1, 1, false), "true");
  CHECK_STR(value_text(PTX_DW_CHAR, 1, 'a', false), "'a'");
  CHECK_STR(value_text(PTX_DW_CHAR, 1, 10, false), "10");
  CHECK_STR(value_text(PTX_DW_POINTER, 8, 0x7f0000001000, false), "0x7f0000001000");
  CHECK_STR(value_text(PTX_DW_FLOAT, 4, f32(16.0f), false), "16.0");
  CHECK_STR(value_text(PTX_DW_FLOAT, 4, f32(0.1f), false), "0.1");
  CHECK_STR(value_text(PTX_DW_FLOAT, 4, f32(39.5f), false), "39.5");
  CHECK_STR(value_text(PTX_DW_FLOAT, 4, f32(-0.0f), false), "-0.0");
  CHECK_STR(value_text(PTX_DW_FLOAT, 4, f32(3.14159274f), false), "3.14159");
  CHECK_STR(value_text(PTX_DW_FLOAT, 4, f32(16777216.0f), false), "16777216.0");
  CHECK_STR(value_text(PTX_DW_FLOAT, 4, f32(1e20f), false), "1e20");
  CHECK_STR(value_text(PTX_DW_FLOAT, 4, f32(1.5e-7f), false), "1.5e-7");
  CHECK_STR(value_text(PTX_DW_FLOAT, 4, 0x7f800000, false), "inf");
  CHECK_STR(value_text(PTX_DW_FLOAT, 4, 0x7fc00000, false), "nan");
  CHECK_STR(value_text(PTX_DW_FLOAT, 4, f32(1.0f), true), "0x3f800000");
  CHECK_STR(value_text(PTX_DW_FLOAT, 8, f64(0.1), false), "0.1");
  CHECK_STR(value_text(PTX_DW_FLOAT, 2, 0x3c00, false), "1.0");
  CHECK_STR(value_text(PTX_DW_FLOAT, 2, 0xc200, false), "-3.0");
}

static const char *lanes_text(const SceneVar *var, int width) {
  static char text[512];
  LsText out = {0};
  ses_format_lanes(var, false, width, &out);
  snprintf(text, sizeof text, "%s", ls_text_str(&out));
  ls_text_free(&out);
  return text;
}

static SceneVar int_var(uint32_t valid) { return (SceneVar){.kind = PTX_DW_INT, .size = 4, .in_scope = true,
                                                            .valid = valid}; }

static void lanes_in_words(void) {
  SceneVar v = int_var(UINT32_MAX);
  for (int i = 0; i < 32; i++) v.bits[i] = (uint64_t)i;
  CHECK_STR(lanes_text(&v, 40), "0 1 2 3 4 .. 31");
  CHECK_STR(lanes_text(&v, 12), "0 1 2 .. 31");
  for (int i = 0; i < 32; i++) v.bits[i] = 768 + (uint64_t)i;
  CHECK_STR(lanes_text(&v, 18), "768 769 770 .. 799");
  for (int i = 0; i < 32; i++) v.bits[i] = (uint32_t)-i;
  CHECK_STR(lanes_text(&v, 40), "0 -1 -2 -3 -4 .. -31");
  for (int i = 0; i < 32; i++) v.bits[i] = 16;
  CHECK_STR(lanes_text(&v, 40), "16");
  CHECK_INT(ses_lanes_shape(&v), SES_LANES_SAME);
  v.valid = 0x0000ffff;
  for (int i = 0; i < 16; i++) v.bits[i] = 2 * (uint64_t)i;
  CHECK_STR(lanes_text(&v, 40), "0 2 4 6 8 .. 30");
  v.valid = 0x5;
  CHECK_STR(lanes_text(&v, 14), "0 · 4 · · · …");
  CHECK_STR(lanes_text(&v, 20), "0  ·  4  · .. ·");
  v.bits[1] = 7, v.bits[2] = 3, v.valid = 0xf;
  CHECK_INT(ses_lanes_shape(&v), SES_LANES_EACH);
  CHECK_STR(lanes_text(&v, 10), "0 7 3 6 …");
  for (int i = 0; i < 32; i++) v.bits[i] = (uint64_t)i % 16;
  v.valid = UINT32_MAX;
  CHECK_STR(lanes_text(&v, 40), "0 1 .. 15  0 1 .. 15");
  for (int i = 0; i < 32; i++) v.bits[i] = (uint64_t)i / 16;
  CHECK_STR(lanes_text(&v, 40), "0 .. 0  1 .. 1");
  CHECK_STR(lanes_text(&v, 63), "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1");
  v.kind = PTX_DW_BOOL;
  CHECK_STR(lanes_text(&v, 40), "F .. F  T .. T");
  v.kind = PTX_DW_INT;
  v.valid = 0xff0000ff;
  CHECK_STR(lanes_text(&v, 40), "0 .. 0  · .. ·  1 .. 1");
  v.valid = 0;
  CHECK_STR(lanes_text(&v, 40), "no value yet");
  v.in_scope = false;
  CHECK_STR(lanes_text(&v, 40), "out of scope");
}

// No width is exceeded, whatever the values.
static void lanes_fit(void) {
  SceneVar v = int_var(UINT32_MAX);
  uint64_t state = 1;
  for (int round = 0; round < 200; round++) {
    for (int i = 0; i < 32; i++) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      v.bits[i] = round % 3 == 0 ? (uint64_t)i * (state >> 40) : state >> (round % 60);
    }
    v.kind = (uint8_t)(round % 7);
    v.size = (uint8_t)(round % 2 ? 4 : 8);
    v.valid = (uint32_t)(state >> 20) | 1;
    for (int width = 0; width < 100; width++) CHECK(ls_utf8_width(lanes_text(&v, width)) <= width);
  }
}

// The picture that an event has of its own, those that look for it, and those that show it where the cursor meets it.
static void focus_of_events(void) {
  static const struct { TraceKind kind; TraceSpace space; int own; uint32_t looked_for, shown; } rows[] = {
      {TRACE_LOAD, TRACE_GLOBAL, FOCUS_SEGMENTS, 1u << FOCUS_SEGMENTS, 1u << FOCUS_SEGMENTS},
      {TRACE_LOAD, TRACE_LOCAL, -1, 0, 1u << FOCUS_SEGMENTS},
      {TRACE_LOAD, TRACE_PARAM, -1, 0, 0},
      {TRACE_LOAD, TRACE_CONST, FOCUS_CONSTANT, 1u << FOCUS_CONSTANT, 1u << FOCUS_CONSTANT},
      {TRACE_STORE, TRACE_SHARED, FOCUS_BANKS, 1u << FOCUS_BANKS, 1u << FOCUS_BANKS},
      {TRACE_STORE, TRACE_TEXTURE, FOCUS_TEXTURE, 1u << FOCUS_TEXTURE, 1u << FOCUS_TEXTURE},
      {TRACE_ATOM, TRACE_SHARED, FOCUS_ATOMICS, 1u << FOCUS_ATOMICS | 1u << FOCUS_BANKS,
       1u << FOCUS_ATOMICS | 1u << FOCUS_BANKS},
      {TRACE_ATOM, TRACE_GLOBAL, FOCUS_ATOMICS, 1u << FOCUS_ATOMICS | 1u << FOCUS_SEGMENTS,
       1u << FOCUS_ATOMICS | 1u << FOCUS_SEGMENTS},
      {TRACE_VOTE, TRACE_GLOBAL, FOCUS_SHUFFLE, 1u << FOCUS_SHUFFLE, 1u << FOCUS_SHUFFLE},
      {TRACE_SYNCWARP, TRACE_GLOBAL, FOCUS_BARRIER, 1u << FOCUS_BARRIER, 1u << FOCUS_BARRIER},
      {TRACE_EXEC, TRACE_GLOBAL, -1, 0, 0},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    TraceEvent event = {.kind = rows[i].kind, .space = rows[i].space};
    FocusKind own;
    CHECK_INT(focus_of(&event, &own) ? (int)own : -1, rows[i].own);
    for (int kind = 0; kind < FOCUS_COUNT; kind++) {
      CHECK_INT(focus_looks_for((FocusKind)kind, &event), rows[i].looked_for >> kind & 1);
      CHECK_INT(focus_shows((FocusKind)kind, &event), rows[i].shown >> kind & 1);
    }
  }
  CHECK_INT(focus_variants(FOCUS_WAVES), WAVES_ROWS_COUNT);
  for (int kind = 0; kind < FOCUS_COUNT; kind++) CHECK(focus_name((FocusKind)kind)[0] &&
                                                       focus_title((FocusKind)kind)[0]);
}

static const Check checks[] = {
    {"pictures of events", focus_of_events},
    {"names of keys", key_names},
    {"no key means two things in one place", no_two_meanings},
    {"every key of the table parses", every_key_parses},
    {"every promised key is bound", promised_keys},
    {"footer fits at every width", footer_words},
    {"values", values},
    {"lanes in words", lanes_in_words},
    {"lanes fit their width", lanes_fit},
};

int main(int argc, char **argv) { return check_main("commands", checks, LS_COUNT(checks), argc, argv); }
