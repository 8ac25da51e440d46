// exam.c: an exam as a text whose lines are checked, sealed with a word.
#include "app/exam/exam.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { FORMAT = 1, ROUNDS = 300000, LEAST_ROUNDS = 1000, MOST_ROUNDS = 10000000 };
enum { CHECK_DIGITS = 8, LINE_AT = CHECK_DIGITS + 1, ITEM_BYTES = 96, FILE_LIMIT = 65536 };
static const char heading[] = "lanescope exam";

Exam *exam_new(void) {
  Exam *exam = ls_alloc(sizeof *exam);
  exam->arena = ls_arena_new();
  exam->rounds = ROUNDS;
  exam->title = "Exam";
  exam->version = LS_VERSION;
  return exam;
}

void exam_free(Exam *exam) {
  if (!exam) return;
  ls_arena_free(exam->arena);
  free(exam);
}

bool exam_draw_seed(Exam *exam, LsErr *err) {
  return ls_random_bytes(exam->seed.bytes, sizeof exam->seed.bytes, err) &&
         ls_random_bytes(exam->salt, sizeof exam->salt, err);
}

void exam_set_seed(Exam *exam, uint64_t number) {
  char label[48];
  snprintf(label, sizeof label, "seed %" PRIu64, number);
  exam->seed = ls_sha256(label, strlen(label));
  LsDigest salt = ls_hmac_text(&exam->seed, "salt");
  memcpy(exam->salt, salt.bytes, sizeof exam->salt);
}

void exam_master(const Exam *exam, const char *word, LsDigest *master) {
  *master = ls_pbkdf2(word, exam->salt, sizeof exam->salt, exam->rounds);
}

bool exam_who(const char *given, char *out, LsErr *err) {
  size_t length = strlen(given);
  for (size_t i = 0; i <= length && i <= EXAM_ID; i++) out[i] = (char)tolower((unsigned char)given[i]);
  bool ok = length >= 1 && length <= EXAM_ID && !out[strspn(out, "abcdefghijklmnopqrstuvwxyz0123456789-_")];
  return ok || ls_fail(err, LS_EREQUEST, "'%s' is no ID: it is 1 to %d letters, digits, - or _, without accents",
                       LS_QUOTE(given), EXAM_ID);
}

// ---- lines ---------------------------------------------------------------------------------------------------------

// The code in front of a line: of its number, too, so that lines cannot change their places.
static void line_check(int number, const char *line, char out[CHECK_DIGITS + 1]) {
  char *text = ls_format("%d %s", number, line), hex[LS_DIGEST_HEX];
  LsDigest digest = ls_sha256(text, strlen(text));
  ls_digest_hex(&digest, hex);
  snprintf(out, CHECK_DIGITS + 1, "%.*s", CHECK_DIGITS, hex);
  free(text);
}

// Numbers lines from 1.
static void put_line(LsText *out, int *number, const char *line) {
  char check[CHECK_DIGITS + 1];
  line_check(++*number, line, check);
  ls_text_addf(out, "%s %s\n", check, line);
}

static void put_hex(LsText *out, int *number, const char *name, const LsDigest *digest) {
  char hex[LS_DIGEST_HEX];
  ls_digest_hex(digest, hex);
  char *line = ls_format("%s %s", name, hex);
  put_line(out, number, line);
  free(line);
}

// The same for writing and reading: each byte with one that follows from the seed and the item's place.
static void veil(const Exam *exam, int item, uint8_t bytes[ITEM_BYTES]) {
  for (int part = 0; part < ITEM_BYTES / LS_DIGEST_BYTES; part++) {
    char label[32];
    snprintf(label, sizeof label, "item %d %d", item, part);
    LsDigest pad = ls_hmac_text(&exam->seed, label);
    for (int i = 0; i < LS_DIGEST_BYTES; i++) bytes[part * LS_DIGEST_BYTES + i] ^= pad.bytes[i];
  }
}

static void put_item(const Exam *exam, int index, LsText *out, int *number) {
  const ExamItem *item = &exam->items[index];
  uint8_t bytes[ITEM_BYTES] = {0};
  snprintf((char *)bytes, sizeof bytes, "%s %s %s", item->family, item->skill ? item->skill : "open",
           item->class ? item->class : "-");
  veil(exam, index, bytes);
  LsText line = {0};
  ls_text_add(&line, "item ");
  for (int i = 0; i < ITEM_BYTES; i++) ls_text_addf(&line, "%02x", bytes[i]);
  put_line(out, number, ls_text_str(&line));
  ls_text_free(&line);
}

