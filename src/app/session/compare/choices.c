// choices.c: what this run can be put beside.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/recordings.h"
#include "app/session/session_parts.h"
#include "device/cuda/driver.h"

enum { MAX_CHOICES = 48 };

typedef struct Choice { char label[128]; RunRequest request; bool is_before; } Choice;

struct SesChoices { Choice items[MAX_CHOICES]; int count; };

void ses_free_choices(Session *session) {
  SesChoices *choices = session->choices;
  for (int i = 0; choices && i < choices->count; i++) run_request_fini(&choices->items[i].request);
  free(choices);
  session->choices = NULL;
}

int ses_compare_count(Session *session) { return session->choices ? session->choices->count : 0; }

const char *ses_compare_choice(Session *session, int row) {
  return row >= 0 && row < ses_compare_count(session) ? session->choices->items[row].label : "";
}

// A row that differs from this run in what the caller changes; NULL if the panel is full.
static RunRequest *add_choice(Session *session, const char *label) {
  SesChoices *choices = session->choices;
  if (choices->count >= MAX_CHOICES) return NULL;
  Choice *choice = &choices->items[choices->count++];
  snprintf(choice->label, sizeof choice->label, "%.120s", label);
  run_request_copy(&choice->request, &session->run->request);
  return &choice->request;
}

static void add_device(Session *session, const char *device, const char *label) {
  RunRequest *request = add_choice(session, label);
  if (!request) return;
  run_request_set_device(request, device);
  request->cut_given = true;   // the same code, or there is nothing to hold against each other
}

static bool is_same(const RunRequest *a, const RunRequest *b) {
  return a->cut == b->cut && strcmp(a->device, b->device) == 0 && memcmp(&a->values, &b->values, sizeof a->values) == 0;
}

// The one of the same code and values first; the others by what they are.
static void add_recordings(Session *session) {
  const RunRequest *now = &session->run->request;
  Recordings all = {0};
  if (now->recipe) recordings_of(now->recipe->name, &all);
  for (int others = 0; others < 2; others++)
    for (int i = 0; i < all.count; i++) {
      RunRequest request;
      LsText text = {0};
      run_request_copy(&request, now);
      recording_request(&all.items[i], &request);
      bool itself = is_same(&request, now), same = request.cut == now->cut &&
          !memcmp(&request.values, &now->values, sizeof now->values);
      ls_text_add(&text, "recorded: ");
      recording_words(&all.items[i], &text);
      RunRequest *row = itself || same == others || (same && all.items[i].is_outdated) ? NULL
                        : add_choice(session, same ? "a GPU, as recorded: the same code" : ls_text_str(&text));
      if (row) run_request_fini(row), run_request_copy(row, &request);
      run_request_fini(&request);
      ls_text_free(&text);
    }
  recordings_fini(&all);
}

// The GPU where the request would lead, else this machine's, if it has a driver: whether a GPU is behind it, the child finds out.
static void add_gpu(Session *session) {
  char label[120];
  RunRequest request;
  if (!session->run->device) return;
  run_request_copy(&request, &session->run->request);
  run_request_set_device(&request, "cuda");
  const char *runner = run_request_runner(&request);
  snprintf(label, sizeof label, "the GPU where '%.80s' leads: the same code", runner ? runner : "");
  if (runner) add_device(session, "cuda", label);
  else if (driver_is_here()) add_device(session, "cuda", "this machine's GPU: the same code");
  run_request_fini(&request);
}

// The same kernel on what else can run it.
static void add_devices(Session *session) {
  if (!run_is_emulated(session->run)) {
    add_device(session, "emu", "the emulator: the same code");
  } else {
    add_gpu(session);
  }
  add_recordings(session);
}

static void add_settings(Session *session) {
  const TraceInfo *info = ses_info(session);
  bool stack = session->run->request.sched == SIM_STACK;
  bool written = info->code && strcmp(info->code, "written") == 0;
  RunRequest *request = add_choice(session, stack ? "its: lanes scheduled one by one (Volta and later)"
                                   : "stack: lanes scheduled as before Volta");
  if (request) request->sched = stack ? SIM_ITS : SIM_STACK;
  request = add_choice(session, written ? "the kernel as compiled" : "the kernel as written");
  if (request) {
    request->cut = written ? DEV_COMPILED : DEV_WRITTEN;
    request->cut_given = true;
  }
}

// The file as it was before it was saved: that run is still there.
static void add_before(Session *session) {
  if (!session->before || !add_choice(session, "the version before")) return;
  session->choices->items[session->choices->count - 1].is_before = true;
}

static void add_previous(Session *session) {
  const RunRequest *now = &session->run->request, *previous = ses_previous_request(session);
  if (!previous || !now->recipe || previous->recipe != now->recipe) return;
  if (memcmp(&previous->values, &now->values, sizeof now->values) == 0) return;
  LsText text = {0};
  ls_text_add(&text, "before: ");
  recipe_print_values(now->recipe, &previous->values, &text);
  RunRequest *request = add_choice(session, ls_text_str(&text));
  if (request) request->values = previous->values;
  ls_text_free(&text);
}

