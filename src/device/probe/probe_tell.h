// probe_tell.h: the PTX that writes a record.
#ifndef LS_DEVICE_PROBE_TELL_H
#define LS_DEVICE_PROBE_TELL_H

#include "device/probe/probe_put.h"

// A record of the lanes of the segment without numbers: which of them do it (NULL: all), or say yes (NULL: that is not
// asked). Changes %lanescope_q.
void probe_tell_point(const Probe *probe, const ProbeSite *site, const char *does, const char *yes, LsText *out);
// A record of the lanes in the register `lanes`, those of the segment unless the site is an operation between lanes:
// which of them do it, which say yes, and the numbers in %lanescope_k, _v and _w. Changes %lanescope_b, _d, _p, _q and
// _to.
void probe_tell_record(const Probe *probe, const ProbeSite *site, const char *lanes, ProbeArgument does,
                       ProbeArgument yes, LsText *out);

#endif
