/* Random kernels through the emulator and through another OpenCL: see usage below and tests/README.md. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "compare.h"
#include "program.h"
#include "rounds.h"

#define KERNELS_IN_A_PROGRAM 25
#define SHRINK_ATTEMPTS      400
#define MOST_FAILURES        5 /* then it stops: they are likely the same */

/* PoCL 3.1's optimiser breaks a few kernels: they do not end, crash or differ, and agree with -cl-opt-disable. More of
 * them than this share would be a mistake of the generator. */
#define MOST_EXCUSED(kernels) (1 + (kernels) / 100)

struct settings {
  uint64_t seed;
  uint32_t count;
  bool forever, print;
  const char *keep;           /* folder for failing cases */
  const char *kept;           /* run the cases of this folder instead */
  const char *opencl_options; /* for OpenCL's side only: a difference on purpose */
  char scratch[64];
};

static int usage(void) {
  fprintf(stderr, "usage: differential [--seed N] [--count KERNELS] [--forever] [--print] [--keep FOLDER]\n"
                  "                    [--opencl-options TEXT]\n"
                  "       differential --kept FOLDER\n"
                  "  --seed N          where the random kernels start (default 1)\n"
                  "  --count KERNELS   how many (default 500 times $REASSEMBLE_TEST_ROUNDS)\n"
                  "  --forever         go on with seed N+1, N+2, ... until a kernel fails\n"
                  "  --print           print the kernels instead of running them\n"
                  "  --keep FOLDER     where a failing kernel is kept, shrunk, as NAME.cl and NAME.yaml\n"
                  "  --opencl-options  build options for OpenCL's side only: a difference on purpose\n"
                  "  --kept FOLDER     run the workloads of a folder on both sides\n");
  return 2;
}

static char *in_scratch(const struct settings *s, const char *name) {
  return text_format("%s/%s", s->scratch, name);
}

/* Writes kernels [from, from + count) as FOLDER/NAME.cl and .yaml; returns the workload's path. */
static char *write_case(struct program *p, uint32_t from, uint32_t count, const char *folder, const char *name,
                        const char *about, uint64_t seed) {
  char *source = text_format("%s/%s.cl", folder, name), *workload = text_format("%s/%s.yaml", folder, name);
  char *file = text_format("%s.cl", name);
  FILE *out = source ? fopen(source, "w") : NULL;
  FILE *yaml = workload ? fopen(workload, "w") : NULL;
  if (!out || !yaml || !file) {
    fprintf(stderr, "differential: cannot write %s/%s.cl and .yaml\n", folder, name);
    exit(1);
  }
  program_print(p, from, count, out);
  program_print_workload(p, from, count, name, file, about, seed, yaml);
  if (fclose(out) | fclose(yaml)) {
    fprintf(stderr, "differential: cannot write %s\n", workload);
    exit(1);
  }
  free(source);
  free(file);
  return workload;
}

struct trial {
  const struct settings *settings;
  struct program *program;
  uint32_t kernel;
  uint64_t seed;
  const struct outcome *wanted;
};

static void run_kernels(const struct settings *s, struct program *p, uint32_t from, uint32_t count, uint64_t seed,
                        struct outcome *out) {
  char *path = write_case(p, from, count, s->scratch, "random", "random kernels", seed);
  compare_workload_file(path, s->scratch, s->opencl_options, out);
  free(path);
}

static bool fails_alike(void *user) {
  const struct trial *t = user;
  struct outcome out;
  run_kernels(t->settings, t->program, t->kernel, 1, t->seed, &out);
  return out.kind == t->wanted->kind && strcmp(out.start, t->wanted->start) == 0;
}

static const char *const outcome_words[] = {"agrees",
                                            "differs",
                                            "is refused by the emulator",
                                            "leaves a bad trace",
                                            "is refused by OpenCL",
                                            "does not end in OpenCL"};

static void keep(const struct settings *s, struct program *p, uint32_t k, uint64_t seed, const struct outcome *first) {
  struct trial trial = {.settings = s, .program = p, .kernel = k, .seed = seed, .wanted = first};
  const uint32_t number = p->kernels[k].number;
  printf("seed %" PRIu64 ", kernel %u %s: %s\n", seed, number, outcome_words[first->kind], first->text);
  printf("  repeat: differential --seed %" PRIu64 " --count %u\n", seed, number + 1);
  const uint32_t attempts = program_shrink(p, &p->kernels[k], fails_alike, &trial, SHRINK_ATTEMPTS);
  char *name = text_format("seed-%" PRIu64 "-kernel-%u", seed, number);
  char *about = text_format("Shrunk from a random kernel that %s", outcome_words[first->kind]);
  char *path = write_case(p, k, 1, s->keep ? s->keep : s->scratch, name, about, seed);
  struct outcome last;
  compare_workload_file(path, s->scratch, s->opencl_options, &last);
  printf("  shrunk in %u trials and kept as %s: %s\n", attempts, path, last.text);
  fflush(stdout);
  free(path);
  free(name);
  free(about);
}

/* Without its optimiser OpenCL gives what the emulator gave: the two forms of one OpenCL contradict each other, and the
 * emulator is not to blame. Not asked where options were given: they change OpenCL's side on purpose. */
static bool agrees_unoptimised(const struct settings *s, struct program *p, uint32_t k, uint64_t seed) {
  struct settings unoptimised = *s;
  struct outcome out;
  if (s->opencl_options)
    return false;
  unoptimised.opencl_options = "-cl-opt-disable";
  run_kernels(&unoptimised, p, k, 1, seed, &out);
  return out.kind == OUTCOME_AGREE;
}

