// run_parts.h: what run.c shares with the runs of programs (program_run.c).
#ifndef LS_APP_RUN_PARTS_H
#define LS_APP_RUN_PARTS_H

#include "app/run/run.h"

// The PTX of a request and the name it goes by; the caller frees both. NULL: failed.
char *run_load_ptx(const RunRequest *request, char **path, RunProgress *progress, size_t *length, LsErr *err);
// The same of a request with a text of its own (run_text.c).
char *run_text_ptx(const RunRequest *request, char **path, RunProgress *progress, size_t *length, LsErr *err);
// A source compiled for the request; caller frees.
char *run_compile(const RunRequest *request, const char *path, const char *kernel, RunProgress *progress,
                  size_t *length, LsErr *err);
// "reduce1.g.ptx": what the PTX of a recipe's form is called; caller frees. NULL: the device has none of its capabilities.
char *run_ptx_name(const RunRequest *request, LsErr *err);
static inline void run_set_stage(RunProgress *progress, const char *stage) {
  if (progress) progress->stage = stage;
}
// For DevRequest.note: the context is the RunProgress.
void run_take_note(void *context, const char *line);
// A file beside the recipe, or in that folder of lanescope's own files; caller frees. NULL: there is no such folder.
char *run_recipe_file(const Recipe *recipe, const char *folder, const char *name, LsErr *err);
// Whether the device can do what the kernel's own launches ask for. False: it launches kernels, and the device runs
// none of them.
bool run_may_launch(const Device *device, const PtxModule *module, int entry, LsErr *err);
// What the kernel has launched, for it is no part of a run of one launch: a line more in run->notes.
void run_note_children(Run *run);
// The emulator's options. False: there is no such profile.
bool run_options(const RunRequest *request, RunProgress *progress, SimOptions *options, LsErr *err);

#endif
