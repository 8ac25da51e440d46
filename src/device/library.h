// library.h: functions of libraries that are opened at run time.
#ifndef LS_DEVICE_LIBRARY_H
#define LS_DEVICE_LIBRARY_H

#include <stdbool.h>

// Stores the address of a function of an open library (dlopen's result) in *function, a pointer to a function pointer of any
// type: ISO C has no cast for that. False, with NULL stored, if the library has no such function.
bool library_symbol(void *library, const char *name, void *function);

#endif