static void put_head(const Exam *exam, LsText *out, int *number) {
  char *lines[] = {ls_format("title %s", exam->title), ls_format("minutes %d", exam->minutes),
                   ls_format("version %s", exam->version), ls_format("rounds %" PRIu32, exam->rounds)};
  for (int i = 0; i < LS_COUNT(lines); i++) {
    put_line(out, number, lines[i]);
    free(lines[i]);
  }
  LsText salt = {0};
  ls_text_add(&salt, "salt ");
  for (size_t i = 0; i < sizeof exam->salt; i++) ls_text_addf(&salt, "%02x", exam->salt[i]);
  put_line(out, number, ls_text_str(&salt));
  ls_text_free(&salt);
}

// All that the seal is of but the chain, which is made of it.
static void put_sealed(const Exam *exam, LsText *out, int *number) {
  ls_text_addf(out, "%s %d\n", heading, FORMAT);
  *number = 1;
  put_head(exam, out, number);
  put_hex(out, number, "seed", &exam->seed);
  for (int i = 0; i < exam->count; i++) put_item(exam, i, out, number);
  put_hex(out, number, "questions", &exam->questions);
}

char *exam_sealed_text(Exam *exam, const LsDigest *master) {
  LsText out = {0};
  int number;
  put_sealed(exam, &out, &number);
  exam->chain = ls_hmac_text(master, ls_text_str(&out));
  put_hex(&out, &number, "chain", &exam->chain);
  exam->seal = ls_hmac_text(master, ls_text_str(&out));
  put_hex(&out, &number, "seal", &exam->seal);
  exam->sum = ls_sha256(out.data, out.length);
  return ls_text_take(&out);
}

bool exam_unseal(const Exam *exam, const char *word, LsDigest *master, LsErr *err) {
  LsDigest own;
  LsText out = {0};
  int number;
  if (!master) master = &own;
  exam_master(exam, word, master);
  put_sealed(exam, &out, &number);
  LsDigest chain = ls_hmac_text(master, ls_text_str(&out));
  put_hex(&out, &number, "chain", &chain);
  LsDigest seal = ls_hmac_text(master, ls_text_str(&out));
  ls_text_free(&out);
  return (ls_digest_same(&seal, &exam->seal) && ls_digest_same(&chain, &exam->chain)) ||
         ls_fail(err, LS_EREQUEST, "this is not the word with which the exam was sealed, or the exam was "
                 "changed since");
}

// ---- reading -------------------------------------------------------------------------------------------------------

typedef struct Reader { Exam *exam; const char *path; int line; int seen; LsErr *err; } Reader;

static bool bad(const Reader *r, const char *what) {
  ls_fail_at(r->err, LS_EFORMAT, r->path, r->line, 0, "%s", what);
  ls_err_append(r->err, "The exam is damaged: ask for the file once more.");
  return false;
}

static bool read_number(const char *value, int64_t least, int64_t most, int64_t *number) {
  return ls_parse_i64(value, number) && *number >= least && *number <= most;
}

static bool read_salt(const char *value, uint8_t salt[16]) {
  char padded[LS_DIGEST_HEX];
  LsDigest digest;
  if (strlen(value) != 32) return false;
  snprintf(padded, sizeof padded, "%s%s", value, value);
  if (!ls_digest_read(padded, &digest)) return false;
  memcpy(salt, digest.bytes, 16);
  return true;
}

static bool read_item(Exam *exam, const char *value) {
  uint8_t bytes[ITEM_BYTES];
  char part[LS_DIGEST_HEX], family[16], skill[48], class[32];
  if (strlen(value) != 2 * ITEM_BYTES || exam->count >= EXAM_ITEMS) return false;
  for (int i = 0; i < ITEM_BYTES / LS_DIGEST_BYTES; i++) {
    LsDigest digest;
    snprintf(part, sizeof part, "%s", value + i * (LS_DIGEST_HEX - 1));
    if (!ls_digest_read(part, &digest)) return false;
    memcpy(bytes + i * LS_DIGEST_BYTES, digest.bytes, LS_DIGEST_BYTES);
  }
  veil(exam, exam->count, bytes);
  if (bytes[ITEM_BYTES - 1] || sscanf((char *)bytes, "%15s %47s %31s", family, skill, class) != 3) return false;
  bool open = strcmp(skill, "open") == 0;
  if (!open && !isdigit((unsigned char)class[0])) return false;
  exam->items[exam->count++] = (ExamItem){ls_arena_strdup(exam->arena, family),
                                          open ? NULL : ls_arena_strdup(exam->arena, skill),
                                          open ? NULL : ls_arena_strdup(exam->arena, class)};
  return true;
}

