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

// ---- launches by kernels -------------------------------------------------------------------------------------------

// Of each step its children, by their numbers: kids[first[step]] and so on. NULL: the program has none.
typedef struct Kids { const HostProgram *program; int *first, *kids; } Kids;

static Kids kids_of(const HostProgram *p) {
  Kids k = {.program = p};
  int all = program_all_steps(p), total = 0;
  if (!p->child_count) return k;
  k.first = ls_alloc(sizeof *k.first * (size_t)(all + 1));
  k.kids = ls_alloc(sizeof *k.kids * (size_t)p->child_count);
  for (int i = p->step_count; i < all; i++) k.first[p->steps[i].kin->parent + 1]++;
  for (int i = 0; i < all; i++) total += k.first[i + 1], k.first[i + 1] = total;
  for (int i = 0; i < p->child_count; i++) k.kids[i] = -1;
  for (int i = p->step_count; i < all; i++) {
    const ProgramKin *kin = p->steps[i].kin;
    int at = k.first[kin->parent] + LS_MAX(kin->number - 1, 0), end = k.first[kin->parent + 1];
    while (at >= end || k.kids[at] >= 0) at = at >= end ? k.first[kin->parent] : at + 1;   // a fault left some out
    k.kids[at] = i;
  }
  return k;
}

static int count_of(const Kids *k, int step) { return step >= 0 && k->first ? k->first[step + 1] - k->first[step] : 0; }

static void add(ProgramPairs *pairs, int left, int right) {
  pairs->items[pairs->count++] = (ProgramPair){left, right};
  if (left && right) pairs->paired++;
  else if (left) pairs->only_left++;
  else pairs->only_right++;
}

// Steps that are a pair, as far as there is one, and then what their kernels launch. -1: there is none.
static void add_kids(ProgramPairs *pairs, const Kids *left, const Kids *right, int left_step, int right_step) {
  int lefts = count_of(left, left_step), rights = count_of(right, right_step);
  for (int i = 0; i < LS_MAX(lefts, rights); i++) {
    int a = i < lefts ? left->kids[left->first[left_step] + i] : -1;
    int b = i < rights ? right->kids[right->first[right_step] + i] : -1;
    pairs->items[pairs->count++] = (ProgramPair){a < 0 ? 0 : program_launch_number(left->program, a),
                                                 b < 0 ? 0 : program_launch_number(right->program, b)};
    if (a >= 0 && b >= 0) pairs->children_paired++;
    else if (a >= 0) pairs->children_left++;
    else pairs->children_right++;
    add_kids(pairs, left, right, a, b);
  }
}

static void add_family(ProgramPairs *pairs, const Kids *left, const Kids *right, int left_number, int right_number) {
  add(pairs, left_number, right_number);
  if (!left->first && !right->first) return;
  add_kids(pairs, left, right, left_number ? program_launch_step(left->program, left_number) : -1,
           right_number ? program_launch_step(right->program, right_number) : -1);
}

void program_pairs_init(ProgramPairs *pairs, const HostProgram *left_program, const HostProgram *right_program) {
  Side left = side_of(left_program), right = side_of(right_program);
  Kids a = kids_of(left_program), b = kids_of(right_program);
  find_mates(&left, &right);
  int all = program_all_launches(left_program) + program_all_launches(right_program);
  *pairs = (ProgramPairs){.items = ls_alloc(sizeof *pairs->items * (size_t)(all + 1)),
                          .left_hosts = left_program->launches, .right_hosts = right_program->launches};
  int next = 0;                      // of the right, that was not told yet
  for (int i = 0; i < left.count; i++) {
    for (; next < right.count && left.mates[i] && next < left.mates[i] - 1; next++)
      if (!right.mates[next]) add_family(pairs, &a, &b, 0, next + 1);
    add_family(pairs, &a, &b, i + 1, left.mates[i]);
    if (left.mates[i]) next = LS_MAX(next, left.mates[i]);
  }
  for (; next < right.count; next++)
    if (!right.mates[next]) add_family(pairs, &a, &b, 0, next + 1);
  free(left.steps), free(left.mates), free(right.steps), free(right.mates);
  free(a.first), free(a.kids), free(b.first), free(b.kids);
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
    if (p && (p->left > pairs->left_hosts || p->right > pairs->right_hosts)) continue;   // by a kernel
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
  if (!pairs->children_paired && !pairs->children_left && !pairs->children_right) return;
  ls_text_addf(out, "; by kernels %d side by side", pairs->children_paired);
  if (pairs->children_left) ls_text_addf(out, ", %d only in the first", pairs->children_left);
  if (pairs->children_right) ls_text_addf(out, ", %d only in the second", pairs->children_right);
}
