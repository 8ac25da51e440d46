// caches.h: what the picture of caches shows: requests one after the other, and where each of their sectors was.
#ifndef LS_APP_MODELS_CACHES_H
#define LS_APP_MODELS_CACHES_H

#include "app/models/model.h"

enum { CACHES_REQUESTS = 256, CACHES_LEVELS = 3 };     // levels: the one in the SM, L2, memory

// found: sectors by level. row, col: of the picture, an instruction and a warp, or a pass and a round.
// passes: of the constant cache, whose one port gives one word at a time; 0: another way.
typedef struct CachesRequest { int row, col, sectors, passes, found[CACHES_LEVELS]; } CachesRequest;
typedef struct CachesModel {
  const char *near;              // what the level in the SM is called; NULL: the loads skip it
  const char *rows[3], *cols;    // names of rows, and what a column is
  int row_count, col_count, request_count, shown;      // shown: requests that are done
  CachesRequest requests[CACHES_REQUESTS];
  int64_t passes;                // so many words went through the one port of the constant cache
  int64_t asked, found[CACHES_LEVELS];                 // of those that are shown
  int l1_kb, l2_kb;
} CachesModel;
void caches_model(const ModelValues *values, CachesModel *out);

#endif
