#include "tracegen/front/clang/clang_arguments.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

static bool has_option(char **words, size_t count, const char *start) {
  for (size_t i = 0; i < count; i++)
    if (strncmp(words[i], start, strlen(start)) == 0)
      return true;
  return false;
}

/* Appends a word in quotes, by clang's rules for response files. */
static bool put_word(struct bytes *b, const char *word) {
  bytes_append(b, "\"", 1);
  for (; *word; word++) {
    if (*word == '"' || *word == '\\')
      bytes_append(b, "\\", 1);
    bytes_append(b, word, 1);
  }
  bytes_append(b, "\"\n", 2);
  return !b->failed;
}

static void put_words(struct bytes *b, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    put_word(b, words[i]);
}

/* Extensions that clang's target defines macros for, and that the emulator refuses. */
static const char refused_extensions[] =
    "-cl-ext=-cl_khr_depth_images,-cl_khr_gl_msaa_sharing,-cl_khr_mipmap_image,"
    "-cl_khr_mipmap_image_writes,-cl_khr_srgb_image_writes,-cl_intel_subgroups,"
    "-cl_intel_subgroups_short,-cl_intel_device_side_avc_motion_estimation,-cl_amd_media_ops,-cl_amd_media_ops2";

/* Returns the definition of the device's version: the version of the language, and at least 1.2. */
static const char *device_version(char **words, size_t count) {
  static const char *const later[][2] = {{"-cl-std=CL2.0", "-D__OPENCL_VERSION__=200"},
                                         {"-cl-std=CL3.0", "-D__OPENCL_VERSION__=300"}};
  for (size_t i = 0; i < sizeof later / sizeof *later; i++)
    if (has_option(words, count, later[i][0]))
      return later[i][1];
  return "-D__OPENCL_VERSION__=120";
}

/* Appends the arguments that both ways of giving the source have in common. */
static void put_common(char **words, size_t word_count, struct bytes *out) {
  /* clang-format off */
  const char *const fixed[] = {
    "-x", "cl", "-target", "spir64",
#if REASSEMBLE_LLVM_MAJOR < 17
    "-Xclang", "-opaque-pointers",
#endif
    /* O2 without its passes keeps `optnone` off functions; tracegen/lower runs the passes. */
    "-O2",
    "-Xclang", "-disable-llvm-passes",
    "-fno-builtin",
    "-fno-discard-value-names", /* messages and the listing in a trace name values as the source does */
    "-cl-kernel-arg-info",
    "-gline-tables-only",
    "-fno-color-diagnostics",
    "-fno-crash-diagnostics", /* no files of a stranger's kernel in the folder for temporary ones */
#if REASSEMBLE_LLVM_MAJOR >= 17
    "-fno-diagnostics-show-line-numbers",
#endif
    "-fsanitize=integer-divide-by-zero", "-fsanitize-trap=integer-divide-by-zero", /* for zero_divisors.c */
    "-emit-llvm", "-c", "-o", "-",
    "-Xclang", refused_extensions,
    device_version(words, word_count),
    has_option(words, word_count, "-cl-std=") ? "-Wno-unused-command-line-argument" : "-cl-std=CL1.2",
    "-ffp-contract=on" /* an expression's a*b+c is one operation; contraction.c keeps its result that of two */
  };
  /* clang-format on */
  put_words(out, fixed, sizeof fixed / sizeof *fixed);
}

/* Returns the value of -D or -I at words[*i]; *i moves on where the value is a word of its own. */
static const char *value_of(char **words, size_t *i) {
  return words[*i][2] ? words[*i] + 2 : words[++*i];
}

static bool is_definition(const char *word) {
  return strncmp(word, "-D", 2) == 0;
}

static bool is_folder(const char *word) {
  return strncmp(word, "-I", 2) == 0;
}

/* Joins an option and its value to one word, because a word that begins with '@' would name another response file. */
static void put_joined(struct bytes *b, const char *option, const char *value) {
  char *joined = text_format("%.2s%s", option, value);
  if (joined)
    put_word(b, joined);
  b->failed |= !joined;
  free(joined);
}

