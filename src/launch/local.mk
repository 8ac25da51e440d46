# local.mk: launches, their arguments and fills, as liblaunch.a
noinst_LIBRARIES += liblaunch.a
liblaunch_a_SOURCES = \
	%D%/fill.c \
	%D%/launch.c %D%/launch.h \
	%D%/launch_arg.c \
	%D%/launch_contents.c \
	%D%/launch_image.c \
	%D%/launch_parts.h \
	%D%/launch_shared.c \
	%D%/launch_source_type.c \
	%D%/launch_struct.c %D%/launch_struct.h \
	%D%/launch_text.c \
	%D%/launch_type.c \
	%D%/launch_unset.c \
	%D%/launch_variable.c %D%/launch_variable.h \
	%D%/program.c %D%/program.h \
	%D%/program_args.c %D%/program_args.h \
	%D%/settle.c %D%/settle.h
