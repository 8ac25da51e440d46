// exchange.h: what kind of exchange a shuffle is, and which steps of an algorithm are around it.
// Private to the view of shuffles.
#ifndef LS_UI_EXCHANGE_H
#define LS_UI_EXCHANGE_H

#include "ui/views/focus/focus.h"

typedef enum Move { MOVE_XOR, MOVE_UP, MOVE_DOWN, MOVE_INDEX } Move;
// moves: lanes that get another lane's value. distance: of MOVE_INDEX the first source.
typedef struct Exchange { Move move; int distance; uint32_t moves; } Exchange;

enum { SERIES_MOST = 10 };
// Exchanges of one warp whose distance doubles or halves from each to the next; `now` is the event's.
typedef struct Series { Exchange steps[2 * SERIES_MOST + 1]; int count, now; } Series;

Move exchange_mode(const Session *session, int pc);   // as the instruction says
Exchange exchange_of(const Session *session, const TraceEvent *event);
// "xor 4", "down 16", "from lane 0", "by index"
void exchange_words(const TraceEvent *event, const Exchange *exchange, char *out, size_t size);
// The group of two that a lane's value is of: a butterfly swaps the groups.
int exchange_group(const Exchange *exchange, int lane);
void exchange_series(const Focus *focus, const Exchange *now, Series *series);   // count 0 or 1: none

#endif
