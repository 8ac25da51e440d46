// report_read.h: the reports of others, of which nothing is taken on trust.
//
// Whatever is missing, of another kind or out of its range makes a file none, and it is said where: "skills[3].right is
// 9, and can be 0 to 6". What is not known is passed over, so that a report may say more one day.
#ifndef LS_APP_REPORT_REPORT_READ_H
#define LS_APP_REPORT_REPORT_READ_H

#include "app/report/report.h"

enum { REPORT_BYTES = 1 << 20 };     // of a file, at most

typedef struct ReportReader ReportReader;
ReportReader *report_reader_new(void);
void report_reader_free(ReportReader *reader);   // NULL is fine

// False with *err: LS_EUNSUPPORTED is a report of a newer format, LS_EREQUEST and LS_EIO a file that cannot be read,
// all else a file that is no report or a damaged one. report_free also then.
bool report_read(ReportReader *reader, const char *path, Report *report, LsErr *err);
bool report_parse(ReportReader *reader, const char *text, size_t size, Report *report, LsErr *err);

#endif
