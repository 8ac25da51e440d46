// files.h: the files of one's own kernels in a folder, and one to begin with.
#ifndef LS_APP_FILES_H
#define LS_APP_FILES_H

#include "app/own/reading.h"
#include "base/mem.h"

typedef struct OwnEntry { char *path; const char *name; int64_t saved; int64_t bytes; } OwnEntry;   // saved: since 1970
typedef struct OwnFiles { OwnEntry *items; int count; LsArena *arena; } OwnFiles;
enum { OWN_FILES = 500 };      // at most

// The .cu and .ptx files of a folder, those saved last first. False if it cannot be read; then there are none.
bool ownfiles_list(const char *folder, OwnFiles *files, LsErr *err);
void ownfiles_free(OwnFiles *files);           // an empty one is fine
// Writes a small kernel into the folder, never over a file that is there. Returns its path, or NULL; caller frees.
char *ownfiles_begin(const char *folder, LsErr *err);
// "just now", "5 minutes ago", "3 days ago"
void ownfiles_age(int64_t saved, int64_t now, LsText *out);

#endif
