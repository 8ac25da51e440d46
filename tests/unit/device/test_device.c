// test_device.c: the table of devices, and compiling CUDA source where there is a compiler.
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "device/compile/compile.h"

static char folder[256];

static void devices_are_found(void) {
  LsErr err = {0};
  const Device *device = dev_find("auto", &err);
  CHECK(device && strcmp(device->name, "emu") == 0);
  CHECK(dev_find("emu", &err) == device);
  CHECK(dev_find("cuda", &err) == NULL);
  CHECK_INT(err.kind, LS_EENV);
  CHECK(strstr(err.message, "--device emu") != NULL);
  CHECK(dev_find("gpu", &err) == NULL);
  CHECK_INT(err.kind, LS_EREQUEST);
  CHECK_STR(err.message, "there is no device 'gpu'; --device takes auto, emu, cuda, recorded");
  CHECK(dev_at(0) == device && dev_at(3) == NULL && dev_at(-1) == NULL);
}

static char *write_source(const char *name, const char *text) {
  char *path = ls_path_join(folder, name);
  CHECK(ls_file_write(path, text, strlen(text), NULL));
  return path;
}

static bool have(const Compiler *compiler) {
  char where[256];
  bool found = compiler->find(where, sizeof where);
  if (!found) printf("(no %s here) ", compiler->name);
  return found;
}

// Each compiler that is there makes PTX of a plain kernel that our parser reads, in both cuts.
static void compilers_make_ptx(void) {
  const Compiler *const all[] = {&compiler_nvrtc, &compiler_nvcc, &compiler_clang};
  char *path = write_source("plain.cu",
                            "__global__ void twice(float *x, int n)\n{\n  int i = threadIdx.x;\n  if (i < n) x[i] *= 2;\n}\n");
  for (int i = 0; i < LS_COUNT(all); i++) {
    for (int cut = DEV_COMPILED; have(all[i]) && cut <= DEV_WRITTEN; cut++) {
      LsErr err = {0};
      size_t length = 0;
      char *text = all[i]->compile(&(DevSource){.path = path, .cut = (DevCut)cut}, &length, &err);
      if (!text) printf("%s: %s\n", all[i]->name, err.message);
      PtxModule *module = text ? ptx_parse(path, text, length, &err) : NULL;
      CHECK(module && ptx_find_entry(module, "twice", &err) >= 0);
      ptx_module_free(module);
      free(text);
    }
  }
  free(path);
}

// Host code around the kernel is nvcc's business: NVRTC refuses it, and that must not be the last word.
static void a_whole_program_compiles(void) {
  if (!have(&compiler_nvcc)) return;
  char *path = write_source("whole.cu", "#include <cstdio>\n#include <vector>\n__global__ void k(int *x) { x[threadIdx.x] = 1; }\n"
                                        "int main() { std::vector<int> v(3); k<<<1, 3>>>(v.data()); return 0; }\n");
  LsErr err = {0};
  size_t length = 0;
  char *text = dev_compile(&(DevSource){.path = path, .cut = DEV_COMPILED}, &length, &err);
  CHECK(text && strstr(text, ".entry") && strlen(text) == length);
  char *again = dev_compile(&(DevSource){.path = path, .cut = DEV_COMPILED}, &length, &err);   // from the cache
  CHECK(again && text && strcmp(text, again) == 0);
  free(again);
  free(text);
  free(path);
}

// A header of one's own may have changed, however its #include is written.
static void headers_of_ones_own_are_read_again(void) {
  if (!have(&compiler_nvcc) && !have(&compiler_clang)) return;
  char *path = write_source("own.cu",
                            " #\tinclude  \"own.h\"\n__global__ void k(int *x) { x[threadIdx.x] = VALUE; }\n");
  for (int i = 0; i < 2; i++) {
    LsErr err = {0};
    size_t length;
    free(write_source("own.h", i ? "#define VALUE 4711\n" : "#define VALUE 1234\n"));
    char *text = dev_compile(&(DevSource){.path = path, .cut = DEV_COMPILED}, &length, &err);
    CHECK(text && strstr(text, i ? "4711" : "1234"));
    free(text);
  }
  free(path);
}

