// probe_text.c: the text of the instrumented module: that of the module, byte for byte, with PTX put in between.
//
// If some blocks are recorded and others are not, the body of every function is there twice, and its first instructions
// choose: a block that is only counted runs code that knows nothing of records. What a kernel shares with grids that it
// launches is there once more, as it was: they run that.
//
// Code for the debugger (-G) is compiled as it stands, and what is put in between is, too: at many times the kernel's
// cost. If it is to be optimized it loses the word `debug`, and its sums and products get their rounding, which forbids
// the compiler to make one of two.
#include "device/probe/probe_room.h"

const char probe_runtime[] =
#include "device/probe/probe_runtime.inc"
    ;

enum { LEAST_TARGET = 70, LEAST_VERSION = 63 };   // sm_70, PTX 6.3: what the runtime needs

// ---- tokens --------------------------------------------------------------------------------------------------------

typedef struct Span { size_t first, end; } Span;   // offsets in the text

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

static size_t skip_blank(const char *text, size_t at, size_t end) {
  while (at < end) {
    if (strchr(" \t\r\n\f\v", text[at])) { at++; continue; }
    if (text[at] == '#' || (at + 1 < end && text[at] == '/' && text[at + 1] == '/')) {
      while (at < end && text[at] != '\n') at++;
    } else if (at + 1 < end && text[at] == '/' && text[at + 1] == '*') {
      for (at += 3; at < end && !(text[at - 1] == '*' && text[at] == '/'); ) at++;
      at = LS_MIN(at + 1, end);
    } else {
      break;
    }
  }
  return at;
}

// The token at or after `at`: a word, a string, or one character; empty at the end.
static Span next_token(const char *text, size_t at, size_t end) {
  at = skip_blank(text, at, end);
  Span token = {at, at};
  if (at == end) return token;
  if (text[at] == '"') {
    for (token.end++; token.end < end && text[token.end] != '"'; ) token.end++;
    token.end = LS_MIN(token.end + 1, end);
    return token;
  }
  while (token.end < end && is_word(text[token.end])) token.end++;
  if (token.end == at) token.end++;
  return token;
}

static bool token_is(const char *text, Span token, const char *word) {
  return token.end - token.first == strlen(word) && memcmp(text + token.first, word, token.end - token.first) == 0;
}

static size_t statement_end(const char *text, size_t at, size_t end) {   // behind the semicolon
  while (at < end) {
    Span token = next_token(text, at, end);
    at = token.end;
    if (token.first == token.end || text[token.first] == ';') break;
  }
  return at;
}

// ---- where things are ----------------------------------------------------------------------------------------------

typedef struct Writer {
  Probe *probe;
  const char *text;
  size_t length;
  size_t *lines; int line_count;       // offset of each line
  Span *bodies;                        // per function: from its opening to its closing brace
  bool drops_debug;
  // the copy being written
  Span body;
  char **labels; int label_count, label_capacity;
  const char *suffix;                  // of a further copy: labels get other names, variables and registers are there
                                       // already; NULL: it is the first
  int depth;
  bool at_start;                       // of a statement
  bool lists_labels;                   // it is one that does
} Writer;

static const char second_suffix[] = "_lanescope_2", plain_suffix[] = "_lanescope_3";   // of labels in further copies

static void find_lines(Writer *w) {
  int capacity = 0;
  LS_PUSH(w->lines, w->line_count, capacity, 0);
  for (size_t i = 0; i < w->length; i++)
    if (w->text[i] == '\n') LS_PUSH(w->lines, w->line_count, capacity, i + 1);
}

static size_t place_of(const Writer *w, int pc) {
  const PtxInstr *in = &w->probe->module->code[pc];
  int line = LS_CLAMP(in->line, 1, w->line_count);
  return LS_MIN(w->lines[line - 1] + (size_t)LS_MAX(in->col - 1, 0), w->length);
}

