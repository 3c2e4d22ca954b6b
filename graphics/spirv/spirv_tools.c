#include "graphics/spirv/spirv_tools.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inttypes.h>
#include <limits.h>
#include <spirv/unified1/spirv.h>

#include "base/process/subprocess.h"
#include "base/text.h"
#include "graphics/spirv/spirv_module.h"

#define MOST_SECONDS   20
#define MOST_BYTES     ((uint64_t)1 << 30)
#define HEADER_WORDS   5
#define TRANSFORMATION "reassemble shaders 2" /* changes with what this file makes of a module */

static void limit_process(void) {
  const struct rlimit seconds = {MOST_SECONDS, MOST_SECONDS};
  subprocess_end_with_parent();
  subprocess_limit_memory(MOST_BYTES);
  setrlimit(RLIMIT_CPU, &seconds);
}

/* Runs a program with a file as standard input and another as standard output and error. Returns its exit code; 127: it
 * is not there. */
static int run(const char *const *words, int input, int output) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    limit_process();
    lseek(input, 0, SEEK_SET);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execvp(words[0], (char *const *)words);
    _exit(127);
  }
  const int status = child > 0 ? subprocess_wait(child) : -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* Returns what a program of the PATH is: its place and what changes when it is replaced, to be freed; NULL: it is not
 * there. */
static char *identity_of(const char *program) {
  char path[PATH_MAX];
  struct stat s;
  for (const char *f = getenv("PATH"); f && *f; f += strcspn(f, ":"), f += *f == ':')
    if (snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(f, ":"), f, program) < (int)sizeof path &&
        access(path, X_OK) == 0 && stat(path, &s) == 0)
      return text_format("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 ".%09ld", path, (uint64_t)s.st_dev,
                         (uint64_t)s.st_ino, (uint64_t)s.st_size, (uint64_t)s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
  return NULL;
}

static int missing(const char *program, struct error *error) {
  return error_set(error, ERROR_WORK, "%s is not there, which checks shaders (Debian: apt-get install spirv-tools)",
                   program);
}

static int validate(int module, int output, struct error *error) {
  static const char *const words[] = {"spirv-val", "--target-env", "vulkan1.3", "--scalar-block-layout", "-", NULL};
  char text[600] = "";
  const int code = run(words, module, output);
  if (code == 127)
    return missing(words[0], error);
  if (code == 0)
    return 0;
  if (pread(output, text, sizeof text - 1, 0) < 0)
    text[0] = '\0';
  return error_set(error, ERROR_INPUT, "a shader is not valid SPIR-V: %s", text);
}

static int read_words(int file, uint32_t **out, size_t *count, struct error *error) {
  struct stat stat;
  if (fstat(file, &stat) || stat.st_size % 4 || stat.st_size > (off_t)MOST_BYTES / 4)
    return error_set(error, ERROR_WORK, "spirv-opt wrote no module");
  *out = malloc((size_t)stat.st_size + 4);
  if (!*out || pread(file, *out, (size_t)stat.st_size, 0) != stat.st_size) {
    free(*out);
    *out = NULL;
    return error_set(error, ERROR_WORK, "a shader could not be read: %s", strerror(errno));
  }
  *count = (size_t)stat.st_size / 4;
  return 0;
}

static int inline_functions(int module, int result, struct error *error) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", result);
  const char *const words[] = {
      "spirv-opt", "--inline-entry-points-exhaustive", "--eliminate-dead-functions", "-", "-o", name, NULL};
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const int code = run(words, module, nothing);
  close(nothing);
  if (code == 127)
    return missing(words[0], error);
  return code == 0 ? 0 : error_set(error, ERROR_WORK, "spirv-opt failed on a shader (exit code %d)", code);
}

/* Returns whether a valid module has functions besides that of its entry point. */
static bool has_functions(const uint32_t *words, size_t count) {
  unsigned functions = 0;
  for (size_t at = HEADER_WORDS; at < count && spirv_length(words + at) > 0; at += spirv_length(words + at))
    functions += (words[at] & SpvOpCodeMask) == SpvOpFunction;
  return functions > 1;
}

