// page.h: what fills the screen and takes the keys; and the loop that runs a stack of pages.
//
// A page is a struct that begins with a Page. The loop draws the top page when something changed, gives it keys at
// once, and ticks it about 30 times a second while it asks for that. A page leaves by setting `closed`, and puts
// another one above itself by setting `open`.
#ifndef LS_UI_PAGE_H
#define LS_UI_PAGE_H

#include "app/course/course.h"
#include "app/course/solved.h"
#include "app/practice/attempt.h"
#include "app/report/class_files.h"
#include "app/own/form.h"
#include "app/models/model.h"
#include "app/run/job.h"
#include "app/course/lesson.h"
#include "app/stage/demo.h"
#include "app/stage/follow.h"
#include "app/stage/publish.h"
#include "app/stage/uplink.h"
#include "ui/term/canvas.h"
#include "ui/term/term.h"

typedef struct Page Page;
typedef struct PageClass {
  void (*draw)(Page *page, Canvas *canvas);          // onto a cleared canvas of at least PAGE_MIN_COLS x PAGE_MIN_ROWS
  bool (*key)(Page *page, AppKey key);               // true if the picture may have changed
  bool (*tick)(Page *page, double seconds);          // NULL if the page never ticks; true if the picture changed
  void (*free)(Page *page);
} PageClass;

struct Page {
  const PageClass *class;
  Page *open;            // set by the page: to be opened above it; the loop takes ownership
  bool closed;           // set by the page: done
  bool ticking;          // set by the page: wants ticks now
  bool stages;           // set by the page: PAGE_STAGE_ROWS are enough for it
  bool lowest;           // set by the loop: no page is below, so that closing it ends the program
  LsErr *parting;        // set by the page with `closed`: what the program says if it ends by that; the loop frees it
  char *shell;           // set by the page: a line of shell that is to have the terminal, an editor; the loop frees it,
                         // and ticks
  int shell_status;      // set by the loop before that tick: how the line ended, -1 if by a signal; the page sets it
                         // to 0 once it was told
  char *copy;            // set by the page: for the terminal's clipboard; the loop frees it
  bool cancels;          // set by the page: Ctrl-C is Esc to it, for it has work to cancel, and does not end the
                         // program
  int watch_fd;          // set by the page: it is ticked when this can be read, also while it asks for no ticks; 0:
                         // none
  int period_ms;         // set by the page: it is ticked so often at least; 0: never
};

#define PAGE_PATIENCE 0.004   // seconds a key may spend on gathering values; what takes longer comes with the ticks
enum { PAGE_MIN_COLS = 60, PAGE_MIN_ROWS = 20, PAGE_STAGE_ROWS = 18, PAGE_FRAME_MS = 33 };

// Runs until the last page is closed. Takes ownership of first, also on failure. Returns 0, or 128 + the signal that
// ended it; -1 with *err if the terminal cannot be used, before anything was drawn, or with what the last page says.
int ui_run(Page *first, const TermOptions *options, LsErr *err);
// Draws a page as the loop would (too small a canvas gets the message instead). For tests and export.
void page_draw(Page *page, Canvas *canvas);

// ---- pages ---------------------------------------------------------------------------------------------------------

// The explorer on a session; takes ownership of it.
Page *page_explorer_new(Session *session);
// Makes a run in the background, with progress and Esc, and opens the explorer on it. The request is copied; the book
// (for comparisons, may be NULL) is borrowed.
Page *page_run_new(const RunRequest *request, RecipeBook *book);
Page *page_recipe_new(RecipeBook *book, const char *name);   // the same for a lecture kernel with its defaults
// The recording of a lecture kernel: that of its defaults if there is one, else the first.
Page *page_recording_new(RecipeBook *book, const char *name);
// The launch of a file's kernel, to be filled in. What the command line gave stands in the fields already.
typedef struct LaunchAsk {
  const RunRequest *request;       // what and how; its launch is not looked at. Copied
  FormGiven given;                 // copied
  const char *command;             // "explore": of the line that is shown
  RecipeBook *book;                // borrowed
  Page *(*open)(const RunRequest *request, RecipeBook *book);   // the page for the launch, above this one: page_run_new
  void (*run)(void *context, RunRequest *request);              // or, where it is not NULL: takes the launch, and the
                                                                // page closes
  void *context;
} LaunchAsk;
Page *page_launch_new(const LaunchAsk *ask);
// page_run_new for a job under way; takes ownership of it. If its launch lacks something (RunProgress.lacks), otherwise
// (NULL: that is an error like others) makes the page for what is asked, whose texts have to stay.
Page *page_job_new(Job *job, const char *name, RecipeBook *book, Page *(*otherwise)(const LaunchAsk *ask),
                   const LaunchAsk *ask);
