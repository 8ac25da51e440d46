// launch_parts.h: what the files share that read launches from text.
#ifndef LS_LAUNCH_PARTS_H
#define LS_LAUNCH_PARTS_H

#include "launch/launch.h"

bool launch_is_init(const char *text);   // it begins with the name of an INIT
bool launch_is_value(const char *text);  // it begins like a number
// TYPE[COUNT]=INIT[>FILE] or an image; the argument is empty but for its name.
bool launch_parse_buffer(LaunchArg *arg, const char *text, LsErr *err);
// Reads what a variable's text says without the module: a type and values. What the module has to say is left for
// later: count is 0.
bool launch_read_variable(LaunchArg *arg, LsErr *err);
// Puts something in front of a message whose maker only knew his part of it. Always false; err may be NULL.
bool launch_blame(LsErr *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
