// driver.c: opens the driver, puts its errors in words, and knows which PTX it takes.
#include "device/cuda/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "device/library.h"

// ---- the table -----------------------------------------------------------------------------------------------------

typedef struct Call { const char *symbol; int since; bool optional; size_t place; } Call;

static const Call calls[] = {
#define DRIVER_CALL(member, symbol, since, optional, arguments) {#symbol, since, optional, offsetof(Driver, member)},
#include "device/cuda/driver.def"
};

typedef struct Answer { int result; const char *name; LsErrKind kind; int fault; const char *words; } Answer;
enum { NO_FAULT = -1 };

static const Answer answers[] = {
#define DRIVER_ANSWER(result, name, kind, fault, words) {result, #name, kind, fault, words},
#include "device/cuda/driver.def"
};

static const struct { int ptx, cuda; } ptx_versions[] = {
#define DRIVER_PTX(ptx, cuda) {ptx, cuda},
#include "device/cuda/driver.def"
};

static const Answer *answer_of(int result) {
  for (int i = 0; i < LS_COUNT(answers); i++)
    if (answers[i].result == result) return &answers[i];
  return NULL;
}

int driver_fault(int result) {
  const Answer *answer = answer_of(result);
  return answer ? answer->fault : NO_FAULT;
}

const char *driver_words(int result) {
  const Answer *answer = answer_of(result);
  return answer ? answer->words : NULL;
}

bool driver_good(const Driver *driver, int result, const char *what, LsErr *err) {
  if (result == 0) return true;
  const Answer *answer = answer_of(result);
  if (answer) return ls_fail(err, answer->kind, "%s: %s (%s, %d)", what, answer->words, answer->name, result);
  const char *name = NULL, *text = NULL;
  if (driver->error_name) driver->error_name(result, &name);
  if (driver->error_text) driver->error_text(result, &text);
  return ls_fail(err, LS_EENV, "%s: %s (%s, %d)", what, text ? text : "the driver says no more than a number",
                 name ? name : "unknown error", result);
}

// ---- versions ------------------------------------------------------------------------------------------------------

int driver_for_ptx(int major, int minor) {
  for (int i = 0; i < LS_COUNT(ptx_versions); i++)
    if (ptx_versions[i].ptx >= major * 10 + minor) return ptx_versions[i].cuda;
  return 0;
}

int driver_newest_ptx(int version) {
  int newest = 0;
  for (int i = 0; i < LS_COUNT(ptx_versions); i++)
    if (ptx_versions[i].cuda <= version) newest = ptx_versions[i].ptx;
  return newest;
}

bool driver_takes_ptx(const Driver *driver, int major, int minor, LsErr *err) {
  int needed = driver_for_ptx(major, minor), newest = driver_newest_ptx(driver->version);
  int last = ptx_versions[LS_COUNT(ptx_versions) - 1].cuda;
  if (needed ? driver->version >= needed : driver->version > last) return true;
  char here[64], whose[64] = "a newer CUDA";
  driver_describe(driver, here, sizeof here);
  if (needed) snprintf(whose, sizeof whose, "CUDA %d.%d or later", needed / 1000, needed % 1000 / 10);
  return ls_fail(err, LS_EENV,
                 "the driver here, %s, takes PTX up to version %d.%d; this kernel is PTX %d.%d.\n"
                 "Install a driver for %s, or compile the kernel with an older CUDA Toolkit.",
                 here, newest / 10, newest % 10, major, minor, whose);
}

void driver_describe(const Driver *driver, char *out, size_t size) {
  int major = driver->version / 1000, minor = driver->version % 1000 / 10;
  if (driver->release[0]) snprintf(out, size, "%s (CUDA %d.%d)", driver->release, major, minor);
  else snprintf(out, size, "CUDA %d.%d", major, minor);
}

// The driver's functions tell the CUDA version only. The system has the release: the first word of
// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue ..." that is made of digits and points.
static void read_release(Driver *driver) {
  size_t length;
  FILE *file = fopen("/proc/driver/nvidia/version", "re");   // in /proc a file's size is not known before it is read
  char text[512] = "";
  if (!file) return;
  length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = '\0';
  for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n")) {
    if (!strchr(word, '.') || strspn(word, "0123456789.") != strlen(word)) continue;
    snprintf(driver->release, sizeof driver->release, "%s", word);
    return;
  }
}

