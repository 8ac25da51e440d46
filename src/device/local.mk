# local.mk: where kernels run and how they are compiled, as libdevice.a
EXTRA_DIST += %D%/README.md %D%/probe/probe.cu
noinst_LIBRARIES += libdevice.a
libdevice_a_SOURCES = \
	%D%/capture.c %D%/capture.h \
	%D%/sandbox.c %D%/sandbox.h \
	%D%/child.c %D%/child.h \
	%D%/dev_emu.c \
	%D%/dev_recorded.c \
	%D%/device.c %D%/device.h \
	%D%/devices.def \
	%D%/library.c %D%/library.h \
	%D%/program.c %D%/program.h \
	%D%/stages.def \
	%D%/compile/assemble.c %D%/compile/assemble.h \
	%D%/compile/compile.c %D%/compile/compile.h \
	%D%/compile/compile_clang.c \
	%D%/compile/compile_exec.c \
	%D%/compile/compile_folder.c %D%/compile/compile_folder.h \
	%D%/compile/compile_nvrtc.c \
	%D%/compile/nvrtc.def \
	%D%/compile/nvrtc_place.c %D%/compile/nvrtc_place.h \
	%D%/compile/tidy.c %D%/compile/tidy.h \
	%D%/cuda/cuda_code.c %D%/cuda/cuda_code.h \
	%D%/cuda/cuda_context.c %D%/cuda/cuda_context.h \
	%D%/cuda/cuda_fault.c %D%/cuda/cuda_fault.h \
	%D%/cuda/cuda_here.c \
	%D%/cuda/cuda_image.c %D%/cuda/cuda_image.h \
	%D%/cuda/cuda_label.c %D%/cuda/cuda_label.h \
	%D%/cuda/cuda_limits.c %D%/cuda/cuda_limits.h \
	%D%/cuda/cuda_link.c %D%/cuda/cuda_link.h \
	%D%/cuda/cuda_memory.c %D%/cuda/cuda_memory.h \
	%D%/cuda/cuda_program.c %D%/cuda/cuda_program.h %D%/cuda/cuda_program_parts.h \
	%D%/cuda/cuda_program_steps.c \
	%D%/cuda/cuda_program_time.c \
	%D%/cuda/cuda_rerun.c %D%/cuda/cuda_rerun.h \
	%D%/cuda/cuda_time.c %D%/cuda/cuda_time.h \
	%D%/cuda/cuda_wait.c %D%/cuda/cuda_wait.h \
	%D%/cuda/driver.c %D%/cuda/driver.def %D%/cuda/driver.h %D%/cuda/driver_image.h \
	%D%/cuda/gpu.c %D%/cuda/gpu.def %D%/cuda/gpu.h \
	%D%/probe/probe.c %D%/probe/probe.h \
	%D%/probe/probe_affine.c %D%/probe/probe_affine.h \
	%D%/probe/probe_alike.c %D%/probe/probe_alike.h \
	%D%/probe/probe_banks.c %D%/probe/probe_banks.h \
	%D%/probe/probe_carry.c \
	%D%/probe/probe_count.c \
	%D%/probe/probe_decode.c \
	%D%/probe/probe_decode_multi.c \
	%D%/probe/probe_decoder.h \
	%D%/probe/probe_emit.c \
	%D%/probe/probe_held.c %D%/probe/probe_held.h \
	%D%/probe/probe_impl.h \
	%D%/probe/probe_inline.c %D%/probe/probe_inline.h \
	%D%/probe/probe_layout.h \
	%D%/probe/probe_mixed.c %D%/probe/probe_mixed.h %D%/probe/probe_multi.c %D%/probe/probe_multi.h \
	%D%/probe/probe_places.c %D%/probe/probe_places.h \
	%D%/probe/probe_put.c %D%/probe/probe_put.h \
	%D%/probe/probe_records.c %D%/probe/probe_records.h \
	%D%/probe/probe_numbers.c %D%/probe/probe_numbers.h \
	%D%/probe/probe_room.c %D%/probe/probe_room.h \
	%D%/probe/probe_tell.c %D%/probe/probe_tell.h \
	%D%/probe/probe_runtime.inc \
	%D%/probe/probe_sectors.c %D%/probe/probe_sectors.h %D%/probe/probe_sites.c \
	%D%/probe/probe_sums.c \
	%D%/probe/probe_texels.c \
	%D%/probe/probe_text.c \
	%D%/remote/connection.c %D%/remote/connection.h \
	%D%/remote/hints.c %D%/remote/hints.def %D%/remote/hints.h \
	%D%/remote/kept.c %D%/remote/kept.h \
	%D%/remote/link.c %D%/remote/link.h \
	%D%/remote/messages.def \
	%D%/remote/protocol.c %D%/remote/protocol.h \
	%D%/remote/program_messages.c %D%/remote/program_messages.h \
	%D%/remote/request.c \
	%D%/remote/runner.c \
	%D%/remote/runner_program.c %D%/remote/runner_program.h \
	%D%/remote/serve.c %D%/remote/serve.h \
	%D%/remote/serve_parts.h \
	%D%/remote/serve_program.c
