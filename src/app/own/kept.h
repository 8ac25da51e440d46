// kept.h: what was entered for a file's kernels, kept from one time to the next, by the file's absolute path.
//
// It lies in $XDG_STATE_HOME/lanescope/launches.db (course/store.h: it can always be used). Only what somebody entered
// is kept; what was guessed is guessed again.
#ifndef LS_APP_KEPT_H
#define LS_APP_KEPT_H

#include "app/course/store.h"
#include "app/own/form.h"

typedef struct Kept Kept;
Kept *kept_open(const char *path);                       // NULL: the usual place. Never NULL
void kept_close(Kept *kept);                             // NULL is fine
// The entered fields of a form, as those of this kernel; what was kept before is forgotten.
void kept_save(Kept *kept, const char *file, const Form *form);
// Enters what is kept where nothing else was entered, if it still fits its field. Returns how many fields.
int kept_load(Kept *kept, const char *file, Form *form);
void kept_forget(Kept *kept, const char *file, const char *kernel);
// The kernel of the file that was launched last; false: none was.
bool kept_kernel(Kept *kept, const char *file, char *out, size_t size);

#endif
