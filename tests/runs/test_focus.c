// test_focus.c: the focus panes of real runs on the emulator: screens that a person looked at (tests/screens/focus_*),
// and what they draw counted against the models.
//
//   UPDATE_SCREENS=1 tests/runs/test_focus     writes the screens anew; look at what git diff says before committing
#include "app/session/session.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "recipe_run.h"
#include "ui/views/view.h"

// ---- a session at an event -------------------------------------------------------------------------------------------

// Warp instructions that no recipe has, in a PTX file of their own.
static Run *run_warp_file(void) {
  static const char *const args[] = {"i32[32]=zero", "f32[32]=random:3", "f32[128]=iota", "u8[96]=mod:7", "f64[64]=iota"};
  LsErr err = {0};
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(LS_SOURCE_DIR "/tests/runs/focus_warp.ptx");
  free(request.device);
  request.device = ls_strdup("emu");
  request.launch.block[0] = 32;
  for (int i = 0; i < LS_COUNT(args); i++) CHECK(launch_add_arg(&request.launch, args[i], &err));
  Run *run = run_new(&request, NULL, &err);
  if (!run) printf("\nfocus_warp.ptx: %s\n", err.message);
  run_request_fini(&request);
  return run;
}

static bool suits(const TraceEvent *event, TraceKind kind, int space) {
  if (event->kind != kind || (space >= 0 && event->space != space)) return false;
  return kind != TRACE_BRANCH || event->flags & TRACE_DIVERGES;
}

// The n-th event of a kind (and space, unless -1), from 1; kind COUNT: step n.
static bool go_to(Session *session, TraceKind kind, int space, int n) {
  TraceEvent event;
  uint64_t step = (uint64_t)n;
  if (kind != TRACE_KIND_COUNT)
    for (step = 0; step < session->steps; step++)
      if (trace_event(session->run->trace, step, &event, NULL) && suits(&event, kind, space) && --n == 0) break;
  if (step >= session->steps) return false;
  ses_command(session, &(Command){CMD_GOTO, (int64_t)step, NULL});
  return true;
}

typedef struct Moment { const char *recipe, *assignment; TraceKind kind; int space, n; } Moment;   // recipe NULL: the file

static Session *session_at(const Moment *moment, FocusKind focus, int variant) {
  Run *run = moment->recipe ? run_recipe(moment->recipe, moment->assignment, SIM_ITS, DEV_COMPILED) : run_warp_file();
  if (!run) return NULL;
  Session *session = ses_new(run);
  CHECK(go_to(session, moment->kind, moment->space, moment->n));
  ses_command(session, &(Command){CMD_SET_FOCUS, focus, NULL});
  session->variant[focus] = variant;
  return session;
}

// The picture alone: sentences have tests of their own.
static Canvas *draw(Session *session, FocusKind focus, int cols, int rows) {
  Canvas *canvas = canvas_new(cols, rows);
  Rect rect = {0, 0, cols, rows}, old = canvas_clip(canvas, rect);
  view_of_focus(focus)->draw(session, canvas, rect);
  canvas_clip(canvas, old);
  return canvas;
}

// ---- screens ---------------------------------------------------------------------------------------------------------

// A file holds all pictures of a moment, one below the other.
static void check_screens(const char *name, const LsText *text) {
  char path[512];
  LsErr err = {0};
  snprintf(path, sizeof path, "%s/tests/screens/focus_%s.txt", LS_SOURCE_DIR, name);
  if (getenv("UPDATE_SCREENS")) CHECK(ls_file_write(path, text->data, text->length, &err));
  char *expected = ls_file_read(path, 1 << 20, NULL, &err);
  CHECK_STR(ls_text_str(text), expected ? expected : "");
  free(expected);
}

static void add_picture(const Canvas *canvas, bool ascii, LsText *out) {
  ls_text_addf(out, "[%dx%d%s]\n", canvas->cols, canvas->rows, ascii ? " ASCII" : "");
  size_t from = out->length;
  canvas_to_text(canvas, ascii, out);
  for (size_t i = from; ascii && i < out->length; i++) CHECK((unsigned char)out->data[i] < 0x7f);
  ls_text_addc(out, '\n');
}

