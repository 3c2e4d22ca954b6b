/* The objects that a program has made, by type and handle. Drivers give the same handle to objects of different types,
 * and give the handle of a destroyed object to a new one.
 *
 * Ownership: the table owns objects; layer_forget frees one. Threads: the caller holds the layer's lock. */
#ifndef GRAPHICS_LAYER_OBJECTS_H
#define GRAPHICS_LAYER_OBJECTS_H

#include "graphics/layer/record_stream.h"
#include "graphics/layer/vulkan_device.h"

enum object_type {
  OBJECT_MEMORY,
  OBJECT_BUFFER,
  OBJECT_TEXEL_BUFFER,
  OBJECT_IMAGE,
  OBJECT_VIEW,
  OBJECT_SAMPLER,
  OBJECT_SHADER,
  OBJECT_PIPELINE,
  OBJECT_SET_LAYOUT,
  OBJECT_SET,
  OBJECT_TEMPLATE,
  OBJECT_PASS,
  OBJECT_FRAMEBUFFER,
  OBJECT_COMMANDS,
  OBJECT_SWAPCHAIN
};

struct object {
  enum object_type type;
  uint32_t id; /* in records; ids ascend */
  uint64_t handle;
  struct record_stream records; /* its own record, or of a command buffer the commands */
  /* Of memory: `mapped`. Of buffers and images: the memory that they are bound to. */
  char *mapped;
  uint64_t memory, memory_offset, bytes;
  char *shadow;          /* of buffers: the bytes in the capture's file */
  uint32_t shadow_frame; /* the frame whose file they are in */
  /* Images: the aspects whose texels the present file has, or that its commands have replaced; the aspects that the
   * commands of the present submit read or replace first (reading/image_uses.h). */
  uint32_t written, reads, replaces;
  bool is_written;   /* sets: the descriptors are in the present file */
  VkImage image;     /* of images, and of views the one that they show a part of */
  bool is_window;    /* images: the processor reads them, and they are drawn into */
  bool is_secondary; /* command buffers */
  VkFormat format;
  uint32_t width, height, depth, levels, layers, samples;
  uint64_t owner;    /* sets: their pool */
  uint64_t layout;   /* sets: their layout */
  void *data;        /* passes, framebuffers, templates, layouts, sets: of their own files; freed with the object */
  size_t data_count; /* elements of `data` */
  size_t data_room;
};

/* Makes an object with a new number, in place of an older one with this handle. NULL: memory ran out. */
struct object *layer_remember(enum object_type type, uint64_t handle);
/* Returns the object; NULL: there is none. */
struct object *layer_find(enum object_type type, uint64_t handle);
/* Returns the object with this number; NULL: there is none. Cost: a pass over all objects. */
struct object *layer_find_id(uint32_t id);
/* Returns the number of an object, 0 of none. */
uint32_t layer_id(enum object_type type, uint64_t handle);
void layer_forget(enum object_type type, uint64_t handle);
/* Removes the handle, and keeps the object's record, because pipelines may use a shader that was destroyed. */
void layer_retire(enum object_type type, uint64_t handle);
/* Calls `visit` with all objects in order of their numbers, and forgets those for which it returns false. */
void layer_visit(bool (*visit)(struct object *object, void *user), void *user);

/* Appends a record to a command buffer. Takes the lock. */
void layer_put(VkCommandBuffer commands, enum frame_record_kind kind, const void *structure, size_t size);

/* Returns the stream of a command buffer; commands of unknown buffers go into one that no one reads. */
struct record_stream *layer_commands(VkCommandBuffer commands);

#define HANDLE(h) ((uint64_t)(uintptr_t)(h))

/* The hook of vkDestroy<kind>. */
#define DESTROY_HOOK(kind, type)                                                                                       \
  static VKAPI_ATTR void VKAPI_CALL layer_Destroy##kind(VkDevice device, Vk##kind handle,                              \
                                                        const VkAllocationCallbacks *allocator) {                      \
    pthread_mutex_lock(&layer_lock);                                                                                   \
    layer_forget(type, HANDLE(handle));                                                                                \
    pthread_mutex_unlock(&layer_lock);                                                                                 \
    layer_device.next.Destroy##kind(device, handle, allocator);                                                        \
  }

#endif
