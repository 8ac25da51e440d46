// expectation.h: whether a run came to what its recipe says will come of it: the result, the faults, the findings, how
// much was written. Every form of a recipe is run at its defaults by the tests, so that a check which no longer finds
// its bug is noticed.
#ifndef LS_APP_EXPECTATION_H
#define LS_APP_EXPECTATION_H

#include "app/run/program_run.h"

// False with LS_EFAULT: every difference, in words ("expected race, which was not found"). LS_EREQUEST: the recipe's own
// function failed. Of a run of the emulator's that went to its end with all checks; of others nothing is known, and
// true comes back.
bool expectation_is_met(Run *run, LsErr *err);
bool expectation_is_met_by(const ProgramRun *run, LsErr *err);
// "a right result", "a wrong result; race; out_of_bounds".
void expectation_words(const RecipeExpect *expect, LsText *out);
// A form and what is expected of it: "without the second barrier, E99, Example 2.7; expected: a wrong result; race".
void expectation_form_words(const RecipeForm *form, LsText *out);

#endif
