// class_text.h: a class as lines of text.
#ifndef LS_CLI_CLASS_TEXT_H
#define LS_CLI_CLASS_TEXT_H

#include <stdio.h>

#include "app/report/class_files.h"

// The worst skills first, each with its commonest wrong answers. anonymous: as in class_json.
void class_print(const ClassFiles *files, bool anonymous, FILE *out);

#endif
