// orders_text.c: an order as text and back.
#include "app/run/orders_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static const char digits[] = "0123456789abcdefghijklmnopqrstuv";   // a choice is among 32 warps, or groups of lanes

char *orders_print(const SimPath *path) {
  LsText text = {0};
  int last = path->count;
  while (last > 0 && !path->choices[last - 1].taken) last--;   // the first one is what is chosen without a word
  for (int i = 0; i < last; i++) ls_text_addc(&text, digits[path->choices[i].taken & 31]);
  if (!last) ls_text_addc(&text, '0');
  return ls_text_take(&text);
}

uint8_t *orders_parse(const char *text, uint32_t *count, LsErr *err) {
  size_t length = strlen(text);
  uint8_t *given = ls_alloc(length + 1);
  *count = (uint32_t)length;
  for (size_t i = 0; i < length; i++) {
    const char *at = strchr(digits, text[i]);
    if (at) { given[i] = (uint8_t)(at - digits); continue; }
    free(given);
    ls_fail(err, LS_EREQUEST, "--order-of takes what stats --orders names, digits and letters up to v, not '%s'",
            LS_QUOTE(text));
    return NULL;
  }
  return given;
}
