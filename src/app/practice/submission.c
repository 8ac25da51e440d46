// submission.c: walks through folders of submissions, reads the files, and finds out what each is for.
#include "app/practice/submission.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum { DEEPEST = 8, UNKNOWN = -1, OTHER = -2 };

typedef struct Search {
  Submissions *found;
  ExerciseBook *book;
  int wanted;
  int files;                     // of the student
} Search;

// ---- which exercise ------------------------------------------------------------------------------------------------

static char *stem_of(const char *path) {
  const char *base = ls_path_base(path);
  return ls_strndup(base, strcspn(base, "."));
}

// A number alone is a student's rather than an exercise's.
static int by_stem(ExerciseBook *book, const char *path) {
  char *stem = stem_of(path);
  bool is_number = stem[strspn(stem, "0123456789")] == 0;
  int index = is_number ? UNKNOWN : exercise_find(book, stem, NULL);
  free(stem);
  return index;
}

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The next name behind `__global__` that an opening parenthesis follows; *p goes on behind it. False: there is none.
static bool next_kernel(const char **p, const char **name, size_t *length) {
  static const char mark[] = "__global__";
  const char *at = strstr(*p, mark);
  if (!at) return false;
  at += strlen(mark);
  for (;;) {
    while (*at && !is_of_name(*at) && *at != ';' && *at != '{') at++;
    if (!is_of_name(*at)) break;
    *name = at;
    while (is_of_name(*at)) at++;
    *length = (size_t)(at - *name);
    const char *behind = at + strspn(at, " \t\r\n");
    bool bounds = *length == strlen("__launch_bounds__") && memcmp(*name, "__launch_bounds__", *length) == 0;
    if (*behind == '(' && !bounds) return *p = behind, true;
    if (bounds) at = behind + strcspn(behind, ")");
  }
  *p = at;
  *length = 0;
  return true;
}

// "void scale(float *y, ...)" is of the name.
static bool declares(const Exercise *e, const char *name, size_t length) {
  for (int i = 0; i < e->kernel_count; i++) {
    const char *end = strchr(e->kernels[i], '('), *begin = end;
    while (begin && begin > e->kernels[i] && is_of_name(begin[-1])) begin--;
    if (end && (size_t)(end - begin) == length && memcmp(begin, name, length) == 0) return true;
  }
  return false;
}

// Whether the text has a kernel of that exercise.
static bool has_kernel_of(const Exercise *e, const char *text) {
  const char *name = text;
  size_t length = 0;
  for (const char *p = text; next_kernel(&p, &name, &length);)
    if (length && declares(e, name, length)) return true;
  return false;
}

static int by_kernel(ExerciseBook *book, const char *text, char **trouble) {
  LsText names = {0};
  int index = UNKNOWN, count = 0;
  for (int i = 0; i < book->count(book); i++) {
    const Exercise *e = book->get(book, i, NULL);
    if (!e || !has_kernel_of(e, text)) continue;
    ls_text_addf(&names, "%s%s", count++ ? ", " : "", e->name);
    index = i;
  }
  if (count == 1) return ls_text_free(&names), index;
  if (count) *trouble = ls_format("It may be of several exercises (%s): name the file after its own, or give "
                                  "--exercise.",
                                  ls_text_str(&names));
  else *trouble = ls_strdup("It has no kernel of an exercise, and is not named after one: give --exercise.");
  ls_text_free(&names);
  return UNKNOWN;
}

// OTHER: it is of another exercise than the wanted one.
static int exercise_of(const Search *search, const char *path, const char *text, char **trouble) {
  int named = by_stem(search->book, path);
  if (named >= 0) return search->wanted >= 0 && named != search->wanted ? OTHER : named;
  if (search->wanted >= 0) return search->wanted;
  return text ? by_kernel(search->book, text, trouble) : UNKNOWN;
}

// ---- files ---------------------------------------------------------------------------------------------------------

static char *kind_trouble(mode_t mode) {
  const char *what = S_ISLNK(mode) ? "a link, and links are not followed" : S_ISFIFO(mode) ? "a pipe"
                     : S_ISSOCK(mode) ? "a socket" : S_ISDIR(mode) ? "a folder" : "a device";
  return ls_format("It is %s: a submission is a file.", what);
}

// Opened so that a pipe does not hold us up, and no link leads us away.
static char *read_source(const char *path, size_t *size, char **trouble) {
  struct stat status;
  if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode)) return *trouble = kind_trouble(status.st_mode), NULL;
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  char *text = NULL;
  if (file < 0 || fstat(file, &status) != 0) {
    *trouble = ls_format("It cannot be read: %s.", strerror(errno));
  } else if (!S_ISREG(status.st_mode)) {
    *trouble = kind_trouble(status.st_mode);
  } else if (status.st_size > SUBMISSION_SIZE) {
    *trouble = ls_format("It has %lld bytes; a source has %d at most.", (long long)status.st_size,
                         (int)SUBMISSION_SIZE);
  } else {
    text = ls_alloc(SUBMISSION_SIZE + 1);
    ssize_t count;
    *size = 0;
    while (*size < SUBMISSION_SIZE && (count = read(file, text + *size, SUBMISSION_SIZE - *size)) > 0)
      *size += (size_t)count;
    text = ls_realloc(text, *size + 1);
    text[*size] = 0;
    if (strlen(text) != *size) *trouble = ls_strdup("It has zero bytes: it is no source text.");
  }
  if (file >= 0) close(file);
  return text;
}

static void add(const Search *search, const char *student, const char *path, char *text, size_t size, int exercise,
                char *trouble) {
  Submission item = {ls_strdup(student), ls_strdup(path), exercise, text, size, trouble};
  Submissions *found = search->found;
  LS_PUSH(found->items, found->count, found->capacity, item);
}

