// junit.h: results of tests as the XML that JUnit's Ant task writes, which CI services read.
#ifndef LS_CLI_JUNIT_H
#define LS_CLI_JUNIT_H

#include "app/own/suite.h"

// A testsuite for each recipe, a testcase for each point: a failure has the kind as its type; what is wrong with the
// recipe or this machine is an error.
bool junit_write(const Suite *suite, const char *path, LsErr *err);

#endif
