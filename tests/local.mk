# local.mk: the tests. A new one is a line in one of the two lists: its folder says what it is linked with.

# Tests see what they share (support/), and where the tree and the stand-in for NVIDIA's driver are.
tests_cppflags = -I$(srcdir)/%D% -I$(srcdir)/%D%/support $(dirs_cppflags) -DLS_FAKE_CUDA='"$(abs_builddir)/$(fake_cuda)"' \
	$(CUNIT_CFLAGS) $(VTERM_CFLAGS) $(LUA_CFLAGS) $(ZSTD_CFLAGS)
# unit/LAYER/ has what its layer may use; runs/ has everything; unit/cli/ starts the program, and so needs nothing of it.
runs_libs = libui.a $(script_libs)
cli_libs = $(base_libs)
libs_of = $($(notdir $(patsubst %/,%,$(dir $(1))))_libs)
LDADD = libtests.a $(call libs_of,$@) $(CUNIT_LIBS) $(VTERM_LIBS)

if HAVE_CUNIT
# The slow ones come first, so that no core waits for the last one.
check_PROGRAMS += \
	%D%/runs/test_layout_walk \
	%D%/runs/test_faults \
	%D%/unit/device/test_probe_random \
	%D%/runs/test_probe \
	%D%/runs/test_sim_threads \
	%D%/runs/test_same \
	%D%/runs/test_cuda_label \
	%D%/unit/device/test_probe_multi \
	%D%/runs/test_large \
	%D%/unit/script/test_script
if HAVE_VTERM
check_PROGRAMS += \
	%D%/unit/cli/test_program_cast \
	%D%/unit/cli/test_program_own \
	%D%/unit/cli/test_program_remote \
	%D%/unit/cli/test_program_screen \
	%D%/unit/ui/test_term
