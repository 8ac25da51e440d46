// tap.h: results of tests in the Test Anything Protocol, version 14
// (https://testanything.org/tap-version-14-specification.html).
#ifndef LS_CLI_TAP_H
#define LS_CLI_TAP_H

#include <stdio.h>

#include "app/own/suite.h"

void tap_begin(int count, FILE *out);
// A line, and behind a failed one a block of YAML: what, where, and what to do. Strings in it are written as JSON's
// are.
void tap_point(const SuitePoint *point, int number, FILE *out);
void tap_end(const Suite *suite, FILE *out);

#endif
