// digest.h: names of texts by SHA-256, what is keyed with it (HMAC, RFC 2104), and keys from words (PBKDF2, RFC 8018).
//
// A digest names bytes: nobody finds others with the same one. An HMAC is a digest that only those can make, and check,
// who have the key. PBKDF2 makes a key of a word that a person remembers, slowly, so that words cannot be tried by the
// million. The tests hold them against the published
// vectors.
#ifndef LS_BASE_DIGEST_H
#define LS_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/sha256.h"

enum { LS_DIGEST_BYTES = LS_SHA256_SIZE, LS_DIGEST_HEX = LS_SHA256_HEX, LS_DIGEST_BLOCK = LS_SHA256_BLOCK };

typedef struct LsDigest { uint8_t bytes[LS_DIGEST_BYTES]; } LsDigest;

LsDigest ls_sha256(const void *data, size_t size);

LsDigest ls_hmac(const void *key, size_t key_size, const void *data, size_t size);
// The same with a digest as key, of a text.
LsDigest ls_hmac_text(const LsDigest *key, const char *text);
LsDigest ls_pbkdf2(const char *word, const void *salt, size_t salt_size, uint32_t rounds);

// Takes as long for others as for the same.
bool ls_digest_same(const LsDigest *a, const LsDigest *b);
void ls_digest_hex(const LsDigest *digest, char out[LS_DIGEST_HEX]);
bool ls_digest_read(const char *hex, LsDigest *digest);   // 64 hexadecimal digits, and nothing after them

// Bytes that nobody can foresee, from the system.
bool ls_random_bytes(void *out, size_t size, LsErr *err);

#endif
