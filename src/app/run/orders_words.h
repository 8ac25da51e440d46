// orders_words.h: how the outcomes of several orders differ, in words.
#ifndef LS_APP_ORDERS_WORDS_H
#define LS_APP_ORDERS_WORDS_H

#include "app/run/orders.h"

bool orders_looks_at(const LaunchArg *arg);   // its contents are part of an outcome
// How a run ended, beside what it left in its buffers: "deadlock", what it printed. "" if there is nothing.
void orders_ending_words(const Sim *sim, LsText *out);
// What was tried, and what the outcomes say of the kernel.
void orders_tried_words(const Orders *orders, LsText *out);
void orders_verdict_words(const Orders *orders, LsText *out);
void orders_element_name(const Run *run, int arg, uint64_t element, LsText *out);   // "v[0]"
// The elements that differ among the outcomes, added to the words of each, and which differ by rounding alone.
void orders_words(const Run *run, Orders *orders);

#endif