static bool may_be_excused(enum outcome_kind kind) {
  return kind == OUTCOME_DIFFER || kind == OUTCOME_OPENCL_ENDLESS || kind == OUTCOME_OPENCL_FAILS;
}

/* Kernels of a program one by one; the number that fail. */
static uint32_t find_failures(const struct settings *s, struct program *p, uint64_t seed, uint32_t most,
                              uint32_t *excused) {
  uint32_t failures = 0;
  for (uint32_t k = 0; k < p->kernel_count && failures < most; k++) {
    struct outcome out;
    run_kernels(s, p, k, 1, seed, &out);
    if (out.kind == OUTCOME_AGREE)
      continue;
    if (may_be_excused(out.kind) && agrees_unoptimised(s, p, k, seed)) {
      printf("seed %" PRIu64 ", kernel %u %s, but agrees with -cl-opt-disable: OpenCL's optimiser is at fault\n", seed,
             p->kernels[k].number, outcome_words[out.kind]);
      (*excused)++;
      continue;
    }
    keep(s, p, k, seed, &out);
    failures++;
  }
  return failures;
}

static uint32_t test_program(const struct settings *s, uint64_t seed, uint32_t first, uint32_t count, uint32_t most,
                             uint32_t *excused) {
  struct program p = {0};
  struct outcome out;
  uint32_t failures = 0;
  program_generate(&p, seed, first, count);
  if (s->print)
    program_print(&p, 0, count, stdout);
  else {
    run_kernels(s, &p, 0, count, seed, &out);
    if (out.kind != OUTCOME_AGREE) {
      const uint32_t before = *excused;
      failures = find_failures(s, &p, seed, most, excused);
      if (!failures && *excused == before) {
        printf("seed %" PRIu64 ", kernels %u to %u fail only together: %s\n", seed, first, first + count - 1, out.text);
        failures = 1;
      }
    }
  }
  program_clear(&p);
  return failures;
}

static uint32_t test_seed(const struct settings *s, uint64_t seed) {
  uint32_t failures = 0, excused = 0;
  for (uint32_t first = 0; first < s->count && failures < MOST_FAILURES; first += KERNELS_IN_A_PROGRAM) {
    const uint32_t left = s->count - first;
    failures += test_program(s, seed, first, left < KERNELS_IN_A_PROGRAM ? left : KERNELS_IN_A_PROGRAM,
                             MOST_FAILURES - failures, &excused);
  }
  if (!s->print)
    printf("seed %" PRIu64 ": %u kernels, %u failed, %u that OpenCL's optimiser breaks\n", seed, s->count, failures,
           excused);
  fflush(stdout);
  return failures || excused <= MOST_EXCUSED(s->count) ? failures : excused;
}

static bool is_workload(const char *name) {
  const size_t length = strlen(name);
  return length > 5 && strcmp(name + length - 5, ".yaml") == 0;
}

static int test_kept(const struct settings *s) {
  DIR *folder = opendir(s->kept);
  uint32_t count = 0, failures = 0;
  if (!folder) {
    fprintf(stderr, "differential: cannot read folder %s\n", s->kept);
    return 2;
  }
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (!is_workload(entry->d_name))
      continue;
    char *path = text_format("%s/%s", s->kept, entry->d_name);
    struct outcome out;
    compare_workload_file(path, s->scratch, s->opencl_options, &out);
    if (out.kind != OUTCOME_AGREE) {
      printf("%s: %s\n", path, out.text);
      failures++;
    }
    count++;
    free(path);
  }
  closedir(folder);
  printf("%u kept cases, %u failed\n", count, failures);
  return failures ? 1 : 0;
}

static bool read_number(const char *text, uint64_t *out) {
  char *end;
  *out = strtoull(text, &end, 10);
  return *text && !*end;
}

static bool read_settings(int argc, char **argv, struct settings *s) {
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    uint64_t number;
    if (strcmp(argv[i], "--forever") == 0)
      s->forever = true;
    else if (strcmp(argv[i], "--print") == 0)
      s->print = true;
    else if (!value)
      return false;
    else if (strcmp(argv[i], "--seed") == 0 && read_number(value, &number))
      s->seed = number, i++;
    else if (strcmp(argv[i], "--count") == 0 && read_number(value, &number) && number <= UINT32_MAX)
      s->count = (uint32_t)number, i++;
    else if (strcmp(argv[i], "--keep") == 0)
      s->keep = argv[++i];
    else if (strcmp(argv[i], "--kept") == 0)
      s->kept = argv[++i];
    else if (strcmp(argv[i], "--opencl-options") == 0)
      s->opencl_options = argv[++i];
    else
      return false;
  }
  return true;
}

static void remove_scratch(const struct settings *s, const char *name) {
  char *path = in_scratch(s, name);
  if (path)
    unlink(path);
  free(path);
}

/* A hundred, or 500 times what a long run asks for. */
static uint32_t random_kernels(void) {
  return rounds(1) > 1 ? rounds(500) : 100;
}

int main(int argc, char **argv) {
  struct settings s = {.seed = 1, .count = random_kernels(), .scratch = "/tmp/reassemble-differential-XXXXXX"};
  uint32_t failures = 0;
  if (!read_settings(argc, argv, &s))
    return usage();
  if (!mkdtemp(s.scratch)) {
    fprintf(stderr, "differential: cannot create a folder in /tmp\n");
    return 1;
  }
  int status = 0;
  if (s.kept)
    status = test_kept(&s);
  else
    do
      failures += test_seed(&s, s.seed++);
    while (s.forever && !failures);
  remove_scratch(&s, "random.cl");
  remove_scratch(&s, "random.yaml");
  rmdir(s.scratch); /* stays when a failing case was left in it */
  return status || failures ? (status ? status : 1) : 0;
}
