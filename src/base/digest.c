// digest.c: SHA-256, HMAC and PBKDF2.
#include "base/digest.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/mem.h"

// ---- SHA-256, FIPS 180-4, section 6.2 ------------------------------------------------------------------------------

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2).
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t x, int by) { return x >> by | x << (32 - by); }
static uint32_t word_at(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void schedule(const uint8_t block[LS_DIGEST_BLOCK], uint32_t w[64]) {
  for (int i = 0; i < 16; i++) w[i] = word_at(block + 4 * i);
  for (int i = 16; i < 64; i++) {
    uint32_t early = w[i - 15], late = w[i - 2];
    uint32_t sigma0 = turned(early, 7) ^ turned(early, 18) ^ early >> 3;
    uint32_t sigma1 = turned(late, 17) ^ turned(late, 19) ^ late >> 10;
    w[i] = w[i - 16] + sigma0 + w[i - 7] + sigma1;
  }
}

static void compress(uint32_t state[8], const uint8_t block[LS_DIGEST_BLOCK]) {
  uint32_t w[64], s[8];
  schedule(block, w);
  memcpy(s, state, sizeof s);
  for (int i = 0; i < 64; i++) {
    uint32_t a = s[0], e = s[4];
    uint32_t chosen = (e & s[5]) ^ (~e & s[6]), majority = (a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]);
    uint32_t one = s[7] + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + round_constants[i] + w[i];
    uint32_t two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority;
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += one;
    s[0] = one + two;
  }
  for (int i = 0; i < 8; i++) state[i] += s[i];
}

void ls_sha256_init(LsSha256 *sha) {
  *sha = (LsSha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void ls_sha256_add(LsSha256 *sha, const void *data, size_t size) {
  const uint8_t *bytes = data;
  while (size) {
    size_t filled = sha->length % LS_DIGEST_BLOCK, taken = LS_MIN(size, LS_DIGEST_BLOCK - filled);
    memcpy(sha->block + filled, bytes, taken);
    sha->length += taken;
    bytes += taken;
    size -= taken;
    if (filled + taken == LS_DIGEST_BLOCK) compress(sha->state, sha->block);
  }
}

// A one bit, zeros, and the length in bits in the last eight bytes of a block (5.1.1).
LsDigest ls_sha256_end(LsSha256 *sha) {
  enum { LENGTH_AT = LS_DIGEST_BLOCK - 8 };
  uint8_t padding[2 * LS_DIGEST_BLOCK] = {0x80};
  uint64_t bits = sha->length * 8;
  size_t filled = sha->length % LS_DIGEST_BLOCK;
  size_t zeros = (filled < LENGTH_AT ? LENGTH_AT : LENGTH_AT + LS_DIGEST_BLOCK) - filled;
  for (int i = 0; i < 8; i++) padding[zeros + (size_t)i] = (uint8_t)(bits >> (56 - 8 * i));
  ls_sha256_add(sha, padding, zeros + 8);
  LsDigest digest;
  for (int i = 0; i < LS_DIGEST_BYTES; i++) digest.bytes[i] = (uint8_t)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

LsDigest ls_sha256(const void *data, size_t size) {
  LsSha256 sha;
  ls_sha256_init(&sha);
  ls_sha256_add(&sha, data, size);
  return ls_sha256_end(&sha);
}

// ---- with a key ----------------------------------------------------------------------------------------------------

// Both digests of an HMAC after their first blocks, which depend on the key only.
typedef struct Keyed { LsSha256 inner, outer; } Keyed;

static void keyed_init(Keyed *keyed, const void *key, size_t size) {
  uint8_t block[LS_DIGEST_BLOCK] = {0}, pad[LS_DIGEST_BLOCK];
  LsDigest short_key = size > sizeof block ? ls_sha256(key, size) : (LsDigest){0};
  memcpy(block, size > sizeof block ? short_key.bytes : key, size > sizeof block ? LS_DIGEST_BYTES : size);
  ls_sha256_init(&keyed->inner);
  ls_sha256_init(&keyed->outer);
  for (size_t i = 0; i < sizeof block; i++) pad[i] = block[i] ^ 0x36;
  ls_sha256_add(&keyed->inner, pad, sizeof pad);
  for (size_t i = 0; i < sizeof block; i++) pad[i] = block[i] ^ 0x5c;
  ls_sha256_add(&keyed->outer, pad, sizeof pad);
}

static LsDigest keyed_end(const Keyed *keyed, const void *data, size_t size) {
  LsSha256 inner = keyed->inner, outer = keyed->outer;
  ls_sha256_add(&inner, data, size);
  LsDigest digest = ls_sha256_end(&inner);
  ls_sha256_add(&outer, digest.bytes, sizeof digest.bytes);
  return ls_sha256_end(&outer);
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

void ls_digest_hex(const LsDigest *digest, char out[LS_DIGEST_HEX]) {
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < LS_DIGEST_BYTES; i++) {
    out[2 * i] = digits[digest->bytes[i] >> 4];
    out[2 * i + 1] = digits[digest->bytes[i] & 15];
  }
  out[LS_DIGEST_HEX - 1] = 0;
}

static int digit_of(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

bool ls_digest_read(const char *hex, LsDigest *digest) {
  for (int i = 0; i < LS_DIGEST_BYTES; i++) {
    int high = digit_of(hex[2 * i]), low = high < 0 ? -1 : digit_of(hex[2 * i + 1]);
    if (low < 0) return false;
    digest->bytes[i] = (uint8_t)(high << 4 | low);
  }
  return !hex[LS_DIGEST_HEX - 1];
}

bool ls_random_bytes(void *out, size_t size, LsErr *err) {
  for (size_t done = 0; done < size;) {
    ssize_t n = getrandom((char *)out + done, size - done, 0);
    if (n < 0 && errno != EINTR) return ls_fail(err, LS_EIO, "the system gives no random bytes: %s", strerror(errno));
    if (n > 0) done += (size_t)n;
  }
  return true;
}
