# local.mk: screens and the terminal, as libui.a
noinst_LIBRARIES += libui.a
libui_a_CPPFLAGS = $(AM_CPPFLAGS) $(NCURSES_CFLAGS)
libui_a_SOURCES = \
	%D%/models/draw_banks.c \
	%D%/models/draw_ids.c \
	%D%/models/draw_latency.c \
	%D%/models/draw_occupancy.c \
	%D%/models/draw_roofline.c \
	%D%/models/draw_spaces.c \
	%D%/models/draw_fragment.c \
	%D%/models/draw_reuse.c \
	%D%/models/draw_coherence.c \
	%D%/models/draw_caches.c \
	%D%/models/draw_queues.c \
	%D%/models/draw_waves.c \
	%D%/models/draw_dataflow.c \
	%D%/models/draw_pages.c \
	%D%/models/draw_little.c \
	%D%/models/paint.c \
	%D%/models/pane.c %D%/models/pane.h \
	%D%/models/pictures.c %D%/models/pictures.h \
	%D%/models/plot.c %D%/models/plot.h \
	%D%/pages/answer_input.c %D%/pages/answer_input.h \
	%D%/pages/glimpse.c %D%/pages/glimpse.h \
	%D%/pages/launch_draw.c %D%/pages/launch_fields.c %D%/pages/launch_page.h \
	%D%/pages/column.c %D%/pages/column.h \
	%D%/pages/lesson_footer.c %D%/pages/lesson_footer.h \
	%D%/pages/lesson_job.c %D%/pages/lesson_job.h \
	%D%/pages/list.c %D%/pages/list.h \
	%D%/pages/list_page.c %D%/pages/list_page.h \
	%D%/pages/loop.c \
	%D%/pages/own.c %D%/pages/own.h \
	%D%/pages/menu_draw.c %D%/pages/menu_open.c %D%/pages/menu_page.h \
	%D%/pages/page.c %D%/pages/page.h \
	%D%/pages/class_draw.c %D%/pages/class_draw.h \
	%D%/pages/demo_draw.c %D%/pages/demo_page.h \
	%D%/pages/demo_stage.c \
	%D%/pages/demo_vote.c \
	%D%/pages/page_demo.c \
	%D%/pages/demo_net.c \
	%D%/pages/notes_draw.c %D%/pages/notes_page.h \
	%D%/pages/page_claims.c \
	%D%/pages/page_exam.c %D%/pages/exam_draw.c %D%/pages/exam_page.h \
	%D%/pages/page_class.c \
	%D%/pages/page_class_skill.c \
	%D%/pages/page_code.c \
	%D%/pages/page_explorer.c \
	%D%/pages/page_find.c \
	%D%/pages/page_greeting.c \
	%D%/pages/page_help.c \
	%D%/pages/page_kernels.c \
	%D%/pages/page_launch.c \
	%D%/pages/page_lesson.c \
	%D%/pages/page_menu.c \
	%D%/pages/page_model.c \
	%D%/pages/page_message.c \
	%D%/pages/page_museum.c \
	%D%/pages/page_ladder.c \
	%D%/pages/page_practice.c \
	%D%/pages/practice_draw.c %D%/pages/practice_draw.h \
	%D%/pages/practice_others.c %D%/pages/practice_others.h \
	%D%/pages/page_quiz.c \
	%D%/pages/page_follow.c \
	%D%/pages/page_notes.c \
	%D%/pages/page_own.c \
	%D%/pages/page_run.c \
	%D%/pages/rail.c %D%/pages/rail.h \
	%D%/pages/rail_pen.c %D%/pages/rail_pen.h \
	%D%/pages/rail_question.c %D%/pages/rail_question.h \
	%D%/pages/rerun.c %D%/pages/rerun.h \
	%D%/pages/work_draw.c \
	%D%/pages/work_pane.c %D%/pages/work_pane.h \
	%D%/pages/word_prompt.c %D%/pages/word_prompt.h \
	%D%/pages/writing_pane.c %D%/pages/writing_pane.h \
	%D%/panels/list_panel.c %D%/panels/list_panel.h \
	%D%/panels/panel.c %D%/panels/panel.h \
	%D%/panels/panel_compare.c \
	%D%/panels/panel_faults.c \
	%D%/panels/panel_findings.c \
	%D%/panels/panel_find.c \
	%D%/panels/panel_help.c \
	%D%/panels/panel_launches.c \
	%D%/panels/panel_line.c \
	%D%/panels/panel_orders.c \
	%D%/panels/panel_output.c \
	%D%/panels/panel_params.c \
	%D%/panels/panel_pick.c \
	%D%/panels/panel_timeline.c \
	%D%/panels/panel_waves.c \
	%D%/panels/panels.c \
	%D%/panels/prompt.c %D%/panels/prompt.h \
	%D%/term/canvas.c %D%/term/canvas.h \
	%D%/term/export.c \
	%D%/term/glyph.c \
	%D%/term/role.def \
	%D%/term/term.h \
	%D%/term/term_curses.c \
	%D%/term/theme.c %D%/term/theme.h \
	%D%/views/focus/exchange.c %D%/views/focus/exchange.h \
	%D%/views/focus/focus.c %D%/views/focus/focus.h \
	%D%/views/focus/lanestrip.c %D%/views/focus/lanestrip.h \
	%D%/views/focus/lanerow.c %D%/views/focus/lanerow.h \
	%D%/views/focus/lanevalue.c \
	%D%/views/focus/nets.c %D%/views/focus/nets.h \
	%D%/views/focus/view_atomics.c \
	%D%/views/focus/bankplan.c %D%/views/focus/bankplan.h \
	%D%/views/focus/view_banks.c \
	%D%/views/focus/view_barrier.c \
	%D%/views/focus/view_constant.c \
	%D%/views/focus/view_divergence.c \
	%D%/views/focus/view_focus.c \
	%D%/views/focus/view_geometry.c \
	%D%/views/focus/view_program.c \
	%D%/views/focus/episode.c %D%/views/focus/episode.h \
	%D%/views/focus/segment_line.c %D%/views/focus/segments.h \
	%D%/views/focus/view_segments.c \
	%D%/views/focus/view_sets.c \
	%D%/views/focus/view_shuffle.c %D%/views/focus/view_shuffle.h \
	%D%/views/focus/view_texture.c \
	%D%/views/focus/view_waves.c \
	%D%/views/frame.c %D%/views/frame.h \
	%D%/views/stretch.c %D%/views/stretch.h \
	%D%/views/syntax.c %D%/views/syntax.h \
	%D%/views/view.c %D%/views/view.h \
	%D%/views/view_difference.c \
	%D%/views/view_lanes.c \
	%D%/views/view_findings.c \
	%D%/views/view_memory.c \
	%D%/views/view_ptx.c \
	%D%/views/view_screen.c \
	%D%/views/view_sofar.c \
	%D%/views/view_source.c \
	%D%/views/timeline.h %D%/views/timeline_page.c \
	%D%/views/view_timebar.c \
	%D%/views/view_timeline.c \
	%D%/views/view_totals.c \
	%D%/views/view_variables.c \
	%D%/views/views.c %D%/views/views.def
