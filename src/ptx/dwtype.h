// dwtype.h: types of the source from DWARF entries. Inside ptx/ only.
#ifndef LS_PTX_DWTYPE_H
#define LS_PTX_DWTYPE_H

#include "ptx/debuginfo.h"
#include "ptx/dwarf.h"

// Types are made once per entry and kept in its `made`. Fields of structures get their types in ptx_dwtypes_finish,
// since a structure may point at itself.
typedef struct PtxDwTypes {
  const PtxDies *dies;
  LsArena *arena;
  int depth;
  int *pending; int pending_count, pending_capacity;   // structures whose fields have no type yet
} PtxDwTypes;

const PtxDwType *ptx_dwtype(PtxDwTypes *types, int64_t offset);   // NULL for void and for nonsense
void ptx_dwtypes_finish(PtxDwTypes *types);

#endif