typedef struct Size { int cols, rows; } Size;
// The room of the explorer at 120x36 and at 80x24, the side of a comparison, and the whole screen.
static const Size sizes[] = {{120, 9}, {80, 4}, {46, 8}, {120, 32}};

typedef struct ScreenCase { const char *name; Moment moment; FocusKind focus; int variant, lane; } ScreenCase;

static const ScreenCase screens[] = {
    {"segments-offset", {"load_patterns", "pattern=offset", TRACE_LOAD, TRACE_GLOBAL, 1}, FOCUS_SEGMENTS, 0, -1},
    {"segments-lines", {"load_patterns", "pattern=offset", TRACE_LOAD, TRACE_GLOBAL, 1}, FOCUS_SEGMENTS, 1, 31},
    {"segments-same", {"load_patterns", "pattern=same", TRACE_LOAD, TRACE_GLOBAL, 1}, FOCUS_SEGMENTS, 0, -1},
    {"segments-scattered", {"load_patterns", "pattern=scattered", TRACE_LOAD, TRACE_GLOBAL, 1}, FOCUS_SEGMENTS, 0, -1},
    {"segments-stride", {"gpu_sin_block_major", NULL, TRACE_STORE, TRACE_GLOBAL, 1}, FOCUS_SEGMENTS, 0, -1},
    {"segments-wide", {NULL, NULL, TRACE_LOAD, TRACE_GLOBAL, 2}, FOCUS_SEGMENTS, 0, -1},
    {"segments-bytes", {NULL, NULL, TRACE_LOAD, TRACE_GLOBAL, 3}, FOCUS_SEGMENTS, 0, -1},
    {"segments-local", {NULL, NULL, TRACE_LOAD, TRACE_LOCAL, 1}, FOCUS_SEGMENTS, 0, -1},
    {"banks-order", {"bank_patterns", "pattern=order", TRACE_LOAD, TRACE_SHARED, 1}, FOCUS_BANKS, 0, -1},
    {"banks-three-way", {"bank_patterns", "pattern=three-way", TRACE_LOAD, TRACE_SHARED, 1}, FOCUS_BANKS, 0, -1},
    {"banks-column", {"bank_patterns", "pattern=column", TRACE_LOAD, TRACE_SHARED, 1}, FOCUS_BANKS, 0, -1},
    {"banks-kepler", {"bank_patterns", "pattern=three-way", TRACE_LOAD, TRACE_SHARED, 1}, FOCUS_BANKS, 1, 9},
    {"banks-16", {"bank_patterns", "pattern=two-way", TRACE_LOAD, TRACE_SHARED, 1}, FOCUS_BANKS, 2, -1},
    {"banks-double", {NULL, NULL, TRACE_STORE, TRACE_SHARED, 2}, FOCUS_BANKS, 0, -1},
    {"banks-transpose", {"transpose_32x32", NULL, TRACE_LOAD, TRACE_SHARED, 1}, FOCUS_BANKS, 0, -1},
    {"shuffle-xor", {"warp_reduce", NULL, TRACE_SHUFFLE, -1, 3}, FOCUS_SHUFFLE, 0, -1},
    {"shuffle-wide", {"warp_reduce", NULL, TRACE_SHUFFLE, -1, 5}, FOCUS_SHUFFLE, 0, -1},
    {"shuffle-up", {"scan4", NULL, TRACE_SHUFFLE, -1, 2}, FOCUS_SHUFFLE, 0, 11},
    {"shuffle-from", {"bcast", NULL, TRACE_SHUFFLE, -1, 1}, FOCUS_SHUFFLE, 0, -1},
    {"shuffle-float", {NULL, NULL, TRACE_SHUFFLE, -1, 1}, FOCUS_SHUFFLE, 0, -1},
    {"shuffle-index", {NULL, NULL, TRACE_SHUFFLE, -1, 2}, FOCUS_SHUFFLE, 0, -1},
    {"vote-ballot", {NULL, NULL, TRACE_VOTE, -1, 1}, FOCUS_SHUFFLE, 0, 3},
    {"vote-any", {NULL, NULL, TRACE_VOTE, -1, 2}, FOCUS_SHUFFLE, 0, -1},
    {"match", {NULL, NULL, TRACE_MATCH, -1, 1}, FOCUS_SHUFFLE, 0, -1},
    {"redux", {NULL, NULL, TRACE_REDUX, -1, 1}, FOCUS_SHUFFLE, 0, -1},
    {"divergence", {"diverge_nested", NULL, TRACE_BRANCH, -1, 2}, FOCUS_DIVERGENCE, 0, -1},
    {"divergence-loop", {"diverge_nested", NULL, TRACE_KIND_COUNT, -1, 60}, FOCUS_DIVERGENCE, 0, -1},
    {"divergence-groups", {"diverge_nested", NULL, TRACE_KIND_COUNT, -1, 60}, FOCUS_DIVERGENCE, 1, -1},
    {"barrier", {"reduce2", NULL, TRACE_BARRIER, -1, 5}, FOCUS_BARRIER, 0, -1},
    {"barrier-last", {"reduce2", NULL, TRACE_BARRIER, -1, 16}, FOCUS_BARRIER, 0, -1},
    {"syncwarp", {NULL, NULL, TRACE_SYNCWARP, -1, 1}, FOCUS_BARRIER, 0, -1},
    {"atomics", {"histogram", NULL, TRACE_ATOM, -1, 1}, FOCUS_ATOMICS, 0, -1},
    {"constant", {"lookup_table", NULL, TRACE_LOAD, TRACE_CONST, 1}, FOCUS_CONSTANT, 0, 20},
    {"constant-all", {"lookup_table", "m=1", TRACE_LOAD, TRACE_CONST, 1}, FOCUS_CONSTANT, 0, -1},
    {"geometry-40x2", {"warp_map_40x2", NULL, TRACE_STORE, -1, 3}, FOCUS_GEOMETRY, 0, 3},
    {"geometry-flat", {"reduce2", NULL, TRACE_LOAD, TRACE_GLOBAL, 3}, FOCUS_GEOMETRY, 0, -1},
    {"geometry-square", {"transpose_32x32", NULL, TRACE_LOAD, TRACE_GLOBAL, 3}, FOCUS_GEOMETRY, 0, -1},
    {"nothing", {"warp_map_40x2", NULL, TRACE_KIND_COUNT, -1, 0}, FOCUS_BANKS, 0, -1},
};

