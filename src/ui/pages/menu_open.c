// menu_open.c: opens a lesson of the course, or as long as it is not written, its first kernel.
#include "ui/pages/menu_page.h"

Page *page_menu_open(const PageMenu *menu, int row) {
  const CourseLesson *lesson = &menu->course->lessons[row];
  if (lesson->file && menu->open_lesson) return menu->open_lesson(menu, lesson);
  if (lesson->kernel_count && menu->book) return page_recipe_new(menu->book, lesson->kernels[0]);
  return page_message_new(lesson->title, "This lesson is not written yet.");
}