// Pairs of braces that are in no other ones; `visit` gets each.
static void for_each_body(Writer *w, void (*visit)(Writer *w, Span body)) {
  int depth = 0;
  Span body = {0, 0};
  for (size_t at = 0; at < w->length; ) {
    Span token = next_token(w->text, at, w->length);
    if (token.first == token.end) break;
    at = token.end;
    if (w->text[token.first] == '{' && depth++ == 0) body.first = token.first;
    if (w->text[token.first] != '}' || depth == 0 || --depth) continue;
    body.end = token.first;
    visit(w, body);
  }
}

// The body that has the function's first instruction in it, or (it has only the return that the parser added) the last
// one before that.
static void match_body(Writer *w, Span body) {
  const PtxModule *m = w->probe->module;
  for (int f = 0; f < m->func_count; f++) {
    if (!w->probe->reached[f]) continue;
    size_t first = place_of(w, m->funcs[f].first);
    if (body.first < first && (first <= body.end || !w->bodies[f].end || w->bodies[f].end < first)) w->bodies[f] = body;
  }
}

static bool was_added(const Writer *w, int pc) { return place_of(w, pc) >= w->body.end; }

// From the guard, which is not before `from`, to behind the semicolon.
static Span instruction(const Writer *w, int pc, size_t from) {
  if (was_added(w, pc)) return (Span){w->body.end, w->body.end};
  size_t at = place_of(w, pc);
  Span span = {at, statement_end(w->text, at, w->body.end)};
  for (Span token = {from, from}; w->probe->module->code[pc].guard >= 0 && token.end < at;) {
    token = next_token(w->text, token.end, at);
    if (token.first < at && w->text[token.first] == '@') span.first = token.first;
  }
  return span;
}

// ---- copying -------------------------------------------------------------------------------------------------------

static bool is_label(const Writer *w, Span token) {
  for (int i = 0; i < w->label_count; i++)
    if (token_is(w->text, token, w->labels[i])) return true;
  return false;
}

static bool defines_label(const char *text, Span token, size_t end) {
  size_t colon = skip_blank(text, token.end, end);
  return is_word(text[token.first]) && colon < end && text[colon] == ':' && !(colon + 1 < end && text[colon + 1] == ':');
}

// Behind the token, or behind the whole of one that ends without a semicolon:
// loc = ".loc" file line [ column ] { "," ( "function_name" label [ "+" number ] | "inlined_at" file line column ) } ;
static size_t skip_loc(const char *text, Span token, size_t end) {
  size_t at = token.end;
  while (token_is(text, token, ".loc")) {
    Span next = next_token(text, at, end);
    char c = text[next.first];
    if (next.first == next.end || !(c == ',' || c == '+' || (c >= '0' && c <= '9'))) break;
    if (c == ',') next = next_token(text, next.end, end);
    at = next.end;
    if (token_is(text, next, "function_name")) at = next_token(text, at, end).end;
  }
  return at;
}

static bool begins_statement(char before) { return before == ';' || before == '{' || before == '}' || before == ':'; }

static void find_labels(Writer *w) {
  bool start = true;
  for (size_t at = w->body.first + 1; at < w->body.end; ) {
    Span token = next_token(w->text, at, w->body.end);
    if (token.first == token.end) break;
    at = skip_loc(w->text, token, w->body.end);
    if (start && defines_label(w->text, token, w->body.end))
      LS_PUSH(w->labels, w->label_count, w->label_capacity,
              ls_strndup(w->text + token.first, token.end - token.first));
    start = begins_statement(w->text[token.first]) || at > token.end;
  }
}

static bool declares(const char *text, Span token) {
  static const char *const words[] = {".reg", ".shared", ".local", ".global", ".const", ".param", ".extern", ".weak"};
  for (int i = 0; i < LS_COUNT(words); i++) if (token_is(text, token, words[i])) return true;
  return false;
}

static void copy_word(Writer *w, Span token, bool may_be_label) {
  LsText *out = &w->probe->text;
  ls_text_addn(out, w->text + token.first, token.end - token.first);
  if (may_be_label && is_label(w, token)) ls_text_add(out, w->suffix);
}