static void screens_are_as_seen(void) {
  for (int i = 0; i < LS_COUNT(screens); i++) {
    const ScreenCase *c = &screens[i];
    Session *session = session_at(&c->moment, c->focus, c->variant);
    CHECK(session != NULL);
    if (!session) continue;
    session->lane = c->lane;
    LsText text = {0};
    for (int k = 0; k < LS_COUNT(sizes); k++) {
      Canvas *canvas = draw(session, c->focus, sizes[k].cols, sizes[k].rows);
      add_picture(canvas, false, &text);
      if (k == 0) add_picture(canvas, true, &text);
      canvas_free(canvas);
    }
    check_screens(c->name, &text);
    ls_text_free(&text);
    ses_free(session);
  }
}

static void (*const rooms[FOCUS_COUNT])(Session *session, int cols, FocusRoom *room) = {
#define FOCUS(ID, name, ...) [FOCUS_##ID] = view_room_##name,
#include "app/focus.def"
};

// The moments of lessons in the rows that are good for them, in small windows and wide ones; then while they are
// played.
static void good_rooms_are_as_seen(void) {
  static const ScreenCase cases[] = {
      {"good-two-way", {"bank_patterns", "pattern=two-way", TRACE_LOAD, TRACE_SHARED, 1}, FOCUS_BANKS, 0, -1},
      {"good-column", {"bank_patterns", "pattern=column", TRACE_LOAD, TRACE_SHARED, 1}, FOCUS_BANKS, 0, -1},
      {"good-xor-16", {"warp_reduce", NULL, TRACE_SHUFFLE, -1, 1}, FOCUS_SHUFFLE, 0, -1},
      {"good-xor-4", {"warp_reduce", NULL, TRACE_SHUFFLE, -1, 3}, FOCUS_SHUFFLE, 0, -1},
      {"good-up", {"scan4", NULL, TRACE_SHUFFLE, -1, 2}, FOCUS_SHUFFLE, 0, -1},
      {"good-match", {NULL, NULL, TRACE_MATCH, -1, 1}, FOCUS_SHUFFLE, 0, -1},
      {"good-atomics", {"histogram", NULL, TRACE_ATOM, -1, 1}, FOCUS_ATOMICS, 0, -1},
      {"good-offset", {"load_patterns", "pattern=offset", TRACE_LOAD, TRACE_GLOBAL, 1}, FOCUS_SEGMENTS, 0, -1},
      {"good-scattered", {"load_patterns", "pattern=scattered", TRACE_LOAD, TRACE_GLOBAL, 1}, FOCUS_SEGMENTS, 0, -1},
      {"good-stride", {"gpu_sin_block_major", NULL, TRACE_STORE, TRACE_GLOBAL, 1}, FOCUS_SEGMENTS, 0, -1},
      {"good-nested", {"diverge_nested", NULL, TRACE_BRANCH, -1, 1}, FOCUS_DIVERGENCE, 0, -1},
      {"good-barrier", {"reduce2", NULL, TRACE_BARRIER, -1, 5}, FOCUS_BARRIER, 0, -1},
      {"good-32-warps", {"reduce2", "threads=1024", TRACE_BARRIER, -1, 5}, FOCUS_BARRIER, 0, -1},
  };
  static const int widths[] = {60, 80, 120};
  static const double phases[] = {0, 0.2, 0.5, 0.8};
  for (int i = 0; i < LS_COUNT(cases); i++) {
    const ScreenCase *c = &cases[i];
    Session *session = session_at(&c->moment, c->focus, c->variant);
    CHECK(session != NULL);
    if (!session) continue;
    LsText text = {0};
    for (int w = 0; w < LS_COUNT(widths); w++)
      for (int p = 0; p < (widths[w] == 80 ? LS_COUNT(phases) : 1); p++) {
        FocusRoom room;
        rooms[c->focus](session, widths[w], &room);
        session->phase = phases[p];
        Canvas *canvas = draw(session, c->focus, widths[w], room.good);
        add_picture(canvas, false, &text);
        canvas_free(canvas);
      }
    check_screens(c->name, &text);
    ls_text_free(&text);
    ses_free(session);
  }
}

