// nvrtc_place.c: looks through the folders of Python packages for NVRTC and its headers.
#include "device/compile/nvrtc_place.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "device/compile/compile.h"

// Below a site-packages: the library, and the folders of headers from the library's own.
static const struct { const char *library, *includes[NVRTC_MOST_INCLUDES]; } layouts[] = {
    {"nvidia/cu13/lib/libnvrtc.so.[0-9]*", {"../include", "../include/cccl"}},
    {"nvidia/cuda_nvrtc/lib/libnvrtc.so.[0-9]*", {"../../cuda_runtime/include", "../../cuda_cccl/include",
                                                  "../include"}},
};

// The newest file of a pattern, going by the number at the end of its name; NULL: there is none. Caller frees.
static char *newest(const char *pattern, const char *stem) {
  glob_t found = {0};
  char *best = NULL;
  int best_version = -1;
  if (glob(pattern, 0, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++) {
      int version = atoi(strrchr(found.gl_pathv[i], '/') + 1 + strlen(stem));
      if (version <= best_version) continue;
      free(best);
      best = ls_strdup(found.gl_pathv[i]);
      best_version = version;
    }
  }
  globfree(&found);
  return best;
}

// In a folder of packages, whose name may be a pattern: lib/python3*/site-packages.
static char *in_packages(const char *folder) {
  char *found = NULL;
  for (int i = 0; i < LS_COUNT(layouts) && !found; i++) {
    char *pattern = ls_path_join(folder, layouts[i].library);
    found = newest(pattern, "libnvrtc.so.");
    free(pattern);
  }
  return found;
}

static char *below_variable(const char *variable, const char *relative) {
  const char *value = getenv(variable);
  if (!value || !*value) return NULL;
  char *folder = ls_path_join(value, relative), *found = in_packages(folder);
  free(folder);
  return found;
}

// The folders that python3 itself looks through.
static char *in_python(void) {
  char *argv[] = {(char *)"python3", (char *)"-c", (char *)"import sys; print('\\n'.join(sys.path))", NULL};
  LsText said = {0};
  char *found = NULL;
  if (compile_capture(argv, NULL, NULL, &said) == 0) {
    char *words = ls_text_take(&said), *rest = words, *folder;
    while (!found && (folder = strsep(&rest, "\n")))
      if (*folder == '/') found = in_packages(folder);
    free(words);
  }
  ls_text_free(&said);
  return found;
}

char *nvrtc_place(void) {
  static const char packages[] = "lib/python3*/site-packages";
  char *found = below_variable("VIRTUAL_ENV", packages);
  if (!found) found = below_variable("CONDA_PREFIX", packages);
  if (!found) found = below_variable("PYTHONUSERBASE", packages);
  if (!found) found = below_variable("HOME", ".local/lib/python3*/site-packages");
  return found ? found : in_python();
}

char *nvrtc_builtins(const char *library) {
  char *pattern = ls_format("%.*slibnvrtc-builtins.so.[0-9]*", (int)(ls_path_base(library) - library), library);
  char *found = newest(pattern, "libnvrtc-builtins.so.");
  free(pattern);
  return found;
}

int nvrtc_includes(const char *library, char *options[NVRTC_MOST_INCLUDES]) {
  int count = 0;
  char *folder = ls_strndup(library, (size_t)(ls_path_base(library) - library));
  bool is_new = strstr(folder, "/nvidia/cu13/") != NULL, is_old = strstr(folder, "/nvidia/cuda_nvrtc/") != NULL;
  for (int i = 0; i < NVRTC_MOST_INCLUDES && (is_new || is_old); i++) {
    const char *relative = layouts[is_new ? 0 : 1].includes[i];
    char *path = relative ? ls_path_join(folder, relative) : NULL;
    if (path && ls_file_exists(path)) options[count++] = ls_format("-I%s", path);
    free(path);
  }
  free(folder);
  return count;
}
