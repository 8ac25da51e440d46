// sarif.h: findings and faults as SARIF 2.1.0, the form in which code hosts take them (OASIS, Static Analysis Results Interchange
// Format Version 2.1.0).
//
//   run.tool.driver.rules   one for each kind of finding (finding.def) and of fault (fault.def), with its help
//   run.results             findings: level warning, below a quarter of their total note; faults: level error,
//                           warning or note, by their grade
//   locations               files relative to the folder of the source (SRCROOT), line by line. A finding of the launch stands at
//                           the kernel's first line
#ifndef LS_CLI_SARIF_H
#define LS_CLI_SARIF_H

#include "app/run/run.h"

// Writes the file, whole or not at all.
bool sarif_write(Run *run, const char *path, LsErr *err);

#endif
