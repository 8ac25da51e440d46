// demo.h: a demo for a lecture hall: its beats, and the runs that are made for them before anybody looks.
//
// A beat is what one Page Down brings: a scene, a question about it, what the question hid, what happens with another
// parameter, what is to be kept. Beats belong to scenes, which have numbers. The file (script/, lua/demo.lua) is read
// and checked as a whole when the demo is opened; then demo_prepare makes beat after beat:
//
//   Demo *demo = demo_open(course, "banks", book, &err);      // no run yet
//   while ((work = demo_prepare(demo, &err)) != DEMO_WHOLE)
//     if (work == DEMO_RUNS) job = job_start(demo_wants(demo)), ... demo_give(demo, job_take(job, &err));
//
// A lesson can be presented like one: its screens are scenes, its questions are asked of the hall.
#ifndef LS_APP_DEMO_H
#define LS_APP_DEMO_H

#include "app/course/lesson.h"

typedef struct DemoBeat {
  StageKind kind;
  int scene;                   // that it belongs to, from 1
  const LessonStep *step;      // its words, its question
  const LessonStaging *staging;
  LessonPlace place;           // what is shown; run -1 and no model: nothing but words
  int question;                // of STAGE_ASK and STAGE_REVEAL: which one, from 0; else -1
  const char *const *options; int option_count;   // of these: what can be voted for; 0: nothing can
  int right;                   // of the options
} DemoBeat;

typedef struct Demo Demo;
// By the name of a demo, the path of its file ("./mine.lua"), or, presented, of a lesson ("L11"). Arguments are
// borrowed for the life of the demo. NULL: it is none of these, or its file has a mistake: *err has file and line.
Demo *demo_open(Course *course, const char *name, RecipeBook *book, LsErr *err);
void demo_free(Demo *demo);                              // NULL is fine

const CourseDemo *demo_info(const Demo *demo);
bool demo_is_lesson(const Demo *demo);

typedef enum DemoWork { DEMO_BEAT /* one beat more is ready */, DEMO_RUNS /* a run is wanted first */, DEMO_WHOLE,
                       DEMO_BROKEN } DemoWork;
DemoWork demo_prepare(Demo *demo, LsErr *err);
const RunRequest *demo_wants(const Demo *demo);          // NULL: no run
void demo_give(Demo *demo, Run *run);                    // takes ownership
void demo_blame(const Demo *demo, LsErr *err);           // a run failed at this place of the file
// Makes all runs at once. False with *err, and the place in the file.
bool demo_prepare_all(Demo *demo, LsErr *err);
bool demo_is_whole(const Demo *demo);

int demo_ready(const Demo *demo);                        // beats that can be shown
int demo_beats(const Demo *demo);                        // in all; of a lesson as far as known
int demo_scenes(const Demo *demo);
int demo_questions(const Demo *demo);                    // of those that can be shown
const DemoBeat *demo_beat(const Demo *demo, int index);  // NULL: it is not ready
int demo_of_scene(const Demo *demo, int scene);          // its first beat; -1: it is not ready, or there is none
Run *demo_run(const Demo *demo, const DemoBeat *beat);   // NULL: it shows none
// Brings the explorer to a beat (lesson_show_at): *session may be NULL before, stays as it is without a run, and is
// another one for another run.
void demo_show(const Demo *demo, const DemoBeat *beat, Session **session);
// "scene 2 of 3"; what the beat says: with the markup of lessons, and without.
void demo_place_text(const Demo *demo, const DemoBeat *beat, LsText *out);
void demo_text(const DemoBeat *beat, LsText *out);
void demo_words(const DemoBeat *beat, LsText *out);

#endif
