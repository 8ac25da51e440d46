// Every thread adds 1 to one cell: it loads, adds, stores.
// What others store in between is lost. ATOMIC is the cure,
// VOLATILE only looks like one.
#ifdef VOLATILE
typedef volatile int Cell;
#else
typedef int Cell;
#endif

extern "C" __global__
void race_add(Cell *a)
{
#ifdef ATOMIC
  atomicAdd(a, 1);
#else
  *a += 1;
#endif
}
