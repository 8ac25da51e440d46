// nvrtc_place.h: where NVRTC is when no linker knows it: in the Python packages nvidia-cuda-nvrtc and their kin.
#ifndef LS_DEVICE_NVRTC_PLACE_H
#define LS_DEVICE_NVRTC_PLACE_H

// What CUDA 11 and 12 have in FOLDER/nvidia/cuda_nvrtc/lib, and CUDA 13 in FOLDER/nvidia/cu13/lib; their headers are
// beside them. FOLDER is a site-packages of $VIRTUAL_ENV, $CONDA_PREFIX, or the user, or on python3's sys.path; the
// first that has it, and of several the newest. NULL: none has. Caller frees. It may start python3: not for every
// compilation.
char *nvrtc_place(void);

// The part of it that it opens by name, in the same folder; NULL: there is none. Caller frees.
char *nvrtc_builtins(const char *library);

enum { NVRTC_MOST_INCLUDES = 4 };
// The options -IFOLDER for the headers that belong to a library of that kind, which exist; the caller frees each.
// Returns how many.
int nvrtc_includes(const char *library, char *options[NVRTC_MOST_INCLUDES]);

#endif
