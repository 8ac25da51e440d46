// test_trace_info.c: traces that tell wrong things, or nothing, of the run that they are of: refused with a message, or shown.
//
// Every mutation is of the bytes behind the checksums. They are worked off by a child process, so that a crash is told with
// the number of its mutation: tests/test_trace_info takes it up again with INFO_FIRST=NUMBER.
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/run/run.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "forge.h"
#include "trace/section.h"

static const char *const seeds[] = {"warp_reduce.lst", "gpu.lst", "histogram.lst", "diverge.lst"};
enum { SEEDS = LS_COUNT(seeds), RAW_MOST = 1 << 16 };

typedef struct Seed { uint8_t *file, *info; size_t size, info_size; ForgeSection sections[FORGE_MOST]; int count; } Seed;

static void seed_init(Seed *seed, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, LS_SOURCE_DIR "/tests/fuzz/seeds_trace/%s", name);
  seed->file = (uint8_t *)ls_file_read(path, 1 << 20, &seed->size, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(seed->file);
  seed->count = forge_sections(seed->file, seed->size, seed->sections);
  CU_ASSERT_FATAL(seed->count > 1);
  seed->info = forge_unpack(seed->file, &seed->sections[0], RAW_MOST, &seed->info_size);
  CU_ASSERT_PTR_NOT_NULL_FATAL(seed->info);
}

static void seed_fini(Seed *seed) {
  free(seed->file);
  free(seed->info);
}

// ---- in a child ------------------------------------------------------------------------------------------------------

typedef void (*Mutation)(const Seed *seed, int number, uint8_t **file, size_t *size);
typedef struct Shared { volatile int at, taken; } Shared;

static void work_off(const Seed *seed, Mutation mutation, int first, int last, Shared *shared) {
  for (int i = first; i < last; i++) {
    uint8_t *file;
    size_t size;
    shared->at = i;
    mutation(seed, i, &file, &size);
    shared->taken += forge_use(file, size, (unsigned)i * 7u);
    free(file);
  }
}

// Returns how many of the mutated traces were taken.
static int survive(const char *name, const Seed *seed, Mutation mutation, int count) {
  Shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const char *again = getenv("INFO_FIRST");
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    work_off(seed, mutation, again ? atoi(again) : 0, again ? atoi(again) + 1 : count, shared);
    fflush(NULL);
    _exit(0);
  }
  int status = 0, taken = shared->taken;
  waitpid(child, &status, 0);
  taken = shared->taken;
  if (status) printf("\n%s: mutation %d ended the program: status %x\n", name, shared->at, (unsigned)status);
  CHECK_INT(status, 0);
  munmap(shared, sizeof *shared);
  return taken;
}

// ---- texts and numbers that are not there, or strange ------------------------------------------------------------------

static void forge_info(const Seed *seed, const TraceInfo *info, uint8_t **file, size_t *size) {
  TraceBytes raw = {0};
  trace_put_info(&raw, info);
  *file = forge_replace(seed->file, seed->size, &seed->sections[0], raw.data, raw.size, size);
  free(raw.data);
}

static void read_seed(const Seed *seed, TraceInfo *info) {
  TraceCursor cursor = {seed->info, seed->info + seed->info_size, false};
  trace_get_info(&cursor, info);
  CU_ASSERT_FATAL(!cursor.bad);
}

enum { TEXTS_MOST = 64 };

// Every text of an information section, in turn.
static int texts_of(TraceInfo *info, char **texts[TEXTS_MOST]) {
  char **all[] = {&info->device,     &info->device_name, &info->profile,       &info->sched, &info->code, &info->title, &info->kernel,
                  &info->parameters, &info->ptx,         &info->ptx_path, &info->profile_text, &info->launch.kernel};
  int count = 0;
  for (int i = 0; i < LS_COUNT(all); i++) texts[count++] = all[i];
  for (int i = 0; i < info->source_count && count + 2 < TEXTS_MOST; i++) {
    texts[count++] = &info->sources[i].path;
    texts[count++] = &info->sources[i].text;
  }
  for (int i = 0; i < info->object_count && count < TEXTS_MOST; i++) texts[count++] = &info->objects[i].name;
  for (int i = 0; i < info->launch.arg_count && count + 3 < TEXTS_MOST; i++) {
    texts[count++] = &info->launch.args[i].name;
    texts[count++] = &info->launch.args[i].output;
    texts[count++] = &info->launch.args[i].text;
  }
  return count;
}

