// probe_inline.c: puts the bodies of runtime functions in place of their calls.
#include "device/probe/probe_inline.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 12 };

typedef struct Span { const char *text; size_t length; } Span;

// A call as probe_put_call writes it, and the function that it names.
typedef struct Call {
  const char *begin, *end;                // from its brace to behind the other one
  Span args[MOST_ARGUMENTS], result;    // registers and numbers
  int arg_count;
  Span name;
  const char *body, *body_end;            // in the runtime
} Call;

static bool starts_with(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }
static const char *line_end(const char *text) { return text + strcspn(text, "\n"); }

// Between the last blank of a line and what ends it: "st.param.b64 [lanescope_0], %rd1;".
static Span last_word(const char *line) {
  const char *end = line_end(line), *begin = end;
  while (begin > line && begin[-1] != ' ') begin--;
  return (Span){begin, (size_t)(end - 1 - begin)};
}

static Span second_word(const char *line) {
  const char *begin = strchr(line, ' ') + 1;
  return (Span){begin, strcspn(begin, ",;")};
}

static bool find_body(Call *call) {
  char *head = ls_format("%.*s(", (int)call->name.length, call->name.text);
  const char *at = strstr(probe_runtime, head);
  free(head);
  if (!at) return false;
  call->body = strstr(at, "{\n") + 2;
  call->body_end = strstr(call->body, "\n}\n") + 1;
  const char *inner = strstr(call->body, "call.uni");
  return !inner || inner > call->body_end;
}

// The lines from the brace on.
static bool read_call(const char *begin, Call *call) {
  *call = (Call){.begin = begin};
  const char *line = begin + 2;
  for (; !starts_with(line, "call.uni"); line = line_end(line) + 1) {
    if (starts_with(line, ".param")) continue;
    if (!starts_with(line, "st.param") || call->arg_count == MOST_ARGUMENTS) return false;
    call->args[call->arg_count++] = last_word(line);
  }
  const char *name = strstr(line, "lanescope_probe_");
  if (!name || name > line_end(line)) return false;
  call->name = (Span){name, strcspn(name, ",")};
  line = line_end(line) + 1;
  if (starts_with(line, "ld.param")) {
    call->result = second_word(line);
    line = line_end(line) + 1;
  }
  call->end = line + 2;
  return starts_with(line, "}\n") && find_body(call);
}

// ---- the body ------------------------------------------------------------------------------------------------------

// Bits of "ld.param.u64".
static int bits_of(const char *line) { return atoi(line + strlen("ld.param.") + 1); }

static void add_span(LsText *out, Span span) { ls_text_addn(out, span.text, span.length); }

// A line whose labels get the name of this copy behind theirs.
static void add_line(LsText *out, Span line, const char *copy) {
  const char *at = line.text, *end = line.text + line.length;
  while (at < end) {
    const char *label = memchr(at, '$', (size_t)(end - at));
    if (!label) break;
    const char *behind = label + 1 + strspn(label + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    ls_text_addn(out, at, (size_t)(behind - at));
    ls_text_addf(out, "_%s", copy);
    at = behind;
  }
  ls_text_addn(out, at, (size_t)(end - at));
}

static void add_body_line(LsText *out, const Call *call, Span line, const char *copy) {
  size_t length = line.length;
  if (starts_with(line.text, "ld.param")) {
    const char *number = strstr(line.text, "_param_") + strlen("_param_");
    ls_text_addf(out, "mov.b%d ", bits_of(line.text));
    add_span(out, second_word(line.text));
    ls_text_add(out, ", ");
    add_span(out, call->args[atoi(number)]);
    ls_text_add(out, ";");
  } else if (starts_with(line.text, "st.param")) {
    ls_text_addf(out, "mov.b%d ", bits_of(line.text));
    add_span(out, call->result);
    ls_text_add(out, ", ");
    add_span(out, last_word(line.text));
    ls_text_add(out, ";");
  } else if (length >= 4 && memcmp(line.text + length - 4, "ret;", 4) == 0) {
    add_line(out, (Span){line.text, length - 4}, copy);
    ls_text_addf(out, "bra $lanescope_out_%s;", copy);
  } else {
    add_line(out, line, copy);
  }
  ls_text_add(out, "\n");
}

static void add_body(LsText *out, const Call *call, const char *copy) {
  ls_text_add(out, "{\n");
  for (const char *line = call->body; line < call->body_end; line = line_end(line) + 1)
    add_body_line(out, call, (Span){line, (size_t)(line_end(line) - line)}, copy);
  ls_text_addf(out, "$lanescope_out_%s:\n}\n", copy);
}

void probe_inline(const char *text, const char *place, LsText *out) {
  int copies = 0;
  for (const char *at = text;;) {
    const char *call_at = strstr(at, "call.uni"), *begin = call_at;
    if (!call_at) {
      ls_text_add(out, at);
      return;
    }
    while (begin > at && !starts_with(begin, "{\n")) begin--;
    Call call;
    const char *behind = call_at + 1;
    if (read_call(begin, &call)) {
      char *copy = ls_format("%s_%d", place, copies++);
      ls_text_addn(out, at, (size_t)(begin - at));
      add_body(out, &call, copy);
      free(copy);
      behind = call.end;
    } else {
      ls_text_addn(out, at, (size_t)(behind - at));
    }
    at = behind;
  }
}
