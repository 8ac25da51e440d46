// sha256.h: SHA-256 (FIPS 180-4), a name for contents that nobody can make for other contents.
//
//   LsSha256 sha;
//   ls_sha256_begin(&sha);
//   ls_sha256_add(&sha, data, size);                 as often as there is something
//   uint8_t digest[LS_SHA256_SIZE];
//   ls_sha256_end(&sha, digest);
#ifndef LS_BASE_SHA256_H
#define LS_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { LS_SHA256_SIZE = 32, LS_SHA256_BLOCK = 64, LS_SHA256_HEX = 65 };

typedef struct LsSha256 {
  uint32_t state[8];
  uint64_t length;                     // bytes so far
  uint8_t block[LS_SHA256_BLOCK];      // those that make no whole block yet
} LsSha256;

void ls_sha256_begin(LsSha256 *sha);
void ls_sha256_add(LsSha256 *sha, const void *data, size_t size);
void ls_sha256_end(LsSha256 *sha, uint8_t digest[LS_SHA256_SIZE]);
void ls_sha256_hex(const uint8_t digest[LS_SHA256_SIZE], char out[LS_SHA256_HEX]);   // 64 digits

#endif