// ---- textures --------------------------------------------------------------------------------------------------------

typedef struct TextureScreen { const char *name, *kernel, *args[5]; uint32_t block[2]; TraceKind kind; int lane; } TextureScreen;

static Run *run_texture(const TextureScreen *t) {
  LsErr err = {0};
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(LS_SOURCE_DIR "/tests/unit/sim/kernels/texture.ptx");
  free(request.device);
  request.device = ls_strdup("emu");
  request.launch.kernel = ls_strdup(t->kernel);
  request.launch.block[0] = t->block[0];
  request.launch.block[1] = t->block[1];
  for (int i = 0; i < LS_COUNT(t->args) && t->args[i]; i++) CHECK(launch_add_arg(&request.launch, t->args[i], &err));
  Run *run = run_new(&request, NULL, &err);
  if (!run) printf("\n%s: %s\n", t->name, err.message);
  run_request_fini(&request);
  return run;
}

// Texels that some lane shows itself at, counted from the event.
static int distinct_texels(const TraceEvent *event) {
  int count = 0;
  for (int i = 0; i < 32; i++) {
    bool fresh = event->mask >> i & 1;
    for (int k = 0; k < i && fresh; k++) fresh = !(event->mask >> k & 1) || event->addr[k] != event->addr[i];
    count += fresh;
  }
  return count;
}

