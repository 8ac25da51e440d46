# local.mk: what prints speed and size; numbers are never tested
EXTRA_DIST += \
	%D%/README.md %D%/bench_cost.sh %D%/bench_play.sh \
	%D%/matmul.cu %D%/matmul.ptx \
	%D%/reduce.cu %D%/reduce.ptx \
	%D%/scan.cu %D%/scan.ptx \
	%D%/store.cu %D%/store.ptx \
	%D%/vecadd.cu %D%/vecadd.ptx
benches = bench_alu bench_bars bench_cost bench_decode bench_follow bench_lanescope bench_probe bench_program \
	bench_trace bench_waits
EXTRA_PROGRAMS += $(benches)
CLEANFILES += $(benches)
bench_cppflags = $(AM_CPPFLAGS) $(tests_cppflags)

# The emulator held against its bars: make bars, or make bars BARS='--json matmul scan'
bench_bars_CPPFLAGS = $(bench_cppflags)
bench_bars_SOURCES = \
	%D%/bench_bars.c \
	%D%/bench_count.c %D%/bench_count.h \
	%D%/bench_kernels.c %D%/bench_kernels.h \
	%D%/bench_loops.h \
	%D%/bench_run.c %D%/bench_run.h
bench_bars_LDADD = libbench_loops.a libbench_loops_scalar.a libbench_loops_native.a $(device_libs) -lm
# The loops that it is held against are as fast as a compiler makes them: for any machine, without its vector code, and
# for this one.
EXTRA_LIBRARIES += libbench_loops.a libbench_loops_scalar.a libbench_loops_native.a
libbench_loops_a_SOURCES = %D%/bench_loops.c %D%/bench_loops.h
libbench_loops_a_CPPFLAGS = $(AM_CPPFLAGS) -DLOOPS=loops_plain
libbench_loops_a_CFLAGS = $(AM_CFLAGS) -O3 -fno-lto
libbench_loops_scalar_a_SOURCES = %D%/bench_loops.c %D%/bench_loops.h
libbench_loops_scalar_a_CPPFLAGS = $(AM_CPPFLAGS) -DLOOPS=loops_scalar
libbench_loops_scalar_a_CFLAGS = $(AM_CFLAGS) -O3 -fno-tree-vectorize -fno-lto
libbench_loops_native_a_SOURCES = %D%/bench_loops.c %D%/bench_loops.h
libbench_loops_native_a_CPPFLAGS = $(AM_CPPFLAGS) -DLOOPS=loops_native
libbench_loops_native_a_CFLAGS = $(AM_CFLAGS) -O3 -march=native -fno-lto

# How soon a long trace is open, and the screen there.
bench_lanescope_CPPFLAGS = $(bench_cppflags)
bench_lanescope_SOURCES = %D%/bench.c %D%/bench_kernels.c %D%/bench_kernels.h
bench_lanescope_LDADD = libbench_loops.a $(device_libs)

# How long one warp instruction takes: make bench_alu && ./bench_alu
bench_alu_CPPFLAGS = $(bench_cppflags)
bench_alu_SOURCES = %D%/bench_alu.c
bench_alu_LDADD = libtests.a $(sim_libs)
# What checks and approximations cost the host, counted from outside: bench_cost.sh
bench_cost_CPPFLAGS = $(bench_cppflags)
bench_cost_SOURCES = %D%/bench_cost.c
bench_cost_LDADD = libtests.a $(script_libs)
# How fast and how small traces are: make bench_trace && ./bench_trace
bench_trace_CPPFLAGS = $(bench_cppflags)
bench_trace_SOURCES = %D%/bench_trace.c
bench_trace_LDADD = $(trace_libs)
# What it costs that a kernel counts: make bench_probe && ./bench_probe
bench_probe_CPPFLAGS = $(bench_cppflags)
bench_probe_SOURCES = %D%/bench_probe.c
bench_probe_LDADD = libtests.a $(script_libs)
# 300 students on one speaker: make bench_follow && ./bench_follow
bench_follow_CPPFLAGS = $(bench_cppflags)
bench_follow_SOURCES = %D%/bench_follow.c
bench_follow_LDADD = libtests.a $(script_libs)
# Programs of many launches: make bench_program && ./bench_program
bench_program_CPPFLAGS = $(bench_cppflags)
bench_program_SOURCES = %D%/bench_program.c
bench_program_LDADD = libtests.a $(script_libs)
# What is waited for at the sizes of the lectures: make bench_waits && ./bench_waits
bench_waits_CPPFLAGS = $(bench_cppflags)
bench_waits_SOURCES = %D%/bench_waits.c
bench_waits_LDADD = libtests.a $(script_libs)
# How fast a GPU's records become a trace: make bench_decode && ./bench_decode
bench_decode_CPPFLAGS = $(bench_cppflags)
bench_decode_SOURCES = %D%/bench_decode.c
bench_decode_LDADD = libtests.a $(script_libs)

.PHONY: bars bench
bars: bench_bars$(EXEEXT)
	./bench_bars$(EXEEXT) $(BARS)
bench: lanescope$(EXEEXT) bench_bars$(EXEEXT) bench_cost$(EXEEXT) bench_decode$(EXEEXT) bench_lanescope$(EXEEXT) bench_probe$(EXEEXT) bench_program$(EXEEXT)
	./bench_bars$(EXEEXT) $(BARS)
	./bench_lanescope$(EXEEXT) ./lanescope$(EXEEXT)
	./bench_probe$(EXEEXT)
	./bench_decode$(EXEEXT)
	./bench_program$(EXEEXT) $(srcdir)/tests/runs/programs
	sh $(srcdir)/%D%/bench_cost.sh ./bench_cost$(EXEEXT)
	sh $(srcdir)/%D%/bench_play.sh ./lanescope$(EXEEXT)
