// scene_impl.h: what the files of the scene share. Each part is a struct of its own file; scene.c calls them all,
// they call scene_seek.c.
#ifndef LS_APP_SCENE_IMPL_H
#define LS_APP_SCENE_IMPL_H

#include "app/session/session_parts.h"

typedef struct SceneVars SceneVars;       // scene_vars.c
typedef struct SceneArrays SceneArrays;   // scene_arrays.c
typedef struct SceneWords SceneWords;     // scene_words.c

struct SceneState {
  Scene scene;
  bool made;                // for this warp and lane, at the step of the scene
  int warp, lane;
  bool go_on;               // the next ses_scene goes on gathering values that are pending
  SceneVars *vars;
  SceneArrays *arrays;
  SceneWords *words;
};

static inline Scene *scene_of(const Session *session) { return &session->scene->scene; }

// scene_seek.c. False while a search goes on, or with the reason in the scene.
bool scene_seek_warp(Session *session, uint64_t step, int warp, SimReplay **replay);

// scene_vars.c: the variables of the shown warp into the scene
SceneVars *scene_vars_new(void);
void scene_vars_free(SceneVars *vars);
void scene_gather_vars(Session *session);
int scene_vars_func(const Session *session);   // the function whose variables they are; -1 before any were gathered

// scene_arrays.c: what the memory pane can show into the scene; what a run does not say of its objects is found out
// once
SceneArrays *scene_arrays_new(Session *session);
void scene_arrays_free(SceneArrays *arrays);
void scene_gather_arrays(Session *session);

// scene_words.c: sentences into the scene
SceneWords *scene_words_new(void);
void scene_words_free(SceneWords *words);
void scene_event_words(Session *session);
void scene_renew_words(Session *session);   // if PTX is shown now, or no longer
void scene_picture_words(Session *session);

#endif
