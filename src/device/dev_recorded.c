// dev_recorded.c: recordings as a device: they are opened (app/run/recordings.h), not run.
#include <dirent.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/text.h"
#include "device/device.h"

static DevRun *recorded_open(const DevRequest *request, TraceInfo *info, LsErr *err) {
  (void)request, (void)info;
  ls_fail(err, LS_EREQUEST, "a recording cannot be run: it is shown as it was made");
  return NULL;
}

static bool recorded_available(LsErr *err) {
  char *folder = ls_data_path("assets/recordings", NULL);
  DIR *dir = folder ? opendir(folder) : NULL;
  bool any = false;
  for (struct dirent *entry; dir && !any && (entry = readdir(dir));) any = ls_ends_with(entry->d_name, ".lst");
  if (dir) closedir(dir);
  free(folder);
  return any || ls_fail(err, LS_EENV, "no recordings are installed here; make recordings makes them on a machine with a GPU");
}

extern const Device dev_recorded;
const Device dev_recorded = {.name = "recorded", .title = "recording", .open = recorded_open, .available = recorded_available};
