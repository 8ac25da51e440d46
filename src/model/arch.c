// arch.c: the table of devices, and guests beside it.
#include "model/arch.h"
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/mem.h"

static const ArchProfile profiles[] = {
#define ARCH(...) {__VA_ARGS__},
#include "model/arch.def"
#undef ARCH
};

const ArchProfile *arch_all(int *count) {
  if (count) *count = LS_COUNT(profiles);
  return profiles;
}

static const ArchProfile *here;

enum { MOST_GUESTS = 32, NAME = 16, TITLE = 96 };
static struct { ArchProfile profile; char name[NAME], title[TITLE]; } guests[MOST_GUESTS];
static _Atomic int guest_count;   // those below it do not change any more

void arch_set_here(const ArchProfile *profile) { here = profile; }

const ArchProfile *arch_find(const char *name) {
  for (int i = 0; name && i < LS_COUNT(profiles); i++)
    if (strcasecmp(profiles[i].name, name) == 0) return &profiles[i];
  for (int i = 0, count = guest_count; name && i < count; i++)
    if (strcasecmp(guests[i].name, name) == 0) return &guests[i].profile;
  return name && strcasecmp(name, "gpu") == 0 ? here : NULL;
}

// ---- devices that no table knows ---------------------------------------------------------------------------------------

// The numbers of a profile, by their names in the text.
typedef struct Number { const char *name; size_t at; bool real; } Number;
#define WHOLE(member) {#member, offsetof(ArchProfile, member), false}
#define REAL(member) {#member, offsetof(ArchProfile, member), true}
static const Number numbers[] = {
    WHOLE(cc_major), WHOLE(cc_minor), WHOLE(sm_count), WHOLE(warps_per_sm), WHOLE(blocks_per_sm), WHOLE(threads_per_block),
    WHOLE(regs_per_sm), WHOLE(regs_per_thread), WHOLE(reg_unit), WHOLE(shared_per_sm), WHOLE(shared_per_block), WHOLE(shared_unit),
    WHOLE(shared_reserved), WHOLE(banks), WHOLE(schedulers), REAL(bandwidth_gbs), REAL(fp32_tflops),
};

static double number_of(const ArchProfile *profile, const Number *n) {
  const char *at = (const char *)profile + n->at;
  return n->real ? *(const double *)at : *(const int *)at;
}

static bool set_number(ArchProfile *profile, const Number *n, const char *text) {
  enum { MOST = 1 << 30 };
  double value;
  char *at = (char *)profile + n->at;
  if (!ls_parse_f64(text, &value) || !(value >= 0 && value <= MOST)) return false;
  if (n->real) *(double *)at = value;
  else *(int *)at = (int)value;
  return true;
}

bool arch_is_row(const ArchProfile *profile) { return profile >= profiles && profile < profiles + LS_COUNT(profiles); }

void arch_print(const ArchProfile *profile, LsText *out) {
  ls_text_addf(out, "title=%s\n", profile->title);
  for (int i = 0; i < LS_COUNT(numbers); i++) ls_text_addf(out, "%s=%.9g\n", numbers[i].name, number_of(profile, &numbers[i]));
}

// A line of the text; what is not known is passed over: a later version may say more.
static bool take_line(ArchProfile *profile, char *title, char *line, unsigned *seen) {
  char *value = strchr(line, '=');
  if (!value) return false;
  *value++ = 0;
  if (strcmp(line, "title") == 0) snprintf(title, TITLE, "%.*s", TITLE - 1, value);
  for (int i = 0; i < LS_COUNT(numbers); i++) {
    if (strcmp(line, numbers[i].name) != 0) continue;
    if (!set_number(profile, &numbers[i], value)) return false;
    *seen |= 1u << i;
  }
  return true;
}

// Models divide by some of them.
static bool is_device(const ArchProfile *p) {
  return p->sm_count > 0 && p->warps_per_sm > 0 && p->blocks_per_sm > 0 && p->threads_per_block > 0 && p->regs_per_sm > 0 &&
         p->regs_per_thread > 0 && p->reg_unit > 0 && p->shared_unit > 0 && p->banks > 0 && p->schedulers > 0;
}

static bool parse(const char *text, ArchProfile *profile, char *title) {
  unsigned seen = 0;
  bool ok = true;
  char *copy = ls_strdup(text), *rest = copy, *line;
  *profile = (ArchProfile){0};
  snprintf(title, TITLE, "a GPU");
  while ((line = strsep(&rest, "\n")))
    if (*line) ok = take_line(profile, title, line, &seen) && ok;
  free(copy);
  return ok && seen == (1u << LS_COUNT(numbers)) - 1 && is_device(profile);
}

static bool same(const ArchProfile *a, const ArchProfile *b) {
  for (int i = 0; i < LS_COUNT(numbers); i++)
    if (number_of(a, &numbers[i]) != number_of(b, &numbers[i])) return false;
  return strcmp(a->title, b->title) == 0;
}

const ArchProfile *arch_adopt(const char *text) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ArchProfile profile;
  char title[TITLE];
  if (!text || !parse(text, &profile, title)) return NULL;
  profile.title = title;
  if (here && same(here, &profile)) return here;
  pthread_mutex_lock(&mutex);
  int count = guest_count, i = 0;
  while (i < count && !same(&guests[i].profile, &profile)) i++;
  if (i == count && count < MOST_GUESTS) {
    guests[i].profile = profile;
    snprintf(guests[i].title, TITLE, "%s", title);
    snprintf(guests[i].name, NAME, i ? "traced%d" : "traced", i + 1);
    guests[i].profile.title = guests[i].title;
    guests[i].profile.name = guests[i].name;
    guest_count = count + 1;
  }
  pthread_mutex_unlock(&mutex);
  return i < MOST_GUESTS ? &guests[i].profile : NULL;
}
