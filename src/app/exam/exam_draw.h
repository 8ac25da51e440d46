// exam_draw.h: numbers by chance that follow from a key and a word.
#ifndef LS_APP_EXAM_DRAW_H
#define LS_APP_EXAM_DRAW_H

#include "base/digest.h"

// The first 64 bits of HMAC(key, label).
static inline uint64_t exam_number(const LsDigest *key, const char *label) {
  LsDigest digest = ls_hmac_text(key, label);
  uint64_t number = 0;
  for (int i = 0; i < 8; i++) number = number << 8 | digest.bytes[i];
  return number;
}

#endif
