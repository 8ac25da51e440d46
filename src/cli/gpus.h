// gpus.h: what doctor and devices say about the GPUs of this machine, and --profile gpu.
#ifndef LS_CLI_GPUS_H
#define LS_CLI_GPUS_H

#include "base/json.h"
#include "base/text.h"
#include "model/arch.h"

// Lines for a person: the driver and each GPU, or why there is none. Returns how many GPUs there are.
int gpus_text(LsText *out);
// The member "gpus": an array of objects; with the members "driver" or "no_gpu", the reason, before it.
void gpus_json(LsJson *json);

// The profile of this name; "gpu" is this machine's own, which asks the driver. NULL: unknown name or no GPU.
const ArchProfile *gpus_profile(const char *name, LsErr *err);

#endif
