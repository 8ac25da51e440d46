// old_libc.c: what a program that is built here needs to start where the C library is old and no locale is installed.
//
// Linked into the portable program alone (portable/local.mk), together with the stand-ins of make-libs: functions that an old C
// library has under other names, its way to begin, UTF-8 without a locale, and the terminal database beside the program.
#include <fcntl.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#include "base/mem.h"
#include "base/text.h"

// ---- files ---------------------------------------------------------------------------------------------------------

enum { STAT_VERSION = 1 };   // of struct stat on x86-64

int __xstat(int version, const char *path, struct stat *out);
int __lxstat(int version, const char *path, struct stat *out);
int __fxstat(int version, int file, struct stat *out);
int stat64(const char *path, struct stat64 *out);
int lstat64(const char *path, struct stat64 *out);
int fstat64(int file, struct stat64 *out);
int fcntl64(int file, int command, ...);
int memfd_create(const char *name, unsigned flags);

int stat(const char *path, struct stat *out) { return __xstat(STAT_VERSION, path, out); }
int lstat(const char *path, struct stat *out) { return __lxstat(STAT_VERSION, path, out); }
int fstat(int file, struct stat *out) { return __fxstat(STAT_VERSION, file, out); }
int stat64(const char *path, struct stat64 *out) { return __xstat(STAT_VERSION, path, (struct stat *)(void *)out); }
int lstat64(const char *path, struct stat64 *out) { return __lxstat(STAT_VERSION, path, (struct stat *)(void *)out); }
int fstat64(int file, struct stat64 *out) { return __fxstat(STAT_VERSION, file, (struct stat *)(void *)out); }

int fcntl64(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return fcntl(file, command, argument);
}

int memfd_create(const char *name, unsigned flags) { return (int)syscall(SYS_memfd_create, name, flags); }

// ---- the start -----------------------------------------------------------------------------------------------------

// Today's C library calls constructors itself, and today's crt1.o hands it no function for that; an old one wants to be handed it.
typedef int Main(int argc, char **argv, char **environment);
typedef void Constructor(int argc, char **argv, char **environment);
extern Constructor *__init_array_start[], *__init_array_end[];
int __wrap___libc_start_main(Main *program, int argc, char **argv, Main *init, void (*fini)(void), void (*end)(void), void *stack);
int __real___libc_start_main(Main *program, int argc, char **argv, Main *init, void (*fini)(void), void (*end)(void), void *stack);

static int construct(int argc, char **argv, char **environment) {
  for (Constructor **next = __init_array_start; next < __init_array_end; next++) (*next)(argc, argv, environment);
  return 0;
}

int __wrap___libc_start_main(Main *program, int argc, char **argv, Main *init, void (*fini)(void), void (*end)(void), void *stack) {
  return __real___libc_start_main(program, argc, argv, init ? init : construct, fini, end, stack);
}

// ---- the terminal's database ---------------------------------------------------------------------------------------

// The system's own comes first; of what it does not know, terminfo/ beside the program knows the usual ones.
__attribute__((constructor)) static void find_terminals(void) {
  static const char system_dirs[] = "/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo";
  char program[4096], dirs[4096 + 128];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0 || getenv("TERMINFO_DIRS")) return;
  program[length] = 0;
  *strrchr(program, '/') = 0;
  snprintf(dirs, sizeof dirs, "%s:%s/terminfo", system_dirs, program);
  setenv("TERMINFO_DIRS", dirs, 1);
}

// ---- UTF-8 without a locale ----------------------------------------------------------------------------------------

char *__real_nl_langinfo(nl_item item);
size_t __real_wcrtomb(char *out, wchar_t code, mbstate_t *state);
size_t __real_mbrtowc(wchar_t *out, const char *text, size_t size, mbstate_t *state);
int __real_wcwidth(wchar_t code);
int __real_iswprint(wint_t code);
char *__wrap_nl_langinfo(nl_item item);
size_t __wrap_wcrtomb(char *out, wchar_t code, mbstate_t *state);
size_t __wrap_mbrtowc(wchar_t *out, const char *text, size_t size, mbstate_t *state);
int __wrap_wcwidth(wchar_t code);
int __wrap_iswprint(wint_t code);

// The environment asks for UTF-8, and the C library has no locale of it; or nothing is asked for, as in a container.
static bool is_ours(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  if (strcmp(__real_nl_langinfo(CODESET), "UTF-8") == 0) return false;
  for (int i = 0; i < LS_COUNT(names); i++) {
    const char *value = getenv(names[i]);
    if (value && *value) return strcasestr(value, "UTF-8") || strcasestr(value, "utf8");
  }
  return true;
}

char *__wrap_nl_langinfo(nl_item item) {
  static char utf8[] = "UTF-8";
  return item == CODESET && is_ours() ? utf8 : __real_nl_langinfo(item);
}

size_t __wrap_wcrtomb(char *out, wchar_t code, mbstate_t *state) {
  if (!is_ours() || !out) return __real_wcrtomb(out, code, state);
  char bytes[8];
  int length = ls_utf8_encode((uint32_t)code, bytes);
  memcpy(out, bytes, (size_t)length);
  return (size_t)length;
}

size_t __wrap_mbrtowc(wchar_t *out, const char *text, size_t size, mbstate_t *state) {
  if (!is_ours() || !text) return __real_mbrtowc(out, text, size, state);
  if (!size) return (size_t)-2;
  int length = (*text & 0x80) == 0 ? 1 : (*text & 0xe0) == 0xc0 ? 2 : (*text & 0xf0) == 0xe0 ? 3 : 4;
  char bytes[8] = {0};
  if (size < (size_t)length) return (size_t)-2;
  memcpy(bytes, text, (size_t)length);
  const char *next = bytes;
  uint32_t code = ls_utf8_next(&next);
  if (out) *out = (wchar_t)code;
  return code ? (size_t)(next - bytes) : 0;
}

int __wrap_wcwidth(wchar_t code) {
  if (!is_ours()) return __real_wcwidth(code);
  return code && (code < 32 || (code >= 127 && code < 160)) ? -1 : ls_code_width((uint32_t)code);
}

int __wrap_iswprint(wint_t code) { return is_ours() ? code >= 32 && (code < 127 || code >= 160) : __real_iswprint(code); }
