// test_nvrtc_place.c: NVRTC among the packages of Python, planted as pip plants it.
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "device/compile/compile.h"
#include "device/compile/nvrtc_place.h"

static char folder[256];

static void plant(const char *relative) {
  char *path = ls_path_join(folder, relative), *parent = ls_strndup(path, (size_t)(ls_path_base(path) - path));
  CHECK(ls_make_dirs(parent, NULL) && ls_file_write(path, "no library", 10, NULL));
  free(parent);
  free(path);
}

static void set_below(const char *variable, const char *relative) {
  char *path = ls_path_join(folder, relative);
  setenv(variable, path, 1);
  free(path);
}

static void forget_all(void) {
  static const char *const variables[] = {"VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONUSERBASE", "PYTHONPATH"};
  for (int i = 0; i < LS_COUNT(variables); i++) unsetenv(variables[i]);
  set_below("HOME", "nobody");
  setenv("PATH", "/nowhere", 1);
}

// The place below the folder of the test; "": none, or one of this machine's own.
static void finds(const char *relative) {
  char *found = nvrtc_place(), *wanted = ls_path_join(folder, relative);
  CHECK_STR(found ? found : "none", *relative ? wanted : "none");
  free(wanted);
  free(found);
}

#define OLD "nvidia/cuda_nvrtc/lib/libnvrtc.so."
#define PACKAGES "lib/python3.12/site-packages/"

static void nothing_is_nothing(void) {
  forget_all();
  finds("");
}

static void environments_come_before_the_user(void) {
  forget_all();
  plant("home/.local/" PACKAGES OLD "12");
  plant("venv/" PACKAGES OLD "11.2");
  plant("conda/" PACKAGES OLD "12");
  set_below("HOME", "home");
  finds("home/.local/" PACKAGES OLD "12");
  set_below("CONDA_PREFIX", "conda");
  finds("conda/" PACKAGES OLD "12");
  set_below("VIRTUAL_ENV", "venv");
  finds("venv/" PACKAGES OLD "11.2");
}

static void newest_of_several(void) {
  forget_all();
  plant("several/" PACKAGES OLD "9");
  plant("several/" PACKAGES OLD "12");
  plant("several/" PACKAGES "nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.9");   // these two are no NVRTC
  plant("several/" PACKAGES "nvidia/cuda_nvrtc/lib/libnvrtc.alt.so.13");
  set_below("VIRTUAL_ENV", "several");
  finds("several/" PACKAGES OLD "12");
  char *library = nvrtc_place(), *builtins = library ? nvrtc_builtins(library) : NULL;
  CHECK(builtins && ls_ends_with(builtins, "nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.9"));
  CHECK(nvrtc_builtins("/nowhere/libnvrtc.so.12") == NULL);
  free(builtins);
  free(library);
  plant("several/" PACKAGES "nvidia/cu13/lib/libnvrtc.so.13");
  finds("several/" PACKAGES "nvidia/cu13/lib/libnvrtc.so.13");
}

static void python_is_asked(void) {
  forget_all();
  setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
  if (access("/usr/bin/python3", X_OK) != 0 && access("/usr/local/bin/python3", X_OK) != 0) {
    printf("(no python3 here) ");
    return;
  }
  plant("elsewhere/" OLD "12");
  set_below("PYTHONPATH", "elsewhere");
  finds("elsewhere/" OLD "12");
}

static void headers_are_beside(void) {
  plant("venv/" PACKAGES "nvidia/cuda_runtime/include/cuda_fp16.h");
  plant("several/" PACKAGES "nvidia/cu13/include/cccl/nv/target");
  static const struct { const char *library; int count; const char *first; } rows[] = {
      {"venv/" PACKAGES OLD "11.2", 1, "../../cuda_runtime/include"},
      {"several/" PACKAGES "nvidia/cu13/lib/libnvrtc.so.13", 2, "../include"},
      {"usr/lib/libnvrtc.so.13", 0, NULL},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    char *library = ls_path_join(folder, rows[i].library), *options[NVRTC_MOST_INCLUDES];
    int count = nvrtc_includes(library, options);
    CHECK_INT(count, rows[i].count);
    CHECK(!rows[i].first || (count && ls_starts_with(options[0], "-I/") && ls_ends_with(options[0], rows[i].first)));
    for (int k = 0; k < count; k++) free(options[k]);
    free(library);
  }
}

// LANESCOPE_NVRTC is the library that is meant, also when it is not there.
static void named_library(void) {
  char where[256];
  setenv("LANESCOPE_NVRTC", "/nowhere/libnvrtc.so", 1);
  CHECK(!compiler_nvrtc.find(where, sizeof where));
  unsetenv("LANESCOPE_NVRTC");
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"no package", nothing_is_nothing},
      {"environments come before the user's packages", environments_come_before_the_user},
      {"the newest of several", newest_of_several},
      {"python3 is asked where it looks", python_is_asked},
      {"headers lie beside the library", headers_are_beside},
      {"a library that is named", named_library},
  };
  if (!check_folder(folder, sizeof folder)) return 99;
  int status = check_main("nvrtc_place", checks, LS_COUNT(checks), argc, argv);
  char *remove = ls_format("rm -rf '%s'", folder);
  setenv("PATH", "/usr/bin:/bin", 1);
  if (system(remove) != 0) status = 99;
  free(remove);
  return status;
}
