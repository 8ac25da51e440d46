// sha256.c: blocks of 64 bytes through the rounds of FIPS 180-4, section 6.2.
#include "base/sha256.h"

#include <string.h>

#include "base/mem.h"

enum { ROUNDS = 64, LENGTH_BYTES = 8 };

// The first 32 bits of the fractions of the cube roots of the first 64 primes (section 4.2.2).
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }

static uint32_t word_at(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// The message schedule: the 16 words of the block, and 48 made of them.
static void schedule(const uint8_t *block, uint32_t words[ROUNDS]) {
  for (int i = 0; i < 16; i++) words[i] = word_at(block + 4 * i);
  for (int i = 16; i < ROUNDS; i++) {
    uint32_t near = words[i - 2], far = words[i - 15];
    words[i] = words[i - 16] + words[i - 7] + (rotate(far, 7) ^ rotate(far, 18) ^ far >> 3) +
               (rotate(near, 17) ^ rotate(near, 19) ^ near >> 10);
  }
}

// s[0 .. 7] are the variables a to h of the standard.
static void round_of(uint32_t s[8], uint32_t word, uint32_t constant) {
  uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]), majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
  uint32_t first = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + choice + constant + word;
  uint32_t second = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + majority;
  memmove(s + 1, s, 7 * sizeof *s);
  s[4] += first;
  s[0] = first + second;
}

static void add_block(LsSha256 *sha, const uint8_t *block) {
  uint32_t words[ROUNDS], s[8];
  schedule(block, words);
  memcpy(s, sha->state, sizeof s);
  for (int i = 0; i < ROUNDS; i++) round_of(s, words[i], constants[i]);
  for (int i = 0; i < 8; i++) sha->state[i] += s[i];
}

void ls_sha256_begin(LsSha256 *sha) {
  *sha = (LsSha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
                              0x5be0cd19}};
}

void ls_sha256_add(LsSha256 *sha, const void *data, size_t size) {
  const uint8_t *bytes = data;
  while (size) {
    size_t filled = sha->length % LS_SHA256_BLOCK, part = LS_MIN(size, LS_SHA256_BLOCK - filled);
    memcpy(sha->block + filled, bytes, part);
    sha->length += part;
    bytes += part;
    size -= part;
    if (filled + part == LS_SHA256_BLOCK) add_block(sha, sha->block);
  }
}

// A bit that is set, zeros, and the number of bits in the last 8 bytes of a block (section 5.1.1).
void ls_sha256_end(LsSha256 *sha, uint8_t digest[LS_SHA256_SIZE]) {
  static const uint8_t padding[LS_SHA256_BLOCK] = {0x80};
  uint64_t bits = sha->length * 8;
  size_t filled = sha->length % LS_SHA256_BLOCK, room = LS_SHA256_BLOCK - LENGTH_BYTES;
  ls_sha256_add(sha, padding, filled < room ? room - filled : LS_SHA256_BLOCK + room - filled);
  uint8_t length[LENGTH_BYTES];
  for (int i = 0; i < LENGTH_BYTES; i++) length[i] = (uint8_t)(bits >> (8 * (LENGTH_BYTES - 1 - i)));
  ls_sha256_add(sha, length, sizeof length);
  for (int i = 0; i < LS_SHA256_SIZE; i++) digest[i] = (uint8_t)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}

void ls_sha256_hex(const uint8_t digest[LS_SHA256_SIZE], char out[LS_SHA256_HEX]) {
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < LS_SHA256_SIZE; i++) {
    out[2 * i] = digits[digest[i] >> 4];
    out[2 * i + 1] = digits[digest[i] & 15];
  }
  out[2 * LS_SHA256_SIZE] = 0;
}
