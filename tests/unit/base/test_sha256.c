// test_sha256.c: SHA-256 against the examples that NIST publishes (FIPS 180-4 and its Cryptographic Toolkit).
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sha256.h"
#include "check.h"

// In pieces of so many bytes.
static void hash(const char *text, size_t size, size_t piece, char hex[LS_SHA256_HEX]) {
  LsSha256 sha;
  uint8_t digest[LS_SHA256_SIZE];
  ls_sha256_begin(&sha);
  for (size_t at = 0; at < size; at += piece) ls_sha256_add(&sha, text + at, LS_MIN(piece, size - at));
  ls_sha256_end(&sha, digest);
  ls_sha256_hex(digest, hex);
}

static void published_examples(void) {
  static const struct { const char *text, *hex; } cases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
       "nopqrstu",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"}};
  for (int i = 0; i < LS_COUNT(cases); i++)
    for (size_t piece = 1; piece < 130; piece++) {
      char hex[LS_SHA256_HEX];
      hash(cases[i].text, strlen(cases[i].text), piece, hex);
      CHECK_STR(hex, cases[i].hex);
    }
}

static void a_million_letters(void) {
  enum { MILLION = 1000000 };
  char *text = ls_alloc(MILLION), hex[LS_SHA256_HEX];
  memset(text, 'a', MILLION);
  hash(text, MILLION, 977, hex);
  CHECK_STR(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  free(text);
}

static const Check checks[] = {{"published examples", published_examples}, {"a million letters", a_million_letters}};

int main(int argc, char **argv) { return check_main("sha256", checks, LS_COUNT(checks), argc, argv); }