// What stands between instructions; in a further copy with labels of its own, and without what is declared for both.
static void copy(Writer *w, size_t from, size_t to) {
  LsText *out = &w->probe->text;
  while (w->suffix && from < to) {
    Span token = next_token(w->text, from, to);
    bool start = w->at_start;
    ls_text_addn(out, w->text + from, token.first - from);
    if (token.first == token.end) return;
    char c = w->text[token.first];
    w->depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    w->at_start = begins_statement(c);
    from = skip_loc(w->text, token, to);
    if (from > token.end) {
      ls_text_addn(out, w->text + token.first, from - token.first);
      w->at_start = true;
      continue;
    }
    if (start && w->depth == 0 && declares(w->text, token)) {
      from = statement_end(w->text, from, to);
      w->at_start = true;
      continue;
    }
    if (start) w->lists_labels = token_is(w->text, token, ".branchtargets");
    copy_word(w, token, w->lists_labels || (start && defines_label(w->text, token, to)));
  }
  if (from < to) ls_text_addn(out, w->text + from, to - from);
}

// Where an instruction may begin to name labels: a branch names nothing else, of a table or a prototype the last word is one.
static size_t label_operands(const Writer *w, int pc, Span span) {
  const PtxInstr *in = &w->probe->module->code[pc];
  size_t last = span.end, at = place_of(w, pc);
  Span token = next_token(w->text, at, span.end);
  if (in->op == PTX_OP_bra) return token.end;
  if (in->op != PTX_OP_brx && !probe_called_address(in)) return span.end;
  for (; token.first < token.end; token = next_token(w->text, token.end, span.end))
    if (w->text[token.first] == ',') last = token.end;
  return last;
}

static void copy_operands(Writer *w, size_t from, size_t to) {
  while (from < to) {
    Span token = next_token(w->text, from, to);
    ls_text_addn(&w->probe->text, w->text + from, token.first - from);
    copy_word(w, token, w->suffix);
    from = token.first == token.end ? to : token.end;
  }
}

// red, or atom into _, is made an atom into a register, so that the old values can be told: of a vector the first one.
static void copy_red(Writer *w, Span span, int pc) {
  LsText *out = &w->probe->text;
  const PtxInstr *in = &w->probe->module->code[pc];
  int bytes = ptx_type_size((PtxType)in->type), vec = LS_MAX(in->vec, 1);
  const char *to = bytes == 2    ? "%lanescope_h"
                   : bytes == 4  ? "%lanescope_b"
                   : bytes == 16 ? "%lanescope_whole"
                                 : "%lanescope_w";
  size_t at = place_of(w, pc), modifiers = at + (in->op == PTX_OP_red ? 3 : 4), end = modifiers, address = at;
  while (is_word(w->text[end]) || w->text[end] == ':') end++;
  while (address < span.end && w->text[address] != '[')
    address = next_token(w->text, next_token(w->text, address, span.end).end, span.end).first;
  if (vec > 1) ls_text_addf(out, "{\n.reg .b%d %%lanescope_rest<%d>;\n", bytes * 8, vec);
  if (bytes == 16) ls_text_add(out, "{\n.reg .b128 %lanescope_whole;\n");
  ls_text_addn(out, w->text + span.first, at - span.first);
  ls_text_add(out, "atom");
  ls_text_addn(out, w->text + modifiers, end - modifiers);
  ls_text_addf(out, vec > 1 ? " {%s" : " %s", to);
  for (int i = 1; i < vec; i++) ls_text_addf(out, ", %%lanescope_rest%d", i);
  ls_text_add(out, vec > 1 ? "}, " : ", ");
  ls_text_addn(out, w->text + address, span.end - address);
  if (bytes == 16) ls_text_add(out, "\nmov.b128 {%lanescope_w, _}, %lanescope_whole;");
  if (vec > 1 || bytes == 16) ls_text_add(out, "\n}\n");
}

static bool tells_old_values(const Writer *w, int pc) {
  int site = w->probe->site_of[pc];
  return site >= 0 && w->probe->sites[site].kind == SITE_ATOM && probe_returns_nothing(&w->probe->module->code[pc]);
}

