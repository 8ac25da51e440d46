// chrome_events.c: an event a line, with commas between them.
#include "cli/chrome_events.h"

void chrome_begin(ChromeEvents *events, LsJson *json, const char *phase, uint64_t pid, uint64_t tid, const char *name) {
  ls_text_clear(&events->line);
  ls_json_init(json, &events->line);
  ls_json_open(json, '{');
  ls_json_member(json, "ph", phase);
  ls_json_member_u64(json, "pid", pid);
  ls_json_member_u64(json, "tid", tid);
  ls_json_member(json, "name", name);
}

void chrome_end(ChromeEvents *events, LsJson *json) {
  ls_json_close(json, '}');
  fprintf(events->out, "%s\n%s", events->any ? "," : "", ls_text_str(&events->line));
  events->any = true;
}

void chrome_name(ChromeEvents *events, const char *what, uint64_t pid, uint64_t tid, const char *name) {
  LsJson json;
  chrome_begin(events, &json, "M", pid, tid, what);
  ls_json_open_member(&json, "args", '{');
  ls_json_member(&json, "name", name);
  ls_json_close(&json, '}');
  chrome_end(events, &json);
}