endif
check_PROGRAMS += \
	%D%/runs/test_arguments \
	%D%/runs/test_clang \
	%D%/runs/test_clang_math \
	%D%/runs/test_counters_csv \
	%D%/runs/test_coverage \
	%D%/runs/test_cuda_trace \
	%D%/runs/test_findings \
	%D%/runs/test_exam \
	%D%/runs/test_focus \
	%D%/runs/test_gpu_run \
	%D%/runs/test_gpu_views \
	%D%/runs/test_banks \
	%D%/runs/test_claims \
	%D%/runs/test_class_page \
	%D%/runs/test_model_of_run \
	%D%/runs/test_glimpse \
	%D%/runs/test_greeting \
	%D%/runs/test_lesson_choice \
	%D%/runs/test_demo \
	%D%/runs/test_follow \
	%D%/runs/test_notes \
	%D%/runs/test_museum \
	%D%/runs/test_quiz \
	%D%/runs/test_lesson_page \
	%D%/runs/test_lesson_work_page \
	%D%/runs/test_order \
	%D%/runs/test_program_file \
	%D%/runs/test_program_launches \
	%D%/runs/test_child_launches \
	%D%/runs/test_children \
	%D%/runs/test_practice \
	%D%/runs/test_practice_page \
	%D%/runs/test_hunt \
	%D%/runs/test_programs \
	%D%/runs/test_orders \
	%D%/runs/test_recipes_run \
	%D%/runs/test_rooms \
	%D%/runs/test_session \
	%D%/runs/test_spot \
	%D%/runs/test_session_orders \
	%D%/runs/test_timeline \
	%D%/runs/test_trace_info \
	%D%/runs/test_works \
	%D%/unit/app/test_codewrap \
	%D%/unit/app/test_class \
	%D%/unit/app/test_commands \
	%D%/unit/app/test_edit \
	%D%/unit/app/test_exam \
	%D%/unit/app/test_fsrs \
	%D%/unit/app/test_layout \
	%D%/unit/app/test_line \
	%D%/unit/app/test_models \
	%D%/unit/app/test_model_occupancy \
	%D%/unit/app/test_model_latency \
	%D%/unit/app/test_model_roofline \
	%D%/unit/app/test_model_spaces \
	%D%/unit/app/test_model_fragment \
	%D%/unit/app/test_model_reuse \
	%D%/unit/app/test_model_coherence \
	%D%/unit/app/test_model_caches \
	%D%/unit/app/test_model_banks \
	%D%/unit/app/test_model_ids \
	%D%/unit/app/test_model_queues \
	%D%/unit/app/test_model_waves \
	%D%/unit/app/test_model_dataflow \
	%D%/unit/app/test_model_pages \
	%D%/unit/app/test_model_little \
	%D%/unit/app/test_own \
	%D%/unit/app/test_totals \
	%D%/unit/app/test_watch \
	%D%/unit/app/test_source_rules \
	%D%/unit/app/test_history \
	%D%/unit/app/test_score \
	%D%/unit/app/test_skills \
	%D%/unit/app/test_ways_in \
	%D%/unit/app/test_progress \
	%D%/unit/app/test_report \
	%D%/unit/app/test_report_read \
	%D%/unit/app/test_registers \
	%D%/unit/base/test_base \
	%D%/unit/base/test_digest \
	%D%/unit/base/test_sha256 \
	%D%/unit/cli/test_program_cli \
	%D%/unit/cli/test_program_exam \
	%D%/unit/cli/test_program_findings \
	%D%/unit/cli/test_program_handout \
	%D%/unit/cli/test_program_report \
	%D%/unit/cli/test_program_suite \
	%D%/unit/cli/test_program_grade \
	%D%/unit/cli/test_program_timeline \
	%D%/unit/cli/test_program_gpu \
	%D%/unit/device/test_compile_exec \
	%D%/unit/device/test_compile_folder \
	%D%/unit/device/test_cuda_here \
	%D%/unit/device/test_cuda_image \
	%D%/unit/device/test_cuda_link \
	%D%/unit/device/test_cuda_program \
	%D%/unit/device/test_device \
	%D%/unit/device/test_driver \
	%D%/unit/device/test_nvrtc_place \
	%D%/unit/device/test_probe_kernels \
	%D%/unit/device/test_probe_affine \
	%D%/unit/device/test_probe_room \
	%D%/unit/device/test_protocol \
	%D%/unit/device/test_runner \
	%D%/unit/device/test_runner_program \
	%D%/unit/launch/test_launch \
	%D%/unit/model/test_model \
	%D%/unit/model/test_model_bounds \
	%D%/unit/model/test_model_occ \
	%D%/unit/model/test_model_rate \
	%D%/unit/model/test_program_chart \
	%D%/unit/model/test_program_children \
	%D%/unit/model/test_program_time \
	%D%/unit/model/test_model_sentence \
	%D%/unit/model/test_wavechart \
	%D%/unit/ptx/test_ptx \
	%D%/unit/ptx/test_ptx_cfg \
	%D%/unit/ptx/test_ptx_debug \
	%D%/unit/ptx/test_ptx_def_use \
	%D%/unit/ptx/test_ptx_errors \
	%D%/unit/ptx/test_ptx_names \
	%D%/unit/script/test_column \
	%D%/unit/script/test_covers \
	%D%/unit/script/test_frame \
	%D%/unit/script/test_fills \
	%D%/unit/script/test_finder \
	%D%/unit/script/test_glossary \
	%D%/unit/script/test_lesson \
	%D%/unit/script/test_lesson_answers \
	%D%/unit/script/test_lesson_compare \
	%D%/unit/script/test_lesson_runs \
	%D%/unit/script/test_lesson_size \
	%D%/unit/script/test_lesson_trace \
	%D%/unit/script/test_lesson_work \
	%D%/unit/script/test_prose \
	%D%/unit/script/test_question \
	%D%/unit/script/test_question_kinds \
	%D%/unit/script/test_recipe \
	%D%/unit/sim/test_alu \
	%D%/unit/sim/test_approximations \
	%D%/unit/sim/test_carry \
	%D%/unit/sim/test_gen \
	%D%/unit/sim/test_matrices \
	%D%/unit/sim/test_late_atomics \
	%D%/unit/sim/test_sim_abreast \
	%D%/unit/sim/test_sim_access \
	%D%/unit/sim/test_sim_atomics \
	%D%/unit/sim/test_sim_barriers \
	%D%/unit/sim/test_sim_calls \
	%D%/unit/sim/test_sim_chains \
	%D%/unit/sim/test_sim_circuits \
	%D%/unit/sim/test_sim_copies \
	%D%/unit/sim/test_sim_def_use \
	%D%/unit/sim/test_sim_disjoint \
	%D%/unit/sim/test_sim_divergence \
	%D%/unit/sim/test_sim_dots \
	%D%/unit/sim/test_sim_endless \
	%D%/unit/sim/test_sim_faults \
	%D%/unit/sim/test_sim_geometry \
	%D%/unit/sim/test_sim_grid \
	%D%/unit/sim/test_sim_groups \
	%D%/unit/sim/test_sim_haste \
	%D%/unit/sim/test_sim_heap \
	%D%/unit/sim/test_sim_lanes \
	%D%/unit/sim/test_sim_lines \
	%D%/unit/sim/test_sim_march \
	%D%/unit/sim/test_sim_matrix \
	%D%/unit/sim/test_sim_memory \
	%D%/unit/sim/test_sim_packed \
	%D%/unit/sim/test_sim_recursion \
	%D%/unit/sim/test_sim_replay \
	%D%/unit/sim/test_sim_requests \
	%D%/unit/sim/test_sim_sent \
	%D%/unit/sim/test_sim_shapes \
	%D%/unit/sim/test_sim_starts \
	%D%/unit/sim/test_sim_texture \
	%D%/unit/sim/test_sim_twins \
	%D%/unit/sim/test_sim_ways_out \
	%D%/unit/sim/test_sim_cube \
	%D%/unit/sim/test_vectors \
	%D%/unit/trace/test_atoms \
	%D%/unit/trace/test_coverage \
	%D%/unit/trace/test_exchange \
	%D%/unit/trace/test_measured \
	%D%/unit/trace/test_program_bytes \
	%D%/unit/trace/test_pack \
	%D%/unit/trace/test_trace \
	%D%/unit/trace/test_trace_file \
	%D%/unit/trace/test_trace_lines \
	%D%/unit/trace/test_trace_passes \
	%D%/unit/ui/test_canvas \
	%D%/unit/ui/test_lane_pictures \
	%D%/unit/ui/test_rail_pen \
	%D%/unit/ui/test_models_drawn \
	%D%/unit/ui/test_segments \
	%D%/unit/ui/test_views
