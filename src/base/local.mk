# local.mk: errors, memory, text and files, as libbase.a
noinst_LIBRARIES += libbase.a
libbase_a_CPPFLAGS = $(AM_CPPFLAGS) $(dirs_cppflags)
libbase_a_SOURCES = \
	%D%/clock.c %D%/clock.h \
	%D%/digest.c %D%/digest.h \
	%D%/error.c %D%/error.h \
	%D%/file.c %D%/file.h \
	%D%/json.c %D%/json.h \
	%D%/loops.h \
	%D%/mem.c %D%/mem.h \
	%D%/output.c %D%/output.h \
	%D%/pool.c %D%/pool.h \
	%D%/random.c %D%/random.h \
	%D%/sha256.c %D%/sha256.h \
	%D%/table.c %D%/table.h \
	%D%/text.c %D%/text.h \
	%D%/width.c
