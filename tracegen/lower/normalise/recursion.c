/* A check for recursion, which OpenCL C does not have (section 6.9.i). It runs before optimisation, which turns some
 * recursion into loops: a depth-first walk over the functions that the kernel calls finds a call of a function that
 * is on the path. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/ir/source_line.h"
#include "tracegen/lower/normalise/normalise.h"

enum visit { ON_PATH = 1, DONE };

struct step {
  LLVMValueRef function, next; /* next: the instruction to examine next */
};

struct walk {
  struct lowering *l;
  struct value_map visited;
  struct step *path;
  size_t length;
};

static int enter(struct walk *w, LLVMValueRef function) {
  if (!array_room_for_one(&w->path, w->length, sizeof *w->path))
    return lower_no_memory(w->l);
  w->path[w->length++] = (struct step){function, ir_first(function)};
  return value_map_put(&w->visited, function, ON_PATH) ? 0 : lower_no_memory(w->l);
}

static int report(struct walk *w, LLVMValueRef call, LLVMValueRef callee) {
  char caller_name[64], callee_name[64], file[512];
  LLVMValueRef caller = w->path[w->length - 1].function;
  builtin_name(caller, caller_name, sizeof caller_name);
  builtin_name(callee, callee_name, sizeof callee_name);
  const unsigned line = source_place(w->l, call, file, sizeof file);
  return error_at(w->l->error, ERROR_WORK, file, line, 0, NULL,
                  "kernel %s: function %s calls %s%s; OpenCL C has no recursion, use a loop", w->l->program->name,
                  caller_name, caller == callee ? "itself" : callee_name,
                  caller == callee ? "" : ", which it was called by");
}

static int follow_call(struct walk *w, LLVMValueRef call) {
  LLVMValueRef callee = ir_callee(call);
  uint32_t state;
  if (!callee || LLVMIsDeclaration(callee))
    return 0;
  if (!value_map_get(&w->visited, callee, &state))
    return enter(w, callee);
  return state == ON_PATH ? report(w, call, callee) : 0;
}

static int walk(struct walk *w) {
  if (enter(w, w->l->kernel))
    return -1;
  while (w->length) {
    struct step *top = &w->path[w->length - 1];
    LLVMValueRef i = top->next;
    if (!i) {
      value_map_put(&w->visited, top->function, DONE); /* the key exists, so no memory is needed */
      w->length--;
      continue;
    }
    top->next = ir_next(i);
    if (follow_call(w, i))
      return -1;
  }
  return 0;
}

int recursion_refuse(struct lowering *l) {
  struct walk w = {.l = l};
  const int status = walk(&w);
  value_map_clear(&w.visited);
  free(w.path);
  return status;
}
