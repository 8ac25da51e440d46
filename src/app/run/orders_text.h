// orders_text.h: an order as text: what was chosen, a digit or letter for each choice.
#ifndef LS_APP_ORDERS_TEXT_H
#define LS_APP_ORDERS_TEXT_H

#include "sim/sim.h"

char *orders_print(const SimPath *path);        // of the run that the path was made by; caller frees
// "0120" as what is chosen step by step; caller frees. NULL: it is none.
uint8_t *orders_parse(const char *text, uint32_t *count, LsErr *err);

#endif
