// spot.h: where the explorer stands, written down: as the command line that opens just that place.
#ifndef LS_APP_SPOT_H
#define LS_APP_SPOT_H

#include "app/models/model.h"
#include "app/session/session.h"

// The place as an explorer that opens on the run finds it: "line:15" where that leads to this very step, else
// "end" or the step. False: nothing was recorded.
bool spot_at(Session *session, char *out, size_t size);
// A run as a command line: "lanescope explore transpose_32x32 -p type=double", with all that is not as usual.
void spot_run_command(const RunRequest *request, LsText *out);
void spot_model_command(const Model *model, const ModelValues *values, LsText *out);
// The run of a session, and where it opens: " --at line:15 --focus banks".
void spot_command(Session *session, LsText *out);
// A word as a shell reads it.
void spot_shell_word(const char *word, LsText *out);

#endif
