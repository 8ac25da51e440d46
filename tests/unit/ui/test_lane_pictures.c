// test_lane_pictures.c: banks, shuffles, sets of lanes and atomics for generated events.
// They fit the room that they ask for, show everything in the whole of it, count what has no room, and unfold into what
// they show standing still.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "fake_session.h"
#include "ui/views/view.h"

enum { LANES = 32, CASES = 40, SEED = 11, LEAST_COLS = 44 };
static const int columns[] = {44, 46, 58, 60, 73, 74, 75, 80, 100, 106, 108, 120, 139, 160, 200};

static LsMt rng;

static uint64_t below(uint64_t limit) { return ls_mt_u32(&rng) % limit; }

// ---- the code that events are of -------------------------------------------------------------------------------------

enum { PC_XOR, PC_UP, PC_DOWN, PC_INDEX, PC_BALLOT, PC_ANY, PC_MATCH, PC_MATCH_ALL, PC_REDUX, PC_FLOAT, PC_COUNT };
static PtxInstr instrs[PC_COUNT] = {
    [PC_XOR] = {.op = PTX_OP_shfl, .mode = PTX_SHFL_BFLY, .type = PTX_S32},
    [PC_UP] = {.op = PTX_OP_shfl, .mode = PTX_SHFL_UP, .type = PTX_S32},
    [PC_DOWN] = {.op = PTX_OP_shfl, .mode = PTX_SHFL_DOWN, .type = PTX_S32},
    [PC_INDEX] = {.op = PTX_OP_shfl, .mode = PTX_SHFL_IDX, .type = PTX_S32},
    [PC_BALLOT] = {.op = PTX_OP_vote, .mode = PTX_VOTE_BALLOT, .type = PTX_B32},
    [PC_ANY] = {.op = PTX_OP_vote, .mode = PTX_VOTE_ANY, .type = PTX_PRED},
    [PC_MATCH] = {.op = PTX_OP_match, .mode = PTX_MATCH_ANY, .type = PTX_S32},
    [PC_MATCH_ALL] = {.op = PTX_OP_match, .mode = PTX_MATCH_ALL, .type = PTX_S32},
    [PC_REDUX] = {.op = PTX_OP_redux, .mode = PTX_AT_ADD, .type = PTX_S32},
    [PC_FLOAT] = {.op = PTX_OP_shfl, .mode = PTX_SHFL_BFLY, .type = PTX_F32},
};
static PtxModule module = {.code = instrs, .code_count = PC_COUNT};

// ---- events ----------------------------------------------------------------------------------------------------------

static uint32_t some_mask(void) {
  static const uint32_t masks[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0xffff, 0x55555555, 0x80000001, 0x10};
  return below(8) ? masks[below(LS_COUNT(masks))] : ls_mt_u32(&rng) | 1;
}

static TraceEvent *begin_event(Scene *scene, TraceKind kind) {
  TraceEvent *event = &scene->event;
  *event = (TraceEvent){.step = scene->step, .kind = (uint8_t)kind, .mask = some_mask(), .addr = NULL};
  event->active = event->mask;
  scene->has_focus = false;
  scene->bounds.outside = 0;
  return event;
}

static void make_shared(Scene *scene, int n) {
  static const uint8_t widths[] = {4, 4, 4, 4, 1, 2, 8, 16};
  TraceEvent *event = begin_event(scene, below(3) ? TRACE_LOAD : TRACE_STORE);
  event->space = TRACE_SHARED;
  event->width = widths[below(LS_COUNT(widths))];
  event->addr = scene->addr;
  uint64_t stride = n % 5 == 0 ? 128 : n % 5 == 1 ? 8 : n % 5 == 2 ? 132 : below(40) * 4;
  for (int lane = 0; lane < LANES; lane++)
    scene->addr[lane] = (n % 5 == 4 ? below(1 << 12) : (uint64_t)lane * stride) / event->width * event->width;
}

