# local.mk: the explorer without a screen, as libapp.a
noinst_LIBRARIES += libapp.a
libapp_a_SOURCES = \
	%D%/codewrap.c %D%/codewrap.h \
	%D%/commands.c %D%/commands.def %D%/commands.h \
	%D%/focus.c %D%/focus.def %D%/focus.h \
	%D%/footer.c %D%/footer.h \
	%D%/keys.c %D%/keys.h \
	%D%/layout.c %D%/layout.h \
	%D%/course/course.c %D%/course/course.h \
	%D%/course/day.c %D%/course/day.h \
	%D%/course/doubts.c %D%/course/doubts.h \
	%D%/course/due.c %D%/course/due.h \
	%D%/course/edit.c %D%/course/edit.h \
	%D%/course/fsrs.c %D%/course/fsrs.h \
	%D%/course/family.c %D%/course/family.h \
	%D%/course/finder.c %D%/course/finder.h \
	%D%/course/finder_index.c \
	%D%/course/judged.c %D%/course/judged.h \
	%D%/course/lesson.c %D%/course/lesson.h \
	%D%/course/lesson_answer.c \
	%D%/course/lesson_auto.c \
	%D%/course/lesson_parts.h \
	%D%/course/lesson_score.c \
	%D%/course/lesson_show.c \
	%D%/course/lesson_text.c \
	%D%/course/lesson_want.c %D%/course/lesson_want.h \
	%D%/course/lesson_writing.c \
	%D%/course/lesson_work.c \
	%D%/course/markup.c \
	%D%/course/progress.c %D%/course/progress.h \
	%D%/course/question.c %D%/course/question.h \
	%D%/course/question_parse.c \
	%D%/course/question_pick.c %D%/course/question_pick.h \
	%D%/course/question_text.c \
	%D%/course/skill_draw.c \
	%D%/course/skill_history.c \
	%D%/course/skill_log.c %D%/course/skill_log.h \
	%D%/course/skill_today.c \
	%D%/course/skills.c %D%/course/skills.h \
	%D%/course/solved.c %D%/course/solved.h \
	%D%/course/store.c %D%/course/store.h \
	%D%/course/walk.c %D%/course/walk.h \
	%D%/stage/demo.c %D%/stage/demo.h \
	%D%/stage/ballot.c %D%/stage/ballot.h \
	%D%/stage/follow.c %D%/stage/follow.h \
	%D%/stage/share.c %D%/stage/share.h \
	%D%/stage/share_folder.c %D%/stage/share_parts.h \
	%D%/stage/share_vote.c \
	%D%/stage/stand.c %D%/stage/stand.h \
	%D%/stage/stand_line.c \
	%D%/stage/hub.c %D%/stage/hub.h \
	%D%/stage/line.c %D%/stage/line.h \
	%D%/stage/uplink.c %D%/stage/uplink.h \
	%D%/stage/notes.c %D%/stage/notes.h \
	%D%/stage/notes_write.c \
	%D%/stage/publish.c %D%/stage/publish.h \
	%D%/stage/record.c %D%/stage/record.h \
	%D%/stage/runtime.c %D%/stage/runtime.h \
	%D%/stage/talk.c %D%/stage/talk.h \
	%D%/stage/vote.c %D%/stage/vote.h \
	%D%/course/work.c %D%/course/work.h \
	%D%/course/work_text.c \
	%D%/course/writing.c %D%/course/writing.h \
	%D%/course/writing_text.c \
	%D%/exam/exam.c %D%/exam/exam.h \
	%D%/exam/exam_draw.h \
	%D%/exam/exam_plan.c \
	%D%/exam/marks.c %D%/exam/marks.h \
	%D%/exam/paper.c %D%/exam/paper.h \
	%D%/exam/result.c %D%/exam/result.h \
	%D%/exam/sitting.c %D%/exam/sitting.h \
	%D%/models/banks.c %D%/models/banks.h \
	%D%/models/ids.c %D%/models/ids.h \
	%D%/models/latency.c %D%/models/latency.h \
	%D%/models/model.c %D%/models/model.h \
	%D%/models/of_run.c %D%/models/of_run.h \
	%D%/models/of_run_latency.c \
	%D%/models/of_run_parts.c %D%/models/of_run_parts.h \
	%D%/models/of_run_roofline.c \
	%D%/models/of_run_spaces.c \
	%D%/models/models.c %D%/models/models.def %D%/models/models.h \
	%D%/models/occupancy.c %D%/models/occupancy.h \
	%D%/models/roofline.c %D%/models/roofline.h \
	%D%/models/spaces.c %D%/models/spaces.h \
	%D%/models/fragment.c %D%/models/fragment.h \
	%D%/models/reuse.c %D%/models/reuse.h \
	%D%/models/coherence.c %D%/models/coherence.h \
	%D%/models/caches.c %D%/models/caches.h \
	%D%/models/queues.c %D%/models/queues.h \
	%D%/models/waves.c %D%/models/waves.h \
	%D%/models/dataflow.c %D%/models/dataflow.h \
	%D%/models/pages.c %D%/models/pages.h \
	%D%/models/little.c %D%/models/little.h \
	%D%/own/changes.c %D%/own/changes.h \
	%D%/own/editor.c %D%/own/editor.h \
	%D%/own/files.c %D%/own/files.h \
	%D%/own/form.c %D%/own/form.h \
	%D%/own/guess.c \
	%D%/own/hostcode.c %D%/own/hostcode.h \
	%D%/own/kept.c %D%/own/kept.h \
	%D%/own/reading.c %D%/own/reading.h \
	%D%/own/signature.c %D%/own/signature.h \
	%D%/own/suite.c %D%/own/suite.h \
	%D%/own/suite_point.c \
	%D%/own/suite_run.c \
	%D%/own/watch.c %D%/own/watch.h \
	%D%/practice/attempt.c %D%/practice/attempt.h \
	%D%/practice/exercise.c %D%/practice/exercise.h \
	%D%/practice/grade.c %D%/practice/grade.h \
	%D%/practice/grade_answer.c \
	%D%/practice/grade_wire.c %D%/practice/grade_wire.h \
	%D%/practice/hunt.c %D%/practice/hunt.h \
	%D%/practice/judge.c %D%/practice/judge.h \
	%D%/practice/judge_code.c %D%/practice/judge_code.h \
	%D%/practice/judge_run.c %D%/practice/judge_run.h \
	%D%/practice/judge_signature.c \
	%D%/practice/source_header.def \
	%D%/practice/source_rules.c %D%/practice/source_rules.h \
	%D%/practice/submission.c %D%/practice/submission.h \
	%D%/practice/verdict.c %D%/practice/verdict.h \
	%D%/report/alias.c \
	%D%/report/class.c %D%/report/class.h \
	%D%/report/class_files.c %D%/report/class_files.h \
	%D%/report/class_order.c \
	%D%/report/class_rows.h \
	%D%/report/class_sum.c \
	%D%/report/class_write.c %D%/report/class_write.h \
	%D%/report/course_hash.c %D%/report/course_hash.h \
	%D%/report/history_file.c %D%/report/history_file.h \
	%D%/report/report.c %D%/report/report.h \
	%D%/report/json_read.c %D%/report/json_read.h \
	%D%/report/report_read.c %D%/report/report_read.h \
	%D%/report/report_write.c \
	%D%/run/emulated.c %D%/run/emulated.h \
	%D%/run/expectation.c %D%/run/expectation.h \
	%D%/run/glossary.c %D%/run/glossary.h \
	%D%/run/job.c %D%/run/job.h \
	%D%/run/kin_order.c \
	%D%/run/kinship.c %D%/run/kinship.h \
	%D%/run/program_children.c %D%/run/program_children.h \
	%D%/run/orders.c %D%/run/orders.h \
	%D%/run/orders_job.c %D%/run/orders_job.h \
	%D%/run/orders_text.c %D%/run/orders_text.h \
	%D%/run/orders_words.c %D%/run/orders_words.h \
	%D%/run/program_fault.def \
	%D%/run/program_hazards.c %D%/run/program_hazards.h \
	%D%/run/program_left.c \
	%D%/run/program_measure.c %D%/run/program_measure.h \
	%D%/run/program_memory.c %D%/run/program_memory.h \
	%D%/run/program_job.c %D%/run/program_job.h \
	%D%/run/program_run.c %D%/run/program_run.h \
	%D%/run/program_against.c %D%/run/program_against.h \
	%D%/run/program_own.c \
	%D%/run/program_pairs.c %D%/run/program_pairs.h \
	%D%/run/program_record.c %D%/run/program_record.h \
	%D%/run/program_saved.c %D%/run/program_saved.h \
	%D%/run/program_saved_children.c %D%/run/program_saved_parts.h \
	%D%/run/program_saved_values.c \
	%D%/run/program_tree.c \
	%D%/run/program_snapshots.c %D%/run/program_snapshots.h \
	%D%/run/program_writer.c \
	%D%/run/recipe.c %D%/run/recipe.h \
	%D%/run/recordings.c %D%/run/recordings.h \
	%D%/run/registers.c %D%/run/registers.h \
	%D%/run/run.c %D%/run/run.h \
	%D%/run/run_coverage.c \
	%D%/run/run_file.c \
	%D%/run/run_findings.c \
	%D%/run/run_load.c %D%/run/run_parts.h \
	%D%/run/run_replay.c \
	%D%/run/run_text.c \
	%D%/run/run_request.c \
	%D%/run/run_grades.c \
	%D%/run/run_words.c \
	%D%/run/timing.c %D%/run/timing.h \
	%D%/run/totals.c %D%/run/totals.h \
	%D%/run/touched.c %D%/run/touched.h \
	%D%/session/cursor.c \
	%D%/session/format.c %D%/session/format.h \
	%D%/session/panel.c %D%/session/panel.h \
	%D%/session/session.c %D%/session/session.h \
	%D%/session/session_by_line.c \
	%D%/session/session_choose.c \
	%D%/session/session_commands.c \
	%D%/session/session_find.c \
	%D%/session/session_findings.c \
	%D%/session/session_go.c \
	%D%/session/session_interest.c \
	%D%/session/session_keys.c \
	%D%/session/session_launches.c \
	%D%/session/session_layout.c \
	%D%/session/session_list.c \
	%D%/session/session_mouse.c \
	%D%/session/session_orders.c \
	%D%/session/session_pairs.c \
	%D%/session/session_params.c \
	%D%/session/session_parts.h \
	%D%/session/session_place.c \
	%D%/session/session_play.c \
	%D%/session/session_prompt.c \
	%D%/session/session_what.c \
	%D%/session/session_request.c \
	%D%/session/session_settings.c \
	%D%/session/session_schedule.c \
	%D%/session/session_schedule_words.c \
	%D%/session/session_waves.c \
	%D%/session/session_wish.c \
	%D%/session/spot.c %D%/session/spot.h \
	%D%/session/spot_scene.c %D%/session/spot_scene.h \
	%D%/session/session_writer.c \
	%D%/session/scheduleview.c %D%/session/scheduleview.h \
	%D%/session/waveview.c %D%/session/waveview.h \
	%D%/session/compare/choices.c \
	%D%/session/compare/differ.c \
	%D%/session/compare/difference.c %D%/session/compare/difference.def %D%/session/compare/difference.h \
	%D%/session/compare/difference_words.c \
	%D%/session/compare/own_lines.c %D%/session/compare/peer.c \
	%D%/session/scene/code.c \
	%D%/session/scene/margin.c \
	%D%/session/scene/ptx_rows.c \
	%D%/session/scene/scene.c %D%/session/scene/scene.h \
	%D%/session/scene/scene_arrays.c \
	%D%/session/scene/scene_impl.h \
	%D%/session/scene/scene_seek.c \
	%D%/session/scene/scene_vars.c \
	%D%/session/scene/scene_words.c \
	%D%/session/scene/source_rows.c \
	%D%/session/scene/sources.c \
	%D%/session/scene/timebar.c \
	%D%/session/scene/values.c
