// alias.c: a friendly name by chance, and which names there may be.
#include "app/report/report.h"

#include "base/random.h"

static const char *const animals[] = {
    "otter",  "heron",  "lynx",   "badger", "marten", "falcon",  "beaver",  "plover",  "gecko",  "ibex",    "puffin",
    "raven",  "seal",   "stork",  "tapir",  "walrus", "wombat",  "yak",     "zebra",   "bison",  "camel",   "crane",
    "dingo",  "eagle",  "ferret", "finch",  "gibbon", "hare",    "hoopoe",  "iguana",  "jackal", "jaguar",  "kestrel",
    "koala",  "lemur",  "llama",  "magpie", "mole",   "moose",   "newt",    "ocelot",  "osprey", "panda",   "pelican",
    "quail",  "robin",  "salmon", "shrew",  "siskin", "sparrow", "squid",   "swift",   "tern",   "thrush",  "toucan",
    "turtle", "viper",  "vole",   "weasel", "whale",  "wren",    "mallard", "narwhal", "penguin"};
enum { LEAST_NUMBER = 1000, NUMBERS = 9000 };

static bool take_number(void *context, const StoreValue *row) {
  *(int64_t *)context = row[0].integer;
  return false;
}

// A number above 0 that is made once.
static uint64_t number_of(Progress *progress) {
  int64_t number = 0;
  Store *store = progress_store(progress);
  store_ask(store, "select value from student where name = 'alias'", NULL, 0, take_number, &number);
  if (number > 0) return (uint64_t)number;
  StoreValue made = store_integer((int64_t)(ls_random_bits() >> 1 | 1));
  store_change(store, "insert or ignore into student values ('alias', ?1)", &made, 1);
  store_ask(store, "select value from student where name = 'alias'", NULL, 0, take_number, &number);
  return number > 0 ? (uint64_t)number : (uint64_t)made.integer;
}

void report_alias(Progress *progress, LsText *out) {
  uint64_t number = number_of(progress) >> 1;
  uint64_t animal = number % LS_COUNT(animals);
  ls_text_addf(out, "%s-%d", animals[animal], LEAST_NUMBER + (int)(number / LS_COUNT(animals) % NUMBERS));
}

bool report_is_name(const char *name) {
  bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || (*name >= '0' && *name <= '9');
  if (!letter && (unsigned char)*name < 0x80) return false;
  int length = 0;
  for (const char *s = name; *s; length++) {
    const char *start = s;
    uint32_t code = ls_utf8_next(&s);
    bool broken = code == 0xfffd && s - start == 1, control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    bool unseen = ls_code_width(code) == 0 && start == name;
    if (broken || control || unseen) return false;
  }
  return length <= REPORT_NAME;
}
