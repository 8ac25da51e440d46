// picture.h: a picture in the format of --format, to the file of -o or standard output.
#ifndef LS_CLI_PICTURE_H
#define LS_CLI_PICTURE_H

#include "cli/cli.h"
#include "ui/term/canvas.h"

typedef enum PictureFormat { PICTURE_SVG, PICTURE_TEXT, PICTURE_ANSI, PICTURE_CHROME } PictureFormat;

bool picture_format(const Cli *cli, PictureFormat *format, LsErr *err);   // --format; text if not given
Canvas *picture_canvas(const Cli *cli, int cols, int rows);              // with --ascii and --stage; for picture_write
// Writes and frees the canvas.
bool picture_write(const Cli *cli, Canvas *canvas, PictureFormat format, LsErr *err);

#endif