static int count_marked(const Canvas *canvas) {
  int count = 0;
  for (int i = 1; i < canvas->cols * canvas->rows; i++) {
    Role role = (Role)canvas->cells[i].background, before = (Role)canvas->cells[i - 1].background;
    bool marked = role == ROLE_USED || role == ROLE_CURSOR;
    count += marked && !(before == ROLE_USED || before == ROLE_CURSOR);
  }
  return count;
}

// Rooms of textures: what is whole lacks nothing, what is least still counts.
static void check_texture_room(Session *session) {
  for (int cols = 44; cols <= 200; cols += 13) {
    FocusRoom room;
    view_room_texture(session, cols, &room);
    CHECK(room.least >= 2 && room.least <= room.good && room.good <= room.whole && room.parts >= 1);
    for (int rows = room.least; rows <= room.whole; rows++) {
      Canvas *canvas = draw(session, FOCUS_TEXTURE, cols, rows);
      LsText text = {0};
      canvas_to_text(canvas, false, &text);
      bool missing = strstr(ls_text_str(&text), " more row") || strstr(ls_text_str(&text), " before");
      CHECK(missing || count_marked(canvas) > 0);
      if (rows == room.whole) CHECK(!missing);
      ls_text_free(&text);
      canvas_free(canvas);
    }
  }
}

static void textures_are_drawn(void) {
  static const TextureScreen textures[] = {
      {"texture-flip", "flip", {"tex.u8x4[19x7]=iota", "surf.u8x4[19x7]=none", "i32=19", "i32=7"}, {8, 4}, TRACE_LOAD, -1},
      {"surface-flip", "flip", {"tex.u8x4[19x7]=iota", "surf.u8x4[19x7]=none", "i32=19", "i32=7"}, {8, 4}, TRACE_STORE, 9},
      {"texture-row", "index_u", {"tex.u32[100]=iota", "u32[128]=zero", "f32[128]=mod:116", "i32=32"}, {32, 1}, TRACE_LOAD, -1},
      {"texture-layers", "layered_two_f", {"tex.f32[6x5x3]=iota,layered,linear,border", "f32[128]=zero", "f32[128]=mod:5",
                                           "i32=32"},
       {32, 1}, TRACE_LOAD, 5},
  };
  for (int i = 0; i < LS_COUNT(textures); i++) {
    Run *run = run_texture(&textures[i]);
    CHECK(run != NULL);
    if (!run) continue;
    Session *session = ses_new(run);
    CHECK(go_to(session, textures[i].kind, TRACE_TEXTURE, 1));
    CHECK_INT(session->focus, FOCUS_TEXTURE);
    session->lane = textures[i].lane;
    LsText text = {0};
    for (int k = 0; k < LS_COUNT(sizes); k++) {
      Canvas *canvas = draw(session, FOCUS_TEXTURE, sizes[k].cols, sizes[k].rows);
      add_picture(canvas, false, &text);
      if (k == 0 && i < 2) CHECK_INT(count_marked(canvas), distinct_texels(&ses_scene(session)->event));
      canvas_free(canvas);
    }
    check_screens(textures[i].name, &text);
    check_texture_room(session);
    ls_text_free(&text);
    ses_free(session);
  }
}

// ---- counting cells --------------------------------------------------------------------------------------------------

static int count_background(const Canvas *canvas, Role role) {
  int count = 0;
  for (int i = 0; i < canvas->cols * canvas->rows; i++) count += canvas->cells[i].background == role;
  return count;
}

static int count_glyph(const Canvas *canvas, uint32_t code, Role role) {
  int count = 0;
  for (int i = 0; i < canvas->cols * canvas->rows; i++)
    count += canvas->cells[i].code == code && canvas->cells[i].role == role && !canvas->cells[i].background;
  return count;
}

