// run_parts.h: what run.c shares with the runs of programs (program_run.c).
#ifndef LS_APP_RUN_PARTS_H
#define LS_APP_RUN_PARTS_H

#include "app/run/run.h"

// The PTX of a request and the name it goes by; the caller frees both. NULL: failed.
char *run_load_ptx(const RunRequest *request, char **path, RunProgress *progress, size_t *length, LsErr *err);
static inline void run_set_stage(RunProgress *progress, const char *stage) {
  if (progress) progress->stage = stage;
}
// For DevRequest.note: the context is the RunProgress.
void run_take_note(void *context, const char *line);
// run_text.c: of a request with a text. The file with its PTX, if it was made beforehand (name: what the PTX of the
// recipe's form is called); caller frees.
char *run_text_made(const RunRequest *request, const char *name, LsErr *err);
// The text as a file in a folder of its own, with what it includes, for a compiler. It is to be removed also after a
// failure; then no message names it any more.
typedef struct RunTextFolder { struct CompileFolder *folder; char *path; } RunTextFolder;
bool run_text_write(const RunRequest *request, RunTextFolder *folder, LsErr *err);
void run_text_remove(RunTextFolder *folder, LsErr *err);
// A file beside the recipe, or in that folder of lanescope's own files; caller frees. NULL: there is no such folder.
char *run_recipe_file(const Recipe *recipe, const char *folder, const char *name, LsErr *err);
// Whether the device runs what this kernel launches inside of its launch, unseen: a GPU.
bool run_launches_inside(const Device *device, const PtxModule *module, int entry);
// Whether the device can do what the kernel's own launches ask for. False: it launches kernels, and the device runs
// none of them.
bool run_may_launch(const Device *device, const PtxModule *module, int entry, LsErr *err);
// What the kernel has launched, for it is no part of a run of one launch: a line more in run->notes.
void run_note_children(Run *run);
// The emulator's options. False: there is no such profile.
bool run_options(const RunRequest *request, RunProgress *progress, SimOptions *options, LsErr *err);

#endif
