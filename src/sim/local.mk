# local.mk: the emulator, as libsim.a
EXTRA_DIST += %D%/README.md
noinst_LIBRARIES += libsim.a
libsim_a_SOURCES = \
	%D%/layout.c \
	%D%/sim.c %D%/sim.h \
	%D%/alu/alu.h \
	%D%/analysis/analysis.h \
	%D%/analysis/apart.c \
	%D%/analysis/cas.c \
	%D%/analysis/chains.c \
	%D%/analysis/circuit_parts.h \
	%D%/analysis/circuit_values.c \
	%D%/analysis/circuit_way.c \
	%D%/analysis/circuits.c \
	%D%/analysis/clears.c \
	%D%/analysis/copy_loads.c \
	%D%/analysis/disjoint.c \
	%D%/analysis/dots.c \
	%D%/analysis/extents.c \
	%D%/analysis/indexed.c \
	%D%/analysis/lines.c \
	%D%/analysis/order_free.c \
	%D%/analysis/own_code.c \
	%D%/analysis/rounds.c \
	%D%/analysis/steady.c \
	%D%/analysis/steps.c \
	%D%/analysis/strong_uses.c \
	%D%/analysis/together.c \
	%D%/analysis/twins.c \
	%D%/analysis/unset.c \
	%D%/analysis/written.c \
	%D%/check/access_history.c %D%/check/access_history.h \
	%D%/check/async_copy.c %D%/check/async_copy.h \
	%D%/check/checks.c %D%/check/checks.h \
	%D%/check/coverage.c %D%/check/coverage.h \
	%D%/check/fault.c %D%/check/fault.h \
	%D%/check/fault_place.c \
	%D%/check/heap_check.c %D%/check/heap_check.h \
	%D%/check/late_atomics.c %D%/check/late_atomics.h \
	%D%/check/happens_before.c %D%/check/happens_before.h \
	%D%/check/quick.c %D%/check/quick.h %D%/check/quick_rows.c \
	%D%/check/races.c %D%/check/races.h \
	%D%/check/shadow.c %D%/check/shadow.h \
	%D%/check/shadow_fellows.c \
	%D%/check/shadow_late.c \
	%D%/check/shadow_order.c \
	%D%/check/shadow_strong.c %D%/check/shadow_words.h \
	%D%/check/strong.c %D%/check/strong.h \
	%D%/check/stuck.c \
	%D%/check/unchanged.c %D%/check/unchanged.h \
	%D%/check/unset.c %D%/check/unset.h \
	%D%/core/barrier.c %D%/core/barrier.h \
	%D%/core/block.h \
	%D%/core/chain.h \
	%D%/core/circuit.h \
	%D%/core/block_order.c %D%/core/block_order.h \
	%D%/core/deferred_events.c \
	%D%/core/dots.c %D%/core/dots.h \
	%D%/core/event.c %D%/core/event.h \
	%D%/core/exec.c %D%/core/exec.h \
	%D%/core/heap.c %D%/core/heap.h \
	%D%/core/heap_kept.c \
	%D%/core/inst.h \
	%D%/core/integer_atom.h \
	%D%/core/joint.c %D%/core/joint.h \
	%D%/core/launches.c %D%/core/launches.h \
	%D%/core/memory.c %D%/core/memory.h \
	%D%/core/objects.c \
	%D%/core/output.c %D%/core/output.h \
	%D%/core/ownership.c %D%/core/ownership.h \
	%D%/core/path.c %D%/core/path.h \
	%D%/core/place.c %D%/core/place.h \
	%D%/core/program.c %D%/core/program.h \
	%D%/core/regs.h \
	%D%/core/sched.c %D%/core/sched.h \
	%D%/core/shape.h \
	%D%/core/slots.c %D%/core/slots.h \
	%D%/core/spaces.c \
	%D%/core/sums.c %D%/core/sums.h \
	%D%/decode/bind.c %D%/decode/bind.h \
	%D%/decode/decode.c %D%/decode/decode.h \
	%D%/decode/levels.c \
	%D%/decode/operand.c \
	%D%/decode/reach.c \
	%D%/grid/abreast.c %D%/grid/abreast.h %D%/grid/abreast_parts.h \
	%D%/grid/abreast_told.c \
	%D%/grid/begin_order.c %D%/grid/begin_order.h \
	%D%/grid/block_wait.c %D%/grid/block_wait.h \
	%D%/grid/chains.c %D%/grid/chains.h \
	%D%/grid/circuit_rounds.c %D%/grid/circuit_rounds.h \
	%D%/grid/circuits.c %D%/grid/circuits.h \
	%D%/grid/dots.c %D%/grid/dots.h \
	%D%/grid/grid.c %D%/grid/grid.h \
	%D%/grid/lines.c %D%/grid/lines.h \
	%D%/grid/march.c %D%/grid/march.h \
	%D%/grid/meet.c %D%/grid/meet.h \
	%D%/grid/parallel.c %D%/grid/parallel.h \
	%D%/grid/rounds.c %D%/grid/rounds.h \
	%D%/grid/run.c %D%/grid/run.h \
	%D%/grid/spin.c %D%/grid/spin.h \
	%D%/grid/state.c %D%/grid/state.h \
	%D%/grid/step.c %D%/grid/step.h \
	%D%/grid/stints.c %D%/grid/stints.h \
	%D%/grid/turns.c %D%/grid/turns.h \
	%D%/grid/units.c %D%/grid/units.h \
	%D%/grid/whole.c %D%/grid/whole.h \
	%D%/ops/access.h \
	%D%/ops/atom_loops.c %D%/ops/atom_loops.h \
	%D%/ops/barrier.h \
	%D%/ops/call.h \
	%D%/ops/decode_mem.c \
	%D%/ops/decoders.h \
	%D%/ops/device_call.c %D%/ops/device_error.def %D%/ops/device_runtime.def \
	%D%/ops/exec_alu.c \
	%D%/ops/exec_async.c \
	%D%/ops/exec_atom.c \
	%D%/ops/exec_barrier.c \
	%D%/ops/exec_call.c \
	%D%/ops/exec_cluster.c \
	%D%/ops/exec_flow.c \
	%D%/ops/exec_fragment.c \
	%D%/ops/exec_image.c \
	%D%/ops/exec_matrix.c \
	%D%/ops/exec_mbarrier.c \
	%D%/ops/exec_mem.c \
	%D%/ops/exec_policy.c \
	%D%/ops/exec_sums.c \
	%D%/ops/exec_move.c \
	%D%/ops/exec_video.c \
	%D%/ops/exec_warp.c \
	%D%/core/form.h \
	%D%/ops/fragment.c %D%/ops/fragment.h \
	%D%/ops/heap_call.c \
	%D%/ops/image.h \
	%D%/ops/matrix.h \
	%D%/ops/move.c \
	%D%/ops/ops.c \
	%D%/ops/packed.c \
	%D%/ops/libdevice.c %D%/ops/libdevice.def \
	%D%/ops/saturate.h \
	%D%/ops/printf.c \
	%D%/ops/shape_access.c %D%/ops/shape_access.h \
	%D%/ops/sparse.c %D%/ops/sparse.h \
	%D%/ops/texel.c %D%/ops/texel.h \
	%D%/ops/texel_cube.c %D%/ops/texel_cube.h \
	%D%/ops/texel_form.c \
	%D%/replay/fast_forward.c \
	%D%/replay/inspect.c \
	%D%/replay/replay.c %D%/replay/replay.h \
	%D%/replay/tell.c %D%/replay/timeline.c

