/* Runs a target on kept inputs, and on random changes of them: fuzz TARGET CHANGES DICTIONARY FILE...
 *
 * A crash or a hang is the failure. The input of the present run is in the file "fuzz-input", so that one that crashed
 * can be looked at and kept. The changes are the same in every run; $REASSEMBLE_TEST_ROUNDS multiplies them. */
#include "fuzz_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/random.h"
#include "rounds.h"

enum { MOST_INPUTS = 4096, MOST_TOKENS = 512, TIME_LIMIT_S = 300 };

struct input {
  char *data;
  size_t size;
};

static struct input inputs[MOST_INPUTS], tokens[MOST_TOKENS];
static size_t input_count, token_count;
static struct random_state state = {1};

static size_t below(size_t limit) {
  return limit > 0 ? random_below(&state, (uint32_t)limit) : 0;
}

/* A line of a dictionary is a token in quotes, with \xHH for bytes and \n. */
static void read_dictionary(const char *path) {
  char line[256];
  FILE *file = fopen(path, "r");
  while (file && token_count < MOST_TOKENS && fgets(line, sizeof line, file)) {
    char *token = calloc(1, sizeof line);
    size_t size = 0;
    unsigned byte;
    if (line[0] != '"' || !token) {
      free(token);
      continue;
    }
    for (const char *c = line + 1; *c && *c != '"'; c++)
      if (sscanf(c, "\\x%2x", &byte) == 1) {
        token[size++] = (char)byte;
        c += 3;
      } else if (*c == '\\' && c[1])
        token[size++] = *++c == 'n' ? '\n' : *c;
      else
        token[size++] = *c;
    tokens[token_count++] = (struct input){token, size};
  }
  if (file)
    fclose(file);
}

static void read_input(const char *path) {
  struct input *input = &inputs[input_count];
  if (input_count == MOST_INPUTS || file_read(path, 64u << 20, &input->data, &input->size, NULL) != 0) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(2);
  }
  input_count++;
}

/* Replaces bytes from..to by others. */
static void splice(struct input *in, size_t from, size_t to, const char *with, size_t size) {
  char *data = malloc(in->size - (to - from) + size + 1);
  if (!data)
    abort();
  memcpy(data, in->data, from);
  memcpy(data + from, with, size);
  memcpy(data + from + size, in->data + to, in->size - to);
  free(in->data);
  in->data = data;
  in->size = in->size - (to - from) + size;
}

static void change(struct input *in) {
  static const char *const numbers[] = {
      "0", "-1", "1e999", "18446744073709551616", "4294967295", "nan", "0x7fffffffffffffff"};
  const size_t from = below(in->size + 1), to = from + below(in->size - from + 1 < 32 ? in->size - from + 1 : 32);
  const struct input *other = &inputs[below(input_count)];
  const size_t start = below(other->size), length = below(other->size - start < 64 ? other->size - start : 64);
  const char *number = numbers[below(sizeof numbers / sizeof numbers[0])], byte = (char)below(256);
  switch (below(7)) {
  case 0: /* another byte */
    splice(in, from, from < in->size ? from + 1 : from, &byte, 1);
    break;
  case 1:
    splice(in, from, to, "", 0);
    break;
  case 2:
    splice(in, from, from, other->data + start, length);
    break;
  case 3:
    splice(in, from, to, other->data + start, length);
    break;
  case 4:
    splice(in, from, to, number, strlen(number));
    break;
  case 5:
    if (token_count > 0)
      splice(in, from, below(2) ? to : from, tokens[from % token_count].data, tokens[from % token_count].size);
    break;
  default: /* cut off */
    in->size = from;
  }
}

static void run(const struct fuzz_target *target, const struct input *input) {
  FILE *kept = fopen("fuzz-input", "w");
  if (!kept || fwrite(input->data, 1, input->size, kept) != input->size || fclose(kept) != 0)
    abort();
  alarm(TIME_LIMIT_S);
  target->run((const uint8_t *)input->data, input->size);
  alarm(0);
}

static void run_changed(const struct fuzz_target *target) {
  const struct input *from = &inputs[below(input_count)];
  struct input changed = {malloc(from->size + 1), from->size};
  if (!changed.data)
    abort();
  memcpy(changed.data, from->data, from->size);
  for (size_t i = 1 + below(4); i > 0; i--)
    change(&changed);
  if (changed.size > target->most_bytes)
    changed.size = target->most_bytes;
  run(target, &changed);
  free(changed.data);
}

int main(int argc, char **argv) {
  const struct fuzz_target *target = argc > 4 ? fuzz_target_find(argv[1]) : NULL;
  if (!target) {
    fprintf(stderr, "usage: fuzz TARGET CHANGES DICTIONARY FILE...\n");
    return 2;
  }
  const uint32_t changes = rounds((unsigned)atoi(argv[2]));
  const double start = clock_seconds();
  read_dictionary(argv[3]);
  for (int i = 4; i < argc; i++)
    read_input(argv[i]);
  for (size_t i = 0; i < input_count; i++)
    run(target, &inputs[i]);
  for (unsigned i = 0; i < changes; i++)
    run_changed(target);
  printf("%s: %zu kept inputs and %u changes in %.1f s\n", target->name, input_count, changes, clock_seconds() - start);
  return 0;
}
