// cast_file.h: an asciicast (version 2): a header, then what the terminal is told, with the time of each frame.
//
//   CastFile file;
//   cast_file_begin(&file, cli, cols, rows, "title");
//   Canvas *canvas = cast_file_canvas(&file);       // cleared; draw the frame
//   cast_file_add(&file);                           // what differs from the frame before, at file.time
//   file.time += 1.0 / 30;
//   cast_file_end(&file, path, err);                // writes it, unless path is NULL, and frees all
//
// Nothing here waits: who draws the frames sets the time. Format: https://docs.asciinema.org/manual/asciicast/v2/
#ifndef LS_CLI_CAST_FILE_H
#define LS_CLI_CAST_FILE_H

#include "cli/cli.h"
#include "ui/term/canvas.h"

enum { CAST_FRAMES_PER_SECOND = 30 };
#define CAST_BEFORE_SECONDS 1.0   // that the first picture stands
#define CAST_AFTER_SECONDS 2.0    // and the last one

typedef struct CastFile {
  Canvas *now, *next;        // what the terminal shows, once there is a frame; what is being drawn
  bool ascii, dark, stage;
  double time;               // seconds, of the next frame
  bool begun;                // there is a frame
  LsText out;
} CastFile;

void cast_file_begin(CastFile *file, const Cli *cli, int cols, int rows, const char *title);
Canvas *cast_file_canvas(CastFile *file);
void cast_file_add(CastFile *file);
// The last picture stands for a while.
bool cast_file_end(CastFile *file, const char *path, LsErr *err);

// ---- cast_model.c ----
// A model while one of its parameters moves, into the file of -o. Exit status, or -1.
int cast_model(const Cli *cli, const Model *model, const ModelValues *values, int cols, int rows, LsErr *err);

#endif