static char *strange_text(int how) {
  if (how == 0) return NULL;
  if (how == 1) return ls_strdup("");
  if (how == 2) return ls_strdup("\x1b[2J\xc2\x9b" "1m\xff\xfe%s%n\n\t");
  char *text = ls_alloc(5001);
  memset(text, how == 3 ? 'x' : '/', 5000);
  return text;
}
enum { STRANGE_TEXTS = 5 };

static void strange(const Seed *seed, int number, uint8_t **file, size_t *size) {
  TraceInfo info;
  char **texts[TEXTS_MOST];
  read_seed(seed, &info);
  int count = texts_of(&info, texts), which = number / STRANGE_TEXTS;
  if (which < count) {
    free(*texts[which]);
    *texts[which] = strange_text(number % STRANGE_TEXTS);
    if (texts[which] == &info.ptx) info.ptx_length = info.ptx ? strlen(info.ptx) : 0;
  }
  forge_info(seed, &info, file, size);
  trace_info_fini(&info);
}

static void strange_texts(void) {
  for (int i = 0; i < SEEDS; i++) {
    Seed seed = {0};
    seed_init(&seed, seeds[i]);
    CHECK(survive(seeds[i], &seed, strange, TEXTS_MOST * STRANGE_TEXTS) > TEXTS_MOST);
    seed_fini(&seed);
  }
}

// What every run has is told when it is missing; the rest may be.
static const struct { size_t offset; const char *what; } required[] = {
    {offsetof(TraceInfo, device), "the device"},   {offsetof(TraceInfo, device_name), "the device's name"},
    {offsetof(TraceInfo, profile), "the profile"}, {offsetof(TraceInfo, sched), "the scheduler"},
    {offsetof(TraceInfo, code), "the kind of code"}, {offsetof(TraceInfo, title), "the title"},
    {offsetof(TraceInfo, kernel), "the kernel's name"}, {offsetof(TraceInfo, parameters), "the parameters"},
    {offsetof(TraceInfo, ptx), "the PTX"},         {offsetof(TraceInfo, ptx_path), "the name of the PTX"},
};

