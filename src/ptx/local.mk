# local.mk: PTX text to a module, as libptx.a
noinst_LIBRARIES += libptx.a
libptx_a_SOURCES = \
	%D%/cfg.c %D%/cfg.h \
	%D%/cfg_endless.c %D%/cfg_endless.h \
	%D%/cfg_exits.c \
	%D%/cfg_flow.c %D%/cfg_flow.h \
	%D%/cfg_graph.c %D%/cfg_graph.h \
	%D%/cfg_meet.c %D%/cfg_meet.h \
	%D%/debuginfo.c %D%/debuginfo.h \
	%D%/def_use.c %D%/def_use.h \
	%D%/demangle.c %D%/demangle.h \
	%D%/dwarf.c %D%/dwarf.h \
	%D%/dwtype.c %D%/dwtype.h \
	%D%/extra.def \
	%D%/lex.c %D%/lex.h \
	%D%/lines.c %D%/lines.h \
	%D%/module.c %D%/module.h \
	%D%/ops.def \
	%D%/parse.c \
	%D%/parse_expr.c \
	%D%/parse_func.c \
	%D%/parse_instr.c \
	%D%/parse_loc.c \
	%D%/parse_operand.c \
	%D%/parse_var.c \
	%D%/parser.c %D%/parser.h \
	%D%/param_use.c %D%/param_use.h \
	%D%/print.c \
	%D%/ptx.c %D%/ptx.h \
	%D%/reduction.c %D%/reduction.h \
	%D%/section.c %D%/section.h \
	%D%/words.def