endif
# NVIDIA's own calculator is a judge where its toolkit is installed.
tests_unit_model_test_model_occ_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_OCCUPANCY_CFLAGS)

# These say when a thread begins, how long a run takes, and that no screen can be made.
tests_runs_test_lesson_page_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=run_new_to_file
tests_unit_app_test_registers_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_create
tests_unit_ui_test_term_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=newterm
# It goes through the commands, too.
tests_runs_test_program_file_LDADD = libtests.a libcli.a $(runs_libs) $(NCURSES_LIBS) $(CUNIT_LIBS)
tests_runs_test_spot_LDADD = libtests.a libcli.a $(runs_libs) $(NCURSES_LIBS) $(CUNIT_LIBS)
tests_unit_sim_test_sim_abreast_LDADD = libtests.a libmodel.a $(sim_libs) $(CUNIT_LIBS)
tests_unit_sim_test_sim_shapes_LDADD = libtests.a libmodel.a $(sim_libs) $(CUNIT_LIBS)
tests_unit_sim_test_sim_dots_LDADD = libtests.a libmodel.a $(sim_libs) $(CUNIT_LIBS)
tests_unit_sim_test_sim_haste_LDADD = libtests.a libmodel.a $(sim_libs) $(CUNIT_LIBS)
tests_unit_sim_test_sim_march_LDADD = libtests.a libmodel.a $(sim_libs) $(CUNIT_LIBS)
tests_unit_sim_test_sim_chains_LDADD = libtests.a libmodel.a $(sim_libs) $(CUNIT_LIBS)
tests_unit_sim_test_sim_circuits_LDADD = libtests.a libmodel.a $(sim_libs) $(CUNIT_LIBS)
tests_unit_sim_test_sim_twins_LDADD = libtests.a libmodel.a $(sim_libs) $(CUNIT_LIBS)
tests_runs_test_trace_info_LDADD = libtests.a libcli.a $(runs_libs) $(NCURSES_LIBS) $(CUNIT_LIBS)
# Views are drawn from a session that is made up, in the place of the one in libapp.a.
fake_session = %D%/support/fake_session.c %D%/support/fake_session.h %D%/support/fake_schedule.c
tests_unit_ui_test_lane_pictures_SOURCES = %D%/unit/ui/test_lane_pictures.c $(fake_session)
tests_unit_ui_test_segments_SOURCES = %D%/unit/ui/test_segments.c $(fake_session)
tests_unit_ui_test_views_SOURCES = %D%/unit/ui/test_views.c $(fake_session)

# A test is linked anew after a change of its libraries, and finds the driver in its place.
$(foreach test,$(check_PROGRAMS),$(eval $(test): $(filter %.a,$(call libs_of,$(test))) | $$(fake_cuda)))

# ---- scripts that look after the tree and the program
dist_check_SCRIPTS = \
	%D%/check_cuda_abi.sh \
	%D%/check_dist.sh \
	%D%/check_layers.sh \
	%D%/check_measure.sh \
	%D%/check_orphans.sh \
	%D%/check_outside.sh \
	%D%/check_ptx.sh \
	%D%/check_quick.sh \
	%D%/check_recordings.sh \
	%D%/check_screens.sh \
	%D%/check_ssh.sh
# Some of them take most of a minute, and so they do not come last.
TESTS += $(dist_check_SCRIPTS) $(check_PROGRAMS)