// An operation between lanes that drops its result gets a register for it, to be told.
static void copy_sink(Writer *w, Span span, int pc) {
  LsText *out = &w->probe->text;
  Span token = next_token(w->text, place_of(w, pc), span.end);
  while (token.first < token.end && !token_is(w->text, token, "_")) token = next_token(w->text, token.end, span.end);
  ls_text_addn(out, w->text + span.first, token.first - span.first);
  ls_text_add(out, "%lanescope_b");
  ls_text_addn(out, w->text + token.end, span.end - token.end);
}

// Behind the last label of what stands before an instruction, if a scope begins between the two.
static size_t scope_start(const Writer *w, size_t from, size_t to) {
  size_t behind_label = to, place = to;
  for (size_t at = from; at < to; ) {
    Span token = next_token(w->text, at, to);
    if (token.first == token.end) break;
    at = skip_loc(w->text, token, to);
    if (w->text[token.first] == '{' && place == to) place = behind_label;
    if (!is_label(w, token) || !defines_label(w->text, token, to)) continue;
    behind_label = skip_blank(w->text, token.end, to) + 1;
    place = to;
  }
  return place;
}

// A sum or product in floating point that says no rounding may become part of another instruction.
static bool needs_rounding(const Writer *w, int pc) {
  const PtxInstr *in = &w->probe->module->code[pc];
  bool joins = in->op == PTX_OP_add || in->op == PTX_OP_sub || in->op == PTX_OP_mul;
  return w->drops_debug && joins && ptx_type_is_float((PtxType)in->type) && in->round == PTX_RND_NONE;
}

static void copy_rounded(Writer *w, Span span, int pc) {
  size_t behind = place_of(w, pc) + strlen("add");
  ls_text_addn(&w->probe->text, w->text + span.first, behind - span.first);
  ls_text_add(&w->probe->text, ".rn");
  ls_text_addn(&w->probe->text, w->text + behind, span.end - behind);
}

static void copy_instruction(Writer *w, int pc, Span span, bool recording) {
  if (span.first == span.end) ls_text_add(&w->probe->text, "ret;\n");
  else if (recording && tells_old_values(w, pc)) copy_red(w, span, pc);
  else if (recording && probe_drops_result(w->probe, pc)) copy_sink(w, span, pc);
  else if (needs_rounding(w, pc)) copy_rounded(w, span, pc);
  else {
    size_t labels = label_operands(w, pc, span);
    ls_text_addn(&w->probe->text, w->text + span.first, labels - span.first);
    copy_operands(w, labels, span.end);
  }
  w->at_start = true;
}

static void begin_copy(Writer *w, const char *suffix) {
  w->suffix = suffix;
  w->depth = 0;
  w->at_start = true;
}

// As it was.
static void copy_plain(Writer *w, int func) {
  const PtxFunc *f = &w->probe->module->funcs[func];
  size_t at = w->body.first + 1;
  begin_copy(w, plain_suffix);
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    Span span = instruction(w, pc, at);
    copy(w, at, span.first);
    copy_instruction(w, pc, span, false);
    at = span.end;
  }
  copy(w, at, w->body.end);
}

static void copy_body(Writer *w, int func, bool recording, const char *suffix) {
  const PtxFunc *f = &w->probe->module->funcs[func];
  if (recording && !w->probe->stamps_only) probe_start_room(w->probe, func, &w->probe->text);
  size_t at = w->body.first + 1;
  begin_copy(w, suffix);
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    Span span = instruction(w, pc, at);
    size_t start = scope_start(w, at, span.first);
    copy(w, at, start);
    probe_emit_loop(w->probe, pc, recording, &w->probe->text);
    copy(w, start, span.first);
    ls_text_add(&w->probe->text, "\n");
    probe_emit(w->probe, pc, recording, PROBE_BEFORE, &w->probe->text);
    copy_instruction(w, pc, span, recording);
    ls_text_add(&w->probe->text, "\n");
    probe_emit(w->probe, pc, recording, PROBE_AFTER, &w->probe->text);
    at = span.end;
  }
  copy(w, at, w->body.end);
}

