// program_pairs.c: pairs of launches by the name of their kernel and the order in which they come.
#include "app/run/program_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

// A launch of a program, and the counterpart that was found for it.
typedef struct Side { const HostProgram *program; int *steps, *mates; int count; } Side;

static Side side_of(const HostProgram *program) {
  size_t room = (size_t)program->launches + 1;
  Side side = {program, ls_alloc(sizeof(int) * room), ls_alloc(sizeof(int) * room), 0};
  for (int i = 0; i < program->step_count; i++)
    if (program->steps[i].kind == PROGRAM_LAUNCH) side.steps[side.count++] = i;
  return side;
}

static const char *kernel_of(const Side *side, int launch) { return side->program->steps[side->steps[launch]].kernel; }

// For each launch on the left, the next one on the right of that kernel that nobody has yet. Programs have few kernels:
// where the search for each of them goes on is remembered.
static void find_mates(Side *left, Side *right) {
  struct Next { const char *kernel; int at; } *nexts = NULL;
  int count = 0, capacity = 0;
  for (int i = 0; i < left->count; i++) {
    const char *kernel = kernel_of(left, i);
    int k = 0;
    while (k < count && strcmp(nexts[k].kernel, kernel) != 0) k++;
    if (k == count) LS_PUSH(nexts, count, capacity, ((struct Next){kernel, 0}));
    while (nexts[k].at < right->count && strcmp(kernel_of(right, nexts[k].at), kernel) != 0) nexts[k].at++;
    if (nexts[k].at == right->count) continue;
    left->mates[i] = ++nexts[k].at;
    right->mates[nexts[k].at - 1] = i + 1;
  }
  free(nexts);
}

static void add(ProgramPairs *pairs, int left, int right) {
  pairs->items[pairs->count++] = (ProgramPair){left, right};
  if (left && right) pairs->paired++;
  else if (left) pairs->only_left++;
  else pairs->only_right++;
}

void program_pairs_init(ProgramPairs *pairs, const HostProgram *left_program, const HostProgram *right_program) {
  Side left = side_of(left_program), right = side_of(right_program);
  find_mates(&left, &right);
  *pairs = (ProgramPairs){.items = ls_alloc(sizeof *pairs->items * (size_t)(left.count + right.count + 1))};
  int next = 0;                      // of the right, that was not told yet
  for (int i = 0; i < left.count; i++) {
    for (; next < right.count && left.mates[i] && next < left.mates[i] - 1; next++)
      if (!right.mates[next]) add(pairs, 0, next + 1);
    add(pairs, i + 1, left.mates[i]);
    if (left.mates[i]) next = LS_MAX(next, left.mates[i]);
  }
  for (; next < right.count; next++)
    if (!right.mates[next]) add(pairs, 0, next + 1);
  free(left.steps), free(left.mates), free(right.steps), free(right.mates);
}

void program_pairs_fini(ProgramPairs *pairs) {
  free(pairs->items);
  *pairs = (ProgramPairs){0};
}

int program_pairs_right(const ProgramPairs *pairs, int left) {
  for (int i = 0; i < pairs->count; i++)
    if (pairs->items[i].left == left) return pairs->items[i].right;
  return 0;
}

// ---- words ---------------------------------------------------------------------------------------------------------

enum { MOST_RANGES = 4 };

// " (2, 4 to 6)" of the launches that only one side has.
static void add_ranges(const ProgramPairs *pairs, bool right, LsText *out) {
  int ranges = 0, first = 0, last = 0;
  ls_text_add(out, " (");
  for (int i = 0; i <= pairs->count; i++) {
    const ProgramPair *p = i < pairs->count ? &pairs->items[i] : NULL;
    int number = !p ? 0 : right ? (p->left ? 0 : p->right) : (p->right ? 0 : p->left);
    if (p && !number) continue;
    if (number && number == last + 1 && first) { last = number; continue; }
    const char *comma = ranges ? ", " : "";
    if (first && ranges < MOST_RANGES && last > first) ls_text_addf(out, "%s%d to %d", comma, first, last);
    else if (first && ranges < MOST_RANGES) ls_text_addf(out, "%s%d", comma, first);
    if (first && ranges++ == MOST_RANGES) ls_text_add(out, ", ...");
    first = last = number;
  }
  ls_text_add(out, ")");
}

void program_pairs_words(const ProgramPairs *pairs, LsText *out) {
  if (pairs->paired) ls_text_addf(out, "%d launch%s side by side", pairs->paired, pairs->paired == 1 ? "" : "es");
  else ls_text_add(out, "no kernel of the one is launched by the other");
  if (pairs->only_left) ls_text_addf(out, "; %d only in the first program", pairs->only_left);
  if (pairs->only_left) add_ranges(pairs, false, out);
  if (pairs->only_right) ls_text_addf(out, "; %d only in the second", pairs->only_right);
  if (pairs->only_right) add_ranges(pairs, true, out);
}
