// cmd_class.c: lanescope class: what a class can do, from the reports that its students handed in.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/report/class_write.h"
#include "base/clock.h"
#include "cli/class_text.h"
#include "cli/cli.h"
#include "script/exercise.h"
#include "script/lesson.h"
#include "ui/pages/page.h"

enum { LINES_SAID = 20 };

typedef struct Said { int lines; double begun; bool counts; } Said;

static void clear_count(Said *said) {
  if (said->counts) fprintf(stderr, "\r%*s\r", 40, "");
  said->counts = false;
}

// The first of them; a folder full of other files would fill the screen.
static void say(void *context, const char *line) {
  Said *said = context;
  clear_count(said);
  if (said->lines++ < LINES_SAID) plain_print(stderr, "lanescope: %s\n", line);
}

// On a terminal, once it takes long enough to be noticed: a line that goes when the last file was read.
static void count_files(void *context, int files) {
  enum { EACH = 64 };
  static const double noticed = 0.5;
  Said *said = context;
  if (files % EACH || !isatty(2) || ls_clock() - said->begun < noticed) return;
  fprintf(stderr, "\r%d files read ", files);
  said->counts = true;
}

static void say_rest(Said *said) {
  clear_count(said);
  int more = said->lines - LINES_SAID;
  if (more > 0) plain_print(stderr, "lanescope: and %d more like these\n", more);
}

static bool options_fit(const Cli *cli, LsErr *err) {
  bool csv = cli->given[OPT_ID_CSV];
  if (!cli->word_count)
    return ls_fail(err, LS_EREQUEST, "class needs FILE or FOLDER: the reports; lanescope class --help shows examples");
  if (csv && cli->given[OPT_ID_JSON]) return ls_fail(err, LS_EREQUEST, "--csv and --json are two forms: choose one");
  if (csv && cli->given[OPT_ID_ANONYMOUS])
    return ls_fail(err, LS_EREQUEST, "--csv says who has how many points: it goes without --anonymous");
  return true;
}

static bool nobody(const ClassFiles *files, LsErr *err) {
  const Class *class = files->class;
  if (!files->files) return ls_fail(err, LS_EREQUEST, "there is no file named *.json: no reports");
  ls_fail(err, LS_EREQUEST, "none of %d file%s is a report that counts", files->files, files->files == 1 ? "" : "s");
  if (class->others)
    ls_err_append(err, "This course is %.8s. --mixed takes reports on other courses, too.", class->course);
  return false;
}

static int show_page(Cli *cli, const ClassFiles *files, Course *course, LsErr *err) {
  RecipeBook *book = cli_book(cli, err);
  ClassView view = {files, cli->given[OPT_ID_ANONYMOUS], course, book};
  return book ? cli_show_page(cli, page_class_new(&view), err) : -1;
}

static int show(const Cli *cli, const ClassFiles *files) {
  bool anonymous = cli->given[OPT_ID_ANONYMOUS];
  LsText text = {0};
  if (cli->given[OPT_ID_JSON]) {
    class_json(files, anonymous, &text);
    cli_print_json(&text);
    return 0;
  }
  if (cli->given[OPT_ID_CSV]) {
    class_csv(files->class, &text);
    fwrite(text.data, 1, text.length, stdout);
    ls_text_free(&text);
    return 0;
  }
  class_print(files, anonymous, stdout);
  return 0;
}

// What is counted of practice: the ladder's exercises, by their folders ("07_transpose"), and the rooms of the museum.
static bool take_exercises(Class *class, Course *course, LsErr *err) {
  ExerciseBook *ladder = exercise_book_open(NULL, err);
  CourseRoom *rooms;
  int room_count = 0, count = 0;
  if (!ladder || !course->museum(course, class->arena, &rooms, &room_count, err)) {
    if (ladder) ladder->free(ladder);
    return false;
  }
  int steps = ladder->count(ladder);
  const char **names = ls_alloc(sizeof *names * (size_t)(steps + room_count + 1));
  for (int i = 0; i < steps; i++) {
    const char *folder = ladder->folder_name(ladder, i), *name = strchr(folder, '_');
    names[count++] = name ? name + 1 : folder;
  }
  for (int i = 0; i < room_count; i++) names[count++] = rooms[i].id;
  class_exercises(class, names, count);
  free(names);
  ladder->free(ladder);
  return true;
}

static int sum_up(Cli *cli, Course *course, Class *class, LsErr *err) {
  Said said = {.begun = ls_clock()};
  ClassFiles files = {.class = class, .reader = report_reader_new(), .say = say, .step = count_files, .context = &said};
  for (int i = 0; i < cli->word_count; i++) class_read(&files, cli->words[i]);
  report_reader_free(files.reader);
  say_rest(&said);
  class_end(class);
  if (!class->student_count) return nobody(&files, err) - 1;
  bool page = cli_wants_screen(cli) && !cli->given[OPT_ID_JSON] && !cli->given[OPT_ID_CSV];
  return page ? show_page(cli, &files, course, err) : show(cli, &files);
}

int cmd_class(Cli *cli, LsErr *err) {
  Course *course = options_fit(cli, err) ? course_open(NULL, err) : NULL;
  if (!course) return -1;
  const char *name = cli->value[OPT_ID_QUIZ_LESSON];
  const CourseLesson *lesson = name ? course_find(course, name, err) : NULL;
  int status = -1;
  if (!name || lesson) {
    Class class;
    bool made = class_new(&class, course, lesson, cli->given[OPT_ID_MIXED], err);
    if (made && take_exercises(&class, course, err)) status = sum_up(cli, course, &class, err);
    class_free(&class);
  }
  course->free(course);
  return status;
}
