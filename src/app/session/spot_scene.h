// spot_scene.h: where the explorer stands, as a scene of a demo, at the end of its file (lessons/README.md, Demos).
#ifndef LS_APP_SPOT_SCENE_H
#define LS_APP_SPOT_SCENE_H

#include "app/session/session.h"

// "scene { kernel = ..., at = ..., focus = ... }\n". False with *err: a demo cannot show this.
bool spot_scene(Session *session, LsText *out, LsErr *err);
// Adds it to a file, which is made if it is not there; what is in the file stays as it is. False with *err.
bool spot_scene_append(Session *session, const char *path, LsErr *err);

#endif
