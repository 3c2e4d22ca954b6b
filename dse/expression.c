#include "dse/expression.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/conf.h"
#include "base/text.h"
#include "dse/area.h"

enum { LONGEST = 1000, DEEPEST = 32 };

enum operation { PUSH_NUMBER, PUSH_PARAMETER, PUSH_AREA, ADD, SUBTRACT, MULTIPLY, DIVIDE };
enum comparison { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL };

/* Reverse Polish: an operation takes its operands from a stack. */
struct step {
  enum operation operation;
  double number;
  const struct param_row *row;
};

struct side {
  struct step *steps;
  size_t count, depth, deepest; /* of the stack */
};

struct expression {
  char *text;
  struct side left, right;
  enum comparison comparison;
};

struct parser {
  const char *text, *at;
  struct side *side;
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

/* One step per character of the text at most: the array was made for that. */
static int emit(struct parser *p, struct step step) {
  struct side *side = p->side;
  side->steps[side->count++] = step;
  side->depth += step.operation <= PUSH_AREA ? 1 : (size_t)-1;
  if (side->depth > side->deepest)
    side->deepest = side->depth;
  return 0;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static size_t word_length(const char *at) {
  size_t n = 0;
  while (is_letter(at[n]) || is_digit(at[n]) || at[n] == '.')
    n++;
  return n;
}

static int unknown_name(struct parser *p, const char *name) {
  const char **names = calloc(gpu_params.count + 2, sizeof *names);
  if (names == NULL)
    return error_set(p->error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < gpu_params.count; i++)
    names[i] = gpu_params.rows[i].key;
  names[gpu_params.count] = "area";
  const char *nearest = text_nearest(name, names);
  error_set(p->error, ERROR_INPUT, "unknown GPU parameter \"%s\"%s%s%s", name,
            nearest ? "; did you mean \"" : "; `reassemble params` lists all", nearest ? nearest : "",
            nearest ? "\"?" : "");
  free(names);
  return -1;
}

static int parse_word(struct parser *p) {
  char word[64];
  const size_t length = word_length(p->at);
  if (length >= sizeof word)
    return unexpected(p, "a shorter name or number");
  memcpy(word, p->at, length);
  word[length] = '\0';
  struct step step = {PUSH_NUMBER, 0, NULL};
  if (is_letter(word[0])) {
    step.row = params_find(&gpu_params, word);
    step.operation = step.row != NULL ? PUSH_PARAMETER : PUSH_AREA;
    if (step.row == NULL && strcmp(word, "area") != 0)
      return unknown_name(p, word);
  } else {
    const struct conf_node node = {.kind = CONF_SCALAR, .file = "", .text = word};
    if (conf_real(&node, 0, 1e18, &step.number, p->error) != 0)
      return -1;
  }
  p->at += length;
  return emit(p, step);
}

static int parse_sum(struct parser *p);

static int parse_operand(struct parser *p) {
  skip_spaces(p);
  if (is_letter(*p->at) || is_digit(*p->at))
    return parse_word(p);
  if (*p->at != '(')
    return unexpected(p, "a number, a GPU parameter or '('");
  if (++p->nesting > DEEPEST)
    return unexpected(p, "no more than 32 parentheses inside each other");
  p->at++;
  if (parse_sum(p) != 0)
    return -1;
  skip_spaces(p);
  if (*p->at != ')')
    return unexpected(p, "')'");
  p->at++;
  p->nesting--;
  return 0;
}

static int parse_product(struct parser *p) {
  if (parse_operand(p) != 0)
    return -1;
  for (skip_spaces(p); *p->at == '*' || *p->at == '/'; skip_spaces(p)) {
    const enum operation operation = *p->at++ == '*' ? MULTIPLY : DIVIDE;
    if (parse_operand(p) != 0 || emit(p, (struct step){operation, 0, NULL}) != 0)
      return -1;
  }
  return 0;
}

static int parse_sum(struct parser *p) {
  if (parse_product(p) != 0)
    return -1;
  for (skip_spaces(p); *p->at == '+' || *p->at == '-'; skip_spaces(p)) {
    const enum operation operation = *p->at++ == '+' ? ADD : SUBTRACT;
    if (parse_product(p) != 0 || emit(p, (struct step){operation, 0, NULL}) != 0)
      return -1;
  }
  return 0;
}

static int parse_comparison(struct parser *p, enum comparison *out) {
  static const struct {
    const char *text;
    enum comparison comparison;
  } all[] = {{"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"==", EQUAL}, {"!=", NOT_EQUAL}, {"<", LESS}, {">", GREATER}};
  skip_spaces(p);
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    const size_t length = strlen(all[i].text);
    if (strncmp(p->at, all[i].text, length) != 0)
      continue;
    p->at += length;
    *out = all[i].comparison;
    return 0;
  }
  return unexpected(p, "one of < <= > >= == !=");
}

static int parse(struct expression *e, struct error *error) {
  struct parser p = {.text = e->text, .at = e->text, .side = &e->left, .error = error};
  if (parse_sum(&p) != 0 || parse_comparison(&p, &e->comparison) != 0)
    return -1;
  p.side = &e->right;
  if (parse_sum(&p) != 0)
    return -1;
  skip_spaces(&p);
  return *p.at == '\0' ? 0 : unexpected(&p, "the end");
}

int expression_compile(const char *text, struct expression **out, struct error *error) {
  *out = NULL;
  const size_t length = strlen(text);
  if (length > LONGEST)
    return error_set(error, ERROR_INPUT, "found %zu characters, allowed at most %d", length, LONGEST);
  struct expression *e = calloc(1, sizeof *e);
  if (e == NULL || !(e->text = strdup(text)) || !(e->left.steps = calloc(length + 1, sizeof *e->left.steps)) ||
      !(e->right.steps = calloc(length + 1, sizeof *e->right.steps))) {
    expression_destroy(e);
    return error_set(error, ERROR_WORK, "out of memory");
  }
  if (parse(e, error) != 0) {
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
  default:
    return a / b;
  }
}

static double value_of(const struct side *side, const struct gpu_spec *spec) {
  double stack[LONGEST];
  size_t depth = 0;
  assert(side->deepest <= LONGEST);
  for (size_t i = 0; i < side->count; i++) {
    const struct step *step = &side->steps[i];
    if (step->operation == PUSH_NUMBER) {
      stack[depth++] = step->number;
    } else if (step->operation == PUSH_PARAMETER) {
      stack[depth++] = params_get_number(step->row, spec);
    } else if (step->operation == PUSH_AREA) {
      stack[depth++] = area_proxy(spec);
    } else {
      depth--;
      stack[depth - 1] = apply(step->operation, stack[depth - 1], stack[depth]);
    }
  }
  assert(depth == 1);
  return stack[0];
}

bool expression_holds(const struct expression *expression, const struct gpu_spec *spec) {
  const double a = value_of(&expression->left, spec), b = value_of(&expression->right, spec);
  switch (expression->comparison) {
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
  case NOT_EQUAL:
    return a != b;
  }
  return false;
}

const char *expression_text(const struct expression *expression) {
  return expression->text;
}

void expression_destroy(struct expression *expression) {
  if (expression == NULL)
    return;
  free(expression->left.steps);
  free(expression->right.steps);
  free(expression->text);
  free(expression);
}
