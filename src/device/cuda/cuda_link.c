// cuda_link.c: finds the device runtime, and has the driver link a kernel's PTX to it.
//
// CUDA Driver API, Module Management: cuLinkCreate, cuLinkAddData, cuLinkAddFile, cuLinkComplete.
#include "device/cuda/cuda_link.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "device/compile/nvrtc_place.h"
#include "sim/sim.h"

bool cuda_link_is_needed(const PtxModule *module) {
  for (int pc = 0; pc < module->code_count; pc++) {
    int callee = ptx_callee(&module->code[pc]);
    if (callee >= 0 && sim_is_runtime(&module->funcs[callee])) return true;
  }
  return false;
}

// ---- where the library is ------------------------------------------------------------------------------------------

static const char library[] = "libcudadevrt.a";
// Of a toolkit, of Conda's packages, of a distribution's.
static const char *const folders[] = {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
                                      "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"};

// Below the root of a toolkit; NULL: it is not there.
static char *below(const char *root) {
  for (int i = 0; root && *root && i < LS_COUNT(folders); i++) {
    char *folder = ls_path_join(root, folders[i]), *path = ls_path_join(folder, library);
    free(folder);
    if (ls_file_exists(path)) return path;
    free(path);
  }
  return NULL;
}

// The toolkit that a program in this folder is of: its real place is ROOT/bin/nvcc.
static char *beside_nvcc(const char *folder) {
  char *nvcc = ls_path_join(folder, "nvcc"), *real = realpath(nvcc, NULL), *found = NULL;
  for (int up = 0; real && up < 2; up++) {
    char *slash = strrchr(real, '/');
    if (slash) *slash = '\0';
  }
  if (real) found = below(real);
  free(real);
  free(nvcc);
  return found;
}

static char *on_path(void) {
  const char *path = getenv("PATH");
  char *folders_of = ls_strdup(path ? path : ""), *rest = folders_of, *folder, *found = NULL;
  while (!found && (folder = strsep(&rest, ":")))
    if (*folder) found = beside_nvcc(folder);
  free(folders_of);
  return found;
}

// Python's packages have it beside NVRTC, or in a package of their own.
static char *in_packages(void) {
  static const char *const places[] = {"libcudadevrt.a", "../../cuda_runtime/lib/libcudadevrt.a"};
  char *folder = nvrtc_place(), *slash = folder ? strrchr(folder, '/') : NULL, *found = NULL;
  if (slash) *slash = '\0';
  for (int i = 0; slash && !found && i < LS_COUNT(places); i++) {
    found = ls_path_join(folder, places[i]);
    if (ls_file_exists(found)) break;
    free(found);
    found = NULL;
  }
  free(folder);
  return found;
}

static char *find(void) {
  static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"};
  static const char *const roots[] = {"/usr/local/cuda", "/opt/cuda", "/usr"};
  char *found = NULL;
  for (int i = 0; i < LS_COUNT(variables) && !found; i++) found = below(getenv(variables[i]));
  if (!found) found = on_path();
  for (int i = 0; i < LS_COUNT(roots) && !found; i++) found = below(roots[i]);
  return found ? found : in_packages();
}

char *cuda_link_library(LsErr *err) {
  const char *named = getenv("LANESCOPE_CUDADEVRT");
  char *found = named && *named ? (ls_file_exists(named) ? ls_strdup(named) : NULL) : find();
  if (found) return found;
  if (named && *named) ls_fail(err, LS_EENV, "%s, which LANESCOPE_CUDADEVRT names, is not there", LS_QUOTE_PATH(named));
  else
    ls_fail(err, LS_EENV,
            "code that launches kernels itself needs NVIDIA's device runtime on a GPU, %s of the CUDA Toolkit, which was "
            "found neither with CUDA_HOME, CUDA_PATH, CONDA_PREFIX or nvcc nor in the usual places and Python's packages.\n"
            "Install it (the toolkit's package cuda-cudart-dev; pip install nvidia-cuda-runtime), name the file in "
            "LANESCOPE_CUDADEVRT, or run it with --device emu",
            library);
  return NULL;
}

// ---- linking -------------------------------------------------------------------------------------------------------

// The linked code lives as long as the link. Options are for it as a whole: of one input they may not be.
static int link_and_load(const Driver *driver, void *link, void **module, const char *ptx, const char *path,
                         const char **what) {
  void *code;
  size_t size;
  *what = "compiling the PTX for the GPU";
  void *text = (void *)(uintptr_t)ptx;   // it is only read
  int result = driver->link_data(link, DRIVER_LINK_PTX, text, strlen(ptx) + 1, "kernel.ptx", 0, NULL, NULL);
  if (result == 0) {
    *what = "reading NVIDIA's device runtime";
    result = driver->link_file(link, DRIVER_LINK_LIBRARY, path, 0, NULL, NULL);
  }
  if (result == 0) {
    *what = "linking the kernel to NVIDIA's device runtime";
    result = driver->link_complete(link, &code, &size);
  }
  if (result) return result;
  *what = "loading the linked kernel";
  return driver->module_load(module, code, 0, NULL, NULL);
}

int cuda_link_load(const Driver *driver, void **module, const char *ptx, const char *path, unsigned count, int *options,
                   void **values, const char **what) {
  void *link = NULL;
  *what = "preparing to link";
  int result = driver->link_new(count, options, values, &link);
  if (result) return result;
  result = link_and_load(driver, link, module, ptx, path, what);
  driver->link_free(link);
  return result;
}