static void make_atomic(Scene *scene, int n) {
  TraceEvent *event = begin_event(scene, TRACE_ATOM);
  event->space = n % 2 ? TRACE_GLOBAL : TRACE_SHARED;
  event->width = 4;
  event->addr = scene->addr;
  uint64_t places = n % 3 == 0 ? 1 : 1 + below(32);
  for (int lane = 0; lane < LANES; lane++) scene->addr[lane] = (n % 2 ? 0x7f0000c00 : 0) + 4 * below(places);
}

static void fill_values(Scene *scene, int n, int pc) {
  static const uint64_t limits[] = {10, 100, 1000, 100000, 1ull << 31};
  uint64_t limit = limits[n % LS_COUNT(limits)];
  for (int lane = 0; lane < LANES; lane++) {
    float value = (float)below(1000) / 7;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    scene->value[lane] = pc == PC_FLOAT ? bits : n % 7 == 6 ? 123456 : below(limit);
  }
  scene->event.value = scene->value;
  scene->event.result = scene->result;
}

static void make_shuffle(Scene *scene, int n) {
  static const int distances[] = {1, 2, 4, 8, 16, 3, 31};
  static const int pcs[] = {PC_XOR, PC_XOR, PC_UP, PC_DOWN, PC_INDEX, PC_INDEX, PC_FLOAT};
  TraceEvent *event = begin_event(scene, TRACE_SHUFFLE);
  int pc = pcs[n % LS_COUNT(pcs)], distance = distances[below(LS_COUNT(distances))];
  int width = 32 >> below(3), one = (int)below(32);
  event->pc = pc;
  event->source = scene->source;
  for (int lane = 0; lane < LANES; lane++) {
    int base = lane & ~(width - 1), place = lane - base;
    int to = pc == PC_XOR || pc == PC_FLOAT ? place ^ distance : pc == PC_UP ? place - distance : place + distance;
    if (pc == PC_INDEX) to = n % 2 ? one % width : (int)below((uint64_t)width);
    scene->source[lane] = (uint8_t)(to < 0 || to >= width ? lane : base + to);
  }
  fill_values(scene, n, pc);
  for (int lane = 0; lane < LANES; lane++) scene->result[lane] = scene->value[scene->source[lane]];
}

static void make_set(Scene *scene, int n) {
  static const struct { TraceKind kind; int pc; } kinds[] = {
      {TRACE_VOTE, PC_BALLOT}, {TRACE_VOTE, PC_ANY}, {TRACE_MATCH, PC_MATCH}, {TRACE_MATCH, PC_MATCH_ALL},
      {TRACE_REDUX, PC_REDUX}};
  TraceEvent *event = begin_event(scene, kinds[n % LS_COUNT(kinds)].kind);
  event->pc = kinds[n % LS_COUNT(kinds)].pc;
  event->taken = ls_mt_u32(&rng) & event->mask;
  fill_values(scene, (int)below(7), event->pc);
  uint64_t groups = 1 + below(32), sum = 0;
  for (int lane = 0; lane < LANES; lane++) {
    if (event->kind == TRACE_MATCH) scene->value[lane] %= groups;
    if (event->mask >> lane & 1) sum += scene->value[lane];
  }
  for (int lane = 0; lane < LANES; lane++)
    scene->result[lane] = event->pc == PC_BALLOT ? event->taken : event->pc == PC_ANY ? event->taken != 0 : sum;
}

typedef struct Picture { FocusKind kind; void (*make)(Scene *scene, int n); } Picture;
static const Picture pictures[] = {
    {FOCUS_BANKS, make_shared}, {FOCUS_SHUFFLE, make_shuffle}, {FOCUS_SHUFFLE, make_set}, {FOCUS_ATOMICS, make_atomic}};

// ---- looking ---------------------------------------------------------------------------------------------------------

