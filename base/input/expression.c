/* A recursive-descent parser writes an expression in reverse Polish notation, which is evaluated on a stack. */
#include "base/input/expression.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/conf.h"

enum { LONGEST = 1000, DEEPEST = 32 };

enum operation {
  PUSH_NUMBER,
  PUSH_NAME,
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  REMAINDER,
  LESS,
  LESS_EQUAL,
  GREATER,
  GREATER_EQUAL,
  EQUAL,
  NOT_EQUAL
};

struct step {
  enum operation operation;
  double number;
  size_t index; /* index of a name */
};

struct expression {
  char *text;
  struct step *steps; /* one per character of the text at most */
  size_t count;
};

struct parser {
  const char *text, *at;
  struct expression *expression;
  const struct expression_names *names;
  int nesting;
  struct error *error;
};

static void skip_spaces(struct parser *p) {
  while (*p->at == ' ')
    p->at++;
}

static int unexpected(struct parser *p, const char *expected) {
  if (*p->at == '\0')
    return error_set(p->error, ERROR_INPUT, "\"%s\" ends where %s is expected", p->text, expected);
  return error_set(p->error, ERROR_INPUT, "\"%s\": character %zu is '%c', expected %s", p->text,
                   (size_t)(p->at - p->text) + 1, *p->at, expected);
}

static int emit(struct parser *p, struct step step) {
  p->expression->steps[p->expression->count++] = step;
  return 0;
}

static bool starts_name(char c) {
  return isalpha((unsigned char)c) || c == '_';
}

static bool is_word(char c) {
  return starts_name(c) || isdigit((unsigned char)c) || c == '.';
}

static int parse_word(struct parser *p) {
  char word[64];
  size_t length = 0;
  while (is_word(p->at[length]))
    length++;
  if (length >= sizeof word)
    return unexpected(p, "a shorter name or number");
  memcpy(word, p->at, length);
  word[length] = '\0';
  struct step step = {PUSH_NUMBER, 0, 0};
  if (starts_name(word[0])) {
    step.operation = PUSH_NAME;
    if (p->names->find(p->names->user, word, &step.index, p->error))
      return -1;
  } else {
    const struct conf_node node = {.kind = CONF_SCALAR, .file = "", .text = word};
    if (conf_real(&node, 0, 1e18, &step.number, p->error))
      return -1;
  }
  p->at += length;
  return emit(p, step);
}

static int parse_sum(struct parser *p);

static int parse_operand(struct parser *p) {
  skip_spaces(p);
  if (starts_name(*p->at) || isdigit((unsigned char)*p->at))
    return parse_word(p);
  if (*p->at != '(') {
    char expected[64];
    snprintf(expected, sizeof expected, "a number, %s or '('", p->names->noun);
    return unexpected(p, expected);
  }
  if (++p->nesting > DEEPEST)
    return unexpected(p, "no more than 32 parentheses inside each other");
  p->at++;
  if (parse_sum(p))
    return -1;
  skip_spaces(p);
  if (*p->at != ')')
    return unexpected(p, "')'");
  p->at++;
  p->nesting--;
  return 0;
}

/* Returns the operation that the next character of `letters` stands for (`operations` has the same order), or -1. */
static int next_operation(struct parser *p, const char *letters, const enum operation *operations) {
  skip_spaces(p);
  const char *found = *p->at ? strchr(letters, *p->at) : NULL;
  if (!found)
    return -1;
  p->at++;
  return (int)operations[found - letters];
}

static int parse_product(struct parser *p) {
  static const enum operation operations[] = {MULTIPLY, DIVIDE, REMAINDER};
  if (parse_operand(p))
    return -1;
  for (int operation; (operation = next_operation(p, "*/%", operations)) >= 0;)
    if (parse_operand(p) || emit(p, (struct step){(enum operation)operation, 0, 0}))
      return -1;
  return 0;
}

static int parse_sum(struct parser *p) {
  static const enum operation operations[] = {ADD, SUBTRACT};
  if (parse_product(p))
    return -1;
  for (int operation; (operation = next_operation(p, "+-", operations)) >= 0;)
    if (parse_product(p) || emit(p, (struct step){(enum operation)operation, 0, 0}))
      return -1;
  return 0;
}

static int parse_comparison(struct parser *p) {
  static const struct {
    const char *text;
    enum operation operation;
  } all[] = {{"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"==", EQUAL}, {"!=", NOT_EQUAL}, {"<", LESS}, {">", GREATER}};
  skip_spaces(p);
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    const size_t length = strlen(all[i].text);
    if (strncmp(p->at, all[i].text, length) != 0)
      continue;
    p->at += length;
    return parse_sum(p) ? -1 : emit(p, (struct step){all[i].operation, 0, 0});
  }
  return unexpected(p, "one of < <= > >= == !=");
}

static int parse(struct expression *e, enum expression_form form, const struct expression_names *names,
                 struct error *error) {
  struct parser p = {.text = e->text, .at = e->text, .expression = e, .names = names, .error = error};
  if (parse_sum(&p) || (form == EXPRESSION_COMPARISON && parse_comparison(&p)))
    return -1;
  skip_spaces(&p);
  return *p.at == '\0' ? 0 : unexpected(&p, "the end");
}

int expression_compile(const char *text, enum expression_form form, const struct expression_names *names,
                       struct expression **out, struct error *error) {
  *out = NULL;
  const size_t length = strlen(text);
  if (length > LONGEST)
    return error_set(error, ERROR_INPUT, "found %zu characters, allowed at most %d", length, LONGEST);
  struct expression *e = calloc(1, sizeof *e);
  if (!e || !(e->text = strdup(text)) || !(e->steps = calloc(length + 1, sizeof *e->steps))) {
    expression_destroy(e);
    return error_no_memory(error);
  }
  if (parse(e, form, names, error)) {
    expression_destroy(e);
    return -1;
  }
  *out = e;
  return 0;
}

static double apply(enum operation operation, double a, double b) {
  switch (operation) {
  case ADD:
    return a + b;
  case SUBTRACT:
    return a - b;
  case MULTIPLY:
    return a * b;
  case DIVIDE:
    return a / b;
  case REMAINDER:
    return fmod(a, b);
  case LESS:
    return a < b;
  case LESS_EQUAL:
    return a <= b;
  case GREATER:
    return a > b;
  case GREATER_EQUAL:
    return a >= b;
  case EQUAL:
    return a == b;
  default:
    return a != b;
  }
}

double expression_value(const struct expression *expression, double (*value)(const void *user, size_t index),
                        const void *user) {
  double stack[LONGEST + 1];
  size_t depth = 0;
  for (size_t i = 0; i < expression->count; i++) {
    const struct step *step = &expression->steps[i];
    if (step->operation == PUSH_NUMBER) {
      stack[depth++] = step->number;
    } else if (step->operation == PUSH_NAME) {
      stack[depth++] = value(user, step->index);
    } else {
      depth--;
      stack[depth - 1] = apply(step->operation, stack[depth - 1], stack[depth]);
    }
  }
  assert(depth == 1);
  return stack[0];
}

const char *expression_text(const struct expression *expression) {
  return expression->text;
}

void expression_destroy(struct expression *expression) {
  if (!expression)
    return;
  free(expression->steps);
  free(expression->text);
  free(expression);
}
