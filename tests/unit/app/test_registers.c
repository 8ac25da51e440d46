// test_registers.c: asking for registers ends, whoever is first: the thread that asks, or the one that started it.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/run/registers.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"

// ---- threads in a chosen order: the linker leads pthread_create here -----------------------------------------------

typedef enum Order { THREAD_FIRST, STARTER_FIRST, NO_THREAD } Order;

typedef struct Gate {
  Order order;
  sem_t may_begin, has_ended;
  void *(*work)(void *);
  void *context;
} Gate;
static Gate gate;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*work)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*work)(void *), void *context);

static void *work_in_order(void *unused) {
  (void)unused;
  if (gate.order == STARTER_FIRST) sem_wait(&gate.may_begin);
  void *result = gate.work(gate.context);
  sem_post(&gate.has_ended);
  return result;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*work)(void *), void *context) {
  if (gate.order == NO_THREAD) return EAGAIN;
  gate.work = work;
  gate.context = context;
  int status = __real_pthread_create(thread, attr, work_in_order, NULL);
  if (status == 0 && gate.order == THREAD_FIRST) sem_wait(&gate.has_ended);
  return status;
}

static void set_order(Order order) {
  gate.order = order;
  sem_init(&gate.may_begin, 0, 0);
  sem_init(&gate.has_ended, 0, 0);
}

// ---- an assembler that says twelve ---------------------------------------------------------------------------------

static char folder[256];

static void install_assembler(void) {
  static const char script[] = "#!/bin/sh\necho 'ptxas info    : Used 12 registers, used 1 barriers'\n";
  CHECK(check_folder(folder, sizeof folder));
  char *file = ls_path_join(folder, "ptxas");
  CHECK(ls_file_write(file, script, strlen(script), NULL) && chmod(file, 0755) == 0);
  char *path = ls_format("%s:%s", folder, getenv("PATH"));
  setenv("PATH", path, 1);
  free(path);
  free(file);
}

static void remove_assembler(void) {
  char *command = ls_format("rm -rf '%s'", folder);
  CHECK_INT(system(command), 0);
  free(command);
}

// Every kernel has a cache of its own, so that each is asked for.
static Registers *ask_for(char *kernel) {
  static char ptx[] = ".version 8.0\n";
  Run run = {.info = {.ptx = ptx, .ptx_length = sizeof ptx - 1, .kernel = kernel, .profile = (char *)"h200"}};
  setenv("XDG_CACHE_HOME", folder, 1);
  return registers_ask(&run);
}

static void expect(Registers *registers, int count, const char *words) {
  LsText text = {0};
  CHECK(registers_known(registers));
  CHECK_INT(registers_count(registers), count);
  registers_words(registers, &text);
  CHECK_STR(ls_text_str(&text), words);
  ls_text_free(&text);
  registers_free(registers);
}

static const char twelve[] = "12 registers a thread, as ptxas compiles it for sm_90.";

static void the_thread_ends_first(void) {
  install_assembler();
  set_order(THREAD_FIRST);
  expect(ask_for((char *)"first"), 12, twelve);
  remove_assembler();
}

static void the_starter_goes_on_first(void) {
  install_assembler();
  set_order(STARTER_FIRST);
  Registers *registers = ask_for((char *)"second");
  CHECK(!registers_known(registers));
  sem_post(&gate.may_begin);
  sem_wait(&gate.has_ended);
  expect(registers, 12, twelve);
  remove_assembler();
}

static void without_a_thread_nobody_waits(void) {
  install_assembler();
  set_order(NO_THREAD);
  expect(ask_for((char *)"third"), 0, "Registers are not known, and not counted.");
  remove_assembler();
}

static const Check checks[] = {
    {"the thread ends first", the_thread_ends_first},
    {"the starter goes on first", the_starter_goes_on_first},
    {"without a thread nobody waits", without_a_thread_nobody_waits},
};

int main(int argc, char **argv) { return check_main("registers", checks, LS_COUNT(checks), argc, argv); }
