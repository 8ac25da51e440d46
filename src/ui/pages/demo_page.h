// demo_page.h: what the files of a demo's page share: its state, and what is drawn where.
//
//   page_demo.c    keys, the clock, the runs that are made meanwhile
//   demo_draw.c    which of the pictures below fills the window
//   demo_stage.c   one picture and one sentence, for the last row of a hall
//   demo_net.c     what goes to other terminals
//   demo_vote.c    a question, what may be answered, who answered
#ifndef LS_UI_DEMO_PAGE_H
#define LS_UI_DEMO_PAGE_H

#include "app/run/job.h"
#include "app/stage/publish.h"
#include "app/stage/record.h"
#include "app/stage/share.h"
#include "app/stage/talk.h"
#include "ui/models/pane.h"
#include "ui/pages/page.h"
#include "ui/pages/rerun.h"

enum { DEMO_WHATIFS = 3 };

// Another value that the speaker tried, with its run: it comes back at once.
typedef struct WhatIf { char text[96]; Run *run; } WhatIf;

typedef struct DemoPage {
  Page base;
  Demo *demo;
  RecipeBook *book;            // borrowed
  Talk talk;
  Record record;
  Publish *publish;            // its notes; NULL: nowhere
  Share *share;                // students follow; NULL: nobody can
  Session *session;            // NULL until a beat shows a kernel
  Rerun rerun;                 // what the speaker runs
  WhatIf what_ifs[DEMO_WHATIFS]; int what_if_count, what_if;   // the newest first; the one that P showed last
  char trying[96];             // the one that is being run; ""
  Job *job; double waited;     // what the demo runs, and for how long
  bool broken;                 // no further beat can be made: err
  LsErr err;
  double opened;               // seconds since; the first beat waits a moment for mistakes in later ones
  int wanted;                  // a beat that the speaker asked for before it was ready; -1: none
  int resume;                  // where a talk was lost that is taken up again; -1
  ModelPane pane;              // of a beat with a model
  bool big;                    // as it was drawn last
  bool stage, stage_chosen;    // at stage size whatever the scenes say; the speaker's choice
  bool leaving;                // q was pressed once
  char message[512];
} DemoPage;

// demo_draw.c
bool demo_page_is_big(const DemoPage *self, const Canvas *canvas);
void demo_draw(DemoPage *self, Canvas *canvas);
// What goes on in the background, in the last row, as long as the speaker waits for it.
void demo_draw_bottom(DemoPage *self, Canvas *canvas);
int demo_rail_rows(const void *self, int cols);
bool demo_draw_fits(DemoPage *self, const Canvas *canvas, LsText *why);

// demo_net.c
void demo_net_tell(DemoPage *self);                      // what is new, to whoever listens; takes votes that came
bool demo_net_invites(const DemoPage *self, char *out, size_t size);   // the line that students type; false: none
int demo_net_students(const DemoPage *self);

// demo_stage.c
bool demo_page_reveals(const DemoPage *self);            // an answer is being played: no words yet that tell it
void demo_draw_stage(DemoPage *self, Canvas *canvas);    // the picture of the beat, or of both its runs
void demo_draw_model(DemoPage *self, Canvas *canvas);    // that of a beat without a run
void demo_draw_hidden(DemoPage *self, Canvas *canvas);   // its source alone
void demo_draw_words(DemoPage *self, Canvas *canvas, const char *text);   // nothing but words
bool demo_stage_fits(DemoPage *self, const Canvas *canvas, LsText *why);      // of these four

// demo_vote.c
void demo_draw_vote(DemoPage *self, Canvas *canvas);
bool demo_vote_fits(DemoPage *self, const Canvas *canvas, LsText *why);

#endif