// A cell of the full form is two bytes; of the form with a cell per word, four.
static void sectors_are_counted(void) {
  static const char *const patterns[] = {"pattern=aligned", "pattern=permuted", "pattern=offset", "pattern=same",
                                         "pattern=scattered"};
  for (int i = 0; i < LS_COUNT(patterns); i++)
    for (int variant = 0; variant < 2; variant++) {
      Moment moment = {"load_patterns", patterns[i], TRACE_LOAD, TRACE_GLOBAL, 1};
      Session *session = session_at(&moment, FOCUS_SEGMENTS, variant);
      CHECK(session != NULL);
      if (!session) continue;
      Coalescing coal;
      coal_analyze(&ses_scene(session)->event, variant ? COAL_LINES_128 : COAL_SECTORS_32, &coal);
      Canvas *canvas = draw(session, FOCUS_SEGMENTS, 120, 48);
      int used = count_background(canvas, ROLE_USED) + count_glyph(canvas, 0x2588, ROLE_USED);
      CHECK_INT(2 * used, coal.bytes_used);
      CHECK_INT(2 * (used + count_glyph(canvas, 0x2591, ROLE_WASTED)), coal.bytes_moved);
      canvas_free(canvas);
      canvas = draw(session, FOCUS_SEGMENTS, 120, 26);
      if (coal.line_count > 20) CHECK_INT(4 * count_glyph(canvas, 0x2588, ROLE_USED), coal.bytes_used);
      canvas_free(canvas);
      ses_free(session);
    }
}

static void words_are_counted(void) {
  static const char *const patterns[] = {"pattern=order", "pattern=permuted", "pattern=pairs", "pattern=two-way",
                                         "pattern=three-way",
                                         "pattern=xor", "pattern=column"};
  for (int i = 0; i < LS_COUNT(patterns); i++) {
    Moment moment = {"bank_patterns", patterns[i], TRACE_LOAD, TRACE_SHARED, 1};
    Session *session = session_at(&moment, FOCUS_BANKS, 0);
    CHECK(session != NULL);
    if (!session) continue;
    Banking banking;
    bank_analyze(&ses_scene(session)->event, BANK_32X4, &banking);
    FocusRoom room;
    view_room_banks(session, 120, &room);
    Canvas *canvas = draw(session, FOCUS_BANKS, 120, room.good);
    int cells = 0, colors = 0;
    for (int set = 0; set < 6; set++) {
      int of_set = count_background(canvas, (Role)(ROLE_SET0 + set));
      cells += of_set;
      colors += of_set > 0;
    }
    int named = banking.wavefronts == 2 ? 9 : banking.wavefronts == 3 ? 12 : 0;   // "0-15" and "16-31" below the words
    CHECK_INT(cells, 2 * banking.distinct_words + named);
    CHECK_INT(colors, banking.wavefronts > 6 ? 2 : banking.wavefronts);
    int alarms = count_glyph(canvas, 0x25b2, ROLE_ALARM), busy = 0;
    for (int bank = 0; bank < 32; bank++) busy += banking.bank_words[bank] > 1;
    CHECK_INT(alarms, banking.conflicts ? busy : 0);
    canvas_free(canvas);
    ses_free(session);
  }
}

static void every_pair_has_an_arc(void) {
  for (int n = 1; n <= 5; n++) {
    Moment moment = {"warp_reduce", NULL, TRACE_SHUFFLE, -1, n};
    Session *session = session_at(&moment, FOCUS_SHUFFLE, 0);
    CHECK(session != NULL);
    if (!session) continue;
    Canvas *canvas = draw(session, FOCUS_SHUFFLE, 120, 40);
    int left = 0, right = 0;
    for (int i = 0; i < canvas->cols * canvas->rows; i++)
      left += canvas->cells[i].code == 0x2570, right += canvas->cells[i].code == 0x256f;
    CHECK_INT(left, 16);
    CHECK_INT(right, 16);
    CHECK_INT(count_glyph(canvas, 'n', ROLE_CURSOR), 1);   // one step of the series is "now"
    canvas_free(canvas);
    ses_free(session);
  }
}