static void add_trouble(const Search *search, const char *student, const char *path, char *trouble) {
  add(search, student, path, NULL, 0, LS_MAX(search->wanted, UNKNOWN), trouble);
}

static void take_file(Search *search, const char *student, const char *path) {
  char *trouble = NULL, *kernel_trouble = NULL;
  size_t size = 0;
  search->files++;
  char *text = read_source(path, &size, &trouble);
  int exercise = exercise_of(search, path, trouble ? NULL : text, &kernel_trouble);
  if (!trouble) trouble = kernel_trouble;
  else free(kernel_trouble);
  if (exercise == OTHER) free(text), free(trouble);
  else add(search, student, path, text, size, exercise, trouble);
}

// ---- folders -------------------------------------------------------------------------------------------------------

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// Sorted; the caller frees them. NULL: it cannot be read, and errno says why.
static char **list_folder(const char *folder, int *count) {
  DIR *dir = opendir(folder);
  if (!dir) return NULL;
  char **names = ls_alloc(sizeof *names);
  int capacity = 1;
  *count = 0;
  for (const struct dirent *entry; (entry = readdir(dir));)
    if (entry->d_name[0] != '.' && strcmp(entry->d_name, "__MACOSX") != 0)
      LS_PUSH(names, *count, capacity, ls_strdup(entry->d_name));
  closedir(dir);
  qsort(names, (size_t)*count, sizeof *names, by_name);
  return names;
}

static mode_t mode_of(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 ? status.st_mode : 0;
}

static void take_folder(Search *search, const char *student, const char *folder, int depth) {
  int count;
  char **names = depth < DEEPEST ? list_folder(folder, &count) : NULL;
  if (!names) {
    add_trouble(search, student, folder, ls_format("The folder cannot be read: %s.", depth < DEEPEST ? strerror(errno)
                                                   : "it lies too deep"));
    search->files++;
    return;
  }
  for (int i = 0; i < count; i++) {
    char *path = ls_path_join(folder, names[i]);
    bool is_source = ls_ends_with(names[i], ".cu"), is_folder = !is_source && S_ISDIR(mode_of(path));
    if (search->files == SUBMISSION_FILES && (is_folder || is_source)) {
      add_trouble(search, student, path, ls_format("There are more than %d files: the others are not judged.",
                                                   (int)SUBMISSION_FILES));
      search->files++;
    } else if (search->files < SUBMISSION_FILES && is_folder) {
      take_folder(search, student, path, depth + 1);
    } else if (search->files < SUBMISSION_FILES && is_source) {
      take_file(search, student, path);
    }
    free(path);
    free(names[i]);
  }
  free(names);
}

// A student with nothing to judge has a line, too.
static void take_student(Search *search, const char *student, const char *folder) {
  int before = search->found->count;
  search->files = 0;
  take_folder(search, student, folder, 0);
  if (search->found->count == before)
    add_trouble(search, student, folder, ls_strdup(search->files ? "There is no file for this exercise."
                                                                 : "There is no .cu file."));
}

// The last part of the folder as it really is called: of "." too.
static char *name_of_folder(const char *folder) {
  char *real = realpath(folder, NULL), *name = ls_strdup(ls_path_base(real ? real : folder));
  free(real);
  return name;
}

static void take_entry(Search *search, const char *folder, const char *name) {
  char *path = ls_path_join(folder, name);
  mode_t mode = mode_of(path);
  search->files = 0;
  if (S_ISDIR(mode)) {
    take_student(search, name, path);
  } else if (ls_ends_with(name, ".cu")) {
    bool is_exercise = by_stem(search->book, path) >= 0;
    char *student = is_exercise ? name_of_folder(folder) : ls_strndup(name, strlen(name) - strlen(".cu"));
    take_file(search, student, path);
    free(student);
  } else if (S_ISLNK(mode) && !strchr(name, '.')) {
    add_trouble(search, name, path, kind_trouble(mode));
  }
  free(path);
}

static int by_place(const void *left, const void *right) {
  const Submission *a = left, *b = right;
  int order = strcmp(a->student, b->student);
  if (!order) order = a->exercise - b->exercise;
  return order ? order : strcmp(a->path, b->path);
}

bool submissions_find(Submissions *found, const char *const *folders, int count, ExerciseBook *book, int wanted,
                      LsErr *err) {
  *found = (Submissions){0};
  Search search = {found, book, wanted, 0};
  for (int i = 0; i < count; i++) {
    size_t length = strlen(folders[i]);
    while (length > 1 && folders[i][length - 1] == '/') length--;
    char *folder = ls_strndup(folders[i], length);
    int entries = 0;
    char **names = list_folder(folder, &entries);
    for (int k = 0; names && k < entries; k++) {
      take_entry(&search, folder, names[k]);
      free(names[k]);
    }
    if (!names) ls_fail(err, LS_EREQUEST, "cannot read the folder %s: %s", LS_QUOTE_PATH(folder), strerror(errno));
    bool fine = names != NULL;
    free(names);
    free(folder);
    if (!fine) return false;
  }
  if (!found->count) return ls_fail(err, LS_EREQUEST, "there is nothing to judge: a class is a folder with a folder "
                                    "for "
                                                      "each student, or with a .cu for each");
  qsort(found->items, (size_t)found->count, sizeof *found->items, by_place);
  return true;
}

void submissions_free(Submissions *found) {
  for (int i = 0; i < found->count; i++) {
    free(found->items[i].student);
    free(found->items[i].path);
    free(found->items[i].text);
    free(found->items[i].trouble);
  }
  free(found->items);
  *found = (Submissions){0};
}
