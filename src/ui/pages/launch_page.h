// launch_page.h: what the files of the launch page share: its state, and where on the screen its fields are.
#ifndef LS_UI_LAUNCH_PAGE_H
#define LS_UI_LAUNCH_PAGE_H

#include "app/own/kept.h"
#include "app/own/reading.h"
#include "app/own/watch.h"
#include "ui/pages/list.h"
#include "ui/pages/page.h"

// What a click on a place of the screen means, as last drawn.
typedef enum LaunchSpotKind { SPOT_FIELD, SPOT_CHOICE, SPOT_RUN, SPOT_COPY } LaunchSpotKind;
typedef struct LaunchSpot { LaunchSpotKind kind; Rect rect; int index; } LaunchSpot;
enum { LAUNCH_SPOTS = 160 };

enum { LAUNCH_AHEAD = 32 };

typedef struct LaunchPage {
  Page base;
  RunRequest request;            // without its launch
  RecipeBook *book;
  FormGiven given;               // owned
  char *command;
  Page *(*open)(const RunRequest *request, RecipeBook *book);
  void (*run)(void *context, RunRequest *request); void *context;
  Reading *reading;              // being compiled; NULL: it is not
  OwnFile *file;                 // NULL: not yet, or it does not compile
  LsErr error;                   // why
  Watch *watch;
  Kept *kept;
  double seconds;                // of the reading
  Form form; bool has_form;
  List kernels; bool choosing;   // the list of kernels is open
  int row, nth, top;             // the field with the cursor; first row of arguments that is shown
  bool typing; char typed[800];
  AppKey ahead[LAUNCH_AHEAD]; int ahead_count;   // typed while the file was read for the first time
  char note[240]; bool note_is_error;
  int scroll, text_rows, height; // of the compiler's messages, as last drawn
  LaunchSpot spots[LAUNCH_SPOTS]; int spot_count;
  int cols, rows; bool ascii;    // of the screen, as last drawn
} LaunchPage;

// launch_draw.c
void launch_draw(LaunchPage *self, Canvas *canvas);
const FooterKey *launch_keys(const LaunchPage *self, int *count);
// launch_fields.c
int launch_field(const LaunchPage *self);                         // that has the cursor
bool launch_takes_letters(const LaunchPage *self);                // it is a path or a text: letters are typed into it
// the command line, folded at width; 0: in one piece
void launch_line(const LaunchPage *self, LsText *out, int width);

#endif
