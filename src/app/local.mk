# local.mk: the explorer without a screen, as libapp.a
noinst_LIBRARIES += libapp.a
libapp_a_SOURCES = \
	%D%/commands.c %D%/commands.def %D%/commands.h \
	%D%/focus.c %D%/focus.def %D%/focus.h \
	%D%/footer.c %D%/footer.h \
	%D%/format.c %D%/format.h \
	%D%/keys.c %D%/keys.h \
	%D%/layout.c %D%/layout.h \
	%D%/course/course.c %D%/course/course.h \
	%D%/course/lesson.c %D%/course/lesson.h \
	%D%/course/lesson_show.c \
	%D%/course/lesson_text.c \
	%D%/course/progress.c %D%/course/progress.h \
	%D%/run/arguments.c %D%/run/arguments.h \
	%D%/run/job.c %D%/run/job.h \
	%D%/run/recipe.c %D%/run/recipe.h \
	%D%/run/recordings.c %D%/run/recordings.h \
	%D%/run/registers.c %D%/run/registers.h \
	%D%/run/run.c %D%/run/run.h \
	%D%/run/run_replay.c \
	%D%/run/run_request.c \
	%D%/run/run_words.c \
	%D%/run/timing.c %D%/run/timing.h \
	%D%/session/difference.c %D%/session/difference.def %D%/session/difference.h \
	%D%/session/difference_words.c \
	%D%/session/emulated.c %D%/session/emulated.h \
	%D%/session/panel.c %D%/session/panel.h \
	%D%/session/scene.c %D%/session/scene.h \
	%D%/session/scene_arrays.c \
	%D%/session/scene_code.c \
	%D%/session/scene_vars.c \
	%D%/session/scene_words.c \
	%D%/session/session.c %D%/session/session.h \
	%D%/session/session_compare.c \
	%D%/session/session_find.c \
	%D%/session/session_go.c \
	%D%/session/session_impl.h \
	%D%/session/session_keys.c \
	%D%/session/session_list.c \
	%D%/session/session_margin.c \
	%D%/session/session_mouse.c \
	%D%/session/session_panes.c \
	%D%/session/session_params.c \
	%D%/session/session_place.c \
	%D%/session/session_waves.c \
	%D%/session/session_writer.c \
	%D%/session/totals.c %D%/session/totals.h \
	%D%/session/waveview.c %D%/session/waveview.h
