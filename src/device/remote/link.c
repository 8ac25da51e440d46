// link.c: greetings, sending, and waiting for the next message.
#include "device/remote/link.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "device/remote/hints.h"

enum {
  TICK_MS = 20,            // a wish to stop is seen within that
  FAREWELL_MS = 300,       // what a child may take to end after its work
  LAST_WORDS_MS = 1000,    // and after it closed its output without being asked to
  WORDS_SHOWN = 900,       // bytes of a child's words in an error
};

struct Link {
  LinkOptions options;
  Child child;
  ProtoReader reader;
  TraceBytes sending; size_t sent;
  char *where;
  double deadline;
  size_t noted;            // bytes of the child's words when they were last told
  bool waits;              // by its own words, in a queue: then the clock stands still
  bool greeted, heard;     // heard: a message has come, too
  pthread_t farewell; bool leaving;   // leaving: that thread has the child to itself
};

const char *link_where(const Link *link) { return link->where; }

void link_renew(Link *link) { link->deadline = ls_clock() + link->options.time_limit; }

void link_hand_over(Link *link, const LinkOptions *options) {
  link->options = *options;
  link_renew(link);
}

// ---- errors --------------------------------------------------------------------------------------------------------

// Without what could steer a terminal: controls, and bytes that are no UTF-8.
static void add_clean(LsText *out, const LsText *words) {
  const char *p = ls_text_str(words), *end = p + words->length;
  while (p < end) {
    uint32_t code = *p ? ls_utf8_next(&p) : (uint8_t)*p++;
    bool plain = code == '\n' || code == '\t' || (code >= ' ' && code < 127) || (code >= 0xa0 && code != 0xfffd);
    char utf8[5];
    ls_text_addn(out, utf8, (size_t)ls_utf8_encode(plain ? code : '?', utf8));
  }
}

// The last lines of what was said, at most WORDS_SHOWN bytes of them.
static void append_words(LsErr *err, const char *title, const LsText *said) {
  LsText clean = {0};
  add_clean(&clean, said);
  const char *words = ls_text_str(&clean);
  size_t length = clean.length;
  while (length && strchr("\n \t", words[length - 1])) length--;
  const char *from = length > WORDS_SHOWN ? words + length - WORDS_SHOWN : words;
  const char *line = from == words ? NULL : memchr(from, '\n', (size_t)(words + length - from));
  if (line) from = line + 1;
  if (length) ls_err_append(err, "%s", title);
  if (length) ls_err_append(err, "%.*s", (int)(words + length - from), from);
  ls_text_free(&clean);
}

static void append_banner(const ProtoReader *reader, LsErr *err) { append_words(err, "Its output was:", &reader->banner); }

void link_explain(Link *link, LsErr *err) {
  child_wait(&link->child, false, 0);
  append_words(err, "Its last words:", &link->child.said);
}

void link_note(Link *link, const char *words, size_t size) {
  child_note(&link->child, words, size);
  child_note(&link->child, "\n", 1);
}

bool link_nonsense(Link *link, const char *what, LsErr *err) {
  ls_fail(err, LS_EFORMAT, "%s talks nonsense: %s", link->where, what);
  if (!link->greeted) append_banner(&link->reader, err);
  link_explain(link, err);
  ls_err_append(err, "%s",
                link->options.runner ? "Is lanescope what answers there? Nothing else may write to its standard output."
                                                : "Please report this.");
  return false;
}

// What is known about what it said.
static const char *hint_of(const Link *link) {
  const char *advice = hint_advice(ls_text_str(&link->child.said));
  return advice || link->greeted ? advice : hint_advice(ls_text_str(&link->reader.banner));
}

static bool too_late(Link *link, LsErr *err) {
  if (link->greeted && !link->heard) {
    ls_fail(err, LS_EENV, "%s greeted, but did not begin within %g s", link->where, link->options.time_limit);
    link_explain(link, err);
    ls_err_append(err, "Is something there that reads the standard input, in the shell's startup files perhaps?");
    return false;
  }
  if (link->greeted) {
    ls_fail(err, LS_EENV, "the kernel did not end within %g s", link->options.time_limit);
    link_explain(link, err);
    ls_err_append(err,
                  "It may never end: try it on the emulator (--device emu), which finds endless loops. If it is only long, "
                       "give it more: --time-limit %g", 10 * link->options.time_limit);
    return false;
  }
  ls_fail(err, LS_EENV, "%s did not answer within %g s", link->where, link->options.time_limit);
  append_banner(&link->reader, err);
  link_explain(link, err);
  const char *hint = hint_of(link);
  if (hint) ls_err_append(err, "%s", hint);
  else ls_err_append(err, "If it waits in a queue, give it longer: --time-limit %g", 10 * link->options.time_limit);
  return false;
}

static void append_advice(const Link *link, LsErr *err) {
  const char *runner = link->options.runner, *hint = hint_of(link);
  bool missing = WIFEXITED(link->child.status) && WEXITSTATUS(link->child.status) == 127 && !link->child.killed;
  if (hint)
    ls_err_append(err, "%s", hint);
  else if (!runner)
    ls_err_append(err, "The session goes on; run the kernel again, or use --device emu.");
  else if (missing)
    ls_err_append(err, "A command was not found there. If it is lanescope, install it there or add its folder:\n"
                       "  --runner '%s env PATH=/its/folder:/usr/bin:/bin'", runner);
  else if (link->greeted)
    ls_err_append(err, "The session goes on; run the kernel again.");
  else
    ls_err_append(err, "Try it by hand: %s lanescope --version", runner);
}