static void write_body(Writer *w, int func) {
  LsText *out = &w->probe->text;
  ProbeRecording record = w->probe->record;
  find_labels(w);
  ls_text_add(out, "{\n");
  probe_emit_head(w->probe, func, out);
  if (record == PROBE_RECORD_SOME) {
    probe_emit_choice(out);
    ls_text_add(out, "@%lanescope_p bra $lanescope_recording;\n");
  }
  copy_body(w, func, record == PROBE_RECORD_ALL, NULL);
  if (record == PROBE_RECORD_SOME) {
    ls_text_add(out, "\n$lanescope_recording:\n");
    copy_body(w, func, true, second_suffix);
  }
  if (w->probe->of_children[func]) {
    ls_text_add(out, "\n$lanescope_plain:\n");
    copy_plain(w, func);
  }
  for (int i = 0; i < w->label_count; i++) free(w->labels[i]);
  w->label_count = 0;
}

// ---- the head of the module ----------------------------------------------------------------------------------------

static void write_blocks(Probe *probe) {
  LsText *out = &probe->text;
  uint64_t words = probe->record == PROBE_RECORD_SOME ? (probe->block_bits + 63) / 64 : 0;
  ls_text_addf(out, ".visible .const .align 8 .b8 %s[%d];\n", PROBE_CONTEXT, PROBE_CONTEXT_BYTES);
  ls_text_addf(out, ".global .align 8 .u64 lanescope_probe_blocks[%llu]", (unsigned long long)LS_MAX(words, 1));
  for (uint64_t i = 0; i < words; i++) {
    uint64_t bits = 0;
    for (uint64_t b = 0; b < 64 && i * 64 + b < probe->block_bits; b++)
      bits |= (uint64_t)(!probe->record_block || probe->record_block[probe->first_block + i * 64 + b]) << b;
    ls_text_addf(out, "%s%llu", i ? ", " : " = {", (unsigned long long)bits);
  }
  ls_text_add(out, words ? "};\n" : ";\n");
}

// What stands before the first variable or function, with a newer version or target if the runtime needs one.
static size_t write_head(Writer *w) {
  const PtxModule *m = w->probe->module;
  LsText *out = &w->probe->text;
  size_t at = 0, end = 0;
  for (;;) {
    Span token = next_token(w->text, at, w->length);
    bool version = token_is(w->text, token, ".version"), target = token_is(w->text, token, ".target");
    if (!version && !target && !token_is(w->text, token, ".address_size")) break;
    Span value = next_token(w->text, token.end, w->length);
    int number = target && value.end - value.first > 3 ? atoi(w->text + value.first + 3) : LEAST_TARGET;
    ls_text_addn(out, w->text + end, value.first - end);
    if (version && m->version_major * 10 + m->version_minor < LEAST_VERSION) ls_text_add(out, "6.3");
    else if (target && number < LEAST_TARGET) ls_text_addf(out, "sm_%d", LEAST_TARGET);
    else ls_text_addn(out, w->text + value.first, value.end - value.first);
    at = end = value.end;
    for (Span comma = next_token(w->text, at, w->length); w->text[comma.first] == ',' && comma.end < w->length;
         comma = next_token(w->text, at, w->length)) {
      Span word = next_token(w->text, comma.end, w->length);
      at = word.end;
      if (!w->drops_debug || !token_is(w->text, word, "debug")) ls_text_addn(out, w->text + end, at - end);
      end = at;
    }
  }
  return end;
}

// ---- the module ----------------------------------------------------------------------------------------------------

static int by_place(const Writer *w, int func) {   // functions before it in the text
  int before = 0;
  for (int f = 0; f < w->probe->module->func_count; f++)
    before += w->probe->reached[f] && w->bodies[f].first < w->bodies[func].first;
  return before;
}

