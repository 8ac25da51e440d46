// lesson_writing.c: the steps of a lesson in which words of one's own are written.
#include <time.h>

#include "app/course/judged.h"
#include "app/course/lesson_parts.h"

static LessonWriting *open_writing(const Lesson *lesson) {
  const LessonStep *step = lesson_current(lesson);
  return step->writing && lesson_waits(step) ? step->writing : NULL;
}

static void save(Lesson *lesson) {
  char name[PROGRESS_NAME];
  Progress *progress = lesson_saves(lesson, lesson_current(lesson), name);
  if (progress) writing_save(progress, lesson_info(lesson)->id, name, lesson_current(lesson)->writing);
}

bool lesson_close_writing(Lesson *lesson) {
  const LessonWriting *writing = open_writing(lesson);
  if (!writing || !writing->text) return false;
  lesson_step(lesson)->given = writing_score(writing);
  lesson_reach(lesson);
  if (lesson_marks(lesson)) judged_add(lesson_marks(lesson), lesson_current(lesson)->id, writing, time(NULL));
  return true;
}

bool lesson_hand_in(Lesson *lesson, const char *text) {
  LessonWriting *writing = open_writing(lesson);
  if (!writing || writing->text || !writing_word_count(text)) return false;
  writing->text = ls_arena_strdup(lesson_arena(lesson), text);
  save(lesson);
  return writing->point_count || lesson_close_writing(lesson);
}

static bool set_tick(Lesson *lesson, int point, bool ticked, int word) {
  LessonWriting *writing = open_writing(lesson);
  if (!writing || !writing->text || point < 0 || point >= writing->point_count) return false;
  if (word >= writing_word_count(writing->text)) return false;
  writing->points[point].ticked = ticked;
  writing->points[point].word = word;
  save(lesson);
  return true;
}

bool lesson_tick(Lesson *lesson, int point, int word) { return set_tick(lesson, point, true, LS_MAX(word, -1)); }
bool lesson_untick(Lesson *lesson, int point) { return set_tick(lesson, point, false, -1); }

// The model answer makes all points, whatever word of it says them.
void lesson_write_alone(Lesson *lesson) {
  const LessonWriting *writing = lesson_current(lesson)->writing;
  lesson_hand_in(lesson, writing->model);
  for (int i = 0; i < writing->point_count; i++) lesson_tick(lesson, i, 0);
  lesson_close_writing(lesson);
}
