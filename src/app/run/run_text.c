// run_text.c: a recipe run with another text in the place of its source: compiled, or with PTX that was made beforehand.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/run_parts.h"
#include "base/file.h"
#include "base/random.h"
#include "device/compile/compile_folder.h"

enum { PTX_LIMIT = 64 << 20, SOURCE_LIMIT = 8 << 20 };

void run_request_set_text(RunRequest *request, const char *text) {
  char *copy = text ? ls_strdup(text) : NULL;
  free(request->text);
  request->text = copy;
}

char *run_text_name(const RunRequest *request, LsErr *err) {
  char *plain = run_ptx_name(request, err);
  if (!plain) return NULL;
  const char *dot = strchr(plain, '.');
  uint64_t hash = ls_hash64(request->text, strlen(request->text));
  char *name = ls_format("%.*s.%016" PRIx64 "%s", (int)(dot - plain), plain, hash, dot);
  free(plain);
  return name;
}

// What a source includes by #include "NAME" from its own folder has to lie beside the text.
static bool copy_included(const RunRequest *request, const char *folder, LsErr *err) {
  static const char include[] = "#include \"";
  bool ok = true;
  for (const char *p = request->text; ok && (p = strstr(p, include)); p++) {
    const char *begin = p + strlen(include);
    char *name = ls_strndup(begin, strcspn(begin, "\"\n"));
    char *from = run_recipe_file(request->recipe, "kernels", ls_path_base(name), NULL);
    char *to = ls_path_join(folder, ls_path_base(name));
    size_t size;
    char *text = from && ls_file_exists(from) ? ls_file_read(from, SOURCE_LIMIT, &size, err) : NULL;
    if (text) ok = ls_file_write(to, text, size, err);
    free(text);
    free(to);
    free(from);
    free(name);
  }
  return ok;
}

// Messages name the file as the recipe has it, not the folder that is gone.
static void forget_folder(LsErr *err, const char *folder) {
  char *found;
  if (!err) return;
  size_t length = strlen(folder) + 1;
  while ((found = strstr(err->message, folder)))
    memmove(found, found + length, strlen(found + length) + 1);
}

static char *compile_text(const RunRequest *request, RunProgress *progress, size_t *length, LsErr *err) {
  CompileFolder *folder = compile_folder_new(err);
  if (!folder) return NULL;
  const char *where = compile_folder_path(folder);
  char *path = ls_path_join(where, recipe_form(request->recipe, &request->values)->source);
  bool ok = ls_file_write(path, request->text, strlen(request->text), err) && copy_included(request, where, err);
  char *ptx = ok ? run_compile(request, path, NULL, progress, length, err) : NULL;
  if (!ptx) forget_folder(err, where);
  free(path);
  compile_folder_free(folder);
  return ptx;
}

char *run_text_ptx(const RunRequest *request, char **path, RunProgress *progress, size_t *length, LsErr *err) {
  char *name = run_text_name(request, err), *stem = name ? run_ptx_name(request, err) : NULL;
  *path = stem;
  if (!name) return NULL;
  char *made = run_recipe_file(request->recipe, "assets/fills", name, err), *ptx = NULL;
  if (made && ls_file_exists(made)) ptx = ls_file_read(made, PTX_LIMIT, length, err);
  else if (made) ptx = compile_text(request, progress, length, err);
  free(made);
  free(name);
  return ptx;
}
