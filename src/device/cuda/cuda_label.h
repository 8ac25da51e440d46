// cuda_label.h: PTX for a driver, or a GPU, that is older than the compiler that wrote it.
//
// A driver refuses PTX whose .version is newer than its own, and a GPU PTX whose .target is, whatever is in it; compilers write the
// newest version and the target that they were asked for, whether or not the code needs them. So the text is given the driver's version
// and the GPU's target, and the driver's compiler says if there is anything that these do not know.
#ifndef LS_DEVICE_CUDA_LABEL_H
#define LS_DEVICE_CUDA_LABEL_H

#include "device/cuda/gpu.h"

typedef struct CudaLabel {
  int version;                   // 70 for 7.0; 0: the text's own will do
  int target;                    // 75 for sm_75; 0: the text's own will do
  bool lines;                    // line numbers and debug sections may stay: they are of the forms that this version knows
} CudaLabel;

CudaLabel cuda_label(const Driver *driver, const GpuFacts *facts, const PtxModule *module);
// The text under its new labels, its lines where they were. NULL: it is fine as it is. Caller frees.
char *cuda_label_text(const CudaLabel *label, const char *ptx);
// Says what is too old for what, after the compiler refused such a text. False always.
bool cuda_label_explain(const CudaLabel *label, const Driver *driver, const GpuFacts *facts, const PtxModule *module, LsErr *err);

#endif
