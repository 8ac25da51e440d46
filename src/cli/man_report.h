// man_report.h: what the man page says of reports and classes.
#ifndef LS_CLI_MAN_REPORT_H
#define LS_CLI_MAN_REPORT_H

#include <stdio.h>

void man_report(FILE *out);

#endif
