// source_dir.h: where the files are that tests and measurements read.
#ifndef LS_TESTS_SOURCE_DIR_H
#define LS_TESTS_SOURCE_DIR_H

#include "base/file.h"

// The tree that this program was built from; where that is gone, the current directory: a kit on another machine (make gpu-kit).
static inline const char *source_dir(void) { return ls_file_exists(LS_SOURCE_DIR "/tests") ? LS_SOURCE_DIR : "."; }

// Reads a file of it. Caller frees.
static inline char *source_read(const char *relative, size_t limit, size_t *size, LsErr *err) {
  char *path = ls_path_join(source_dir(), relative), *text = ls_file_read(path, limit, size, err);
  free(path);
  return text;
}

#endif
