// recordings.c: finds recordings among the data files, and the one that suits a request.
#include "app/run/recordings.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

static const char FOLDER[] = "assets/recordings", SUFFIX[] = ".lst";
enum { PTX_MOST = 64 << 20 };

// ---- files ---------------------------------------------------------------------------------------------------------

typedef struct Names { char **items; int count, capacity; } Names;

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// Whether a file is a recording of the kernel; of any if kernel is NULL.
static bool is_of(const char *file, const char *kernel) {
  size_t length = kernel ? strlen(kernel) : strcspn(file, ".");
  return ls_ends_with(file, SUFFIX) && (!kernel || strncmp(file, kernel, length) == 0) && file[length] == '.';
}

static void list_files(const char *kernel, Names *names) {
  char *folder = ls_data_path(FOLDER, NULL);
  DIR *dir = folder ? opendir(folder) : NULL;
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (is_of(entry->d_name, kernel)) LS_PUSH(names->items, names->count, names->capacity, ls_path_join(folder, entry->d_name));
  if (dir) closedir(dir);
  free(folder);
  if (names->count) qsort(names->items, (size_t)names->count, sizeof *names->items, by_name);
}

static void names_fini(Names *names) {
  for (int i = 0; i < names->count; i++) free(names->items[i]);
  free(names->items);
  *names = (Names){0};
}

bool recordings_has(const char *kernel) {
  Names names = {0};
  list_files(kernel, &names);
  bool has = names.count > 0;
  names_fini(&names);
  return has;
}

// ---- what they hold ------------------------------------------------------------------------------------------------

static char *copied(const char *text) { return ls_strdup(text ? text : ""); }

// By the PTX: what is not there any more cannot have changed.
bool recording_is_outdated(const TraceInfo *info) {
  size_t length = 0;
  char *relative = ls_path_join("assets/ptx", ls_path_base(info->ptx_path ? info->ptx_path : "")),
      *path = ls_data_path(relative, NULL);
  char *now = path && ls_file_exists(path) ? ls_file_read(path, PTX_MOST, &length, NULL) : NULL;
  bool differs = now && info->ptx && (length != info->ptx_length || memcmp(now, info->ptx, length) != 0);
  free(now);
  free(path);
  free(relative);
  return differs;
}

// Its other launches, if it is of a program.
static void add_launches(Trace *trace, Recording *out) {
  int others, blocks;
  const TraceLaunch *launches = trace_launches(trace, &others);
  for (int i = 0; i < others; i++) {
    Trace *launch = trace_open_launch(trace, launches[i].number, NULL);
    if (!launch) continue;
    trace_blocks(launch, &blocks);
    out->steps += trace_steps(launch);
    out->blocks += (uint64_t)blocks;
    trace_close(launch);
  }
}

static bool describe(Trace *trace, const char *path, const char *kernel, Recording *out) {
  int blocks;
  const TraceInfo *info = trace_info(trace);
  const TraceMeasure *m = trace_measure(trace);
  size_t length = strlen(kernel);
  bool is_of = info->title && strncmp(info->title, kernel, length) == 0 &&
               (!info->title[length] || ls_starts_with(info->title + length, ", launch "));   // of a program
  if (!is_of || !info->parameters || !info->code || !info->ptx) return false;
  trace_blocks(trace, &blocks);
  *out = (Recording){.path = ls_strdup(path), .parameters = copied(info->parameters), .code = copied(info->code),
                     .device_name = copied(info->device_name), .date = m && m->date ? ls_strdup(m->date) : NULL,
                     .driver = m && m->driver ? ls_strdup(m->driver) : NULL, .steps = trace_steps(trace),
                     .blocks = (uint64_t)blocks, .bytes = trace_bytes(trace), .is_outdated = recording_is_outdated(info)};
  add_launches(trace, out);
  return true;
}

// One that was cut off has lost what was measured, which comes last.
static Trace *open_whole(const char *path, LsErr *err) {
  Trace *trace = trace_open(path, err);
  if (!trace || !trace_is_truncated(trace)) return trace;
  trace_close(trace);
  ls_fail(err, LS_EFORMAT, "%s is cut off, or damaged at its end", LS_QUOTE_PATH(path));
  return NULL;
}

void recordings_of(const char *kernel, Recordings *out) {
  Names names = {0};
  *out = (Recordings){0};
  list_files(kernel, &names);
  for (int i = 0; i < names.count; i++) {
    Recording recording;
    LsErr err = {0};
    Trace *trace = open_whole(names.items[i], &err);
    if (!trace) ls_text_addf(&out->unread, "\n%s", err.message);
    else if (describe(trace, names.items[i], kernel, &recording)) LS_PUSH(out->items, out->count, out->capacity, recording);
    trace_close(trace);
  }
  names_fini(&names);
}

void recordings_fini(Recordings *recordings) {
  for (int i = 0; i < recordings->count; i++) {
    Recording *r = &recordings->items[i];
    char *texts[] = {r->path, r->parameters, r->code, r->device_name, r->date, r->driver};
    for (int t = 0; t < LS_COUNT(texts); t++) free(texts[t]);
  }
  free(recordings->items);
  ls_text_free(&recordings->unread);
  *recordings = (Recordings){0};
}