static void queues_are_counted(void) {
  Moment moment = {"histogram", NULL, TRACE_ATOM, -1, 1};
  Session *session = session_at(&moment, FOCUS_ATOMICS, 0);
  CHECK(session != NULL);
  if (!session) return;
  Atomics atomics;
  const TraceEvent *event = &ses_scene(session)->event;
  atomic_analyze(event, &atomics);
  Canvas *canvas = draw(session, FOCUS_ATOMICS, 120, 34);
  for (int turn = 0; turn < 6; turn++) {   // there are six colors
    int lanes = 0;
    for (int i = 0; i < atomics.queue_count; i++)
      for (int k = turn; k < atomics.queues[i].length; k += 6) lanes++;
    CHECK_INT(count_background(canvas, (Role)(ROLE_SET0 + turn)), 2 * lanes);
  }
  canvas_free(canvas);
  ses_free(session);
}

// A row of its own for each pass, and all of them where the pane has the room that it asks for.
static void passes_are_counted(void) {
  for (int m = 1; m <= 32; m++) {
    char keys[24], passes[24];
    snprintf(keys, sizeof keys, "m=%d", m);
    snprintf(passes, sizeof passes, " %d pass", m);
    Moment moment = {"lookup_table", keys, TRACE_LOAD, TRACE_CONST, 1};
    Session *session = session_at(&moment, FOCUS_CONSTANT, 0);
    CHECK(session != NULL);
    if (!session) continue;
    for (int cols = 46; cols <= 160; cols += 19) {
      FocusRoom room;
      view_room_constant(session, cols, &room);
      CHECK_INT(room.parts, m);
      Canvas *canvas = draw(session, FOCUS_CONSTANT, cols, room.whole);
      LsText text = {0};
      canvas_to_text(canvas, false, &text);
      int words = 0;
      for (const char *at = ls_text_str(&text); (at = strstr(at, "c_table[")); at++) words++;
      CHECK_INT(words, m);
      CHECK(strstr(ls_text_str(&text), passes) != NULL);
      ls_text_free(&text);
      canvas_free(canvas);
    }
    ses_free(session);
  }
}

// 80 threads are three warps; 16 lanes of the last do not exist.
static void threads_are_counted(void) {
  Moment moment = {"warp_map_40x2", NULL, TRACE_STORE, -1, 1};
  Session *session = session_at(&moment, FOCUS_GEOMETRY, 0);
  CHECK(session != NULL);
  if (!session) return;
  static const int threads[] = {32, 32, 16};
  Canvas *canvas = draw(session, FOCUS_GEOMETRY, 80, 12);
  for (int warp = 0; warp < 3; warp++) {
    Role role = (Role)(ROLE_SET0 + warp);
    uint32_t shade = warp == session->warp ? 0x2588 : 0x2592;
    CHECK_INT(count_glyph(canvas, shade, role) + count_background(canvas, role), threads[warp]);
  }
  CHECK_INT(count_glyph(canvas, 0xb7, ROLE_MASKED), 16);
  canvas_free(canvas);
  ses_free(session);
}

// Cells of a glyph in the row that the cursor marks; -1: it marks none.
static int count_at_cursor(const Canvas *canvas, uint32_t code, Role role) {
  for (int y = 1; y < canvas->rows; y++) {
    if (canvas_at(canvas, 2, y)->code != 0x25b8) continue;
    int count = 0;
    for (int x = 0; x < canvas->cols; x++)
      count += canvas_at(canvas, x, y)->code == code && canvas_at(canvas, x, y)->role == role;
    return count;
  }
  return -1;
}

