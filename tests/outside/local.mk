# local.mk: lanescope against what others wrote and measured; needs their files, and only selftest/ is in check
EXTRA_DIST += \
	%D%/README.md \
	%D%/check \
	%D%/check_practice \
	%D%/common.py \
	%D%/oclgrind.py \
	%D%/opencl_builtins.h \
	%D%/practice.py \
	%D%/programs.py \
	%D%/programs.txt \
	%D%/recorded.txt \
	%D%/rust_values.py \
	%D%/samples.py \
	%D%/selftest \
	%D%/zluda.py
EXTRA_PROGRAMS += check_words ptx_entries
CLEANFILES += check_words ptx_entries
check_words_CPPFLAGS = $(AM_CPPFLAGS) $(tests_cppflags)
check_words_SOURCES = %D%/check_words.c
check_words_LDADD = libtests.a $(sim_libs)
ptx_entries_CPPFLAGS = $(AM_CPPFLAGS) $(tests_cppflags)
ptx_entries_SOURCES = %D%/ptx_entries.c
ptx_entries_LDADD = libtests.a $(sim_libs)

# CUDA's runtime on the emulator, for programs that nvcc links with it; needs NVIDIA's headers.
emulated_runtime = %D%/emulated_runtime.so
EXTRA_PROGRAMS += %D%/emulated_runtime.so
CLEANFILES += $(emulated_runtime)
tests_outside_emulated_runtime_so_CPPFLAGS = $(AM_CPPFLAGS) $(tests_cppflags) -I$(srcdir)/%D%/runtime $(CUDA_OCCUPANCY_CFLAGS)
tests_outside_emulated_runtime_so_SOURCES = \
	%D%/runtime/calls.c \
	%D%/runtime/memory.c \
	%D%/runtime/modules.c \
	%D%/runtime/runtime.h
tests_outside_emulated_runtime_so_LDFLAGS = $(AM_LDFLAGS) -shared
tests_outside_emulated_runtime_so_LDADD = libmodel.a $(sim_libs) -lm -lpthread
