/* Runs the program ($REASSEMBLE_PROGRAM) in the test's folder and takes its JSON apart: what the tests of --json share.
 * Whatever is not as asked for fails the test. Strings and lists are borrowed from the document. */
#ifndef CLI_JSON_DOCUMENTS_H
#define CLI_JSON_DOCUMENTS_H

#include <stddef.h>

#include <jansson.h>

struct outcome {
  int code;
  char *out, *err;
};

char *contents(const char *path);
struct outcome run(const char *arguments);
void clear(struct outcome *outcome);
json_t *parse(const char *text);
/* A quiet run that succeeds: one document on stdout, nothing on stderr. */
json_t *document(const char *arguments, const char *schema);
double number(const json_t *object, const char *key);
json_int_t whole(const json_t *object, const char *key);
const char *text(const json_t *object, const char *key);
const json_t *list(const json_t *object, const char *key, size_t least);
/* Adds in the order in which the numbers are printed. */
double sum_of(json_t *stack);
void check_simulated(const json_t *kernel);
void write_text(const char *path, const char *text);
double mape_of(const json_t *row, const char *sample);

#endif
