// hints.c: the rows of hints.def, looked up.
#include "device/remote/hints.h"

#include <string.h>

#include "base/mem.h"

typedef enum HintKind { HINT_WAITS, HINT_ADVICE } HintKind;
typedef struct Hint { HintKind kind; const char *words, *advice; } Hint;
static const Hint hints[] = {
#define HINT(KIND, ...) {HINT_##KIND, __VA_ARGS__},
#include "device/remote/hints.def"
#undef HINT
};

static const Hint *find(HintKind kind, const char *text) {
  for (int i = 0; i < LS_COUNT(hints); i++)
    if (hints[i].kind == kind && strstr(text, hints[i].words)) return &hints[i];
  return NULL;
}

bool hint_waits(const char *line) { return find(HINT_WAITS, line) != NULL; }

const char *hint_advice(const char *words) {
  const Hint *hint = find(HINT_ADVICE, words);
  return hint ? hint->advice : NULL;
}
