// pattern_cost.c: an upper bound for matching a Lua pattern, item by item.
#include "script/pattern_cost.h"

#include <ctype.h>
#include <string.h>

enum { BYTES_PER_STEP = 16 };      // of memory that is compared

typedef struct Item {
  const char *next;                // what follows it
  double tests;                    // steps to try it once at one place
  bool repeats, optional;
} Item;

// The end of a single character class: x, %a, [set].
static const char *class_end(const char *p, const char *end) {
  char first = *p++;
  if (first == '%') return p < end ? p + 1 : end;
  if (first != '[') return p;
  if (p < end && *p == '^') p++;
  do {                             // a ] that comes first is one of the set
    if (p < end && *p++ == '%' && p < end) p++;
  } while (p < end && *p != ']');
  return p < end ? p + 1 : end;
}

static Item single(const char *p, const char *end) {
  const char *next = class_end(p, end);
  Item item = {next, (double)(next - p), false, false};
  if (next == end || !*next || !strchr("*+-?", *next)) return item;
  item.next++;
  item.optional = *next == '?';
  item.repeats = !item.optional;
  return item;
}

// %bxy and %1 can walk along all of the subject at once, %f[set] looks at one place.
static Item read_item(const char *p, const char *end, double places) {
  char kind = *p == '%' && p + 1 < end ? p[1] : 0;
  if (*p == '(' || *p == ')') return (Item){p + 1, 1, false, false};
  if (kind == 'b') return (Item){end - p > 4 ? p + 4 : end, places, false, false};
  if (isdigit((unsigned char)kind)) return (Item){p + 2, places, false, false};
  if (kind != 'f' || end - p < 3) return single(p, end);
  const char *next = class_end(p + 2, end);
  return (Item){next, 2 * (double)(next - p), false, false};
}

// A pattern that begins with a character is tried further only where that character stands.
static double count_starts(const char *p, const Item *first, const char *subject, size_t size) {
  double count = 0;
  if (first->next != p + 1 || strchr("^$.()%", *p)) return (double)size + 1;
  for (const char *end = subject + size; (subject = memchr(subject, *p, (size_t)(end - subject))); subject++) count++;
  return count;
}

double pattern_cost(const char *pattern, size_t length, const char *subject, size_t size, bool anchors) {
  const char *p = pattern, *end = pattern + length;
  double places = (double)size + 1, reached = places, cost = places;
  if (anchors && length && *p == '^') {
    reached = 1;
    p++;
  } else if (length) {
    Item first = read_item(p, end, places);
    reached = count_starts(p, &first, subject, size);
  }
  while (p < end) {
    Item item = read_item(p, end, places);
    cost += reached * item.tests * (item.repeats ? places : 1);
    if (item.repeats) reached *= places;
    if (item.optional) reached *= 2;
    p = item.next;
  }
  return cost;
}

double plain_cost(size_t length, size_t size) {
  double compared = length < size ? (double)length * (double)(size - length) : 0;
  return (double)size + compared / BYTES_PER_STEP;
}
