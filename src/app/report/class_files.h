// class_files.h: the reports of a class, out of files and folders, one after the other.
//
// What is no report is told and left out; the others count. Of a folder its files named *.json are read, also those in
// folders inside of it, as learning platforms hand them out; links are not followed.
#ifndef LS_APP_REPORT_CLASS_FILES_H
#define LS_APP_REPORT_CLASS_FILES_H

#include "app/report/class.h"
#include "app/report/report_read.h"

typedef struct ClassFiles {
  Class *class;
  ReportReader *reader;
  void (*say)(void *context, const char *line);   // of each file that does not count, and why
  void (*step)(void *context, int files);         // as often as a file was read; NULL: nobody waits
  void *context;
  int files, broken, newer;          // read; no reports, damaged or too large; reports of a newer format
} ClassFiles;

// A file or a folder. What cannot be read is told, like a file that is no report.
void class_read(ClassFiles *files, const char *path);

#endif
