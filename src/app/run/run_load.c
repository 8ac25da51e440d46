// run_load.c: what a run is made of before it runs: the PTX of a request, compiled if it must be, and the emulator's
// options.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/run_parts.h"
#include "base/clock.h"
#include "base/file.h"
#include "ptx/demangle.h"

enum { PTX_LIMIT = 64 << 20, SOURCE_LIMIT = 8 << 20 };

void run_take_note(void *context, const char *line) {
  RunProgress *progress = context;
  size_t length = LS_MIN(strlen(line), (size_t)RUN_NOTE - 1);
  for (size_t i = 0; i < RUN_NOTE; i++) progress->note[i] = i < length ? line[i] : 0;
}

static const char compiling[] = "compiling";

static void on_compiler(void *context, const char *compiler) {
  char line[RUN_NOTE];
  RunProgress *progress = context;
  progress->permille = -1;   // nobody knows
  snprintf(line, sizeof line, "with %s", compiler);
  run_set_stage(progress, compiling);
  run_take_note(progress, line);
}

// Which of its compute capabilities a recipe runs for: the highest that the device has. -1: it has none of them.
static int choose_arch(const RunRequest *request, LsErr *err) {
  const Recipe *recipe = request->recipe;
  const ArchProfile *arch = arch_find(request->profile);
  int capability = arch ? 10 * arch->cc_major + arch->cc_minor : INT32_MAX, chosen = -1;
  for (int i = 0; i < recipe->arch_count; i++)
    if (recipe->archs[i] <= capability) chosen = i;
  if (chosen < 0 && recipe->arch_count)
    ls_fail(err, LS_EREQUEST,
            "%s needs compute capability %d.%d or later, and the profile %s has %d.%d: --profile takes another, lanescope devices "
            "lists them", recipe->name, recipe->archs[0] / 10, recipe->archs[0] % 10, request->profile, arch->cc_major,
            arch->cc_minor);
  return recipe->arch_count ? chosen : 0;
}

static char *compile(const RunRequest *request, const char *path, const char *kernel, RunProgress *progress,
                     size_t *length, LsErr *err) {
  DevSource source = {.path = path, .cut = request->cut, .kernel = kernel};
  char arch[16];
  if (request->recipe) source.define = recipe_form(request->recipe, &request->values)->define;
  if (request->recipe && request->recipe->arch_count) {
    snprintf(arch, sizeof arch, "%d", request->recipe->archs[choose_arch(request, NULL)]);
    source.arch = arch;
  }
  if (progress) source.cancel = &progress->cancel, source.starts = on_compiler, source.context = progress;
  uint64_t start = ls_clock_ns();
  char *ptx = dev_compile(&source, length, err);
  if (progress && progress->stage == compiling) progress->compiled_ns += ls_clock_ns() - start;
  run_set_stage(progress, "loading");
  if (progress) run_take_note(progress, "");
  return ptx;
}

// NAME.ptx, as written NAME.g.ptx; with a macro NAME.MACRO.ptx, its value behind a '-'; for the second and later ones
// of several compute capabilities NAME.sm_80.ptx.
static char *recipe_ptx_name(const RunRequest *request, int arch) {
  const RecipeForm *form = recipe_form(request->recipe, &request->values);
  LsText suffix = {0};
  if (form->define) ls_text_addf(&suffix, ".%s", form->define);
  for (char *p = suffix.data; p && *p; p++) *p = *p == '=' ? '-' : *p;
  if (arch > 0) ls_text_addf(&suffix, ".sm_%d", request->recipe->archs[arch]);
  ls_text_add(&suffix, request->cut == DEV_WRITTEN ? ".g.ptx" : ".ptx");
  char *name = ls_path_with_suffix(form->source, ls_text_str(&suffix));
  ls_text_free(&suffix);
  return name;
}

