// guess.c: a launch from a signature: what each parameter is probably for, and why.
//
// Names say most: n beside pointers is how many elements they have, width and height are two sizes of an image, m, n, k
// those of a product. The code says the rest: which threads it asks for, what it reads and writes, its shared memory.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "app/own/form.h"
#include "base/mem.h"
#include "launch/launch_struct.h"

enum { ELEMENTS = 1000, THREADS = 256, SIDE = 16, CUBE = 8, BLOCKS = 4 };

typedef enum Purpose {
  FOR_NOTHING, FOR_COUNT, FOR_WIDTH, FOR_HEIGHT, FOR_DEPTH,
  FOR_M, FOR_N, FOR_K,           // C[M x N] = A[M x K] B[K x N]
} Purpose;

// ---- names ----------------------------------------------------------------------------------------------------------

static bool one_of(const char *name, const char *list) {
  size_t length = strlen(name);
  for (const char *p = list; *p; p += strcspn(p, " "), p += strspn(p, " "))
    if (strcspn(p, " ") == length && strncasecmp(p, name, length) == 0) return true;
  return false;
}

static bool is_whole(const SigParam *p) {
  return p->kind == SIG_SCALAR && !launch_type_is_float(p->number) && !p->is_bool;
}

// "numElements", "n_items", "data_size", "pixelCount".
static bool tells_count(const char *name) {
  static const char *const begins[] = {"num", "n_", "count", "size", "len", "total"},
      *const ends[] = {"size", "count", "_n", "len", "length", "num"};
  size_t length = strlen(name);
  if (one_of(name, "n elements elems total items points")) return true;
  for (int i = 0; i < LS_COUNT(begins); i++)
    if (strncasecmp(name, begins[i], strlen(begins[i])) == 0) return true;
  for (int i = 0; i < LS_COUNT(ends); i++)
    if (length > strlen(ends[i]) && strcasecmp(name + length - strlen(ends[i]), ends[i]) == 0) return true;
  return false;
}

static int count_named(const Signature *sig, const char *list) {
  int count = 0;
  for (int i = 0; i < sig->param_count; i++) count += is_whole(&sig->params[i]) && one_of(sig->params[i].name, list);
  return count;
}

static Purpose purpose_of(const Signature *sig, int param) {
  const SigParam *p = &sig->params[param];
  if (!is_whole(p)) return FOR_NOTHING;
  if (count_named(sig, "m n k") >= 2) {
    if (one_of(p->name, "m")) return FOR_M;
    if (one_of(p->name, "n")) return FOR_N;
    if (one_of(p->name, "k")) return FOR_K;
  }
  if (one_of(p->name, "width w cols ncols columns nx xsize xdim dimx sizex num_cols numcols")) return FOR_WIDTH;
  if (one_of(p->name, "height h rows nrows ny ysize ydim dimy sizey num_rows numrows")) return FOR_HEIGHT;
  if (one_of(p->name, "depth nz zsize zdim dimz sizez")) return FOR_DEPTH;
  return tells_count(p->name) ? FOR_COUNT : FOR_NOTHING;
}

static int param_for(const Signature *sig, Purpose purpose) {
  for (int i = 0; i < sig->param_count; i++)
    if (purpose_of(sig, i) == purpose) return i;
  return -1;
}

// ---- fields ---------------------------------------------------------------------------------------------------------

static Field *field_of(Form *form, int row, int nth) { return &form->fields[form_field(form, row, nth)]; }

static void set(Form *form, int row, int nth, const char *format, ...) __attribute__((format(printf, 4, 5)));
static void set(Form *form, int row, int nth, const char *format, ...) {
  Field *field = field_of(form, row, nth);
  if (field->from != FROM_GUESS) return;
  va_list args;
  va_start(args, format);
  vsnprintf(field->text, sizeof field->text, format, args);
  va_end(args);
}