static void room_of(Session *session, FocusKind kind, int cols, FocusRoom *room) {
  if (kind == FOCUS_BANKS) view_room_banks(session, cols, room);
  else if (kind == FOCUS_ATOMICS) view_room_atomics(session, cols, room);
  else view_room_shuffle(session, cols, room);
}

enum { MARGIN = 3 };

// With a margin around the pane, and no clip: what is drawn there is found by `leaks`.
static Canvas *draw(Session *session, FocusKind kind, int cols, int rows) {
  Canvas *canvas = canvas_new(cols + 2 * MARGIN, rows + 2 * MARGIN);
  view_of_focus(kind)->draw(session, canvas, (Rect){MARGIN, MARGIN, cols, rows});
  return canvas;
}

static bool is_used(const Cell *cell) { return cell->code != ' ' || cell->background; }

static bool leaks(const Canvas *canvas) {
  for (int y = 0; y < canvas->rows; y++)
    for (int x = 0; x < canvas->cols; x++) {
      bool inside = x >= MARGIN && y >= MARGIN && x < canvas->cols - MARGIN && y < canvas->rows - MARGIN;
      if (!inside && is_used(canvas_at(canvas, x, y))) return true;
    }
  return false;
}

static bool row_is_used(const Canvas *canvas, int row) {
  for (int x = 0; x < canvas->cols; x++)
    if (is_used(canvas_at(canvas, x, row + MARGIN))) return true;
  return false;
}

// "▾ 12 more": what the picture says is missing; 0 if it says nothing.
static int missing(const Canvas *canvas) {
  LsText text = {0};
  canvas_to_text(canvas, false, &text);
  int count = 0;
  for (const char *at = text.data; at && (at = strstr(at, "▾ ")); at++) {
    int number = atoi(at + strlen("▾ "));
    if (number && strstr(at, "more")) count += number;
  }
  ls_text_free(&text);
  return count;
}

static int grounds(const Canvas *canvas) {
  int count = 0;
  for (int i = 0; i < canvas->cols * canvas->rows; i++) {
    Role role = (Role)canvas->cells[i].background;
    count += role >= ROLE_SET0 && role <= ROLE_SET5;
  }
  return count;
}

static bool same(const Canvas *a, const Canvas *b) {
  return memcmp(a->cells, b->cells, sizeof(Cell) * (size_t)(a->cols * a->rows)) == 0;
}

static Session *begin(void) {
  Session *session = fake_session_new(8);
  session->run->module = &module;
  ls_mt_seed(&rng, SEED);
  return session;
}

typedef void Look(Session *session, const Picture *picture, int n, int cols);

static void for_all(Look *look) {
  for (int p = 0; p < LS_COUNT(pictures); p++) {
    Session *session = begin();
    Scene *scene = (Scene *)(uintptr_t)ses_scene(session);
    session->focus = pictures[p].kind;
    for (int n = 0; n < CASES; n++) {
      pictures[p].make(scene, n);
      session->variant[FOCUS_BANKS] = n % 3;
      session->lane = n % 4 == 3 ? (int)below(LANES) : -1;
      session->hex = n % 9 == 8;
      session->zoom = n % 5 == 4;
      for (int c = 0; c < LS_COUNT(columns); c++) look(session, &pictures[p], n, columns[c]);
    }
    fake_session_free(session);
  }
}

static void say(const char *what, const Picture *picture, int n, int cols, int rows, const Canvas *canvas) {
  LsText text = {0};
  canvas_to_text(canvas, false, &text);
  printf("\n%s: %s, case %d, %d columns, %d rows:\n", what, focus_name(picture->kind), n, cols, rows);
  puts(ls_text_str(&text));
  ls_text_free(&text);
}

// ---- room ------------------------------------------------------------------------------------------------------------

