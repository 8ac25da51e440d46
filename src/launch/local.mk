# local.mk: launches, their arguments and fills, as liblaunch.a
noinst_LIBRARIES += liblaunch.a
liblaunch_a_SOURCES = \
	%D%/fill.c \
	%D%/launch.c %D%/launch.h \
	%D%/launch_image.c
