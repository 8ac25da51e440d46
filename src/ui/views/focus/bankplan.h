// bankplan.h: which rows the picture of a shared access has, and how they fit. Private to view_banks.c.
//
// Columns are banks; a cell holds the lane that wants the word, in the color of its wavefront. What a row is:
//
//   by row of words                    by wavefront                       by queue, where few banks have all the work
//   bank    0  1  2  3 ...             bank    0  1  2  3 ...             bank     0  1  2 ... 31
//   row 0   0  1  2  3 ...  + 0x0000   wave 1  0  9 18 27 ...             words    ·  ·  · ... 32
//   row 1   8  9 10 11 ...  + 0x0080   wave 2  8  1 10 19 ...             bank 31  0  1  2  3  4  5  6  7
//   words   2▲ 2▲ 2▲ 2▲ ...            words   2▲ 2▲ 2▲ 2▲ ...                     8  9 10 11 12 13 14 15
#ifndef LS_UI_BANKPLAN_H
#define LS_UI_BANKPLAN_H

#include "model/bank.h"
#include "ui/views/focus/focus.h"

typedef enum BankForm { BANK_BY_ROW, BANK_BY_WAVE, BANK_BY_QUEUE } BankForm;

typedef struct BankPlan {
  Focus *focus;
  Banking banking;
  uint64_t rows[BANK_MOST_WORDS]; int row_count;   // rows of words touched, ascending
  bool repeated;             // a word is brought twice: a row of words cannot show both
  uint32_t outside;          // lanes outside of their array
  int lit;                   // the wavefront of the inspected lane; -1: all
  int x, pitch;              // of the first bank shown; columns per bank
  int first, across;         // banks shown beside one another: all; on a narrow stage one half, then the other
  int queue_across, queue_pitch;   // words beside one another in a queue; columns of one
  // What fits:
  BankForm form;
  int wanted, shown, step;   // rows there are, rows drawn; screen rows from one to the next
  bool load, legend;         // the row that counts words, the row that names lanes
} BankPlan;

// Which lanes each wavefront serves, as one line of words. wave: whose color they have, -1: of nobody.
typedef struct BankLegend { struct { char text[80]; int wave; } parts[12]; int count; } BankLegend;

BankPlan *bankplan_new(Focus *focus, BankMode mode);   // freed by the caller
void bankplan_fit(BankPlan *b, int rows);              // into so many rows below the rule
void bankplan_room(const BankPlan *b, FocusRoom *room);
// The bank of a row of queues, and the first word of its queue that the row shows.
int bankplan_queue(const BankPlan *b, int row, int *first);
int bankplan_top(const BankPlan *b);                   // first row drawn: what is lit, or played, stays in view
int bankplan_now(const BankPlan *b);                   // the wavefront that is played
void bankplan_legend(const BankPlan *b, BankLegend *legend);   // count 0: none, or none that fits

#endif
