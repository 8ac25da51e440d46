# local.mk: counters and words about a run, as libmodel.a
noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES = \
	%D%/arch.c %D%/arch.def %D%/arch.h \
	%D%/atomic.c %D%/atomic.h \
	%D%/bank.c %D%/bank.h \
	%D%/bounds.c %D%/bounds.h \
	%D%/cache.c %D%/cache.h \
	%D%/causes/cause.h %D%/causes/causes.c \
	%D%/causes/cure.def %D%/causes/cure_parts.h \
	%D%/causes/cure_memory.c \
	%D%/causes/cure_race.c \
	%D%/causes/cure_sync.c \
	%D%/causes/flow.c %D%/causes/flow.h %D%/causes/flow_parts.h \
	%D%/causes/flow_ways.c \
	%D%/coal.c %D%/coal.h \
	%D%/coherence.c %D%/coherence.h \
	%D%/counter.c %D%/counter.def %D%/counter.h %D%/counter_class.def \
	%D%/coverage.c %D%/coverage.h \
	%D%/findings/slope.c %D%/findings/slope.h \
	%D%/findings/array.c %D%/findings/array.h \
	%D%/findings/finding.def %D%/findings/finding.h \
	%D%/findings/finding_parts.h \
	%D%/findings/findings.c \
	%D%/findings/judge_atomics.c \
	%D%/findings/judge_banks.c \
	%D%/findings/judge_barriers.c \
	%D%/findings/judge_grid.c \
	%D%/findings/judge_lanes.c \
	%D%/findings/judge_memory.c \
	%D%/findings/judge_sectors.c \
	%D%/findings/witness.c %D%/findings/witness.h \
	%D%/findings/witness_memory.c %D%/findings/witness_memory.h \
	%D%/findings/witness_shape.c %D%/findings/witness_shape.h \
	%D%/findings/witness_sync.c %D%/findings/witness_sync.h \
	%D%/latency.c %D%/latency.h \
	%D%/model.h \
	%D%/occ.c %D%/occ.h \
	%D%/program_chart.c %D%/program_chart.h %D%/program_chart_rows.h \
	%D%/program_chart_children.c \
	%D%/program_model.c %D%/program_model.def %D%/program_model.h \
	%D%/program_order.c %D%/program_order.h \
	%D%/program_path.c %D%/program_path.h \
	%D%/program_time.c %D%/program_time.h \
	%D%/program_time_children.c %D%/program_clock.h \
	%D%/program_what_if.c %D%/program_what_if.h \
	%D%/rate.c %D%/rate.h \
	%D%/roofline.c %D%/roofline.h %D%/roofs.def \
	%D%/scoreboard.c %D%/scoreboard.h \
	%D%/sentence.c %D%/sentence.h \
	%D%/sentence_bounds.c \
	%D%/sentence_fault.c \
	%D%/sentence_grid.c \
	%D%/sentence_memory.c \
	%D%/sentence_parts.h \
	%D%/sentence_source.c \
	%D%/sentence_texture.c \
	%D%/sentence_warp.c \
	%D%/spin.c %D%/spin.h \
	%D%/wavechart.c %D%/wavechart.h \
	%D%/waves.c %D%/waves.h