static void write_functions(Writer *w, size_t at) {
  const PtxModule *m = w->probe->module;
  int count = 0, *order = ls_alloc(sizeof *order * (size_t)(m->func_count + 1));
  for (int f = 0; f < m->func_count; f++)
    if (w->probe->reached[f]) { order[by_place(w, f)] = f; count++; }
  for (int i = 0; i < count; i++) {
    w->body = w->bodies[order[i]];
    ls_text_addn(&w->probe->text, w->text + at, w->body.first - at);
    write_body(w, order[i]);
    at = w->body.end;
  }
  ls_text_addn(&w->probe->text, w->text + at, w->length - at);
  free(order);
}

// A name as they are put into the code. Names that only have it inside, such as mangled ones, are no matter.
static bool is_own_name(const char *text, Span token) {
  size_t first = token.first + (text[token.first] == '%' || text[token.first] == '$'), suffix = sizeof second_suffix - 1;
  if (token.end - first >= 10 && memcmp(text + first, "lanescope_", 10) == 0) return true;
  const char *end = text + token.end - suffix;
  bool long_enough = token.end - first >= suffix;
  return long_enough && (memcmp(end, second_suffix, suffix) == 0 || memcmp(end, plain_suffix, suffix) == 0);
}

// Names in the code, not in strings and comments.
static bool has_own_names(const Writer *w) {
  for (size_t at = 0; at < w->length;) {
    Span token = next_token(w->text, at, w->length);
    if (token.first == token.end) break;
    at = token.end;
    if (w->text[token.first] != '"' && is_own_name(w->text, token)) return true;
  }
  return false;
}

static bool may_be_optimized(const Probe *probe) {
  bool parts = false;
  for (int f = 0; f < probe->module->func_count; f++)
    parts |= probe->reached[f] && ptx_parts_for_good(probe->module, f);
  return probe->optimized && probe->module->debug && !probe->stamps_only && !parts;
}

bool probe_write(Probe *probe, LsErr *err) {
  Writer w = {.probe = probe, .text = probe->module->text, .length = probe->module->text_length};
  const PtxModule *m = probe->module;
  if (has_own_names(&w))
    return ls_fail(err, LS_EREQUEST, "the PTX has names that begin with lanescope_, as if it were instrumented already");
  find_lines(&w);
  w.drops_debug = may_be_optimized(probe);
  w.bodies = ls_alloc(sizeof *w.bodies * (size_t)(m->func_count + 1));
  for_each_body(&w, match_body);
  bool found = true;
  for (int f = 0; f < m->func_count; f++) found &= !probe->reached[f] || w.bodies[f].end;
  if (found) {
    size_t at = write_head(&w);
    ls_text_add(&probe->text, "\n");
    write_blocks(probe);
    ls_text_add(&probe->text, probe_runtime);
    probe_put_chunk_function(probe, &probe->text);
    write_functions(&w, at);
  }
  free(w.lines);
  free(w.bodies);
  free(w.labels);
  return found || ls_fail(err, LS_EREQUEST, "a function's body was not found in the PTX");
}

// ---- calls ---------------------------------------------------------------------------------------------------------

// A function of the assembler's own, in some way.
static bool becomes_call(const PtxInstr *in) {
  bool divides = in->op == PTX_OP_div || in->op == PTX_OP_rem, roots = in->op == PTX_OP_sqrt || in->op == PTX_OP_rcp;
  bool simple = in->flags & (PTX_F_APPROX | PTX_F_FULL) && ptx_type_size((PtxType)in->type) < 8;
  bool wide = ptx_type_size((PtxType)in->type) == 8 || ptx_type_is_float((PtxType)in->type);
  return (divides || roots) && wide && !simple;
}

bool probe_has_calls(const Probe *probe) {
  const char *body = strstr(ls_text_str(&probe->text), probe_runtime);
  for (int pc = 0; pc < probe->module->code_count; pc++)
    if (probe->segment_of[pc] >= 0 && becomes_call(&probe->module->code[pc])) return true;
  return body && strstr(body + strlen(probe_runtime), "call");
}