// In the whole room nothing is missing, and its last row is used; in any less, what is drawn stays inside.
static void look_at_room(Session *session, const Picture *picture, int n, int cols) {
  FocusRoom room;
  room_of(session, picture->kind, cols, &room);
  CHECK(2 <= room.least && room.least <= room.good && room.good <= room.whole && room.parts >= 1);
  Canvas *canvas = draw(session, picture->kind, cols, room.whole);
  bool whole = missing(canvas) == 0 && row_is_used(canvas, room.whole - 1);
  if (!whole) say("not whole", picture, n, cols, room.whole, canvas);
  CHECK(whole);
  canvas_free(canvas);
  for (int rows = 1; rows <= room.whole + 12; rows += rows < room.whole ? 1 : 6) {
    canvas = draw(session, picture->kind, cols, rows);
    if (leaks(canvas)) say("outside", picture, n, cols, rows, canvas);
    CHECK(!leaks(canvas));
    if (rows >= room.least && rows <= room.good) CHECK(row_is_used(canvas, 1));
    canvas_free(canvas);
  }
}

static void room_is_true(void) { for_all(look_at_room); }

static void narrow_panes_say_so(void) {
  Session *session = begin();
  Scene *scene = (Scene *)(uintptr_t)ses_scene(session);
  for (int p = 0; p < LS_COUNT(pictures); p++) {
    pictures[p].make(scene, 1);
    for (int cols = 1; cols < LEAST_COLS; cols++) {
      FocusRoom room;
      room_of(session, pictures[p].kind, cols, &room);
      CHECK(room.least >= 1 && room.least <= room.good && room.good <= room.whole && room.parts >= 1);
    }
  }
  fake_session_free(session);
}

// ---- playing ---------------------------------------------------------------------------------------------------------

// Standing still is the end of playing; nothing that has come goes again.
static void look_at_phases(Session *session, const Picture *picture, int n, int cols) {
  FocusRoom room;
  if (n % 4) return;
  room_of(session, picture->kind, cols, &room);
  int before = -1;
  session->phase = 0;
  Canvas *still = draw(session, picture->kind, cols, room.whole);
  for (int frame = 1; frame <= 32; frame++) {
    session->phase = frame / 32.0;
    Canvas *canvas = draw(session, picture->kind, cols, room.whole);
    int now = grounds(canvas);
    if (now < before) say("lost", picture, n, cols, room.whole, canvas);
    CHECK(now >= before && !leaks(canvas));
    before = now;
    if (frame == 32) CHECK(same(canvas, still));
    bool at_once = frame == 1 && room.parts > 2 && same(canvas, still);
    if (at_once) say("at once", picture, n, cols, room.whole, canvas);
    CHECK(!at_once);
    canvas_free(canvas);
  }
  session->phase = 0;
  canvas_free(still);
}

static void phases_go_one_way(void) { for_all(look_at_phases); }

// An event that is not at the cursor stands still while another one is played.
static void earlier_events_stand_still(void) {
  Session *session = begin();
  Scene *scene = (Scene *)(uintptr_t)ses_scene(session);
  make_shared(scene, 0);
  scene->focus = scene->event;
  scene->has_focus = true;
  scene->focus.step--;
  scene->event.kind = TRACE_RET;
  Canvas *still = draw(session, FOCUS_BANKS, 80, 12);
  session->phase = 0.3;
  Canvas *played = draw(session, FOCUS_BANKS, 80, 12);
  CHECK(same(still, played));
  canvas_free(still);
  canvas_free(played);
  fake_session_free(session);
}

// ---- banks: every cell is held against the addresses -----------------------------------------------------------------

static bool wants(const TraceEvent *event, int lane, uint64_t word) {
  uint64_t first = event->addr[lane] / 4, last = (event->addr[lane] + event->width - 1) / 4;
  return event->mask >> lane & 1 && first <= word && word <= last;
}

static int row_text(const Canvas *canvas, int row, char out[512]) {
  int used = 0;
  for (int x = MARGIN; x < canvas->cols - MARGIN && used < 511; x++) {
    uint32_t code = canvas_at(canvas, x, row + MARGIN)->code;
    out[used++] = (char)(code < 0x80 ? code : '~');
  }
  out[used] = 0;
  return used;
}

