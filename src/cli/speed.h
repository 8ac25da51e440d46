// speed.h: what a GPU measured, as text and as JSON. Nothing is printed of a run that was not measured.
#ifndef LS_CLI_SPEED_H
#define LS_CLI_SPEED_H

#include <stdio.h>

#include "app/run/timing.h"
#include "base/json.h"

void speed_print(const Run *run, FILE *out);
// The members "measure" and "waves". What is not known is null. The man page says what they mean.
void speed_json(const Run *run, LsJson *json);

// The keys of "measure" and "waves" with what they mean, for the man page; false past the last one.
bool speed_key(int index, const char **object, const char **key, const char **help);

#endif
