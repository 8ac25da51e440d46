// launch_fields.c: the field that has the cursor, and all of them as a command line.
#include <stdlib.h>

#include "base/mem.h"
#include "ui/pages/launch_page.h"

int launch_field(const LaunchPage *self) {
  int field = form_field(&self->form, self->row, self->nth);
  return field >= 0 ? field : form_field(&self->form, self->row, 0);
}

bool launch_takes_letters(const LaunchPage *self) {
  const Field *field = &self->form.fields[launch_field(self)];
  return field->kind == FIELD_TEXT || (field->kind == FIELD_INIT && ls_starts_with(field->text, "file:"));
}

void launch_line(const LaunchPage *self, LsText *out, int width) {
  FormWords words;
  LsText file = {0};
  form_words(&self->form, self->file->kernels->count > 1, &words);
  launch_quote(self->request.what, &file);
  ls_text_addf(out, "lanescope %s %s", self->command, ls_text_str(&file));
  int indent = LS_MIN(ls_utf8_width(ls_text_str(out)) + 1, LS_MAX(width / 3, 4)), at = ls_utf8_width(ls_text_str(out));
  for (int i = 0; i < words.count; i++) {
    int w = ls_utf8_width(words.items[i]) + 1;
    if (width && at + w + 2 > width && at > indent) {
      ls_text_addf(out, " \\\n%*s", indent - 1, "");
      at = indent - 1;
    }
    ls_text_addf(out, " %s", words.items[i]);
    at += w;
  }
  form_words_free(&words);
  ls_text_free(&file);
}
