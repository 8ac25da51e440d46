# local.mk: the emulator against what others measured and published; needs their files, and is no part of check
EXTRA_DIST += %D%/README.md
EXTRA_PROGRAMS += check_words
CLEANFILES += check_words
check_words_CPPFLAGS = $(AM_CPPFLAGS) $(tests_cppflags)
check_words_SOURCES = %D%/check_words.c
check_words_LDADD = libtests.a $(sim_libs)