// Whether a source, or one that it includes by #include "NAME", was changed since.
static bool is_newer(const char *source, const char *ptx) {
  if (ls_file_newer(source, ptx)) return true;
  char *text = ls_file_read(source, SOURCE_LIMIT, NULL, NULL);
  bool newer = false;
  for (const char *p = text; p && !newer && (p = strstr(p, "#include \"")); ) {
    p += strlen("#include \"");
    char *path = ls_format("%.*s%.*s", (int)(ls_path_base(source) - source), source, (int)strcspn(p, "\"\n"), p);
    newer = ls_file_newer(path, ptx);
    free(path);
  }
  free(text);
  return newer;
}

// Of the text in the place of its source: what was made of it beforehand, or compiled now.
static char *text_ptx(const RunRequest *request, char **path, RunProgress *progress, size_t *length, LsErr *err) {
  int arch = choose_arch(request, err);
  *path = arch < 0 ? NULL : recipe_ptx_name(request, arch);
  if (arch < 0) return NULL;
  char *made = run_text_made(request, *path, err), *ptx = NULL;
  if (made && ls_file_exists(made)) {
    ptx = ls_file_read(made, PTX_LIMIT, length, err);
  } else if (made) {
    RunTextFolder folder;
    if (run_text_write(request, &folder, err)) ptx = compile(request, folder.path, NULL, progress, length, err);
    run_text_remove(&folder, err);
  }
  free(made);
  return ptx;
}

bool run_request_made(const RunRequest *request, RunMade *made, LsErr *err) {
  enum { USUAL = 75 };               // as assets/make-ptx has it
  int arch = choose_arch(request, err);
  if (arch < 0) return false;
  const RecipeForm *form = recipe_form(request->recipe, &request->values);
  char *name = recipe_ptx_name(request, arch);
  *made = (RunMade){.path = run_text_made(request, name, err), .source = form->source, .define = form->define,
                    .arch = request->recipe->arch_count ? request->recipe->archs[arch] : USUAL,
                    .written = request->cut == DEV_WRITTEN};
  free(name);
  return made->path != NULL;
}

// PTX of a recipe: the one that comes with it, or compiled from its source where there is none. Somebody's own
// source is compiled
// as well if it is newer, and if there is a compiler.
static char *recipe_ptx(const RunRequest *request, char **path, RunProgress *progress, size_t *length, LsErr *err) {
  const Recipe *recipe = request->recipe;
  int arch = choose_arch(request, err);
  if (arch < 0) return *path = NULL;
  char *stem = recipe_ptx_name(request, arch), *text = NULL;
  char *source = run_recipe_file(recipe, "kernels", recipe_form(recipe, &request->values)->source, err), *shipped =
      run_recipe_file(recipe, "assets/ptx", stem, err);
  bool is_there = shipped && ls_file_exists(shipped), is_old = recipe->folder && source && is_newer(source, shipped);
  LsErr failure = {0};
  *path = source ? ls_strdup(source) : NULL;
  if (source && (!is_there || is_old)) text = compile(request, source, NULL, progress, length, &failure);
  if (!text && is_there && (!is_old || failure.kind == LS_EENV)) {
    text = ls_file_read(shipped, PTX_LIMIT, length, err);
    free(*path);
    *path = ls_strdup(stem);   // which folder it was in is nothing for a trace, which goes elsewhere
  } else if (!text && err && source && shipped) {
    *err = failure;
  }
  free(stem);
  free(source);
  free(shipped);
  return text;
}

static char *made_ptx(const RunCode *code, char **path, size_t *length) {
  *path = ls_strdup(code->path);
  *length = code->length;
  return ls_strndup(code->ptx, code->length);
}

char *run_load_ptx(const RunRequest *request, char **path, RunProgress *progress, size_t *length, LsErr *err) {
  if (request->code && request->code->cut == request->cut) return made_ptx(request->code, path, length);
  if (request->recipe && request->text) return text_ptx(request, path, progress, length, err);
  if (request->recipe) return recipe_ptx(request, path, progress, length, err);
  *path = ls_strdup(request->what);
  if (ls_ends_with(request->what, ".cu"))
    return compile(request, request->what, request->launch.kernel, progress, length, err);
  return ls_file_read(request->what, PTX_LIMIT, length, err);
}

static void free_code(RunShared *shared) {
  RunCode *code = (RunCode *)(void *)shared;   // whose first member it is
  free(code->path);
  free(code->ptx);
  free(code);
}