// The row of the cursor is the present, wherever lanes are apart; groups together are all lanes, none twice.
static void lanes_are_those_of_the_warp(void) {
  for (int sched = 0; sched < 2; sched++) {
    Run *run = run_recipe("diverge_nested", NULL, sched ? SIM_STACK : SIM_ITS, DEV_COMPILED);
    CHECK(run != NULL);
    if (!run) return;
    Session *session = ses_new(run);
    ses_command(session, &(Command){CMD_SET_FOCUS, FOCUS_DIVERGENCE, NULL});
    for (uint64_t step = 0; step < session->steps; step += 3) {
      ses_command(session, &(Command){CMD_GOTO, (int64_t)step, NULL});
      const TraceWarp *warp = &ses_scene(session)->warps[session->warp];
      for (int rows = 4; rows < 30; rows += 7) {
        Canvas *canvas = draw(session, FOCUS_DIVERGENCE, 120, rows);
        int lanes = count_at_cursor(canvas, 0x2588, ROLE_ACTIVE);
        CHECK(lanes >= 0 || warp->active == warp->live);
        if (lanes >= 0) CHECK_INT(lanes, __builtin_popcount(ses_scene(session)->event.active));
        canvas_free(canvas);
      }
      session->variant[FOCUS_DIVERGENCE] = 1;
      Canvas *canvas = draw(session, FOCUS_DIVERGENCE, 120, 30);
      int lanes = count_glyph(canvas, 0x2588, ROLE_ACTIVE) + count_glyph(canvas, 0x2592, ROLE_WAITING);
      CHECK_INT(lanes, __builtin_popcount(warp->live));
      canvas_free(canvas);
      session->variant[FOCUS_DIVERGENCE] = 0;
    }
    ses_free(session);
  }
}

// ---- bounds ----------------------------------------------------------------------------------------------------------

static int cells_outside(const Canvas *canvas, Rect rect) {
  int count = 0;
  for (int y = 0; y < canvas->rows; y++)
    for (int x = 0; x < canvas->cols; x++) {
      bool inside = x >= rect.x && y >= rect.y && x < rect.x + rect.w && y < rect.y + rect.h;
      const Cell *cell = canvas_at(canvas, x, y);
      count += !inside && (cell->code != ' ' || cell->background);
    }
  return count;
}

// Without a clip, so that nothing hides what is drawn beside the pane.
static void draw_everywhere(Session *session, uint64_t step) {
  ses_command(session, &(Command){CMD_GOTO, (int64_t)step, NULL});
  for (int kind = 0; kind < FOCUS_COUNT; kind++) {
    ses_command(session, &(Command){CMD_SET_FOCUS, kind, NULL});
    for (int variant = 0; variant < 3; variant++)
      for (int w = 46; w <= 130; w += 14)
        for (int h = 4; h < 40; h += h < 8 ? 1 : 9) {
          Canvas *canvas = canvas_new(150, 50);
          Rect rect = {6, 4, w, h};
          session->variant[kind] = variant;
          view_of_focus((FocusKind)kind)->draw(session, canvas, rect);
          int outside = cells_outside(canvas, rect);
          if (outside)
            printf("\n%s at step %llu, %dx%d: %d cells outside", focus_name((FocusKind)kind), (unsigned long long)step, w, h,
                   outside);
          CHECK_INT(outside, 0);
          canvas_free(canvas);
        }
  }
}

static void panes_stay_inside(void) {
  static const char *const names[] = {"transpose_32x32", "reduce2", "histogram", "scan4", "warp_map_40x2"};
  for (int i = 0; i <= LS_COUNT(names); i++) {
    Run *run = i < LS_COUNT(names) ? run_recipe(names[i], NULL, SIM_STACK, DEV_WRITTEN) : run_warp_file();
    CHECK(run != NULL);
    if (!run) continue;
    Session *session = ses_new(run);
    for (int part = 0; part < 6; part++) {
      session->lane = part % 2 ? 5 : -1;
      draw_everywhere(session, (session->steps - 1) * (uint64_t)part / 5);
    }
    ses_free(session);
  }
}

static const Check checks[] = {
    {"screens are as seen", screens_are_as_seen},
    {"good rooms are as seen", good_rooms_are_as_seen},
    {"textures are drawn", textures_are_drawn},
    {"sectors are counted", sectors_are_counted},
    {"words are counted", words_are_counted},
    {"every pair has an arc", every_pair_has_an_arc},
    {"queues are counted", queues_are_counted},
    {"passes are counted", passes_are_counted},
    {"threads are counted", threads_are_counted},
    {"lanes are those of the warp", lanes_are_those_of_the_warp},
    {"panes stay inside", panes_stay_inside},
};

int main(int argc, char **argv) {
  int result = check_main("focus", checks, LS_COUNT(checks), argc, argv);
  if (book) book->free(book);
  return result;
}
