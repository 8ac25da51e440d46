// vec.c: reads files of measured forms, and writes the PTX that asks for one.
#include "vec.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "source_dir.h"

static PtxType type_named(const char *name) {
  for (int t = 1; t < PTX_TYPE_COUNT; t++)
    if (strcmp(ptx_type_name((PtxType)t), name) == 0) return (PtxType)t;
  return PTX_NOTYPE;
}

static bool copy(char *to, size_t room, const char *from) {
  size_t length = strlen(from);
  if (length >= room) return false;
  memcpy(to, from, length + 1);
  return true;
}

static bool read_types(VecForm *form, char *text) {
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
    if (form->sources == VEC_SOURCES) return false;
    form->in[form->sources] = type_named(word);
    if (!form->in[form->sources++]) return false;
  }
  return form->sources > 0;
}

static bool read_row(VecForm *form, int row, char *text) {
  if (row >= VEC_ROWS) return false;
  for (int s = 0; s < form->sources; s++) form->inputs[s][row] = strtoull(text, &text, 16);
  char *equals = strchr(text, '=');
  if (!equals) return false;
  form->outputs[row] = strtoull(equals + 1, NULL, 16);
  return true;
}

// One line of a file into the form that it belongs to.
static bool read_line(VecForm *form, int *row, char *line) {
  if (strncmp(line, "op ", 3) == 0) return copy(form->op, sizeof form->op, line + 3);
  if (strncmp(line, "in ", 3) == 0) return read_types(form, line + 3);
  if (strncmp(line, "out ", 4) == 0) return (form->out = type_named(line + 4)) != PTX_NOTYPE;
  if (strcmp(line, "end") == 0) return *row == VEC_ROWS;
  return *line == '\0' || read_row(form, (*row)++, line);
}

VecForm *vec_read(const char *path, int *count, LsErr *err) {
  FILE *file = fopen(path, "r");
  if (!file) {
    ls_fail(err, LS_EIO, "cannot open '%s'", path);
    return NULL;
  }
  VecForm *forms = NULL;
  int capacity = 0, row = 0, number = 0;
  char line[512];
  bool ok = true;
  *count = 0;
  while (ok && fgets(line, sizeof line, file)) {
    number++;
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "form ", 5) == 0) {
      VecForm form = {0};
      ok = copy(form.name, sizeof form.name, line + 5);
      LS_PUSH(forms, *count, capacity, form);
      row = 0;
    } else {
      ok = *count > 0 && read_line(&forms[*count - 1], &row, line);
    }
  }
  fclose(file);
  if (ok) return forms;
  ls_fail_at(err, LS_EPARSE, path, number, 0, "not a line of measured results: %s", line);
  free(forms);
  return NULL;
}

static int is_vec(const struct dirent *entry) {
  const char *dot = strrchr(entry->d_name, '.');
  return dot && strcmp(dot, ".vec") == 0;
}

char **vec_files(int *count) {
  struct dirent **entries = NULL;
  char *folder = ls_path_join(source_dir(), "tests/unit/sim/vectors");
  int n = scandir(folder, &entries, is_vec, alphasort);
  char **paths = calloc((size_t)(n > 0 ? n : 1), sizeof *paths);
  for (int i = 0; i < n; i++) {
    paths[i] = ls_path_join(folder, entries[i]->d_name);
    free(entries[i]);
  }
  free(folder);
  free(entries);
  *count = n > 0 ? n : 0;
  return paths;
}

// ---- the question as PTX -------------------------------------------------------------------------------------------

static int bits_of(PtxType type) { return 8 * ptx_type_size(type); }
static int reg_bits(PtxType type) { return bits_of(type) < 16 ? 16 : bits_of(type); }

void vec_ptx(const VecForm *form, LsText *out) {
  ls_text_addf(out, "// %s\n.version 8.6\n.target sm_90\n.address_size 64\n\n.visible .entry form(\n", form->name);
  for (int s = 0; s < form->sources; s++) ls_text_addf(out, "  .param .u64 in%d,\n", s);
  ls_text_add(out, "  .param .u64 result\n)\n{\n  .reg .b32 %thread;\n  .reg .b64 %index, %base, %place;\n");
  ls_text_addf(out, "  .reg .b%d %%d;\n", reg_bits(form->out));
  for (int s = 0; s < form->sources; s++) ls_text_addf(out, "  .reg .b%d %%%c;\n", reg_bits(form->in[s]), 'a' + s);
  ls_text_add(out, "\n  mov.u32 %thread, %tid.x;\n  cvt.u64.u32 %index, %thread;\n");
  for (int s = 0; s < form->sources; s++) {
    int size = ptx_type_size(form->in[s]);
    ls_text_addf(out, "  ld.param.u64 %%base, [in%d];\n  cvta.to.global.u64 %%base, %%base;\n", s);
    ls_text_addf(out, "  mad.lo.s64 %%place, %%index, %d, %%base;\n", size);
    char kind = form->in[s] == PTX_S8 ? 's' : size == 1 ? 'u' : 'b';
    ls_text_addf(out, "  ld.global.%c%d %%%c, [%%place];\n", kind, size * 8, 'a' + s);
  }
  ls_text_addf(out, "  %s\n", form->op);
  ls_text_add(out, "  ld.param.u64 %base, [result];\n  cvta.to.global.u64 %base, %base;\n");
  ls_text_addf(out, "  mad.lo.s64 %%place, %%index, %d, %%base;\n", ptx_type_size(form->out));
  int bits = bits_of(form->out);
  ls_text_addf(out, "  st.global.%c%d [%%place], %%d;\n  ret;\n}\n", bits == 8 ? 'u' : 'b', bits);
}