bool run_request_compile(RunRequest *request, RunProgress *progress, LsErr *err) {
  RunCode *code = ls_alloc(sizeof *code);
  code->shared.free = free_code;
  code->cut = request->cut;
  run_request_set_code(request, NULL);
  code->ptx = run_load_ptx(request, &code->path, progress, &code->length, err);
  if (code->ptx) request->code = code;
  else free_code(&code->shared);
  return request->code != NULL;
}

// ---- options -------------------------------------------------------------------------------------------------------

// Counts blocks, or bytes of which nobody knows how many will come.
static void on_progress(void *context, uint64_t done, uint64_t all) {
  RunProgress *progress = context;
  progress->permille = all ? (int)((double)done * 1000 / (double)all) : -1;
  progress->bytes = all ? 0 : done;
  progress->blocks_done = all ? done : 0;
}

bool run_options(const RunRequest *request, RunProgress *progress, SimOptions *options, LsErr *err) {
  sim_options_init(options);
  const ArchProfile *arch = arch_find(request->profile);
  if (!arch) {
    int count;
    const ArchProfile *all = arch_all(&count);
    ls_fail(err, LS_EREQUEST, "there is no device profile '%s'; there are:", LS_QUOTE(request->profile));
    for (int i = 0; err && i < count; i++) ls_err_append(err, "  %-10s %s", all[i].name, all[i].title);
    return false;
  }
  options->sched = request->sched;
  options->order = run_request_order(request);
  options->seed = request->seed;
  options->threads = (int)request->threads;
  options->budget = request->budget;
  options->checks = request->checks;
  options->sm_count = arch->sm_count;
  options->capability = 10 * arch->cc_major + arch->cc_minor;
  options->warps_per_sm = arch->warps_per_sm;
  options->blocks_per_sm = arch->blocks_per_sm;
  options->shared_per_sm = arch->shared_per_sm;
  options->max_shared = (uint64_t)arch->shared_per_block;
  options->shared_reserved = arch->shared_reserved;
  if (!progress) return true;
  options->cancel = &progress->cancel;
  options->progress = on_progress;
  options->progress_context = progress;
  return true;
}

// A GPU launches them itself, or says why it cannot; the emulator's are launched by whoever runs it here.
bool run_may_launch(const Device *device, const PtxModule *module, int entry, LsErr *err) {
  if (entry < 0 || device->asked || strcmp(device->name, "emu") != 0 || !sim_may_launch(module, entry)) return true;
  const char *name = module->funcs[entry].demangled;
  return ls_fail(err, LS_EREQUEST, "%.*s launches kernels itself, which the emulator of another machine does not tell "
                                   "of: leave out --runner", ptx_name_length(name), name);
}

static void add_note(Run *run, LsText *note) {
  LsText notes = {0};
  if (run->notes && *run->notes) ls_text_addf(&notes, "%s\n", run->notes);
  ls_text_add(&notes, ls_text_str(note));
  ls_text_free(note);
  free(run->notes);
  run->notes = ls_text_take(&notes);
}

bool run_launches_inside(const Device *device, const PtxModule *module, int entry) {
  return entry >= 0 && !device->asked && strcmp(device->name, "cuda") == 0 && sim_may_launch(module, entry);
}

void run_note_children(Run *run) {
  int count = 0, launches = 0;
  LsText note = {0};
  const SimDeviceOp *ops = run->device->asked ? run->device->asked(run->device_run, &count) : NULL;
  for (int i = 0; i < count; i++) launches += ops[i].kind == SIM_DEVICE_LAUNCH;
  if (launches)
    ls_text_addf(&note,
                 "the kernel launches %d kernel%s, which no run of one launch has in it: explore shows them (--launch 1.1 "
                 "is the first), and stats of a program counts them (a recipe with a sequence, see kernels/README.md)",
                 launches, launches == 1 ? "" : "s");
  if (run_launches_inside(run->device, run->module, run->entry))
    ls_text_add(&note, "the kernel launches kernels: result and time have them in them, counters and events are of its "
                       "own grid");
  if (note.length) add_note(run, &note);
}
