# local.mk: Lua: recipes and lessons, as libscript.a
noinst_LIBRARIES += libscript.a
libscript_a_CPPFLAGS = $(AM_CPPFLAGS) $(LUA_CFLAGS)
libscript_a_SOURCES = \
	%D%/budget.c %D%/budget.h \
	%D%/column.c %D%/column.h %D%/column.def \
	%D%/course.c \
	%D%/exercise.c %D%/exercise.h \
	%D%/exercise_case.c %D%/exercise_impl.h \
	%D%/exercise_read.c \
	%D%/exercise_told.c \
	%D%/fields.c %D%/fields.h \
	%D%/glossary.c %D%/glossary.h \
	%D%/guards.c %D%/guards.h \
	%D%/lesson.c %D%/lesson.h \
	%D%/lesson_impl.h \
	%D%/lesson_read.c %D%/lesson_read.h \
	%D%/mod_all.c \
	%D%/mod_bank.c %D%/mod_bank.h \
	%D%/mod_demo.c %D%/mod_demo.h \
	%D%/mod_buffer.c %D%/mod_buffer.h \
	%D%/mod_coroutine.c \
	%D%/mod_each.c %D%/mod_each.h \
	%D%/mod_expect.c \
	%D%/mod_math.c \
	%D%/mod_model.c %D%/mod_model.h \
	%D%/mod_run.c %D%/mod_run.h \
	%D%/mod_use.c \
	%D%/pattern_cost.c %D%/pattern_cost.h \
	%D%/question_read.c %D%/question_read.h \
	%D%/recipe.c %D%/recipe.h \
	%D%/recipe_check.c \
	%D%/recipe_forms.c \
	%D%/recipe_impl.h \
	%D%/recipe_launch.c \
	%D%/recipe_model.c \
	%D%/recipe_read.c \
	%D%/recipe_sequence.c \
	%D%/recipe_tests.c \
	%D%/run_facts.c \
	%D%/run_program.c \
	%D%/run_source.c \
	%D%/run_query.c \
	%D%/run_value.c \
	%D%/sandbox.c \
	%D%/state.c %D%/state.h \
	%D%/work_read.c %D%/work_read.h