// The names of lines, in their order; item may come several times.
static const char *const names[] = {"title", "minutes", "version", "rounds", "salt", "seed", "item", "questions",
                                    "chain", "seal"};
enum { TITLE, MINUTES, VERSION, ROUNDS_, SALT, SEED, ITEM, QUESTIONS, CHAIN, SEAL, NAMES };

static bool read_value(Exam *exam, int name, const char *value) {
  int64_t number = 0;
  bool ok = true;
  switch (name) {
    case TITLE: exam->title = ls_arena_strdup(exam->arena, value); break;
    case MINUTES: ok = read_number(value, 1, EXAM_MINUTES, &number), exam->minutes = (int)number; break;
    case VERSION: exam->version = ls_arena_strdup(exam->arena, value); break;
    case ROUNDS_: ok = read_number(value, LEAST_ROUNDS, MOST_ROUNDS, &number), exam->rounds = (uint32_t)number; break;
    case SALT: ok = read_salt(value, exam->salt); break;
    case SEED: ok = ls_digest_read(value, &exam->seed); break;
    case ITEM: ok = read_item(exam, value); break;
    case QUESTIONS: ok = ls_digest_read(value, &exam->questions); break;
    case CHAIN: ok = ls_digest_read(value, &exam->chain); break;
    case SEAL: ok = ls_digest_read(value, &exam->seal); break;
  }
  return ok;
}

static bool read_line(Reader *r, char *line) {
  char check[CHECK_DIGITS + 1], what[96];
  bool parted = strlen(line) > LINE_AT && line[CHECK_DIGITS] == ' ';
  if (parted) line_check(r->line, line + LINE_AT, check);
  if (!parted || memcmp(check, line, CHECK_DIGITS) != 0) return bad(r, "this line was changed, lost, or put elsewhere");
  line += LINE_AT;
  size_t length = strcspn(line, " ");
  int name = r->seen;
  if (name < NAMES && name == ITEM + 1 && strncmp(line, "item ", 5) == 0) name = ITEM;
  bool known = name < NAMES && strlen(names[name]) == length && memcmp(names[name], line, length) == 0;
  snprintf(what, sizeof what, "here '%s' belongs", name < NAMES ? names[name] : "the end");
  if (!known || !line[length]) return bad(r, what);
  r->seen = name + 1;
  snprintf(what, sizeof what, "the value of '%s' is none", names[name]);
  return read_value(r->exam, name, line + length + 1) || bad(r, what);
}

static bool read_lines(Reader *r, char *text) {
  for (char *line = text, *end; *line; line = end + 1) {
    end = strchr(line, '\n');
    r->line++;
    if (!end) return bad(r, "the file ends in the middle of this line");
    *end = 0;
    if (r->line > 1 && !read_line(r, line)) return false;
  }
  r->line++;
  char what[64];
  snprintf(what, sizeof what, "the file ends before '%s'", r->seen < NAMES ? names[r->seen] : "");
  return r->seen == NAMES || bad(r, what);
}

static bool read_heading(const char *text, const char *path, LsErr *err) {
  int format = 0;
  if (!ls_starts_with(text, heading) || sscanf(text + strlen(heading), " %d", &format) != 1)
    return ls_fail(err, LS_EFORMAT, "%s is no exam: lanescope exam make FAMILY... --minutes M -o FILE makes one",
                   LS_QUOTE_PATH(path));
  return format == FORMAT || ls_fail(err, LS_EFORMAT, "%s was made by a newer lanescope, as format %d; this one knows "
                                     "format %d", LS_QUOTE_PATH(path), format, FORMAT);
}

Exam *exam_parse(const char *text, const char *path, LsErr *err) {
  if (!read_heading(text, path, err)) return NULL;
  Exam *exam = exam_new();
  Reader reader = {.exam = exam, .path = path, .err = err};
  char *copy = ls_strdup(text);
  bool ok = read_lines(&reader, copy);
  free(copy);
  exam->sum = ls_sha256(text, strlen(text));
  if (ok) return exam;
  exam_free(exam);
  return NULL;
}

Exam *exam_read(const char *path, LsErr *err) {
  size_t size;
  char *text = ls_file_read(path, FILE_LIMIT, &size, err);
  Exam *exam = text ? exam_parse(text, path, err) : NULL;
  free(text);
  return exam;
}
