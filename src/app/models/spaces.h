// spaces.h: what the picture of address spaces shows: windows on one line of addresses, and the pointer of each lane.
#ifndef LS_APP_MODELS_SPACES_H
#define LS_APP_MODELS_SPACES_H

#include "app/models/model.h"

enum { SPACES_LANES = 32 };
typedef enum SpaceWindow { WINDOW_LOCAL, WINDOW_SHARED, WINDOW_GLOBAL, WINDOW_COUNT } SpaceWindow;

typedef struct SpacesModel {
  uint64_t base[WINDOW_COUNT], size[WINDOW_COUNT];     // of the windows, as the emulator has them
  int input[SPACES_LANES];
  SpaceWindow window[SPACES_LANES];
  uint64_t address[SPACES_LANES];
  uint32_t lanes[WINDOW_COUNT];                        // masks
  int sectors, wavefronts;                             // of the store: in global memory, in shared memory
} SpacesModel;
void spaces_model(const ModelValues *values, SpacesModel *out);
const char *spaces_name(SpaceWindow window);           // "shared"

#endif
