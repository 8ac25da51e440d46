// fuzz.h: what libFuzzer calls (llvm.org/docs/LibFuzzer.html).
#ifndef LS_TESTS_FUZZ_H
#define LS_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
