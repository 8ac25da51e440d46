// exchange.h: what a shuffle moves, as it is made of what the shuffle of that warp before it moved.
//
// In sums, scans and searches for an extreme each shuffle brings a lane another value, the lane makes one of the two,
// and shuffles that. Who knows the one shuffle then knows what goes into the next, but for which lanes took part.
#ifndef LS_TRACE_EXCHANGE_H
#define LS_TRACE_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

// Of a lane's value before (mine) and what it got: what lanes that took part have, and what the others have. Floats are
// added and compared as IEEE 754 says; a sum that is no number is 0x7fffffff. These are numbers of the format.
typedef enum ExchangeWay {
  EXCHANGE_ADD,        // mine + got; mine
  EXCHANGE_ADD_F32,    // the same of floats
  EXCHANGE_ORDER_U32,  // the smaller; the larger
  EXCHANGE_ORDER_S32,
  EXCHANGE_ORDER_F32,  // mine < got ? mine : got; mine < got ? got : mine
  EXCHANGE_TAKE,       // got; mine
  EXCHANGE_AND,        // mine & got; mine
  EXCHANGE_OR,
  EXCHANGE_XOR,
  EXCHANGE_WAYS
} ExchangeWay;

typedef struct ExchangeRow { uint32_t value[32], result[32]; } ExchangeRow;

// What lanes have that took part (those in `lanes`) or did not. way is below EXCHANGE_WAYS.
void exchange_make(unsigned way, uint32_t lanes, const ExchangeRow *row, uint32_t value[32]);
bool exchange_makes(unsigned way, uint32_t lanes, const ExchangeRow *row, const uint32_t value[32]);
// Finds how these values are made. *lanes is the last answer, from which the next one differs as little as it can.
bool exchange_find(const ExchangeRow *row, const uint32_t value[32], uint8_t *way, uint32_t *lanes);
// Whether each lane's result is the value of its source.
bool exchange_is_moved(const ExchangeRow *row, const uint8_t source[32]);

#endif
