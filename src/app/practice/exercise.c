// exercise.c: finding an exercise by what people call it.
#include "app/practice/exercise.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

// "transpose" of "07_transpose".
static const char *own_name(const char *folder) {
  const char *name = folder + strspn(folder, "0123456789");
  return *name == '_' ? name + 1 : name;
}

static bool is_number_of(const char *folder, const char *text) {
  char *end;
  long number = strtol(text, &end, 10);
  return isdigit((unsigned char)*text) && !*end && number == strtol(folder, NULL, 10);
}

static int find(ExerciseBook *book, const char *name) {
  for (int i = 0; i < book->count(book); i++) {
    const char *folder = book->folder_name(book, i);
    if (strcmp(folder, name) == 0 || strcmp(own_name(folder), name) == 0 || is_number_of(folder, name)) return i;
  }
  return -1;
}

int exercise_find(ExerciseBook *book, const char *name, LsErr *err) {
  int index = find(book, name), best = LS_MIN((int)strlen(name) / 2 + 1, 4);
  const char *nearest = NULL;
  if (index >= 0) return index;
  ls_fail(err, LS_EREQUEST, "there is no exercise '%s'; lanescope practice --list names all %d", LS_QUOTE(name),
          book->count(book));
  for (int i = 0; i < book->count(book); i++) {
    int distance = ls_edit_distance(own_name(book->folder_name(book, i)), name);
    if (distance < best) best = distance, nearest = own_name(book->folder_name(book, i));
  }
  if (nearest) ls_err_append(err, "Did you mean %s?", nearest);
  return -1;
}

// The name of a file without folder and ending.
static char *stem_of(const char *path) {
  const char *base = ls_path_base(path);
  return ls_strndup(base, strcspn(base, "."));
}

// The folder that a file is in, by its own name; "" if the path has none.
static char *folder_of(const char *path) {
  const char *base = ls_path_base(path), *end = base > path ? base - 1 : path, *begin = end;
  while (begin > path && begin[-1] != '/') begin--;
  return ls_strndup(begin, (size_t)(end - begin));
}

// Whether a text declares a function of that name: a word before a parenthesis, behind void.
static bool declares(const char *text, const char *name, size_t length) {
  for (const char *at = text; (at = strstr(at, "void")); ) {
    at += strlen("void");
    const char *word = at + strspn(at, " \t\n");
    if (word == at || strncmp(word, name, length) != 0) continue;
    if (word[length + strspn(word + length, " \t\n")] == '(') return true;
  }
  return false;
}

static bool has_kernels(const Exercise *exercise, const char *text) {
  for (int i = 0; i < exercise->kernel_count; i++) {
    const char *open = strchr(exercise->kernels[i], '('), *name = open;
    while (name > exercise->kernels[i] && (isalnum((unsigned char)name[-1]) || name[-1] == '_')) name--;
    if (!declares(text, name, (size_t)(open - name))) return false;
  }
  return true;
}

// The only one whose kernels are all in the file. -1: there is none, or there are several.
static int find_by_kernels(ExerciseBook *book, const char *path) {
  enum { LIMIT = 1 << 20 };
  char *text = ls_file_read(path, LIMIT, NULL, NULL);
  int found = -1, count = 0;
  for (int i = 0; text && i < book->count(book); i++) {
    const Exercise *exercise = book->get(book, i, NULL);
    if (exercise && has_kernels(exercise, text)) found = i, count++;
  }
  free(text);
  return count == 1 ? found : -1;
}

int exercise_find_for(ExerciseBook *book, const char *path, LsErr *err) {
  char *names[] = {stem_of(path), folder_of(path)};
  int index = -1;
  for (int i = 0; i < LS_COUNT(names); i++) {
    if (index < 0) index = find(book, names[i]);
    free(names[i]);
  }
  if (index < 0) index = find_by_kernels(book, path);
  if (index < 0)
    ls_fail(err, LS_EREQUEST,
            "which exercise is %s for? Name it: lanescope practice NAME --check %s (lanescope practice --list)",
            LS_QUOTE_PATH(path), LS_QUOTE_PATH(path));
  return index;
}

char *exercise_file(const Exercise *exercise, const char *name) {
  if (exercise->starter && strcmp(name, "starter") == 0) return ls_strdup(exercise->starter);
  if (exercise->reference && strcmp(name, "reference") == 0) return ls_strdup(exercise->reference);
  char *file = ls_format("%s.cu", name), *path = ls_path_join(exercise->folder, file);
  free(file);
  return path;
}

// Of a hunt the first is the form, which is not the student's business.
void exercise_print_values(const Exercise *exercise, const RecipeValues *values, LsText *out) {
  LsText all = {0};
  recipe_print_values(exercise->recipe, values, &all);
  const char *text = ls_text_str(&all);
  if (exercise->is_hunt) text += strcspn(text, " "), text += strspn(text, " ");
  ls_text_add(out, *text ? text : "as it is");
  ls_text_free(&all);
}

void exercise_cases(const Exercise *e, LsText *out) {
  size_t before = out->length;
  for (int i = 0; i < e->case_count; i++) {
    ExerciseCase item = {0};
    if (!e->get_case(e, 0, i, &item, NULL)) break;
    if (!item.shown) continue;
    ls_text_add(out, out->length > before ? "; " : "Tried with ");
    exercise_print_values(e, &item.values, out);
  }
  ls_text_addf(out, "%s%d case%s in all", out->length > before ? ". " : "", e->case_count,
               e->case_count == 1 ? "" : "s");
  ls_text_add(out, e->is_hunt ? "." : ", the others drawn anew at every save.");
}