static void add_value(Session *session, int index, int64_t value) {
  const RecipeParam *param = &session->run->request.recipe->params[index];
  LsText text = {0};
  ls_text_addf(&text, "%s=", param->name);
  recipe_value_text(param, value, &text);
  RunRequest *request = add_choice(session, ls_text_str(&text));
  if (request) request->values.value[index] = value;
  ls_text_free(&text);
}

static void add_parameters(Session *session) {
  const RunRequest *now = &session->run->request;
  for (int i = now->recipe ? recipe_has_forms(now->recipe) : 0; now->recipe && i < now->recipe->param_count; i++) {
    int64_t value = now->values.value[i];
    for (int direction = -1; direction <= 1; direction += 2) {
      int64_t other = recipe_step_value(&now->recipe->params[i], value, direction);
      if (other != value) add_value(session, i, other);
    }
  }
}

// How many characters two names begin with in common: transpose_32x32 and transpose_32x33 are siblings.
static int kinship(const char *a, const char *b) {
  int n = 0;
  while (a[n] && a[n] == b[n]) n++;
  return n;
}

static void add_kernel(Session *session, const Recipe *recipe, const RecipePartner *partner) {
  char label[128];
  const RunRequest *now = &session->run->request;
  snprintf(label, sizeof label, "%.40s: %.80s", recipe->name, recipe->title ? recipe->title : "");
  RunRequest *request = add_choice(session, label);
  if (!request) return;
  free(request->what);
  request->what = ls_strdup(recipe->name);
  request->recipe = recipe;
  recipe_carry(now->recipe, &now->values, recipe, partner, &request->values);
}

static const RecipePartner *partner_of(const Recipe *recipe, const char *name) {
  for (int i = 0; i < recipe->partner_count; i++)
    if (strcmp(recipe->partners[i].name, name) == 0) return &recipe->partners[i];
  return NULL;
}

// The other forms of the kernel, and the kernels that its recipe wants it held against.
static void add_forms(Session *session) {
  const RunRequest *now = &session->run->request;
  for (int i = 0; now->recipe && recipe_has_forms(now->recipe) && i < now->recipe->form_count; i++) {
    const RecipeForm *form = &now->recipe->forms[i];
    char label[128];
    snprintf(label, sizeof label, "form %.40s%s%.70s", form->name, form->title ? ": " : "", form->title ? form->title : "");
    RunRequest *request = i == now->values.value[0] ? NULL : add_choice(session, label);
    if (request) request->values.value[0] = i;
  }
}

static void add_partners(Session *session) {
  const Recipe *now = session->run->request.recipe;
  for (int i = 0; session->book && now && i < now->partner_count; i++) {
    const Recipe *recipe = session->book->get(session->book, now->partners[i].name, NULL);
    if (recipe && recipe != now && !recipe->model) add_kernel(session, recipe, &now->partners[i]);
  }
}

// Kernels of the same topic, siblings of this one first.
static void add_kernels(Session *session) {
  const Recipe *now = session->run->request.recipe;
  RecipeBook *book = session->book;
  if (!book || !now || !now->topic) return;
  for (int kin = (int)strlen(now->name); kin >= 0; kin--)
    for (int i = 0; i < book->count(book); i++) {
      const char *name = book->name(book, i);
      const Recipe *recipe = kinship(name, now->name) == kin && !partner_of(now, name) ? book->get(book, name, NULL) : NULL;
      if (recipe && recipe != now && !recipe->model && recipe->topic && strcmp(recipe->topic, now->topic) == 0) add_kernel(session, recipe, NULL);
    }
}

bool ses_make_choices(Session *session) {
  ses_free_choices(session);
  if (run_is_emulated(session->run) && !ses_can_rerun(session)) return false;   // one of a GPU can be held against the emulator
  session->choices = ls_alloc(sizeof *session->choices);
  if (!session->run->device && !session->run->request.recipe) {   // a saved trace
    add_devices(session);
    return true;
  }
  add_before(session);
  add_previous(session);
  add_forms(session);
  add_partners(session);
  if (!run_is_emulated(session->run)) add_devices(session);
  add_kernels(session);
  if (run_is_emulated(session->run)) add_devices(session);
  add_settings(session);
  add_parameters(session);
  return true;
}

bool ses_compare_with(Session *session, int row) {
  if (row < 0 || row >= ses_compare_count(session)) return false;
  RunRequest request;
  run_request_copy(&request, &session->choices->items[row].request);
  ses_want_beside(session, &request, session->choices->items[row].label);
  session->next_is_before = session->choices->items[row].is_before;
  return true;
}
