// course_hash.c: hashes the files of a course in the order of its lessons.
#include "app/report/course_hash.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { FILE_BYTES = 16 << 20 };

// The name, the size and the contents: no other files give the same bytes. A file that is not there counts as empty, as
// a lesson may have no questions.
static bool add_file(LsSha256 *sha, const char *folder, const char *name, LsErr *err) {
  char *path = ls_path_join(folder, name);
  size_t size = 0;
  bool there = ls_file_exists(path);
  char *data = there ? ls_file_read(path, FILE_BYTES, &size, err) : NULL;
  free(path);
  if (there && !data) return false;
  LsText head = {0};
  ls_text_addf(&head, "%s %zu\n", name, size);
  ls_sha256_add(sha, head.data, head.length);
  if (size) ls_sha256_add(sha, data, size);
  ls_text_free(&head);
  free(data);
  return true;
}

static bool add_lesson(LsSha256 *sha, const char *folder, const CourseLesson *lesson, LsErr *err) {
  char *questions = ls_format("questions/%s.lua", lesson->id);
  bool ok = (!lesson->file || add_file(sha, folder, lesson->file, err)) && add_file(sha, folder, questions, err);
  free(questions);
  return ok;
}

bool course_hash(const Course *course, const char *folder, char out[LS_SHA256_HEX], LsErr *err) {
  LsSha256 sha;
  uint8_t digest[LS_SHA256_SIZE];
  char *usual = folder ? NULL : ls_data_path("lessons", err);
  if (!folder && !usual) return false;
  const char *in = folder ? folder : usual;
  ls_sha256_begin(&sha);
  bool ok = add_file(&sha, in, "course.lua", err) && add_file(&sha, in, "families.lua", err);
  for (int i = 0; ok && i < course->count; i++) ok = add_lesson(&sha, in, &course->lessons[i], err);
  free(usual);
  ls_sha256_end(&sha, digest);
  ls_sha256_hex(digest, out);
  return ok;
}