# ---- what tests share; a program takes of it what it names
EXTRA_LIBRARIES = libtests.a
libtests_a_SOURCES = \
	%D%/support/check.h \
	%D%/support/small_class.h \
	%D%/support/course_of.h \
	%D%/support/check_models.h \
	%D%/support/check_recipes.h \
	%D%/support/counter_rows.c %D%/support/counter_rows.h \
	%D%/support/def_use.h \
	%D%/support/fake_gpu.c %D%/support/fake_gpu.h \
	%D%/support/forge.c %D%/support/forge.h \
	%D%/support/forge_use.c \
	%D%/support/group_hashes.c %D%/support/group_hashes.h \
	%D%/support/lua_prose.c %D%/support/lua_prose.h \
	%D%/support/outcome.c %D%/support/outcome.h \
	%D%/support/probe_kernels.def \
	%D%/support/probe_pair.c %D%/support/probe_pair.h \
	%D%/support/program/program.c %D%/support/program/program.h \
	%D%/support/program/screen.h \
	%D%/support/program/wellformed.c %D%/support/program/wellformed.h \
	%D%/support/ptx_check.h \
	%D%/support/recipe_run.h \
	%D%/support/sim_compiled.c %D%/support/sim_compiled.h \
	%D%/support/sim_rig.c %D%/support/sim_rig.h \
	%D%/support/source_dir.h \
	%D%/support/tensor_oracle.c %D%/support/tensor_oracle.h \
	%D%/support/term_child.c \
	%D%/support/trace_chunks.h \
	%D%/support/trace_stream.h \
	%D%/support/vec.c %D%/support/vec.h
if HAVE_VTERM
libtests_a_SOURCES += %D%/support/program/screen.c
endif

# Writes a trace as a GPU might have left it: make tests/support/make_fake_gpu
EXTRA_PROGRAMS += %D%/support/make_fake_gpu
tests_support_make_fake_gpu_SOURCES = %D%/support/make_fake_gpu.c
tests_support_make_fake_gpu_LDADD = libtests.a $(script_libs)

# ---- a library that stands in for NVIDIA's driver
fake_cuda = %D%/fake_cuda/fake_cuda.so
EXTRA_PROGRAMS += %D%/fake_cuda/fake_cuda.so
CLEANFILES += $(fake_cuda) $(EXTRA_LIBRARIES) %D%/support/make_fake_gpu
tests_fake_cuda_fake_cuda_so_SOURCES = \
	%D%/fake_cuda/fake_cuda.c %D%/fake_cuda/fake_cuda.h \
	%D%/fake_cuda/fake_image.c \
	%D%/fake_cuda/fake_link.c \
	%D%/fake_cuda/fake_memory.c \
	%D%/fake_cuda/fake_module.c \
	%D%/fake_cuda/fake_stream.c
tests_fake_cuda_fake_cuda_so_LDFLAGS = $(AM_LDFLAGS) -shared
tests_fake_cuda_fake_cuda_so_LDADD = libmodel.a $(sim_libs) -lm

# ---- what tests read
EXTRA_DIST += \
	%D%/README.md \
	%D%/check_arm64.sh \
	%D%/cuda_abi.cpp \
	%D%/fake_cuda/README.md %D%/fake_cuda/kernels.cu %D%/fake_cuda/kernels.ptx \
	%D%/fuzz \
	%D%/runs/clang \
	%D%/runs/faults \
	%D%/runs/coverage \
	%D%/runs/findings \
	%D%/runs/programs \
	%D%/runs/orders \
	%D%/runs/focus_warp.cu %D%/runs/focus_warp.ptx \
	%D%/screens \
	%D%/unit/app/own \
	%D%/unit/cli/remote \
	%D%/unit/cli/grade \
	%D%/unit/cli/suite \
	%D%/unit/device/probe \
	%D%/unit/model/hardware \
	%D%/unit/ptx/inputs \
	%D%/unit/sim/kernels \
	%D%/unit/sim/vectors

# The libFuzzer targets, a minute each (needs clang).
.PHONY: fuzz
fuzz:
	sh $(srcdir)/%D%/fuzz/run $(FUZZ_SECONDS)

# The emulator's arithmetic on another processor (needs a cross compiler, qemu-user and ARM64_ROOT: see the script).
.PHONY: check-arm64
check-arm64:
	$(srcdir)/%D%/check_arm64.sh

# More of what is tried at random, for whoever has some minutes.
.PHONY: check-long
check-long:
	CHECK_LONG=1 $(MAKE) $(AM_MAKEFLAGS) check TESTS='%D%/unit/device/test_probe_random %D%/unit/sim/test_gen %D%/runs/test_layout_walk %D%/runs/test_banks \
	  %D%/check_ptx.sh'
