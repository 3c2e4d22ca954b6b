/* Records of the program's OpenCL objects: buffers, images, samplers, programs, kernels with their current arguments,
 * and queues.
 *
 * Ownership: records live until the process ends, because a kernel's argument may still name a released object; a
 * handle that OpenCL uses again gets a new record, which is found first. Records of kernels, which are large, are
 * freed when the program releases the kernel. Threads: hold records_lock around every call and while a record is used;
 * make no OpenCL call that waits for commands under it. */
#ifndef TRACEGEN_PROGRAM_LAUNCH_RECORDS_H
#define TRACEGEN_PROGRAM_LAUNCH_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "tracegen/program/content_file.h"

#define MAX_ARGUMENTS   128
#define MAX_VALUE_BYTES 1024 /* of a structure; OpenCL 1.2 requires room for as many bytes of all arguments together */

#define MAX_GAPS 64

struct memory_gap {
  uint64_t start, end; /* bytes */
};

struct memory_record {
  struct memory_record *next;
  cl_mem handle;
  uint64_t id, bytes, offset;
  struct memory_record *parent; /* of a sub-buffer, or of an image that shows a buffer */
  unsigned references;
  const char *kind; /* "buffer", "image", or what else it is */
  cl_image_format format;
  cl_mem_object_type image_type;
  size_t region[3]; /* of an image, 0 of a buffer: texels in a row, rows, slices, where layers count as slices or, of
                       an array of rows, as rows. `bytes` are those of its texels, one after the other without gaps */
  uint64_t content; /* the file of its contents when it was last captured (contents.h); 0: never captured */
  struct content_digest *digests; /* of the chunks of these contents; NULL: never captured */
  uint64_t writes, writes_seen;   /* how often it was written to, from 1 on (buffer_writes.c); of these, how many before
                                     it was last captured: the same means that the file has the present contents */
  unsigned mappings;              /* regions that the program has mapped now */
  const char *shared;             /* of shared virtual memory: where it starts; else NULL */
  bool is_shared;                 /* it can be written to without a call that the layer sees */
  struct memory_gap gaps[MAX_GAPS]; /* of a buffer: the bytes that are not initialised (initialised_bytes.h) */
  unsigned gap_count;
};

struct sampler_record {
  struct sampler_record *next;
  cl_sampler handle;
  cl_bool normalised;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
};

struct program_record {
  struct program_record *next;
  cl_program handle;
  uint64_t id;
  char *source;       /* NULL: unknown, then `reason` says why */
  const char *reason; /* static text */
  char *options;
  char *binary_options; /* of one that was made from a binary: what it was built with; else NULL */
  char *folder;         /* the program's current folder when it gave the options, at which their relative paths start */
  char *unit;           /* the source with its headers, after clCompileProgram; else NULL */
  bool linked;          /* by clLinkProgram: the source is made of its parts */
  bool saved;           /* the source is in the capture's folder */
};

enum argument_state {
  ARGUMENT_UNSET,
  ARGUMENT_BYTES,
  ARGUMENT_ROOM,
  ARGUMENT_MEMORY,
  ARGUMENT_SAMPLER,
  ARGUMENT_NULL,
  ARGUMENT_OTHER
};

struct argument_record {
  enum argument_state state;
  size_t size; /* as given to clSetKernelArg */
  unsigned char value[MAX_VALUE_BYTES];
  struct memory_record *memory;
  const struct sampler_record *sampler;
  const char *other; /* ARGUMENT_OTHER: what it is */
  char type[64];     /* the parameter's type, where OpenCL tells it */
};

struct kernel_record {
  struct kernel_record *next;
  cl_kernel handle;
  struct program_record *program; /* NULL: unknown */
  unsigned references;
  bool follows_pointers;        /* the program has named shared virtual memory to which pointers in memory lead */
  const char *options, *folder; /* that the kernel's program was built with and in */
  const char *name;
  cl_uint argument_count;
  struct argument_record arguments[MAX_ARGUMENTS];
};

struct queue_record {
  struct queue_record *next;
  cl_command_queue handle;
  cl_context context;
  unsigned references;
};

void records_lock(void);
void records_unlock(void);

/* NULL when out of memory: the object is then unknown, and launches that use it are skipped. */
struct memory_record *memory_add(cl_mem handle, uint64_t bytes, const char *kind);
struct memory_record *memory_find(cl_mem handle);
/* From now on every memory object can be written to without a call that the layer sees. */
void memories_are_shared(void);
struct memory_record *memory_first(void); /* the first of all records, released ones included; `next` leads on */
struct sampler_record *sampler_add(cl_sampler handle);
struct sampler_record *sampler_find(cl_sampler handle);
struct program_record *program_add(cl_program handle, char *source, const char *reason);
struct program_record *program_find(cl_program handle);
struct kernel_record *kernel_add(cl_kernel handle, struct program_record *program, const char *name, cl_uint arguments);
struct kernel_record *kernel_find(cl_kernel handle);
void kernel_remove(struct kernel_record *record);
struct queue_record *queue_add(cl_command_queue handle, cl_context context);
struct queue_record *queue_find(cl_command_queue handle);
/* Returns how many queues a context has; `out` takes the first `size` of them. They are not retained: they are valid
 * while the program keeps them. */
size_t queues_of(cl_context context, cl_command_queue *out, size_t size);

#endif
