// array.h: an address as the source would write it: which array, and which of its elements.
#ifndef LS_MODEL_ARRAY_H
#define LS_MODEL_ARRAY_H

#include "model/findings/finding.h"
#include "ptx/debuginfo.h"

enum { ARRAY_DIMS = 4 };

// An array and its rows. Where the source's type is not known, an array is one row of elements of the buffer's type.
typedef struct Array {
  const char *name;
  uint8_t space;
  uint64_t base, size;             // bytes, as in TraceObject
  int element;                     // bytes of an element
  const PtxDwType *type;           // of an element; NULL: not known
  int64_t dims[ARRAY_DIMS]; int dim_count;   // dims[0] outermost; its length is 0 if it has none
  bool declared;                   // the source's own rows
} Array;

// The array that an address lies in; false if there is none.
bool array_at(const FindingsOf *of, TraceSpace space, uint64_t addr, Array *out);
// Bytes from one row to the next: of the innermost dimension. 0 if there is one row only.
uint64_t array_row(const Array *array);
// "tile[3][0]", "data[5].x"; with index 0: "tile".
void array_print(const Array *array, uint64_t addr, LsText *out);
// The subscripts of an address; *field is the member of a structure, or NULL.
void array_subscripts(const Array *array, uint64_t addr, int64_t out[ARRAY_DIMS], const PtxDwField **field);
// Words for an element: "float", "4-byte word".
const char *array_element_name(const Array *array);

#endif
