# local.mk: lanescope against what others wrote and measured; needs their files, and only selftest/ is in check
EXTRA_DIST += \
	%D%/README.md \
	%D%/check \
	%D%/common.py \
	%D%/recorded.txt \
	%D%/rust_values.py \
	%D%/samples.py \
	%D%/selftest \
	%D%/zluda.py
tests/check_outside.log: ptx_entries$(EXEEXT)
EXTRA_PROGRAMS += check_words ptx_entries
CLEANFILES += check_words ptx_entries
check_words_CPPFLAGS = $(AM_CPPFLAGS) $(tests_cppflags)
check_words_SOURCES = %D%/check_words.c
check_words_LDADD = libtests.a $(sim_libs)
ptx_entries_CPPFLAGS = $(AM_CPPFLAGS) $(tests_cppflags)
ptx_entries_SOURCES = %D%/ptx_entries.c
ptx_entries_LDADD = libtests.a $(sim_libs)