// ---- opening -------------------------------------------------------------------------------------------------------

static bool find_calls(Driver *driver, const char *path, LsErr *err) {
  for (int i = 0; i < LS_COUNT(calls); i++) {
    void *member = (char *)driver + calls[i].place;
    if (library_symbol(driver->library, calls[i].symbol, member) || calls[i].optional) continue;
    return ls_fail(err, LS_EENV,
                   "the NVIDIA driver (%s) has no function %s, which came with CUDA %d.%d; install a newer driver",
                   path, calls[i].symbol, calls[i].since / 1000, calls[i].since % 1000 / 10);
  }
  return true;
}

static bool no_library(const char *path, LsErr *err) {
  const char *why = dlerror();
  ls_fail(err, LS_EENV,
          "there is no NVIDIA driver here (%s).\n"
          "Install NVIDIA's driver on a machine with a GPU (in a container: start it with the GPU, as docker run --gpus all),\n"
          "or use a GPU elsewhere with --runner 'ssh HOST', or the emulator with --device emu.", path);
  if (why && !strstr(why, "No such file")) ls_err_append(err, "%s", why);
  return false;
}

// The loader's own places first; Windows' subsystem for Linux and some containers have it where the loader does not look.
static const char *const places[] = {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1"};

static void *open_library(int how, const char **path) {
  const char *named = getenv("LANESCOPE_CUDA_LIBRARY");
  void *library = NULL;
  *path = named && *named ? named : places[0];
  if (*path == named) return dlopen(named, how | RTLD_LOCAL);
  for (int i = 0; i < LS_COUNT(places) && !library; i++) {
    library = dlopen(places[i], how | RTLD_LOCAL);
    if (library) *path = places[i];
  }
  return library ? library : dlopen(places[0], how | RTLD_LOCAL);   // again: what is told is why there is none in its own place
}

bool driver_is_here(void) {
  const char *path;
  void *library = open_library(RTLD_LAZY, &path);
  if (library) dlclose(library);
  return library != NULL;
}

static bool load(Driver *driver, LsErr *err) {
  const char *path;
  driver->library = open_library(RTLD_NOW, &path);
  if (!driver->library) return no_library(path, err);
  if (find_calls(driver, path, err)) return true;
  dlclose(driver->library);
  return false;
}

bool driver_no_gpu(const Driver *driver, LsErr *err) {
  char here[64];
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  driver_describe(driver, here, sizeof here);
  ls_fail(err, LS_EENV, "the NVIDIA driver, %s, shows no GPU", here);
  if (visible) ls_err_append(err, "CUDA_VISIBLE_DEVICES is '%s': it says which GPUs a program may see.",
                             LS_QUOTE(visible));
  return false;
}

// Where there is no GPU that may be seen, a driver does not even start.
static bool start(Driver *driver, LsErr *err) {
  if (!driver_good(driver, driver->get_version(&driver->version), "asking the NVIDIA driver for its version", err)) return false;
  int result = driver->init(0);
  read_release(driver);
  if (result == 0) return true;
  if (result == DRIVER_NO_DEVICE || (result == DRIVER_INVALID_DEVICE && getenv("CUDA_VISIBLE_DEVICES"))) driver_no_gpu(driver, err);
  else driver_good(driver, result, "starting the NVIDIA driver", err);
  if (access("/dev/nvidiactl", F_OK) == 0 && access("/dev/nvidia-uvm", F_OK) != 0)
    ls_err_append(err,
                  "/dev/nvidia-uvm is not here. As root: nvidia-modprobe -u -c=0; a container has to be given it (docker run --gpus all).");
  return false;
}

Driver *driver_open(LsErr *err) {
  Driver *driver = ls_alloc(sizeof *driver);
  if (load(driver, err) && start(driver, err)) return driver;
  free(driver);
  return NULL;
}

void driver_close(Driver *driver) { free(driver); }
