// judge_code.h: what is judged of a student's code before it runs: that it compiles, has the wanted kernels, and keeps
// the rules.
#ifndef LS_APP_PRACTICE_JUDGE_CODE_H
#define LS_APP_PRACTICE_JUDGE_CODE_H

#include "app/practice/verdict.h"

enum { JUDGE_SOURCE_LIMIT = 1 << 20 };

// The text of a student's file. False with LS_EREQUEST: it is no text.
char *judge_read(const char *path, LsErr *err);
// A request for runs of an exercise's kernel with this text as its source, or, of an exercise with `given`, as the
// host's calls, which are *id then (RecipeValues.text). For run_request_fini, unless it is false.
bool judge_request(const Exercise *exercise, const char *text, RunRequest *request, uint64_t *id, LsErr *err);
// Compiles it, and checks kernels and rules. True: it can be run, or failure says why not. False as judge_file.
bool judge_code(const Exercise *exercise, const char *path, const char *text, RunRequest *request,
                RunProgress *progress, VerdictFailure *failure, bool *failed, LsErr *err);

// judge_signature.c: whether a kernel of the module is the one that C declares so; why: a sentence, if it is not.
bool judge_signature(const PtxModule *module, const char *wanted, LsText *why);

#endif
