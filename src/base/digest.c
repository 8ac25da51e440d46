// digest.c: HMAC and PBKDF2 with SHA-256, and digests as text.
#include "base/digest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

LsDigest ls_sha256(const void *data, size_t size) {
  LsSha256 sha;
  LsDigest digest;
  ls_sha256_begin(&sha);
  ls_sha256_add(&sha, data, size);
  ls_sha256_end(&sha, digest.bytes);
  return digest;
}

// ---- with a key ----------------------------------------------------------------------------------------------------

// Both digests of an HMAC after their first blocks, which depend on the key only.
typedef struct Keyed { LsSha256 inner, outer; } Keyed;

static void keyed_init(Keyed *keyed, const void *key, size_t size) {
  uint8_t block[LS_DIGEST_BLOCK] = {0}, pad[LS_DIGEST_BLOCK];
  LsDigest short_key = size > sizeof block ? ls_sha256(key, size) : (LsDigest){0};
  memcpy(block, size > sizeof block ? short_key.bytes : key, size > sizeof block ? LS_DIGEST_BYTES : size);
  ls_sha256_begin(&keyed->inner);
  ls_sha256_begin(&keyed->outer);
  for (size_t i = 0; i < sizeof block; i++) pad[i] = block[i] ^ 0x36;
  ls_sha256_add(&keyed->inner, pad, sizeof pad);
  for (size_t i = 0; i < sizeof block; i++) pad[i] = block[i] ^ 0x5c;
  ls_sha256_add(&keyed->outer, pad, sizeof pad);
}

static LsDigest keyed_end(const Keyed *keyed, const void *data, size_t size) {
  LsSha256 inner = keyed->inner, outer = keyed->outer;
  LsDigest digest;
  ls_sha256_add(&inner, data, size);
  ls_sha256_end(&inner, digest.bytes);
  ls_sha256_add(&outer, digest.bytes, sizeof digest.bytes);
  ls_sha256_end(&outer, digest.bytes);
  return digest;
}

LsDigest ls_hmac(const void *key, size_t key_size, const void *data, size_t size) {
  Keyed keyed;
  keyed_init(&keyed, key, key_size);
  return keyed_end(&keyed, data, size);
}

LsDigest ls_hmac_text(const LsDigest *key, const char *text) {
  return ls_hmac(key->bytes, sizeof key->bytes, text, strlen(text));
}

// The first block of RFC 8018, section 5.2, which is as long as a digest.
LsDigest ls_pbkdf2(const char *word, const void *salt, size_t salt_size, uint32_t rounds) {
  Keyed keyed;
  keyed_init(&keyed, word, strlen(word));
  Keyed first = keyed;
  ls_sha256_add(&first.inner, salt, salt_size);
  LsDigest turn = keyed_end(&first, "\0\0\0\1", 4), key = turn;
  for (uint32_t i = 1; i < rounds; i++) {
    turn = keyed_end(&keyed, turn.bytes, sizeof turn.bytes);
    for (int k = 0; k < LS_DIGEST_BYTES; k++) key.bytes[k] ^= turn.bytes[k];
  }
  return key;
}

// ---- text, chance --------------------------------------------------------------------------------------------------

bool ls_digest_same(const LsDigest *a, const LsDigest *b) {
  uint8_t different = 0;
  for (int i = 0; i < LS_DIGEST_BYTES; i++) different |= a->bytes[i] ^ b->bytes[i];
  return different == 0;
}

void ls_digest_hex(const LsDigest *digest, char out[LS_DIGEST_HEX]) { ls_sha256_hex(digest->bytes, out); }

static int digit_of(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

bool ls_digest_read(const char *hex, LsDigest *digest) {
  for (int i = 0; i < LS_DIGEST_BYTES; i++) {
    int high = digit_of(hex[2 * i]), low = high < 0 ? -1 : digit_of(hex[2 * i + 1]);
    if (low < 0) return false;
    digest->bytes[i] = (uint8_t)(high << 4 | low);
  }
  return !hex[LS_DIGEST_HEX - 1];
}

// The file and not getrandom, which the C library of the portable program is too old for.
bool ls_random_bytes(void *out, size_t size, LsErr *err) {
  FILE *file = fopen("/dev/urandom", "rb");
  bool read = file && fread(out, 1, size, file) == size;
  int number = errno;
  if (file) fclose(file);
  return read || ls_fail(err, LS_EIO, "the system gives no random bytes: %s", strerror(number));
}