static int copy_words(const uint32_t *words, size_t count, uint32_t **out, size_t *out_count, struct error *error) {
  *out = malloc((count + 1) * sizeof *words);
  if (!*out)
    return error_no_memory(error);
  memcpy(*out, words, count * sizeof *words);
  *out_count = count;
  return 0;
}

char *spirv_tools_identity(void) {
  char *validator = identity_of("spirv-val"), *optimiser = identity_of("spirv-opt");
  char *both = validator && optimiser ? text_format(TRANSFORMATION " %s %s", validator, optimiser) : NULL;
  free(validator);
  free(optimiser);
  return both;
}

/* Copies the module, with the capability of OpDemoteToHelperInvocation in front and its extension behind the last
 * capability. zink of Mesa 22 uses this instruction without them, which spirv-val refuses. */
static int declare_demotion(const uint32_t *words, size_t count, uint32_t **out, size_t *out_count,
                            struct error *error) {
  static const char name[36] = "SPV_EXT_demote_to_helper_invocation";
  const size_t name_words = sizeof name / sizeof **out;
  size_t end = HEADER_WORDS;
  while (end < count && spirv_opcode(words + end) == SpvOpCapability && spirv_length(words + end) > 0)
    end += spirv_length(words + end);
  uint32_t *to = *out = malloc((count + 3 + name_words) * sizeof *words);
  if (end > count || !to)
    return end > count ? error_set(error, ERROR_INPUT, "the shader is no SPIR-V module") : error_no_memory(error);
  memcpy(to, words, HEADER_WORDS * sizeof *words);
  to += HEADER_WORDS;
  *to++ = 2u << SpvWordCountShift | SpvOpCapability;
  *to++ = SpvCapabilityDemoteToHelperInvocation;
  memcpy(to, words + HEADER_WORDS, (end - HEADER_WORDS) * sizeof *words);
  to += end - HEADER_WORDS;
  *to++ = (uint32_t)(1 + name_words) << SpvWordCountShift | SpvOpExtension;
  memcpy(to, name, sizeof name);
  to += name_words;
  memcpy(to, words + end, (count - end) * sizeof *words);
  *out_count = count + 3 + name_words;
  return 0;
}

/* Returns whether a module demotes fragments to helpers and does not declare that it does. */
static bool lacks_demotion(const uint32_t *words, size_t count) {
  bool demotes = false, declares = false;
  for (size_t at = HEADER_WORDS; at + 1 < count && spirv_length(words + at) > 0; at += spirv_length(words + at)) {
    demotes = demotes || spirv_opcode(words + at) == SpvOpDemoteToHelperInvocation;
    declares = declares ||
               (spirv_opcode(words + at) == SpvOpCapability && words[at + 1] == SpvCapabilityDemoteToHelperInvocation);
  }
  return demotes && !declares;
}

static int check_and_inline(const uint32_t *words, size_t count, uint32_t **out, size_t *out_count,
                            struct error *error) {
  const int module = memfd_create("module", MFD_CLOEXEC), text = memfd_create("text", MFD_CLOEXEC);
  const int result = memfd_create("result", 0);
  const size_t bytes = count * sizeof *words;
  int status = module < 0 || text < 0 || result < 0 || write(module, words, bytes) != (ssize_t)bytes
                   ? error_set(error, ERROR_WORK, "a shader could not be written: %s", strerror(errno))
                   : 0;
  *out = NULL;
  if (status || validate(module, text, error))
    status = -1;
  else if (!has_functions(words, count))
    status = copy_words(words, count, out, out_count, error);
  else
    status = inline_functions(module, result, error) || read_words(result, out, out_count, error) ? -1 : 0;
  close(module);
  close(text);
  close(result);
  return status;
}

int spirv_tools_prepare(const uint32_t *words, size_t count, uint32_t **out, size_t *out_count, struct error *error) {
  uint32_t *declared = NULL;
  size_t declared_count = 0;
  *out = NULL;
  if (!lacks_demotion(words, count))
    return check_and_inline(words, count, out, out_count, error);
  const int status = declare_demotion(words, count, &declared, &declared_count, error) ||
                             check_and_inline(declared, declared_count, out, out_count, error)
                         ? -1
                         : 0;
  free(declared);
  return status;
}
