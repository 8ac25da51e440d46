// judged.c: judged answers as rows of the database of progress.
#include "app/course/judged.h"

void judged_add(Progress *progress, const char *family, const LessonWriting *writing, int64_t at) {
  LsText marks = {0};
  writing_marks(writing, &marks);
  StoreValue values[] = {store_text(family), store_integer(at), store_text(writing->text),
                         store_text(ls_text_str(&marks)), store_real(writing_score(writing)),
                         store_integer(writing->point_count), store_integer(writing_word_count(writing->text))};
  store_change(progress_store(progress),
               "insert into judged values (null, random() & 0x7fffffffffffffff, ?1, ?2, ?3, ?4, ?5, ?6, ?7)", values,
               LS_COUNT(values));
  ls_text_free(&marks);
}

// The rows come with the last one first.
static bool take_last(void *context, const StoreValue *row) {
  JudgedAnswer *answer = context;
  if (!answer->count++)
    *answer = (JudgedAnswer){1, row[0].real, (int)row[1].integer, (int)row[2].integer, row[3].integer};
  return true;
}

bool judged_last(Progress *progress, const char *family, JudgedAnswer *answer) {
  StoreValue values[] = {store_text(family)};
  *answer = (JudgedAnswer){0};
  store_ask(progress_store(progress),
            "select points, most, words, at from judged where family = ?1 order by place desc", values, 1, take_last,
            answer);
  return answer->count > 0;
}

static bool take_any(void *context, const StoreValue *row) {
  (void)row;
  return *(bool *)context = true, false;
}

bool judged_has(Progress *progress, const char *family, const LessonWriting *writing) {
  LsText marks = {0};
  bool any = false;
  writing_marks(writing, &marks);
  StoreValue values[] = {store_text(family), store_text(writing->text), store_text(ls_text_str(&marks))};
  store_ask(progress_store(progress), "select 1 from judged where family = ?1 and text = ?2 and marks = ?3", values,
            LS_COUNT(values), take_any, &any);
  ls_text_free(&marks);
  return any;
}

typedef struct Telling { JudgedEach *each; void *context; } Telling;

static bool tell(void *context, const StoreValue *row) {
  const Telling *telling = context;
  return telling->each(telling->context, row[0].text, row[1].text, row[2].text);
}

void judged_each(Progress *progress, JudgedEach *each, void *context) {
  Telling telling = {each, context};
  store_ask(progress_store(progress),
            "select family, text, marks from judged where place in (select max(place) from judged group by family)"
            " order by family",
            NULL, 0, tell, &telling);
}
