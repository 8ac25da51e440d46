# local.mk: traces in memory and in files, as libtrace.a
noinst_LIBRARIES += libtrace.a
libtrace_a_SOURCES = \
	%D%/atoms.c %D%/atoms.h \
	%D%/bytes.c %D%/bytes.h \
	%D%/coverage.c %D%/coverage.h \
	%D%/decode.c %D%/decode.h \
	%D%/encode.c %D%/encode.h \
	%D%/encode_atoms.c \
	%D%/encode_addr.c \
	%D%/encode_event.c \
	%D%/encode_lanes.c \
	%D%/encode_line.c %D%/encode_parts.h \
	%D%/encode_passes.c \
	%D%/event.def \
	%D%/exchange.c \
	%D%/exchange.h \
	%D%/fault.def \
	%D%/find.c \
	%D%/fold.c %D%/fold.h \
	%D%/format.h \
	%D%/frame.c %D%/frame.h \
	%D%/info.c \
	%D%/measured.c %D%/measured.h \
	%D%/names.c \
	%D%/open.c \
	%D%/pack.c %D%/pack.h \
	%D%/predict.c %D%/predict.h \
	%D%/program_file.c \
	%D%/prints.c %D%/prints.h \
	%D%/program_bytes.c %D%/program_bytes.h \
	%D%/push.c \
	%D%/reader.c %D%/reader.h \
	%D%/section.c %D%/section.h \
	%D%/tee.c \
	%D%/trace.h \
	%D%/writer.c
libtrace_a_CFLAGS = $(AM_CFLAGS) $(ZSTD_CFLAGS)