// The lecture kernels by topic. The book is borrowed.
Page *page_kernels_new(RecipeBook *book);
// A model with its sliders; values NULL: its defaults. And the list of all models.
Page *page_model_new(const Model *model, const ModelValues *values);
Page *page_model_of_run(const Model *model, const ModelValues *values, const char *run);   // run: its name
void page_model_set(Page *page, const ModelValues *values, int chosen);   // of a page of page_model_new
Page *page_models_new(void);

// The course. Everything is borrowed; the pages of lessons and of what
// is beside them come from whoever has them (NULL: none).
typedef struct PageMenu PageMenu;
struct PageMenu {
  Course *course;
  Progress *progress;
  RecipeBook *book;
  const char *note;          // dim in the title bar: what runs the kernels; may be NULL
  Page *(*open_lesson)(const PageMenu *menu, const CourseLesson *lesson);
  Page *(*open_own)(const PageMenu *menu);
  Page *(*open_claims)(const PageMenu *menu, int chosen);
  Page *(*open_museum)(const PageMenu *menu, int chosen);
  Page *(*open_quiz)(const PageMenu *menu);
  Page *(*open_practice)(const PageMenu *menu);
  void *context;             // for these
};
Page *page_menu_new(const PageMenu *menu);
// For who is here for the first time: a warp at work and a question about it, then the first lesson or the course.
Page *page_greeting_new(const PageMenu *menu);
// A search over all that the course has; Enter opens what was found. The menu is copied.
Page *page_find_new(const PageMenu *menu, const char *words);
// One's own files: those of the folder, or one by its path. open makes the page for a file.
typedef struct PageOwn PageOwn;
struct PageOwn {
  RecipeBook *book;          // borrowed
  Page *(*open)(const PageOwn *own, const char *path);
};
Page *page_own_new(const PageOwn *own);
// The claims of the lectures. Everything is borrowed; device as of lesson_claim.
Page *page_claims_new(Course *course, RecipeBook *book, const char *device, int chosen);
// The museum of mistakes. Everything is borrowed.
Page *page_museum_new(Course *course, RecipeBook *book, int chosen);
// The families of questions, and what is due. Everything is borrowed.
Page *page_quiz_new(Course *course, Progress *progress, RecipeBook *book);
// The ladder of exercises, and one of them: its file is watched. Everything is borrowed; folder as of attempt_open.
Page *page_ladder_new(ExerciseBook *exercises, Progress *progress, RecipeBook *book);
Page *page_practice_new(const Exercise *exercise, const char *folder, Progress *progress, RecipeBook *book);
// An exam that somebody sits for; the sitting is borrowed, and may be over.
struct Sitting;
Page *page_exam_new(struct Sitting *sitting, RecipeBook *book);
// A class by its skills, for its teacher: what is worst first; Enter opens a skill. Everything is borrowed.
typedef struct ClassView {
  const ClassFiles *files;
  bool anonymous;            // as in class_json
  Course *course;
  RecipeBook *book;
} ClassView;
Page *page_class_new(const ClassView *view);
// One of its skills: wrong answers and who gave them, beside a question of it.
Page *page_class_skill_new(const ClassView *view, int skill);
// A lesson, open or on its cover: then its runs are made in the background from the beginning. Takes ownership of it;
// the book is borrowed.
Page *page_lesson_new(Lesson *lesson, RecipeBook *book);
// A demo for a lecture hall, whose runs are made in the background. Takes ownership of the demo; stage: all of it at
// stage size. folder: where votes and the place of the talk are kept; NULL: with the user's own files, "": nowhere.
Page *page_demo_new(Demo *demo, RecipeBook *book, bool stage, const char *folder);
// Where its notes go, and students who follow; takes ownership. NULL: nowhere.
void page_demo_connect(Page *page, Publish *publish, Share *share);
// The notes of a talk, as they come. Takes ownership of the uplink.
Page *page_notes_new(Uplink *uplink);
// A student's explorer that goes where the speaker goes. Takes ownership of the follow; the book is borrowed.
Page *page_follow_new(Follow *follow, RecipeBook *book);
// Whether all that the beat says is on the canvas, onto which it was drawn last; why: what is cut, and where it stands.
bool page_demo_fits(Page *page, const Canvas *canvas, LsText *why);
// The picture of a beat at stage size, without its sentence; of a comparison both of them. The canvas has the size that
// the session is asked for, and stage set.
void demo_draw_pictures(Session *session, Canvas *canvas, Rect rect);
// The keys of some contexts (CTX_M for lists), from commands.def.
Page *page_help_new(unsigned contexts);
// The keys of a page that has its own. Borrowed.
Page *page_keys_new(const FooterKey *keys, int count);
// Source of practice with a sentence about it, scrolled. All copied.
Page *page_code_new(const char *title, const char *says, const char *source);
// A text with a title, scrolled, closed by any other key. Copied.
Page *page_message_new(const char *title, const char *text);
// An error with file, line and what to do.
Page *page_error_new(const LsErr *err);

#endif