static int count_words(const TraceEvent *event) {
  uint64_t words[LANES * 9];
  int count = 0;
  for (int lane = 0; lane < LANES; lane++)
    for (uint64_t word = event->addr[lane] / 4; wants(event, lane, word); word++) {
      int seen = 0;
      while (seen < count && words[seen] != word) seen++;
      if (seen == count) words[count++] = word;
    }
  return count;
}

// Rows that the words of the banks touch.
static int count_rows(const TraceEvent *event, const Banking *banking) {
  uint64_t rows[LANES * 9], bytes = (uint64_t)(banking->bank_count * banking->word_bytes);
  int count = 0;
  for (int i = 0; i < LANES * event->width; i++) {
    int lane = i / event->width, seen = 0;
    uint64_t row = (event->addr[lane] + (uint64_t)(i % event->width)) / bytes;
    if (!(event->mask >> lane & 1)) continue;
    while (seen < count && rows[seen] != row) seen++;
    if (seen == count) rows[count++] = row;
  }
  return count;
}

static void look_at_words(Session *session, const Picture *picture, int n, int cols) {
  if (picture->make != make_shared || session->variant[FOCUS_BANKS] || cols < 120) return;
  FocusRoom room;
  const TraceEvent *event = &ses_scene(session)->event;
  room_of(session, FOCUS_BANKS, cols, &room);
  Canvas *canvas = draw(session, FOCUS_BANKS, cols, room.whole);
  int pitch = LS_MIN((cols - 2 - 7 - 1) / 32, 6), words = 0, rows = 0;
  for (int y = 2; y < room.whole; y++) {
    char text[512];
    unsigned long long row;
    row_text(canvas, y, text);
    if (sscanf(text, " row %llu", &row) != 1) continue;
    int x = 2 + LS_MAX(5 + snprintf(NULL, 0, "%llu", row), 7);
    if (x > 9) break;   // labels that are wider move all cells
    rows++;
    for (int bank = 0; bank < 32; bank++) {
      int lane;
      if (sscanf(text + x + bank * pitch, "%2d", &lane) != 1 || text[x + bank * pitch + pitch - 2] == '~') continue;
      words++;
      if (!wants(event, lane, row * 32 + (unsigned)bank)) say("wrong lane", picture, n, cols, room.whole, canvas);
      CHECK(wants(event, lane, row * 32 + (unsigned)bank));
    }
  }
  if (rows) CHECK_INT(words, count_words(event));
  canvas_free(canvas);
}

// Rows of words or wavefronts that are drawn and those that are counted are all that there are.
static void look_at_rows(Session *session, const Picture *picture, int n, int cols) {
  if (picture->make != make_shared || cols > 120) return;
  const TraceEvent *event = &ses_scene(session)->event;
  Banking banking;
  FocusRoom room;
  bank_analyze(event, (BankMode)(n % 3), &banking);
  room_of(session, FOCUS_BANKS, cols, &room);
  for (int rows = room.least; rows <= room.whole; rows++) {
    Canvas *canvas = draw(session, FOCUS_BANKS, cols, rows);
    int waves = 0, words = 0;
    for (int y = 2; y < rows; y++) {
      char text[512];
      row_text(canvas, y, text);
      waves += strncmp(text, "  wave ", 7) == 0;
      words += strncmp(text, "  row ", 6) == 0;
    }
    bool told = !waves || waves + missing(canvas) == banking.wavefronts;
    if (words) told &= missing(canvas) > 0 || words == count_rows(event, &banking);
    if (!told) say("not told", picture, n, cols, rows, canvas);
    CHECK(told);
    canvas_free(canvas);
  }
}

static void rows_are_counted(void) { for_all(look_at_rows); }

static void cells_are_words(void) { for_all(look_at_words); }

