// nets.h: lines from lanes to the lanes that read their values. Private to view_shuffle.c.
//
// A net is a lane and all that read from it. It comes down from the lane above, runs along a track, and goes down to
// the lanes that get the value. Where two lanes read from one another, one arc stands for both. Where tracks are too
// many, lanes that move side by side are a bundle:
//
//   0  1  2  3       0  1  2  3         0  1  2  3  4  5  6  7
//   │  │  │  │       │  │  │            ╰────┬───╯  ╰────┬───╯
//   ╰─────╯  │       ╰─╮╰─╮╰─╮               ╰───────────╯
//      ╰─────╯         ▾  ▾  ▾
//
// While a shuffle is played every value goes along its line, all of them at one speed.
#ifndef LS_UI_NETS_H
#define LS_UI_NETS_H

#include "ui/views/focus/exchange.h"
#include "ui/views/focus/lanerow.h"

enum { NETS_PARTS = 3 };     // what a shuffle unfolds into: values leave, cross, arrive

typedef struct Net { int source; uint32_t readers; int low, high, track; } Net;   // low, high: columns
// Neighboring lanes that all read from as many neighbors.
typedef struct Bundle { int reader, source, count; } Bundle;

typedef struct Nets {
  const Focus *focus;
  const LaneRow *row;
  const Exchange *exchange;
  const LaneFit *values;     // what travels; rows 0: not recorded
  bool paired;               // everyone reads from the one that reads from him
  Net nets[32]; int count, tracks;
  Bundle bundles[32]; int bundle_count;
  bool bundled;              // bundles fit beside one another, and take fewer rows
  int lead, step;            // rows above the first track, rows from one track to the next
} Nets;

void nets_lay(Nets *nets, const Focus *focus, const LaneRow *row, const Exchange *exchange, const LaneFit *values);
bool nets_have_arcs(const Nets *nets);           // there are nets, and columns enough to tell them apart
int nets_arc_rows(const Nets *nets);             // by lead and step
int nets_bundle_rows(const Nets *nets);
void nets_draw_arcs(const Nets *nets, int y);
void nets_draw_bundles(const Nets *nets, int y);
uint32_t nets_arrived(const Nets *nets);         // lanes that have got their value
Role nets_role(const Nets *nets, int source);    // of the value of a lane

#endif
