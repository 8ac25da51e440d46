# local.mk: the commands, and the program itself
noinst_LIBRARIES += libcli.a
libcli_a_CPPFLAGS = $(AM_CPPFLAGS) $(NCURSES_CFLAGS)
libcli_a_SOURCES = \
	%D%/chrome.c %D%/chrome.h \
	%D%/chrome_events.c %D%/chrome_events.h \
	%D%/chrome_program.c \
	%D%/cli.c %D%/cli.h \
	%D%/cli_commands.def \
	%D%/busy.c %D%/busy.h \
	%D%/cast_file.c %D%/cast_file.h \
	%D%/cast_model.c \
	%D%/cmd_cast.c \
	%D%/class_text.c %D%/class_text.h \
	%D%/cmd_claims.c \
	%D%/cmd_class.c \
	%D%/cmd_course.c \
	%D%/cmd_devices.c \
	%D%/cmd_doctor.c \
	%D%/cmd_exam.c \
	%D%/cmd_explore.c \
	%D%/cmd_export.c \
	%D%/cmd_grade.c \
	%D%/cmd_kernels.c \
	%D%/cmd_demo.c \
	%D%/demo_handout.c %D%/demo_handout.h \
	%D%/cmd_lesson.c \
	%D%/cmd_model.c \
	%D%/model_of_run.c %D%/model_of_run.h \
	%D%/cmd_museum.c \
	%D%/cmd_follow.c \
	%D%/cmd_notes.c \
	%D%/cmd_practice.c \
	%D%/cmd_quiz.c %D%/quiz_list.c %D%/quiz_list.h \
	%D%/cmd_report.c \
	%D%/cmd_serve.c \
	%D%/cmd_stats.c \
	%D%/cmd_test.c \
	%D%/cmd_trace.c \
	%D%/cmd_what.c \
	%D%/commands.c \
	%D%/device_options.c %D%/device_options.def \
	%D%/exam_desk.h \
	%D%/exam_groff.c \
	%D%/exam_print.c \
	%D%/exam_marks.c \
	%D%/exam_tick.c \
	%D%/exam_lines.c %D%/exam_lines.h \
	%D%/exam_text.c %D%/exam_text.h \
	%D%/exam_word.c %D%/exam_word.h \
	%D%/findings_text.c %D%/findings_text.h \
	%D%/gpus.c %D%/gpus.h \
	%D%/grade_text.c %D%/grade_text.h \
	%D%/help.c \
	%D%/junit.c %D%/junit.h \
	%D%/kernel_form.c %D%/kernel_form.h \
	%D%/lesson_lines.c %D%/lesson_lines.h \
	%D%/lesson_work_lines.c %D%/lesson_work_lines.h \
	%D%/lesson_writing_lines.c %D%/lesson_writing_lines.h \
	%D%/options.def \
	%D%/man_report.c %D%/man_report.h \
	%D%/missing.c %D%/missing.h \
	%D%/picture.c %D%/picture.h \
	%D%/place.c %D%/place.h \
	%D%/orders_text.c %D%/orders_text.h \
	%D%/plain.c %D%/plain.h \
	%D%/plain_place.c %D%/plain_place.h \
	%D%/practice_lines.c %D%/practice_lines.h \
	%D%/program_compare.c %D%/program_compare.h \
	%D%/program_text.c %D%/program_text.h \
	%D%/recipe_json.c %D%/recipe_json.h \
	%D%/sarif.c %D%/sarif.h \
	%D%/speed.c %D%/speed.def %D%/speed.h \
	%D%/tap.c %D%/tap.h \
	%D%/progress_line.c %D%/progress_line.h \
	%D%/wait.c %D%/wait.h
bin_PROGRAMS = lanescope
lanescope_CPPFLAGS = $(AM_CPPFLAGS) $(NCURSES_CFLAGS)
lanescope_SOURCES = %D%/main.c
lanescope_LDADD = libcli.a libui.a $(script_libs) $(NCURSES_LIBS)
