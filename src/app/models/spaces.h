// spaces.h: what the picture of address spaces shows: windows on one line of addresses, and the pointer of each lane.
#ifndef LS_APP_MODELS_SPACES_H
#define LS_APP_MODELS_SPACES_H

#include "app/models/model.h"

enum { SPACES_LANES = 32, SPACES_NAME = 24 };
typedef enum SpaceWindow { WINDOW_LOCAL, WINDOW_SHARED, WINDOW_GLOBAL, WINDOW_COUNT } SpaceWindow;

typedef struct SpacesModel {
  uint64_t base[WINDOW_COUNT], size[WINDOW_COUNT];     // of the windows, as the emulator has them
  bool of_run;                                         // an access of a run: input is not known
  char access[8]; int width;                           // "st", "ld" or "atom", and its bytes in a lane
  char name[WINDOW_COUNT][SPACES_NAME];                // of what is pointed to there; "": not known
  int input[SPACES_LANES];
  SpaceWindow window[SPACES_LANES];                    // WINDOW_COUNT: the lane does nothing
  uint64_t address[SPACES_LANES];
  uint32_t lanes[WINDOW_COUNT];                        // masks
  int sectors, wavefronts;                             // of the store: in global memory, in shared memory
} SpacesModel;
void spaces_model(const ModelValues *values, SpacesModel *out);
const char *spaces_name(SpaceWindow window);           // "shared"

#endif
