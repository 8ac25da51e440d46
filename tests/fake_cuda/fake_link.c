// fake_link.c: PTX linked to a library: the text, behind a line that says so.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "fake_cuda.h"

enum { INVALID_SOURCE = 300, FILE_NOT_FOUND = 301 };
static const char mark[] = "// linked to the device runtime\n";

typedef struct FakeLink { char *text; bool has_library; unsigned count; int *options; void **values; } FakeLink;

static FakeLink **links;
static int link_count, link_capacity;

static FakeLink *link_at(void *handle) {
  for (int i = 0; i < link_count; i++)
    if (links[i] == handle) return handle;
  return NULL;
}

bool fake_is_linked(const char *image) { return strncmp(image, mark, sizeof mark - 1) == 0; }

int cuLinkCreate_v2(unsigned count, int *options, void **values, void **handle) {
  int answer = fake_begin_work();
  if (answer) return answer;
  if (!fake_options_are_known(count, options, values)) return FAKE_INVALID_VALUE;
  FakeLink *link = ls_alloc(sizeof *link);
  link->count = count;
  link->options = memcpy(ls_alloc(sizeof *options * (count + 1)), options, sizeof *options * count);
  link->values = memcpy(ls_alloc(sizeof *values * (count + 1)), values, sizeof *values * count);
  LS_PUSH(links, link_count, link_capacity, link);
  fake_live(1);
  *handle = link;
  return 0;
}

int cuLinkAddData_v2(void *handle, int kind, void *data, size_t size, const char *name, unsigned count, int *options,
                     void **values) {
  int answer = fake_begin_work();
  FakeLink *link = link_at(handle);
  (void)name, (void)options, (void)values;
  if (answer || !link) return answer ? answer : FAKE_INVALID_HANDLE;
  if (kind != DRIVER_LINK_PTX || count || link->text || !size || strlen(data) + 1 != size) return FAKE_INVALID_VALUE;
  answer = fake_compiles(data, link->count, link->options, link->values);
  if (answer == 0) link->text = ls_format("%s%s", mark, (char *)data);
  return answer;
}

int cuLinkAddFile_v2(void *handle, int kind, const char *path, unsigned count, int *options, void **values) {
  int answer = fake_begin_work();
  FakeLink *link = link_at(handle);
  (void)options, (void)values;
  if (answer || !link) return answer ? answer : FAKE_INVALID_HANDLE;
  if (kind != DRIVER_LINK_LIBRARY || count) return FAKE_INVALID_VALUE;
  link->has_library = ls_file_begins(path, "!<arch>\n", 8);
  return link->has_library ? 0 : FILE_NOT_FOUND;
}

int cuLinkComplete(void *handle, void **code, size_t *size) {
  int answer = fake_begin_work();
  FakeLink *link = link_at(handle);
  if (answer || !link) return answer ? answer : FAKE_INVALID_HANDLE;
  if (!link->text || !link->has_library) return INVALID_SOURCE;
  *code = link->text;
  *size = strlen(link->text) + 1;
  return 0;
}

int cuLinkDestroy(void *handle) {
  int answer = fake_begin_release(), found = -1;
  for (int i = 0; i < link_count; i++)
    if (links[i] == handle) found = i;
  if (found < 0) return FAKE_INVALID_HANDLE;
  FakeLink *link = links[found];
  links[found] = links[--link_count];
  if (link_count == 0) {
    free(links);
    links = NULL;
    link_capacity = 0;
  }
  free(link->text);
  free(link->options);
  free(link->values);
  free(link);
  fake_live(-1);
  return answer;
}