# Arithmetic. What becomes vector code is compiled for each instruction set, what goes lane by lane only once; all of it goes
# into libsim.a.
alu_sources = \
	%D%/alu/alu_approx.c %D%/alu/alu_approx.def \
	%D%/alu/alu_cmp.c %D%/alu/alu_cmp.def \
	%D%/alu/alu_cvt.c %D%/alu/alu_cvt.def %D%/alu/alu_cvt.h \
	%D%/alu/alu_float.c %D%/alu/alu_float.def \
	%D%/alu/alu_half.c %D%/alu/alu_half.def %D%/alu/alu_half.h \
	%D%/alu/alu_halves.h \
	%D%/alu/alu_int.c %D%/alu/alu_int.def \
	%D%/alu/alu_lanes.h \
	%D%/alu/alu_special.def %D%/alu/alu_special.h \
	%D%/alu/chain.c \
	%D%/alu/dot.c \
	%D%/alu/lanes.c %D%/alu/lanes.h
# The operations that are a short loop over 32 lanes each.
short_loops = %-alu_cmp.o %-alu_cvt.o %-alu_float.o %-alu_half.o %-alu_int.o
alu_cflags = $(AM_CFLAGS) $(if $(filter $(short_loops),$@),$(SHORT_LOOP_CFLAGS)) $(LOOP_CFLAGS) -fno-math-errno -fno-trapping-math
noinst_LIBRARIES += libalu_generic.a
libalu_generic_a_SOURCES = $(alu_sources) %D%/alu/alu.c %D%/alu/alu_soft.c %D%/alu/alu_soft.h %D%/alu/lanes_pick.c \
	%D%/alu/alu_cvt_any.c %D%/alu/alu_cvt_any.def \
	%D%/alu/alu_directed.c %D%/alu/alu_directed.def \
	%D%/alu/alu_half_modified.c %D%/alu/alu_half_modified.def \
	%D%/alu/alu_serial.c %D%/alu/alu_serial.def \
	%D%/alu/alu_set.c %D%/alu/alu_set.def \
	%D%/alu/alu_special.c \
	%D%/alu/tensor.c %D%/alu/tensor.def %D%/alu/tensor.h
libalu_generic_a_CPPFLAGS = $(AM_CPPFLAGS) -DALU_ISA=generic
libalu_generic_a_CFLAGS = $(alu_cflags)
libsim_a_LIBADD = $(libalu_generic_a_OBJECTS)
if HAVE_X86
libalu_generic_a_CPPFLAGS += -DSIM_ALU_X86
noinst_LIBRARIES += libalu_avx2.a libalu_avx512.a
libalu_avx2_a_SOURCES = $(alu_sources)
libalu_avx2_a_CPPFLAGS = $(AM_CPPFLAGS) -DALU_ISA=avx2
libalu_avx2_a_CFLAGS = $(alu_cflags) -mavx2 -mfma -mbmi2 -mtune=skylake
libalu_avx512_a_SOURCES = $(alu_sources)
libalu_avx512_a_CPPFLAGS = $(AM_CPPFLAGS) -DALU_ISA=avx512
libalu_avx512_a_CFLAGS = $(alu_cflags) -march=x86-64-v4 -mtune=icelake-server \
	-mprefer-vector-width=512
libsim_a_LIBADD += $(libalu_avx2_a_OBJECTS) $(libalu_avx512_a_OBJECTS)
endif