// A lane outside of its array is marked, and has no ground of a wavefront.
static void lanes_outside_are_marked(void) {
  Session *session = begin();
  Scene *scene = (Scene *)(uintptr_t)ses_scene(session);
  static const FocusKind kinds[] = {FOCUS_BANKS, FOCUS_ATOMICS};
  for (int k = 0; k < LS_COUNT(kinds); k++) {
    TraceEvent *event = begin_event(scene, k ? TRACE_ATOM : TRACE_LOAD);
    event->mask = UINT32_MAX, event->space = TRACE_SHARED, event->width = 4, event->addr = scene->addr;
    for (int lane = 0; lane < LANES; lane++) scene->addr[lane] = (uint64_t)lane * 4;
    for (int cols = 80; cols <= 200; cols += 40) {
      scene->bounds.outside = 0;
      Canvas *all = draw(session, kinds[k], cols, 30);
      scene->bounds.outside = 0xf0000000;
      Canvas *canvas = draw(session, kinds[k], cols, 30);
      int marks = 0;
      for (int i = 0; i < canvas->cols * canvas->rows; i++)
        marks += canvas->cells[i].code == 0x25b2 && canvas->cells[i].role == ROLE_ALARM;
      CHECK_INT(marks, 4);
      CHECK(grounds(canvas) < grounds(all));
      canvas_free(all);
      canvas_free(canvas);
    }
  }
  fake_session_free(session);
}

// ---- sets and queues -------------------------------------------------------------------------------------------------

// Equal letters stand under equal values, and the mask in binary is the ballot.
static void sets_are_those_of_the_event(void) {
  Session *session = begin();
  Scene *scene = (Scene *)(uintptr_t)ses_scene(session);
  for (int n = 0; n < 60; n++) {
    char text[512];
    make_set(scene, n);
    Canvas *canvas = draw(session, FOCUS_SHUFFLE, 120, 60);
    for (int y = 1; y < 60; y++) {
      row_text(canvas, y, text);
      const char *mask = strstr(text, "mask     0x");
      if (mask && scene->event.pc == PC_BALLOT) {
        CHECK_INT(strtoul(mask + 9, NULL, 16), scene->event.taken);
        uint32_t bits = 0;
        for (const char *at = mask + 22; *at; at++)
          if (*at == '0' || *at == '1') bits = bits << 1 | (*at == '1');
        CHECK_INT(bits, scene->event.taken);
      }
      if (!strstr(text, "  group ")) continue;
      for (int a = 0; a < LANES; a++)
        for (int b = 0; b < a; b++)
          if (scene->event.mask >> a & scene->event.mask >> b & 1)
            CHECK((text[11 + 3 * a + 1] == text[11 + 3 * b + 1]) == (scene->value[a] == scene->value[b]));
    }
    canvas_free(canvas);
  }
  fake_session_free(session);
}

// In the whole picture of an atomic every lane stands once.
static void queues_have_every_lane(void) {
  Session *session = begin();
  Scene *scene = (Scene *)(uintptr_t)ses_scene(session);
  for (int n = 0; n < 60; n++) {
    make_atomic(scene, n);
    FocusRoom room;
    view_room_atomics(session, 120, &room);
    Canvas *canvas = draw(session, FOCUS_ATOMICS, 120, room.whole);
    int seen[LANES] = {0};
    for (int i = 0; i + 1 < canvas->cols * canvas->rows; i++) {
      const Cell *cell = &canvas->cells[i];
      if (cell->background < ROLE_SET0 || cell->background > ROLE_SET5 || !isdigit((int)cell[1].code)) continue;
      int lane = (isdigit((int)cell->code) ? (int)cell->code - '0' : 0) * 10 + (int)cell[1].code - '0';
      if (lane < LANES) seen[lane]++;
      i++;
    }
    for (int lane = 0; lane < LANES; lane++) CHECK_INT(seen[lane], scene->event.mask >> lane & 1);
    canvas_free(canvas);
  }
  fake_session_free(session);
}

