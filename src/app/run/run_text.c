// run_text.c: another text in the place of a recipe's source: its file for a compiler, and what was compiled before.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/run_parts.h"
#include "base/file.h"
#include "base/random.h"
#include "device/compile/compile_folder.h"

enum { SOURCE_LIMIT = 8 << 20 };

void run_request_set_text(RunRequest *request, const char *text) {
  char *copy = text ? ls_strdup(text) : NULL;
  run_request_set_code(request, NULL);
  free(request->text);
  request->text = copy;
}

char *run_text_made(const RunRequest *request, const char *name, LsErr *err) {
  const char *dot = name + strcspn(name, ".");
  uint64_t hash = ls_hash64(request->text, strlen(request->text));
  char *made = ls_format("%.*s.%016" PRIx64 "%s", (int)(dot - name), name, hash, dot);
  char *path = run_recipe_file(request->recipe, "assets/fills", made, err);
  free(made);
  return path;
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

bool run_text_write(const RunRequest *request, RunTextFolder *folder, LsErr *err) {
  *folder = (RunTextFolder){.folder = compile_folder_new(err)};
  if (!folder->folder) return false;
  const char *where = compile_folder_path(folder->folder);
  folder->path = ls_path_join(where, recipe_form(request->recipe, &request->values)->source);
  return ls_file_write(folder->path, request->text, strlen(request->text), err) && copy_included(request, where, err);
}

// Messages name the file as the recipe has it, not the folder that is gone.
static void forget(LsErr *err, const char *folder) {
  char *found;
  size_t length = strlen(folder) + 1;
  while (err && (found = strstr(err->message, folder)))
    memmove(found, found + length, strlen(found + length) + 1);
}

void run_text_remove(RunTextFolder *folder, LsErr *err) {
  if (folder->folder) forget(err, compile_folder_path(folder->folder));
  compile_folder_free(folder->folder);
  free(folder->path);
}