// The child closed its output before it was done.
static bool gone(Link *link, LsErr *err) {
  child_end(&link->child, LAST_WORDS_MS);
  LsText fate = {0};
  if (link->child.killed) ls_text_add(&fate, "closed its output");
  else child_fate(&link->child, &fate);
  const char *when = !link->greeted ? "before it answered" : proto_pending(&link->reader) ? "in the middle of a message"
                                                                                         : "before the run was done";
  ls_fail(err, LS_EENV, "%s %s %s", link->where, ls_text_str(&fate), when);
  ls_text_free(&fate);
  if (!link->greeted) append_banner(&link->reader, err);
  link_explain(link, err);
  append_advice(link, err);
  return false;
}

// ---- waiting -------------------------------------------------------------------------------------------------------

static void send_some(Link *link) {
  while (link->sent < link->sending.size) {
    ssize_t n = child_write(&link->child, link->sending.data + link->sent, link->sending.size - link->sent);
    if (n <= 0) break;
    link->sent += (size_t)n;
    link_renew(link);
    if (link->options.sent) link->options.sent(link->options.context, link->sent, link->sending.size);
  }
  if (link->sent < link->sending.size && link->child.in >= 0) return;
  free(link->sending.data);   // all is gone, or nobody listens: then its output ends soon, and says why
  link->sending = (TraceBytes){0};
  link->sent = 0;
}

// Takes note of the last whole line of the child's standard error, if it is a new one, and tells it.
static void hear_words(Link *link) {
  const LsText *said = &link->child.said;
  if (said->length == link->noted) return;
  link->noted = said->length;
  size_t end = said->length;
  while (end && said->data[end - 1] != '\n') end--;
  while (end && said->data[end - 1] == '\n') end--;
  size_t start = end;
  while (start && said->data[start - 1] != '\n') start--;
  char *line = ls_strndup(said->data + start, end - start);
  bool waits = hint_waits(line);
  if (link->waits && !waits) link_renew(link);
  link->waits = waits;
  if (*line && link->options.note) link->options.note(link->options.context, line);
  free(line);
}

// Waits for more bytes and feeds them to the reader.
static bool receive_some(Link *link, LsErr *err) {
  uint8_t bytes[64 << 10];
  for (;;) {
    if (link->options.cancel && *link->options.cancel) return ls_fail(err, LS_ECANCEL, "canceled");
    send_some(link);
    ssize_t n = child_read(&link->child, bytes, sizeof bytes);
    if (n > 0) {
      proto_feed(&link->reader, bytes, (size_t)n);
      return true;
    }
    if (n < 0) return gone(link, err);
    if (!link->waits && ls_clock() > link->deadline) return too_late(link, err);
    child_wait(&link->child, link->sending.size > 0, TICK_MS);
    hear_words(link);
  }
}

bool link_next(Link *link, ProtoMessage *message, LsErr *err) {
  for (;;) {
    LsErr why = {0};
    ProtoState state = proto_next(&link->reader, message, &why);
    if (state == PROTO_READY) return link->heard = true;
    if (state == PROTO_BAD) return link_nonsense(link, why.message, err);
    if (!receive_some(link, err)) return false;
  }
}

void link_send(Link *link, TraceBytes *bytes) {
  if (link->sending.size) {
    trace_put_bytes(&link->sending, bytes->data, bytes->size);
    free(bytes->data);
  } else {
    free(link->sending.data);
    link->sending = *bytes;
    link->sent = 0;
  }
  *bytes = (TraceBytes){0};
}

// ---- start and end -------------------------------------------------------------------------------------------------

static bool greet(Link *link, LsErr *err) {
  for (;;) {
    LsErr why = {0};
    ProtoState state = proto_greeting(&link->reader, &why);
    if (state == PROTO_BAD) return link_nonsense(link, why.message, err);
    if (state == PROTO_READY) break;
    if (!receive_some(link, err)) return false;
  }
  link->greeted = true;
  link->waits = false;
  link_renew(link);
  return proto_agree(link->reader.version, link->reader.program, link->where, err);
}

Link *link_open(const LinkOptions *options, const char *program, LsErr *err) {
  Link *link = ls_alloc(sizeof *link);
  link->options = *options;
  link->where = options->runner ? ls_format("the runner '%s'", LS_QUOTE(options->runner)) : ls_strdup("the GPU process");
  proto_reader_init(&link->reader, PROTO_SERVER);
  link_renew(link);
  bool ok = child_start(&link->child, options->runner, "serve-run", err);
  if (ok) {
    proto_put_greeting(&link->sending, PROTO_VERSION, program);
    ok = greet(link, err);
  }
  if (ok) return link;
  link_close(link);
  return NULL;
}

static void *see_off(void *context) {
  Link *link = context;
  child_end(&link->child, FAREWELL_MS);
  return NULL;
}

// A process that had a GPU takes a while to end; its results need not wait for that.
void link_farewell(Link *link) {
  link->leaving = pthread_create(&link->farewell, NULL, see_off, link) == 0;
}

void link_close(Link *link) {
  if (!link) return;
  if (link->leaving) pthread_join(link->farewell, NULL);
  child_free(&link->child);
  proto_reader_fini(&link->reader);
  free(link->sending.data);
  free(link->where);
  free(link);
}