// ---- shuffles --------------------------------------------------------------------------------------------------------

// From any row of a butterfly's arc one comes to the partner: the corners of every arc lie `distance` lanes apart.
static void arcs_join_partners(void) {
  Session *session = begin();
  Scene *scene = (Scene *)(uintptr_t)ses_scene(session);
  for (int c = 0; c < LS_COUNT(columns); c++)
    for (int distance = 1; distance < 32; distance *= 2) {
      TraceEvent *event = begin_event(scene, TRACE_SHUFFLE);
      event->pc = PC_XOR, event->mask = UINT32_MAX, event->source = scene->source;
      for (int lane = 0; lane < LANES; lane++) {
        scene->source[lane] = (uint8_t)(lane ^ distance);
        scene->value[lane] = (uint64_t)lane;
        scene->result[lane] = scene->source[lane];
      }
      event->value = scene->value, event->result = scene->result;
      FocusRoom room;
      view_room_shuffle(session, columns[c], &room);
      Canvas *canvas = draw(session, FOCUS_SHUFFLE, columns[c], room.whole);
      int pitch = LS_CLAMP((columns[c] - 11) / 32, 1, 6), arcs = 0;
      for (int y = 0; y < canvas->rows; y++)
        for (int x = 0, open = -1; x < canvas->cols; x++) {
          uint32_t glyph = canvas_at(canvas, x, y)->code;
          if (glyph == 0x2570) open = x;
          if (glyph != 0x256f || open < 0) continue;
          arcs++;
          CHECK_INT(x - open, distance * pitch);
          open = -1;
        }
      CHECK_INT(arcs, 16);
      canvas_free(canvas);
    }
  fake_session_free(session);
}

// Numbers that do not fit their cells never run into each other: digits that touch stand on grounds of their own.
static void look_at_digits(Session *session, const Picture *picture, int n, int cols) {
  FocusRoom room;
  if (picture->kind != FOCUS_SHUFFLE) return;
  room_of(session, picture->kind, cols, &room);
  int pitch = LS_CLAMP((cols - 11) / 32, 1, 6);
  for (int rows = room.least; rows <= room.whole; rows += 3) {
    Canvas *canvas = draw(session, picture->kind, cols, rows);
    for (int y = 1; y < rows; y++)
      for (int lane = 0, x = MARGIN + 11; lane < 31 && pitch == 2; lane++) {
        const Cell *last = canvas_at(canvas, x + lane * pitch + 1, y + MARGIN);
        const Cell *next = last + 1;
        bool values = canvas_at(canvas, MARGIN + 2, y + MARGIN)->code != ' ';   // a row with a label
        bool digits = isdigit((int)last->code) && isdigit((int)next->code) && isdigit((int)last[-1].code) &&
                      isdigit((int)next[1].code);
        bool touch = digits && values && (last[-1].background || last->background || next->background);
        if (touch && last->background == next->background) say("run together", picture, n, cols, rows, canvas);
        CHECK(!touch || last->background != next->background);
      }
    canvas_free(canvas);
  }
}

static void digits_are_told_apart(void) { for_all(look_at_digits); }

static const Check checks[] = {
    {"room is true", room_is_true},
    {"narrow panes say so", narrow_panes_say_so},
    {"phases go one way", phases_go_one_way},
    {"earlier events stand still", earlier_events_stand_still},
    {"cells are words", cells_are_words},
    {"rows are counted", rows_are_counted},
    {"lanes outside are marked", lanes_outside_are_marked},
    {"sets are those of the event", sets_are_those_of_the_event},
    {"queues have every lane", queues_have_every_lane},
    {"arcs join partners", arcs_join_partners},
    {"digits are told apart", digits_are_told_apart},
};

int main(int argc, char **argv) { return check_main("lane_pictures", checks, LS_COUNT(checks), argc, argv); }
