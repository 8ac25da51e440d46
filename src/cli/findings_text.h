// findings_text.h: what a run wastes, as text for people and as the member "findings" of `stats --json`.
#ifndef LS_CLI_FINDINGS_TEXT_H
#define LS_CLI_FINDINGS_TEXT_H

#include <stdio.h>

#include "app/run/run.h"
#include "base/json.h"

void findings_print(Run *run, FILE *out);          // worst first, two to four short paragraphs each
void findings_json(Run *run, LsJson *json);

#endif
