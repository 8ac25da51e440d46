// loop.c: the stack of pages between the keys and the screen.
#include <signal.h>
#include <stdlib.h>
#include "base/clock.h"
#include "base/mem.h"
#include "ui/pages/page.h"

static const double LONGEST_WITHOUT_TICK = 0.1;   // seconds

typedef struct Stack { Page **pages; int count, capacity; LsErr *parting; } Stack;

static Page *top_of(const Stack *stack) { return stack->count ? stack->pages[stack->count - 1] : NULL; }

static void pop(Stack *stack) {
  Page *page = stack->pages[--stack->count];
  free(stack->parting);
  stack->parting = page->parting;
  free(page->shell);
  free(page->copy);
  page->class->free(page);
}

// Follows what pages asked for; true if another page is on top now.
static bool settle(Stack *stack) {
  Page *before = top_of(stack);
  for (Page *page = before; page; page = top_of(stack)) {
    if (page->open) {
      Page *opened = page->open;
      page->open = NULL;
      opened->lowest = page->lowest && page->closed;
      LS_PUSH(stack->pages, stack->count, stack->capacity, opened);
    } else if (page->closed) {
      pop(stack);
    } else {
      break;
    }
  }
  return top_of(stack) != before;
}

static void show(Page *page, Term *term, const TermOptions *options, Canvas **canvas) {
  int cols, rows;
  term_size(term, &cols, &rows);
  if ((*canvas)->cols != cols || (*canvas)->rows != rows) {
    canvas_free(*canvas);
    *canvas = canvas_new(cols, rows);
  }
  (*canvas)->ascii = term_ascii(term);
  (*canvas)->stage = options->stage;
  page_draw(page, *canvas);
  term_draw(term, *canvas);
}

// All keys that are there, so that a held key never queues up behind drawing.
static bool take_keys(Stack *stack, Term *term, int timeout_ms) {
  bool changed = false;
  AppKey key;
  for (bool got = term_key(term, timeout_ms, &key); got && top_of(stack); got = term_key(term, 0, &key)) {
    Page *page = top_of(stack);
    if (key.code == KEYX_RESIZE || key.code == KEY_CTRL_L_) changed = true;
    else if (page->class->key(page, key)) changed = true;
    if (settle(stack)) changed = true;
  }
  return changed;
}

static bool listens(const Page *page) { return page->ticking || page->watch_fd || page->period_ms; }

static bool tick(Stack *stack, double *last) {
  Page *page = top_of(stack);
  double time = ls_clock(), seconds = time - *last;
  *last = time;
  if (!page || !page->class->tick || !listens(page)) return false;
  bool changed = page->class->tick(page, seconds);
  return settle(stack) || changed;
}

// Another program has the terminal until it ends; the page looks what came of it.
static bool serve(Stack *stack, Term *term) {
  Page *page = top_of(stack);
  char *shell = page ? page->shell : NULL, *copy = page ? page->copy : NULL;
  if (!shell && !copy) return false;
  page->shell = page->copy = NULL;
  if (copy) term_copy(term, copy);
  if (shell) page->shell_status = term_lend(term, shell);
  if (shell && page->class->tick) page->class->tick(page, 0);
  free(shell);
  free(copy);
  settle(stack);
  return true;
}

// Whether Ctrl-C was for the work of a page, and not for the program.
static bool interrupt(Stack *stack, Term *term) {
  Page *page = top_of(stack);
  if (!page || term_ending(term) != SIGINT || !page->cancels) return false;
  term_go_on(term);
  page->class->key(page, (AppKey){.code = KEY_ESC_});
  settle(stack);
  return true;
}

static int patience(const Page *page) { return page->ticking ? PAGE_FRAME_MS : page->period_ms ? page->period_ms : -1; }

// What the last page said when it closed is what the program says.
static int take_parting(Stack *stack, LsErr *err) {
  if (!stack->parting) return 0;
  if (err) *err = *stack->parting;
  free(stack->parting);
  stack->parting = NULL;
  return -1;
}

int ui_run(Page *first, const TermOptions *options, LsErr *err) {
  Stack stack = {0};
  LS_PUSH(stack.pages, stack.count, stack.capacity, first);
  first->lowest = true;
  Term *term = term_open(options, err);
  Canvas *canvas = canvas_new(1, 1);
  bool changed = term != NULL;
  bool moved = false;   // the clock changed the picture: that frame may wait until the line has taken the one before
  for (double last = ls_clock(); term && (!term_ending(term) || interrupt(&stack, term)) && top_of(&stack);) {
    if (changed || (moved && !term_is_behind(term))) {
      show(top_of(&stack), term, options, &canvas);
      moved = false;
    }
    if (!top_of(&stack)->ticking) last = ls_clock();
    term_listen(term, top_of(&stack)->watch_fd);
    changed = take_keys(&stack, term, moved ? PAGE_FRAME_MS : patience(top_of(&stack)));
    if (serve(&stack, term)) changed = true;
    // What a key changed is drawn before a tick takes its time, but keys held down do not stop the clock.
    if ((!changed || ls_clock() - last > LONGEST_WITHOUT_TICK) && tick(&stack, &last)) moved = true;
  }
  int status = !term ? -1 : term_ending(term) ? 128 + term_ending(term) : take_parting(&stack, err);
  while (stack.count) pop(&stack);
  free(stack.parting);
  free(stack.pages);
  canvas_free(canvas);
  term_close(term);
  return status;
}