void recording_words(const Recording *recording, LsText *out) {
  const char *comma = recording->parameters[0] ? ", " : "";
  ls_text_addf(out, "%s%sas %s, on %s", recording->parameters, comma, recording->code, recording->device_name);
  if (recording->date) ls_text_addf(out, ", %s", recording->date);
  if (recording->is_outdated) ls_text_add(out, ", of an older kernel");
}

// The values of a recording: a parameter that the kernel did not have then, such as its form, is at its default.
static void values_of(const Recording *recording, const Recipe *recipe, RecipeValues *values) {
  char *copy = ls_strdup(recording->parameters), *rest = copy, *word;
  recipe_defaults(recipe, values);
  while ((word = strsep(&rest, " ")))
    if (*word) recipe_set(recipe, values, word, NULL);
  free(copy);
}

void recording_request(const Recording *recording, RunRequest *request) {
  run_request_set_device(request, "recorded");
  values_of(recording, request->recipe, &request->values);
  request->cut = strcmp(recording->code, "written") == 0 ? DEV_WRITTEN : DEV_COMPILED;
  request->cut_given = true;
}

// ---- the one that suits --------------------------------------------------------------------------------------------

static bool nothing_recorded(const char *kernel, LsErr *err) {
  Names names = {0};
  LsText text = {0};
  list_files(NULL, &names);
  ls_text_addf(&text, "there is no recording of %s", kernel);
  if (!names.count)
    ls_text_add(&text, ": no recordings are installed here; make recordings makes them on a machine with a GPU");
  else ls_text_add(&text, "; there are recordings of ");
  for (int i = 0; i < names.count; i++) {
    const char *base = ls_path_base(names.items[i]), *before = i ? ls_path_base(names.items[i - 1]) : "";
    size_t length = strcspn(base, ".");
    if (strncmp(base, before, length + 1) == 0) continue;
    ls_text_addf(&text, "%s%.*s", i ? ", " : "", (int)length, base);
  }
  ls_fail(err, LS_EENV, "%s", ls_text_str(&text));
  ls_text_free(&text);
  names_fini(&names);
  return false;
}

static bool not_with_these(const RunRequest *request, const char *values, const Recordings *all, LsErr *err) {
  const char *cut = request->cut == DEV_WRITTEN ? "written" : "compiled";
  ls_fail(err, LS_EREQUEST, "%s is not recorded with %s%s%s; its recordings are", request->recipe->name,
          *values ? values : "these values", request->cut_given ? ", as " : "", request->cut_given ? cut : "");
  for (int i = 0; err && i < all->count; i++) {
    LsText text = {0};
    recording_words(&all->items[i], &text);
    ls_err_append(err, "  %s", ls_text_str(&text));
    ls_text_free(&text);
  }
  return false;
}

// 2: all is as asked for, 1: but for the cut, 0: no.
static int suits(const Recording *recording, const RunRequest *request) {
  RecipeValues values;
  values_of(recording, request->recipe, &values);
  if (memcmp(&values, &request->values, sizeof values) != 0) return 0;
  if (strcmp(recording->code, request->cut == DEV_WRITTEN ? "written" : "compiled") == 0) return 2;
  return request->cut_given ? 0 : 1;
}

// Reads every event once: damage is to be known before anybody looks at one of them.
static bool is_sound(const char *path, LsErr *err) {
  static TraceSink nobody;
  int others = 0;
  Trace *trace = trace_open(path, err);
  bool ok = trace && trace_push(trace, &nobody, NULL, err);
  const TraceLaunch *launches = ok ? trace_launches(trace, &others) : NULL;
  for (int i = 0; ok && i < others; i++) {
    Trace *launch = trace_open_launch(trace, launches[i].number, err);
    ok = launch && trace_push(launch, &nobody, NULL, err);
    trace_close(launch);
  }
  trace_close(trace);
  return ok;
}

static const Recording *best_of(const Recordings *all, const RunRequest *request) {
  const Recording *best = NULL;
  int how_well = 0;
  for (int i = 0; i < all->count; i++) {
    int suit = suits(&all->items[i], request);
    if (suit > how_well) best = &all->items[i], how_well = suit;
  }
  return best;
}

char *recording_find(const RunRequest *request, LsErr *err) {
  if (!request->recipe) {
    ls_fail(err, LS_EREQUEST, "only lecture kernels have recordings; %s is a file: play it if it is a trace",
            LS_QUOTE_PATH(request->what));
    return NULL;
  }
  Recordings all;
  LsText values = {0};
  recordings_of(request->recipe->name, &all);
  recipe_print_values(request->recipe, &request->values, &values);
  const Recording *best = best_of(&all, request);
  char *path = best && is_sound(best->path, err) ? ls_strdup(best->path) : NULL;
  if (!all.count && all.unread.length) ls_fail(err, LS_EFORMAT, "no recording of %s can be read",
                                               request->recipe->name);
  else if (!all.count) nothing_recorded(request->recipe->name, err);
  else if (!best) not_with_these(request, ls_text_str(&values), &all, err);
  if (!best && all.unread.length && err) ls_err_append(err, "%s", ls_text_str(&all.unread) + 1);
  ls_text_free(&values);
  recordings_fini(&all);
  return path;
}
