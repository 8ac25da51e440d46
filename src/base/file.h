// file.h: whole files in and out, paths, and where lanescope's own files are.
//
// Errors name the file and the reason: LS_EREQUEST for what the user named wrongly (missing, too large, no regular file),
// LS_EIO for what the system refuses.
#ifndef LS_BASE_FILE_H
#define LS_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

// Reads a whole regular file (at most `limit` bytes; more is an error, as is a directory, pipe or device). Caller frees.
// The result has a terminating zero that is not counted in *size (size may be NULL).
char *ls_file_read(const char *path, size_t limit, size_t *size, LsErr *err);
bool ls_file_write(const char *path, const void *data, size_t size, LsErr *err);
// A new file: made by us or not at all, as two programs may begin at once; a link that leads elsewhere is not followed.
// The message is the system's alone: "File exists".
bool ls_file_create(const char *path, const void *data, size_t size, LsErr *err);
// True if it is a regular file that starts with these bytes (64 at most).
bool ls_file_begins(const char *path, const void *magic, size_t size);
bool ls_file_exists(const char *path);
bool ls_file_newer(const char *path, const char *than);          // written later; false if one of them is not there
bool ls_make_dirs(const char *path, LsErr *err);                 // like mkdir -p; private to the user
const char *ls_path_base(const char *path);                      // borrowed: the part after the last slash
char *ls_path_join(const char *dir, const char *name);           // caller frees
char *ls_path_with_suffix(const char *path, const char *suffix); // "a/b.cu", ".ptx" -> "a/b.ptx"; caller frees

// The place of lanescope's own files ("kernels", "lessons", "lua", "assets"): $LANESCOPE_DATA if it is set, which must hold
// them; else beside the running program (uninstalled, also from a VPATH build tree), else the installed data directory. Caller frees.
char *ls_data_path(const char *relative, LsErr *err);
// XDG directories: which is "CONFIG", "STATE", "CACHE" or "DATA"; the result is DIR/lanescope/relative, where DIR
// is the variable's absolute path, else its usual place below $HOME (or the home that the system knows). Caller frees.
char *ls_xdg_path(const char *which, const char *relative);

#endif
