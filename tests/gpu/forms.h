// forms.h: the measured forms of tests/unit/sim/vectors/*.vec and those of templates.def, sorted by what a random program may do
// with them.
#ifndef LS_TESTS_GPU_FORMS_H
#define LS_TESTS_GPU_FORMS_H

#include "vec.h"

typedef struct Forms {
  VecForm *all;
  int count;
  const VecForm **lane;     // exact, each lane for itself
  int lane_count;
  const VecForm **warp;     // exact, over all 32 lanes of a full warp
  int warp_count;
} Forms;

bool forms_read(Forms *forms, LsErr *err);
void forms_free(Forms *forms);

// bfe and bfi of 64 bits, whose positions and lengths (u32 operands) have to stay below 256: beyond, PTX looks at the
// low byte, but the driver's compiler at the whole of them.
bool forms_is_wide_field(const VecForm *form);

#endif
