// Every thread adds 1 to one cell. An ordinary += loads,
// adds and stores: what others store in between is lost.
// VOLATILE only looks like a cure.
#ifdef VOLATILE
typedef volatile int Cell;
#else
typedef int Cell;
#endif

extern "C" __global__
void race_add(Cell *a)
{
#if defined PLAIN || defined VOLATILE
  *a += 1;
#else
  atomicAdd(a, 1);
#endif
}
