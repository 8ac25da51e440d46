# local.mk: the emulator against a GPU; needs one, takes minutes, and is no part of check
EXTRA_DIST += %D%/README.md %D%/RESULTS.md %D%/roofs.cu %D%/probe_costs.cu %D%/measure %D%/programs
libtests_a_SOURCES += \
	%D%/approximations.c %D%/approximations.h \
	%D%/atomics.def \
	%D%/batch.c %D%/batch.h \
	%D%/care.c %D%/care.h \
	%D%/carry.c %D%/carry.h \
	%D%/carry_vectors.c \
	%D%/code.c %D%/code.h \
	%D%/compare.c %D%/compare.h \
	%D%/forms.c %D%/forms.h \
	%D%/gen_straight.c \
	%D%/gen_structured.c \
	%D%/generate.h \
	%D%/gpu_driver.c %D%/gpu_driver.h \
	%D%/matrices.c %D%/matrices.def %D%/matrices.h \
	%D%/matrices_keep.c \
	%D%/matrices_sparse.c %D%/matrices_sparse.h \
	%D%/matrices_values.c %D%/matrices_values.h \
	%D%/ncu.c %D%/ncu.h \
	%D%/recipes.c %D%/recipes.h \
	%D%/rng.c %D%/rng.h \
	%D%/streams.c %D%/streams.h \
	%D%/templates.def \
	%D%/textures.c %D%/textures.h \
	%D%/traced.c %D%/traced.h \
	%D%/vectors.c %D%/vectors.h \
	%D%/works.c %D%/works.h
gpu_programs = check_gpu measure_gpu
EXTRA_PROGRAMS += $(gpu_programs)
CLEANFILES += $(gpu_programs)
check_gpu_CPPFLAGS = $(AM_CPPFLAGS) $(tests_cppflags)
check_gpu_SOURCES = %D%/check_gpu.c
check_gpu_LDADD = libtests.a $(script_libs)
measure_gpu_CPPFLAGS = $(AM_CPPFLAGS) $(tests_cppflags)
measure_gpu_SOURCES = %D%/measure_gpu.c
measure_gpu_LDADD = libtests.a $(script_libs)

.PHONY: check-gpu
# CHECK_GPU_FLAGS='--programs 1000 --seed 42'. Without a GPU it says so, and nothing is wrong.
check-gpu: check_gpu$(EXEEXT) measure_gpu$(EXEEXT)
	./check_gpu$(EXEEXT) $(CHECK_GPU_FLAGS) || test $$? = 77
	LIMIT=$${LIMIT:-86400} sh $(srcdir)/%D%/measure ./measure_gpu$(EXEEXT) $(MEASURE_FOLDER) || test $$? = 77

.PHONY: bench-gpu
# What it costs to be watched: plain, counters, all events, compute-sanitizer. The first thing to run where a GPU is.
bench-gpu: measure_gpu$(EXEEXT)
	LIMIT=$${LIMIT:-600} sh $(srcdir)/%D%/measure ./measure_gpu$(EXEEXT) $${FOLDER:-bench-gpu.results} cost slowdown racecheck || test $$? = 77

# For a machine with a GPU that has nothing to build with: the programs, linked so that they need the C library alone, and what they
# read. README.md says what to do with it there. They are linked under names of their own, beside what was built.
.PHONY: gpu-kit clean-gpu-kit
kit_programs = lanescope check_gpu measure_gpu
kit_files = kernels lessons lua assets tests/bench tests/runs/faults tests/runs/programs %D%/README.md %D%/measure %D%/probe_costs.cu tests/unit/model/hardware tests/unit/device/probe \
	tests/unit/sim/vectors tests/unit/sim/kernels %D%/programs
gpu-kit:
	rm -rf gpu-kit
	$(MAKE) $(AM_MAKEFLAGS) EXEEXT=.kit $(static_libs) $(kit_programs:=.kit)
	$(MKDIR_P) gpu-kit
	for program in $(kit_programs); do strip -o gpu-kit/$$program $$program.kit && rm $$program.kit || exit 1; done
	(cd $(srcdir) && tar cf - $(kit_files)) | (cd gpu-kit && tar xf -)
	tar cJf gpu-kit.tar.xz gpu-kit
clean-local: clean-gpu-kit clean-portable clean-quick clean-dependencies
clean-gpu-kit:
	rm -rf gpu-kit gpu-kit.tar.xz
