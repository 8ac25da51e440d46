// chrome_events.h: events of the trace event format of Chrome, written one by one.
#ifndef LS_CLI_CHROME_EVENTS_H
#define LS_CLI_CHROME_EVENTS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"

// Begins as {.out = file}; the caller frees line.
typedef struct ChromeEvents { FILE *out; LsText line; bool any; } ChromeEvents;

// Begins an event; what is common to all of them. What is added to json before chrome_end is its own.
void chrome_begin(ChromeEvents *events, LsJson *json, const char *phase, uint64_t pid, uint64_t tid, const char *name);
void chrome_end(ChromeEvents *events, LsJson *json);
// what: "process_name" or "thread_name".
void chrome_name(ChromeEvents *events, const char *what, uint64_t pid, uint64_t tid, const char *name);

#endif
