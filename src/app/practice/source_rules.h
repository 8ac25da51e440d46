// source_rules.h: what a source may ask of a compiler when it is judged for marks: to read nothing but itself and the
// headers of the toolkit.
//
// A compiler reads any file that an #include names, and tells of it in its messages, or by whether it compiles. So the
// source is looked at beforehand, as a preprocessor does: lines that go on are joined, comments and literals are told
// apart from code (C++17, [lex.phases]), and what is left of directives is held against lists. What two compilers may
// read in two ways (raw strings, trigraphs, pasted names, a backslash before blanks) is refused, so that there is one
// reading only. Nothing is executed or expanded here.
#ifndef LS_APP_PRACTICE_SOURCE_RULES_H
#define LS_APP_PRACTICE_SOURCE_RULES_H

#include "base/text.h"

// True: it may be compiled. Else *line (from 1) and why, a sentence.
bool source_rules_hold(const char *text, size_t size, int *line, LsText *why);

#endif
