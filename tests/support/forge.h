// forge.h: trace files whose sections were changed behind their checksums, and a reader that goes through all of them.
//
// A flipped bit of a file is found by its checksums, so mutations of whole files never get behind the frame. Here a
// section is taken out, changed by whoever asks, and put back into a file that is right in every other way.
#ifndef LS_TESTS_FORGE_H
#define LS_TESTS_FORGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ForgeSection { char tag[5]; size_t offset, bytes; } ForgeSection;   // bytes: with its header
enum { FORGE_MOST = 16 };

// The sections of a file from the first to the last, ENDS; 0 if it is not whole.
int forge_sections(const uint8_t *file, size_t size, ForgeSection sections[FORGE_MOST]);
// What a section holds; NULL if it cannot be unpacked into so many bytes. The caller frees it.
uint8_t *forge_unpack(const uint8_t *file, const ForgeSection *section, size_t most, size_t *size);
// The file with other contents of a section, its checksums and its footer. The caller frees it.
uint8_t *forge_replace(const uint8_t *file, size_t size, const ForgeSection *section, const uint8_t *raw, size_t raw_size,
                       size_t *new_size);

// Does with a trace what play, stats and export do, as text, as JSON and as pictures; `which` chooses the step and the view.
// What they print is thrown away. True if the trace was taken, false if it was refused with a message.
bool forge_use(const uint8_t *file, size_t size, unsigned which);

#endif