static void say(Form *form, int row, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(Form *form, int row, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(form->why[row], sizeof form->why[row], format, args);
  va_end(args);
}

static uint64_t value_of(Form *form, int param, uint64_t fallback) {
  uint64_t value;
  if (param < 0 || !ls_parse_u64(field_of(form, FORM_FIRST_ARG + param, 0)->text, &value) || !value) return fallback;
  return value;
}

// ---- scalars --------------------------------------------------------------------------------------------------------

static const struct { const char *names, *value; } usual[] = {
    {"stride step radius r iterations iters niter repeat", "1"},
    {"offset start begin first base shift seed from lo", "0"},
    {"beta bias eps", "0"},
    {"a alpha scale factor", "2"},
    {"dt h dx", "0.01"},
};

static int size_of_purpose(const Signature *sig, Purpose purpose) {
  bool flat = sig->dims == 1;
  switch (purpose) {
  case FOR_COUNT: return sig->dims == 1 ? ELEMENTS : sig->dims == 2 ? 64 : 16;
  case FOR_WIDTH: case FOR_M: return sig->dims == 3 ? 32 : 64;
  case FOR_HEIGHT: return sig->dims == 3 ? 16 : 48;
  case FOR_N: return flat && param_for(sig, FOR_K) < 0 ? 64 : 48;
  case FOR_K: return 32;
  default: return 16;
  }
}

// What main gives, as long as a run of it can still be recorded.
static bool guess_from_host(Form *form, int param, bool real) {
  enum { MOST = 1 << 16 };
  const char *text = param < HOST_ARGS ? form->host.args[param] : "";
  int64_t value;
  if (!text[0] || (!real && (!ls_parse_i64(text, &value) || value > MOST))) return false;
  set(form, FORM_FIRST_ARG + param, 0, "%s", text);
  say(form, FORM_FIRST_ARG + param, "as main gives it");
  return true;
}

static void guess_scalar(Form *form, int param) {
  const Signature *sig = form->sig;
  const SigParam *p = &sig->params[param];
  int row = FORM_FIRST_ARG + param;
  Purpose purpose = purpose_of(sig, param);
  bool real = launch_type_is_float(p->number);
  if (guess_from_host(form, param, real)) return;
  if (purpose != FOR_NOTHING) {
    int size = size_of_purpose(sig, purpose);
    set(form, row, 0, "%d", launch_type_size(p->number) == 1 ? LS_MIN(size, 100) : size);
    if (purpose == FOR_COUNT && sig->dims == 1) say(form, row, "counts and grid follow it");
    else if (purpose == FOR_COUNT)
      say(form, row, "side of a %s: counts and grid follow", sig->dims == 2 ? "square" : "cube");
    else say(form, row, "a size: counts and grid follow it");
    return;
  }
  const char *value = real ? "1.0" : "1";
  for (int i = 0; i < LS_COUNT(usual); i++)
    if (one_of(p->name, usual[i].names) && (real || !strchr(usual[i].value, '.'))) value = usual[i].value;
  bool whole = !strchr(value, '.');
  set(form, row, 0, "%s%s", value, real && whole ? ".0" : "");
  say(form, row, "%s", p->is_bool ? "1 is true, 0 is false" : "");
}

// ---- buffers --------------------------------------------------------------------------------------------------------

// How far data reaches in each direction; 0: nothing says it.
typedef struct Extent { uint64_t x, y, z; int px, py, pz; bool square; } Extent;

static Extent extent_of(Form *form) {
  const Signature *sig = form->sig;
  Extent e = {.px = param_for(sig, FOR_WIDTH), .py = param_for(sig, FOR_HEIGHT), .pz = param_for(sig, FOR_DEPTH)};
  int m = param_for(sig, FOR_M), n = param_for(sig, FOR_N), k = param_for(sig, FOR_K),
      count = param_for(sig, FOR_COUNT);
  if (e.px < 0 && e.py < 0 && (m >= 0 || n >= 0)) {
    e.px = n >= 0 ? n : k;
    e.py = m >= 0 ? m : k;
  }
  if (e.px < 0 && e.py < 0 && count >= 0) {
    e.px = count;
    e.square = sig->dims >= 2;
    if (e.square) e.py = count;
    if (sig->dims == 3) e.pz = count;
  }
  e.x = value_of(form, e.px, 0);
  e.y = value_of(form, e.py, e.px >= 0 || e.pz >= 0 ? 1 : 0);
  e.z = value_of(form, e.pz, e.px >= 0 || e.py >= 0 ? 1 : 0);
  if (!e.x && e.y) e.x = 1;
  return e;
}

static const char *name_of(const Form *form, int param) { return form->sig->params[param].name; }

// The words of a product of sizes: "width x height".
static void product_words(const Form *form, const int *params, int count, char *out, size_t size) {
  out[0] = 0;
  for (int i = 0; i < count; i++) {
    size_t length = strlen(out);
    if (params[i] >= 0) snprintf(out + length, size - length, "%s%.24s", length ? " x " : "", name_of(form, params[i]));
  }
}

// A, B and C of a product, in the order in which pointers stand.
static bool product_pair(const Form *form, int param, int pair[2]) {
  const Signature *sig = form->sig;
  int m = param_for(sig, FOR_M), n = param_for(sig, FOR_N), k = param_for(sig, FOR_K), nth = 0, buffers = 0;
  for (int i = 0; i < sig->param_count; i++) {
    if (sig->params[i].kind != SIG_BUFFER) continue;
    if (i < param) nth++;
    buffers++;
  }
  if (m < 0 || n < 0 || k < 0 || buffers != 3) return false;
  const int pairs[3][2] = {{m, k}, {k, n}, {m, n}};
  pair[0] = pairs[nth][0];
  pair[1] = pairs[nth][1];
  return true;
}

static uint64_t grid_threads(Form *form) {
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  launch_parse_dim(form->fields[FORM_GRID].text, true, grid, NULL);
  launch_parse_dim(form->fields[FORM_BLOCK].text, false, block, NULL);
  return LS_MIN((uint64_t)grid[0] * grid[1] * grid[2], (uint64_t)1 << 20) * block[0] * block[1] * block[2];
}

static void guess_count(Form *form, int param, const Extent *e, char *why, size_t size) {
  int row = FORM_FIRST_ARG + param, pair[2];
  const int all[] = {e->px, e->square ? e->px : e->py, form->sig->dims == 3 && e->square ? e->px : e->pz};
  if (product_pair(form, param, pair)) {
    product_words(form, pair, 2, why, size - 10);
    strcat(why, " elements");
    set(form, row, 0, "%llu", (unsigned long long)(value_of(form, pair[0], 1) * value_of(form, pair[1], 1)));
  } else if (e->x) {
    product_words(form, all, 3, why, size - 10);
    strcat(why, " elements");
    set(form, row, 0, "%llu", (unsigned long long)(e->x * e->y * e->z));
  } else {
    snprintf(why, size, "an element for each thread");
    set(form, row, 0, "%llu", (unsigned long long)grid_threads(form));
  }
}

static int inputs_before(const Signature *sig, int param) {
  int count = 0;
  for (int i = 0; i < param; i++) count += sig->params[i].kind == SIG_BUFFER && !sig->params[i].written;
  return count;
}

// Whole numbers count up: they may be indices, and those stay inside. Sums begin at zero.
static void guess_contents(Form *form, int param) {
  const SigParam *p = &form->sig->params[param];
  int row = FORM_FIRST_ARG + param, before = inputs_before(form->sig, param);
  bool real = launch_type_is_float(p->number) && p->plain;
  if (!p->plain) set(form, row, 1, "zero");
  else if (p->written && !p->read) set(form, row, 1, "none");
  else if (p->written && (p->atomic || !real)) set(form, row, 1, "zero");
  else if (p->written) set(form, row, 1, "random:1");
  else if (real && before) set(form, row, 1, "random:%d", before);
  else set(form, row, 1, "iota");
}

static void say_buffer(Form *form, int param, const char *count_from) {
  const SigParam *p = &form->sig->params[param];
  int row = FORM_FIRST_ARG + param;
  const char *part = !p->plain ? "filled as bytes; " : "";
  if (!p->read && !p->written) say(form, row, "%snot used by the code", part);
  else if (p->written && !p->read) say(form, row, "%sresult: only written", part);
  else if (p->written && p->atomic) say(form, row, "%sresult: added to, from zero on", part);
  else if (p->written) say(form, row, "%sresult: read and written", part);
  else if (count_from[0]) say(form, row, "%s%s", part, count_from);
  else say(form, row, "%sread only", part);
}

static void guess_other(Form *form, int param) {
  const SigParam *p = &form->sig->params[param];
  int row = FORM_FIRST_ARG + param;
  bool surface = strstr(p->type, "Surface"), texture = strstr(p->type, "Texture");
  if (texture || surface) {
    set(form, row, 0, "%s.f32[64x48]=iota", surface ? "surf" : "tex");
    say(form, row, "TYPE[WIDTHxHEIGHT]=contents");
    return;
  }
  LsText members = {0};
  launch_guess_members(p->dw, THREADS, &members);
  set(form, row, 0, "struct:%s", ls_text_str(&members));
  say(form, row, "%d bytes by value; members that are not named are zero", p->size);
  ls_text_free(&members);
}

// ---- the shape ------------------------------------------------------------------------------------------------------

static void guess_block(Form *form) {
  const Signature *sig = form->sig;
  const uint32_t *host = form->host.block;
  int x = sig->dims == 1 ? THREADS : sig->dims == 2 ? SIDE : CUBE, y = sig->dims == 1 ? 1 : x;
  int z = sig->dims == 3 ? 4 : 1;
  bool bound = sig->block[0] > 0, too_many;
  if (form->tile) x = form->tile_side, y = sig->dims > 1 ? x : 1;
  too_many = bound && sig->block_is_most && x * y * z > sig->block[0] * sig->block[1] * sig->block[2];
  if (host[0]) x = (int)host[0], y = (int)host[1], z = (int)host[2];
  else if (bound && (!sig->block_is_most || too_many))
    x = sig->block[0], y = LS_MAX(sig->block[1], 1), z = LS_MAX(sig->block[2], 1);
  if (z > 1) set(form, FORM_BLOCK, 0, "%d,%d,%d", x, y, z);
  else if (y > 1) set(form, FORM_BLOCK, 0, "%d,%d", x, y);
  else set(form, FORM_BLOCK, 0, "%d", x);
}

static void say_block(Form *form) {
  uint32_t block[3];
  const Signature *sig = form->sig;
  if (!launch_parse_dim(form->fields[FORM_BLOCK].text, false, block, NULL)) return;
  uint32_t threads = block[0] * block[1] * block[2], warps = (threads + 31) / 32;
  char why[64] = "";
  if (form->fields[FORM_BLOCK].from != FROM_GUESS) why[0] = 0;
  else if (form->host.block[0]) snprintf(why, sizeof why, ", as main launches it");
  else if (sig->block[0]) snprintf(why, sizeof why, ", as __launch_bounds__ has it");
  else if (form->tile) snprintf(why, sizeof why, ", a thread for each element of %.24s", form->tile);
  else if (sig->dims >= 2) snprintf(why, sizeof why, ", since the code uses .y");
  say(form, FORM_BLOCK, "%u warp%s%s%s", warps, warps == 1 ? "" : "s", threads % 32 ? ", the last one not full" : "",
      why);
}

static uint64_t parts(uint64_t whole, uint32_t size) { return (whole + size - 1) / size; }

static void set_dim(Form *form, const uint64_t n[3]) {
  if (n[2] > 1) set(form, FORM_GRID, 0, "%llu,%llu,%llu", (unsigned long long)n[0], (unsigned long long)n[1],
                    (unsigned long long)n[2]);
  else if (n[1] > 1) set(form, FORM_GRID, 0, "%llu,%llu", (unsigned long long)n[0], (unsigned long long)n[1]);
  else set(form, FORM_GRID, 0, "%llu", (unsigned long long)n[0]);
}

static void say_grid(Form *form, const Extent *e, const uint32_t block[3]) {
  uint32_t grid[3];
  if (!launch_parse_dim(form->fields[FORM_GRID].text, true, grid, NULL)) return;
  uint64_t threads = (uint64_t)grid[0] * block[0], all = form->sig->dims == 1 && e->x ? e->x * e->y * e->z : 0;
  const char *size = e->px >= 0 ? name_of(form, e->px) : "";
  if (form->fields[FORM_GRID].from != FROM_GUESS)
    say(form, FORM_GRID, all && threads < all ? "%llu threads for %llu elements" : "%llu threads",
        (unsigned long long)threads,
        (unsigned long long)all);
  else if (!e->x) say(form, FORM_GRID, "%d blocks: enough to see them differ", BLOCKS);
  else if (form->sig->dims == 1 && e->y * e->z == 1)
    say(form, FORM_GRID, "a thread for each element: %.40s / %u, rounded up", size, block[0]);
  else say(form, FORM_GRID, "a thread for each element");
}

static void guess_grid(Form *form, const Extent *e) {
  uint32_t block[3] = {1, 1, 1};
  const uint32_t *host = form->host.grid;
  bool ok = launch_parse_dim(form->fields[FORM_BLOCK].text, false, block, NULL);
  uint64_t n[3] = {BLOCKS, form->sig->dims > 1 ? 2 : 1, 1};
  if (form->sig->dims == 1 && e->x) n[0] = parts(e->x * e->y * e->z, block[0]);
  else if (e->x) n[0] = parts(e->x, block[0]), n[1] = parts(e->y, block[1]), n[2] = parts(e->z, block[2]);
  else if (host[0]) n[0] = host[0], n[1] = host[1], n[2] = host[2];
  set_dim(form, n);
  if (ok) say_grid(form, e, block);
}

static void guess_shared(Form *form) {
  const Signature *sig = form->sig;
  uint32_t block[3] = {1, 1, 1};
  launch_parse_dim(form->fields[FORM_BLOCK].text, false, block, NULL);
  uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  if (sig->dynamic && form->host.shared > 0) {
    set(form, FORM_SHARED, 0, "%lld", (long long)form->host.shared);
    say(form, FORM_SHARED, "of %.40s[], as main launches it", sig->dynamic);
  } else if (sig->dynamic) {
    set(form, FORM_SHARED, 0, "%llu", (unsigned long long)(threads * (uint64_t)sig->dynamic_element));
    say(form, FORM_SHARED, "of %.40s[]: one element (%d byte%s) a thread", sig->dynamic, sig->dynamic_element,
        sig->dynamic_element == 1 ? "" : "s");
  } else {
    set(form, FORM_SHARED, 0, "0");
    if (sig->shared) say(form, FORM_SHARED, "the kernel declares its own %lld bytes", (long long)sig->shared);
    else say(form, FORM_SHARED, "the kernel declares none of its own");
  }
}

static void guess_variable(Form *form, int param) {
  set(form, FORM_FIRST_ARG + param, 0, "iota");
  say(form, FORM_FIRST_ARG + param, "__constant__, filled by the host");
}

void guess_fill(Form *form) {
  const Signature *sig = form->sig;
  for (int i = sig->param_count; i < signature_rows(sig); i++) guess_variable(form, i);
  for (int i = 0; i < sig->param_count; i++)
    if (sig->params[i].kind == SIG_SCALAR) guess_scalar(form, i);
    else if (sig->params[i].kind == SIG_OTHER) guess_other(form, i);
  guess_block(form);
  Extent e = extent_of(form);
  guess_grid(form, &e);
  say_block(form);
  guess_shared(form);
  for (int i = 0; i < sig->param_count; i++) {
    char why[96] = "";
    if (sig->params[i].kind != SIG_BUFFER) continue;
    guess_count(form, i, &e, why, sizeof why);
    guess_contents(form, i);
    say_buffer(form, i, why);
  }
}