static void source_is_compiled_for_what_is_asked(void) {
  if (!have(&compiler_nvrtc) && !have(&compiler_nvcc)) return;
  static const struct { const char *asked, *target; } rows[] = {{"", ".target sm_75"}, {"80", ".target sm_80"},
                                                                {"90a", ".target sm_90a"}};
  char *path = write_source("arch.cu", "__global__ void k(int *x) { x[threadIdx.x] = 1; }\n");
  LsErr err = {0};
  size_t length;
  for (int i = 0; i < LS_COUNT(rows); i++) {   // one name: the cache must tell them apart
    setenv("LANESCOPE_ARCH", rows[i].asked, 1);
    char *text = dev_compile(&(DevSource){.path = path, .cut = DEV_COMPILED}, &length, &err);
    CHECK(text && strstr(text, rows[i].target));
    free(text);
  }
  unsetenv("LANESCOPE_ARCH");
  char *copies = write_source("copies.cu", "#if 1\n#include <cuda_pipeline.h>\n#endif\n"
                                           "__global__ void k(int *x) { x[threadIdx.x] = 1; }\n");
  char *text = dev_compile(&(DevSource){.path = copies, .cut = DEV_COMPILED}, &length, &err);
  CHECK(text && strstr(text, ".target sm_80"));   // before that, a copy under way is none
  free(text);
  free(copies);
  static const char *const bad[] = {"sm_80", "9.0", "8", "90aa", "7500", "80 -o /", "-80"};
  for (int i = 0; i < LS_COUNT(bad); i++) {
    setenv("LANESCOPE_ARCH", bad[i], 1);
    CHECK(dev_compile(&(DevSource){.path = path, .cut = DEV_COMPILED}, &length, &err) == NULL);
    CHECK_INT(err.kind, LS_EREQUEST);
    CHECK(strstr(err.message, "LANESCOPE_ARCH") && strstr(err.message, bad[i]));
  }
  unsetenv("LANESCOPE_ARCH");
  free(path);
}

static void errors_are_the_compilers_own(void) {
  if (!have(&compiler_nvrtc) && !have(&compiler_nvcc)) return;
  char *path = write_source("bad.cu", "__global__ void k(float *x) { x[threadIdx.x] = missing; }\n");
  LsErr err = {0};
  size_t length;
  CHECK(dev_compile(&(DevSource){.path = path, .cut = DEV_WRITTEN}, &length, &err) == NULL);
  CHECK_INT(err.kind, LS_EREQUEST);
  CHECK(strstr(err.message, "bad.cu does not compile:") && strstr(err.message, "\"missing\" is undefined"));
  CHECK(dev_compile(&(DevSource){.path = "/nonexistent.cu", .cut = DEV_WRITTEN}, &length, &err) == NULL);
  CHECK_INT(err.kind, LS_EREQUEST);
  free(path);
}

// Whoever waits for a compiler can stop it before it has begun, too.
static void a_canceled_compiler_says_so(void) {
  static const _Atomic bool canceled = true;
  if (!have(&compiler_nvcc)) return;
  char *path = write_source("never.cu", "__global__ void k(int *x) { x[threadIdx.x] = 1; }\n");
  LsErr err = {0};
  size_t length;
  CHECK(compiler_nvcc.compile(&(DevSource){.path = path, .cancel = &canceled}, &length, &err) == NULL);
  CHECK_INT(err.kind, LS_ECANCEL);
  CHECK(strstr(err.message, "never.cu was canceled") != NULL);
  free(path);
}

static const Check checks[] = {
    {"devices are found", devices_are_found},
    {"compilers make ptx", compilers_make_ptx},
    {"a whole program compiles", a_whole_program_compiles},
    {"headers of one's own are read again", headers_of_ones_own_are_read_again},
    {"source is compiled for what is asked", source_is_compiled_for_what_is_asked},
    {"errors are the compiler's own", errors_are_the_compilers_own},
    {"a canceled compiler says so", a_canceled_compiler_says_so},
};

int main(int argc, char **argv) {
  if (!check_folder(folder, sizeof folder)) return 99;
  setenv("XDG_CACHE_HOME", folder, 1);
  int status = check_main("device", checks, LS_COUNT(checks), argc, argv);
  char *command = ls_format("rm -rf '%s'", folder);
  if (system(command) != 0) status = status ? status : 1;
  free(command);
  return status;
}