// A message, or "" if the file is taken.
static void open_forged(const Seed *seed, const TraceInfo *info, LsErr *err) {
  char path[64];
  size_t size;
  uint8_t *file;
  forge_info(seed, info, &file, &size);
  int fd = memfd_create("trace", MFD_CLOEXEC);
  CHECK(write(fd, file, size) == (ssize_t)size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  *err = (LsErr){0};
  run_free(run_open(path, err));
  close(fd);
  free(file);
}

static void expect_lack(const Seed *seed, const TraceInfo *info, const char *what) {
  LsErr err;
  char wanted[200];
  open_forged(seed, info, &err);
  CHECK_INT(err.kind, LS_EFORMAT);
  snprintf(wanted, sizeof wanted, " is damaged: its information section lacks %s; record it again", what);
  const char *said = strstr(err.message, " is");
  CHECK_STR(said ? said : err.message, wanted);
}

static void without(const Seed *seed, const TraceInfo *info, char **text, const char *what) {
  char *kept = *text;
  *text = NULL;
  expect_lack(seed, info, what);
  *text = kept;
}

static void lacks_are_told(void) {
  Seed seed = {0};
  TraceInfo info;
  LsErr err;
  seed_init(&seed, seeds[0]);
  read_seed(&seed, &info);
  open_forged(&seed, &info, &err);
  CHECK_STR(err.message, "");
  for (int i = 0; i < LS_COUNT(required); i++)
    without(&seed, &info, (char **)(void *)((char *)&info + required[i].offset), required[i].what);
  CHECK(info.source_count > 0 && info.object_count > 0);
  without(&seed, &info, &info.sources[0].path, "the path of a source file");
  without(&seed, &info, &info.objects[0].name, "the name of a memory object");
  info.launch.grid[1] = 0;
  expect_lack(&seed, &info, "a possible size of the grid and its blocks");
  info.launch.grid[1] = 1;
  char **optional[] = {&info.sources[0].text, &info.launch.kernel, &info.launch.args[0].name};
  for (int i = 0; i < LS_COUNT(optional); i++) {
    free(*optional[i]);
    *optional[i] = NULL;
    open_forged(&seed, &info, &err);
    CHECK_STR(err.message, "");
  }
  trace_info_fini(&info);
  seed_fini(&seed);
}

// ---- times at the end of their type ----------------------------------------------------------------------------------

enum { TIMES_MOST = 9, TIMES_EACH = 64 };

// A block that seems to take nearly as long as 64 bits can say. Each again and again, as `which` chooses another picture
// each time.
static void endless(const Seed *seed, int number, uint8_t **file, size_t *size) {
  const ForgeSection *times = seed->sections;
  while (strcmp(times->tag, "TIME") != 0 && times < seed->sections + seed->count - 1) times++;
  size_t raw_size;
  uint8_t *raw = forge_unpack(seed->file, times, RAW_MOST, &raw_size);
  CU_ASSERT_FATAL(raw && raw_size == TIMES_MOST);
  raw[number / TIMES_EACH] |= 0x3f;
  *file = forge_replace(seed->file, seed->size, times, raw, raw_size, size);
  free(raw);
}

static void endless_times(void) {
  Seed seed = {0};
  seed_init(&seed, "gpu.lst");
  CHECK(survive("gpu.lst", &seed, endless, TIMES_MOST * TIMES_EACH) > TIMES_EACH);
  seed_fini(&seed);
}

// ---- any bytes -----------------------------------------------------------------------------------------------------------

// One change of one byte or of a few: at least one, mostly where no long text is.
static void change(LsMt *random, uint8_t *raw, size_t *size) {
  uint32_t how = ls_mt_u32(random) % 6, length = 1 + ls_mt_u32(random) % 4;
  size_t at = ls_mt_u32(random) % *size;
  length = (uint32_t)LS_MIN(length, *size - at);
  switch (how) {
  case 0: raw[at] ^= (uint8_t)(1u << ls_mt_u32(random) % 8); break;
  case 1: raw[at] = (uint8_t)ls_mt_u32(random); break;
  case 2: raw[at] = 0; break;
  case 3: raw[at] = 0xff; break;
  case 4:
    memmove(raw + at, raw + at + length, *size - at - length);
    *size -= length;
    break;
  default:
    memmove(raw + at + length, raw + at, *size - at);
    for (uint32_t i = 0; i < length; i++) raw[at + i] = (uint8_t)ls_mt_u32(random);
    *size += length;
  }
}

static void any_bytes(const Seed *seed, int number, uint8_t **file, size_t *size) {
  LsMt random;
  ls_mt_seed(&random, (uint32_t)number * 2654435761u + 9);
  const ForgeSection *section = &seed->sections[number % 4 ? 0 : number / 4 % seed->count];
  if (strcmp(section->tag, "EVTS") == 0) section = &seed->sections[0];
  size_t raw_size;
  uint8_t *raw = forge_unpack(seed->file, section, RAW_MOST, &raw_size);
  raw = ls_realloc(raw, raw_size + 64);
  for (uint32_t changes = 1 + ls_mt_u32(&random) % 3; changes && raw_size > 8; changes--) change(&random, raw, &raw_size);
  *file = forge_replace(seed->file, seed->size, section, raw, raw_size, size);
  free(raw);
}

static void mutated_bytes(void) {
  enum { EACH = 1000 };
  for (int i = 0; i < SEEDS; i++) {
    Seed seed = {0};
    seed_init(&seed, seeds[i]);
    CHECK(survive(seeds[i], &seed, any_bytes, EACH) > EACH / 10);
    seed_fini(&seed);
  }
}

static const Check checks[] = {
    {"lacks_are_told", lacks_are_told},
    {"strange_texts", strange_texts},
    {"endless_times", endless_times},
    {"mutated_bytes", mutated_bytes},
};

int main(int argc, char **argv) { return check_main("trace_info", checks, LS_COUNT(checks), argc, argv); }