void clang_arguments(char **words, size_t count, const char *source, struct bytes *out) {
  static const char *const header[] = {"-Xclang", "-finclude-default-header"};
  put_words(out, header, sizeof header / sizeof *header);
  put_common(words, count, out);
  for (size_t i = 0; i < count; i++)
    if (is_definition(words[i]) || is_folder(words[i])) {
      const char *option = words[i];
      put_joined(out, option, value_of(words, &i));
    } else
      put_word(out, words[i]);
  char *path = text_format("%s%s", source[0] == '-' || source[0] == '@' ? "./" : "", source);
  if (path)
    put_word(out, path);
  out->failed |= !path;
  free(path);
  bytes_append(out, "", 1);
}

void clang_stream_arguments(char **words, size_t count, struct bytes *out) {
  static const char *const header_comes_later[] = {"-cl-no-stdinc", "-Xclang", "-fdeclare-opencl-builtins"};
  static const char *const from_standard_input[] = {"-include", "/dev/stdin", "/dev/null"};
  put_words(out, header_comes_later, sizeof header_comes_later / sizeof *header_comes_later);
  put_common(words, count, out);
  for (size_t i = 0; i < count; i++)
    if (is_definition(words[i]) || is_folder(words[i]))
      value_of(words, &i);
    else
      put_word(out, words[i]);
  put_words(out, from_standard_input, sizeof from_standard_input / sizeof *from_standard_input);
  bytes_append(out, "", 1);
}

/* Writes the definition as clang does, as a line. Returns false where it would continue in the next line. */
static bool put_definition(const char *definition, struct bytes *out) {
  const size_t name = strcspn(definition, "="), length = strlen(definition);
  const char *body = definition[name] ? definition + name + 1 : "1";
  if (length == 0 || strpbrk(definition, "\r\n") || strstr(definition, "/*") || definition[length - 1] == '\\')
    return false;
  bytes_append(out, "#define ", 8);
  bytes_append(out, definition, name);
  bytes_append(out, " ", 1);
  bytes_append(out, body, strlen(body));
  bytes_append(out, "\n", 1);
  return true;
}

bool clang_prelude(char **words, size_t count, struct bytes *out) {
  static const char header[] = "#include <opencl-c-base.h>\n";
  if (has_option(words, count, "-cl-no-stdinc"))
    return false;
  for (size_t i = 0; i < count; i++) {
    const bool defines = is_definition(words[i]);
    if (defines || is_folder(words[i])) {
      const char *value = value_of(words, &i);
      if (defines && !put_definition(value, out))
        return false;
    }
  }
  bytes_append(out, header, sizeof header - 1);
  return true;
}

static void put_folder(struct bytes *out, const char *path, size_t length) {
  bytes_append(out, path, length);
  bytes_append(out, "", 1);
}

/* Returns whether a definition gives the place of a folder, from which the source includes files by a macro: programs
 * that know the folder when they build their kernels do so (hashcat: -D INCLUDE_PATH=/usr/share/hashcat/OpenCL). The
 * top folder, in which all files lie, does not count, whatever its name ("/./", "/proc/self/root"). */
static bool names_folder(const char *body) {
  struct stat folder, top;
  if (body[0] != '/' || stat(body, &folder) != 0 || !S_ISDIR(folder.st_mode) || stat("/", &top) != 0)
    return false;
  return folder.st_ino != top.st_ino || folder.st_dev != top.st_dev;
}

/* The texts, one behind the other, and an empty one. */
void clang_folders(char **words, size_t count, const char *source, struct bytes *out) {
  const char *slash = strrchr(source, '/');
  put_folder(out, slash ? source : ".", slash == source ? 1 : slash ? (size_t)(slash - source) : 1);
  for (size_t i = 0; i < count; i++)
    if (is_definition(words[i])) {
      const char *body = strchr(value_of(words, &i), '=');
      if (body && names_folder(body + 1))
        put_folder(out, body + 1, strlen(body + 1));
    } else if (is_folder(words[i])) {
      const char *folder = value_of(words, &i);
      put_folder(out, folder, strlen(folder));
    }
  bytes_append(out, "", 1);
}
