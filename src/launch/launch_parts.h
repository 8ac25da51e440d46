// launch_parts.h: what the files share that read launches from text.
#ifndef LS_LAUNCH_PARTS_H
#define LS_LAUNCH_PARTS_H

#include "launch/launch.h"

bool launch_is_init(const char *text);   // it begins with the name of an INIT

#endif
