// program_chart_rows.h: what the files share that make the rows of a program's chart.
#ifndef LS_MODEL_PROGRAM_CHART_ROWS_H
#define LS_MODEL_PROGRAM_CHART_ROWS_H

#include "model/program_chart.h"

void program_chart_add_bar(ProgramChartRow *row, ProgramBar bar);   // one that takes time
// cost may be NULL.
ProgramBar program_chart_bar_of(int step, const ProgramTime *time, const ProgramCost *cost);
// program_chart_children.c: rows of what the kernels of a stream launch, behind the rows that are there. costs may be
// NULL.
void program_chart_add_children(ProgramChart *chart, const HostProgram *program, const ProgramTime *times, int stream,
                                const ProgramCost *costs);

#endif
