/* Hooks of submits and presents: where frames begin and end, and where the capture of a frame is written.
 *
 * The environment says what is wanted: REASSEMBLE_FRAME_FOLDER, the folder for files frame-<number>.rframe, and
 * REASSEMBLE_FRAME_FIRST and REASSEMBLE_FRAME_LAST, numbers of frames from 1. A frame ends when a picture is presented.
 * GL on lavapipe (zink) has no swapchain and submits once when buffers are swapped, so a frame of a program without
 * swapchain ends with each submit that draws; its picture is the first target of the last pass that has colors. Of a
 * program that has not drawn yet, each submit that launches compute shaders is a frame without a picture. */
#include "graphics/layer/submit.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graphics/layer/frame_file.h"
#include "graphics/layer/hidden_features.h"
#include "graphics/layer/reading/contents.h"
#include "graphics/layer/reading/each_draw.h"
#include "graphics/layer/reading/image_uses.h"

static uint32_t frame = 1; /* that the program draws */
static FILE *file;         /* of that frame; NULL: nothing of it has been submitted, or it is not wanted */
static uint32_t last_written, submits;
static bool has_drawn;  /* the program has begun a pass */
static bool dispatches; /* the present submit launches a compute shader */

/* The command buffers of a submit, in order. */
struct command_list {
  VkCommandBuffer *commands;
  size_t count, room;
  bool failed; /* memory ran out: the list has not all of them */
};

static uint32_t wanted(const char *name, uint32_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

static bool is_wanted(void) {
  return getenv("REASSEMBLE_FRAME_FOLDER") && frame >= wanted("REASSEMBLE_FRAME_FIRST", 1) &&
         frame <= wanted("REASSEMBLE_FRAME_LAST", UINT32_MAX);
}

bool submit_may_be_wanted(bool once) {
  return !once ||
         (frame + 8 >= wanted("REASSEMBLE_FRAME_FIRST", 1) && frame <= wanted("REASSEMBLE_FRAME_LAST", UINT32_MAX));
}

static void file_name(char *out, size_t size, const char *ending) {
  snprintf(out, size, "%s/frame-%u.rframe%s", getenv("REASSEMBLE_FRAME_FOLDER"), frame, ending);
}

static bool mark_unwritten(struct object *o, void *user) {
  (void)user;
  o->written = 0;
  o->is_written = false;
  return true;
}

static void begin_file(void) {
  char name[4096];
  file_name(name, sizeof name, ".part");
  file = frame_file_begin(name);
  if (!file)
    return;
  each_draw_begin_file();
  last_written = 0;
  submits = 0;
  layer_visit(mark_unwritten, NULL);
}

static void end_file(void) {
  char name[4096];
  file_name(name, sizeof name, "");
  frame_file_end(file, name);
  file = NULL;
}

static bool has_own_record(const struct object *o) {
  return o->type != OBJECT_COMMANDS && o->type != OBJECT_SET && o->records.length > 0;
}

/* Returns whether an object is a view of an image that was destroyed before it. Another image may have its handle. */
static bool has_lost_image(const struct object *o) {
  struct frame_view view;
  if (o->type != OBJECT_VIEW || o->records.length < sizeof(struct frame_record_head) + sizeof view)
    return false;
  memcpy(&view, o->records.bytes + sizeof(struct frame_record_head), sizeof view);
  const struct object *image = layer_find(OBJECT_IMAGE, HANDLE(o->image));
  return !image || image->id != view.image;
}

/* Objects that are new in this file, in order of their numbers. */
static bool write_object(struct object *o, void *user) {
  uint32_t *last = user;
  if (o->id > last_written && has_own_record(o) && !o->records.failed && !has_lost_image(o))
    fwrite(o->records.bytes, 1, o->records.length, file);
  *last = o->id > *last ? o->id : *last;
  return true;
}

static void write_set(struct object *o) {
  const struct frame_set record = {o->id, (uint32_t)o->data_count};
  struct record_stream s = {0};
  record_put(&s, FRAME_SET, &record, sizeof record);
  record_more(&s, o->data, o->data_count * sizeof(struct frame_descriptor));
  if (!s.failed)
    fwrite(s.bytes, 1, s.length, file);
  record_stream_clear(&s);
}

/* Writes the texels of the aspects that commands read and the file does not have. */
static void write_image(struct object *o, uint32_t reads, uint32_t replaces) {
  if (reads & ~o->written)
    contents_image(o, reads & ~o->written, file);
  o->written |= reads | replaces;
}

static bool write_contents(struct object *o, void *user) {
  (void)user;
  if (o->type == OBJECT_BUFFER)
    contents_buffer(o, frame, file);
  else if (o->type == OBJECT_IMAGE)
    write_image(o, o->reads, o->replaces);
  else if (o->type == OBJECT_SET && !o->is_written)
    write_set(o), o->is_written = true;
  return true;
}

/* Writes the objects and contents that a submit's commands will read and the file does not hold yet. */
static void write_snapshot(const struct command_list *l) {
  const struct frame_submit record = {++submits, hidden_features_show_halves()};
  const struct frame_record_head head = {FRAME_SUBMIT, sizeof record};
  uint32_t last = last_written;
  layer_device.next.DeviceWaitIdle(layer_device.handle);
  layer_visit(write_object, &last);
  last_written = last;
  if (l->failed)
    image_uses_all();
  else
    image_uses_find(l->commands, l->count);
  layer_visit(write_contents, NULL);
  fwrite(&head, sizeof head, 1, file);
  fwrite(&record, sizeof record, 1, file);
}

/* Without the list, no one would take what the device waits for. */
static bool open_stops(struct object *o, void *user) {
  (void)user;
  if (o->type == OBJECT_COMMANDS)
    each_draw_pass((VkCommandBuffer)(uintptr_t)o->handle);
  return true;
}

static void begin_submit(const struct command_list *l) {
  if (!file && is_wanted())
    begin_file();
  if (file)
    write_snapshot(l);
  for (size_t i = 0; i < l->count; i++)
    each_draw_prepare(l->commands[i], file != NULL);
  if (l->failed)
    layer_visit(open_stops, NULL);
}

static bool has_record(const struct record_stream *s, enum frame_record_kind kind) {
  struct frame_record_head head = {.kind = FRAME_KIND_COUNT};
  for (size_t at = 0; at < s->length && head.kind != (uint32_t)kind; at += sizeof head + head.bytes)
    memcpy(&head, s->bytes + at, sizeof head);
  return head.kind == (uint32_t)kind;
}

/* Returns the image that the last pass with colors draws into; NULL: the commands have no such pass. */
static struct object *last_target(const struct record_stream *s) {
  struct frame_begin_pass pass = {.color_count = 0}, next;
  for (size_t at = 0; at < s->length;) {
    struct frame_record_head head;
    memcpy(&head, s->bytes + at, sizeof head);
    if (head.kind == FRAME_BEGIN_PASS) {
      memcpy(&next, s->bytes + at + sizeof head, sizeof next);
      pass = next.color_count > 0 && next.colors[0].view ? next : pass;
    }
    at += sizeof head + head.bytes;
  }
  const struct frame_target *t = &pass.colors[0];
  const struct object *view = pass.color_count > 0 ? layer_find_id(t->resolve ? t->resolve : t->view) : NULL;
  return view ? layer_find(OBJECT_IMAGE, HANDLE(view->image)) : NULL;
}

/* An image that no command of the frame has used is shown as it was before. */
static void end_frame(struct object *image) {
  if (file) {
    layer_device.next.DeviceWaitIdle(layer_device.handle);
    if (image) {
      write_image(image, VK_IMAGE_ASPECT_COLOR_BIT, 0);
      contents_present(image, frame, file);
    }
    end_file();
  }
  frame++;
}

/* Returns the picture of a program without swapchain that these commands end; NULL: they end none. `submitted`: the
 * device has them. */
static struct object *take_commands(VkCommandBuffer commands, bool submitted) {
  const struct record_stream *s = layer_commands(commands);
  if (file && !s->failed && submitted) {
    if (!each_draw_is_on())
      layer_device.next.DeviceWaitIdle(layer_device.handle);
    each_draw_write(commands, file);
  } else
    each_draw_pass(commands);
  has_drawn = has_drawn || has_record(s, FRAME_BEGIN_PASS);
  dispatches = dispatches || has_record(s, FRAME_DISPATCH);
  return layer_device.presents ? NULL : last_target(s);
}

/* Ends the frame where the submit was its last. */
static void end_submit(struct object *picture) {
  if (picture || (dispatches && !has_drawn && !layer_device.presents))
    end_frame(picture);
  dispatches = false;
}

static void add_commands(struct command_list *l, VkCommandBuffer commands) {
  l->failed |= !array_room(&l->commands, &l->room, l->count + 1, sizeof *l->commands);
  if (!l->failed)
    l->commands[l->count++] = commands;
}

static void take_list(const struct command_list *l, VkResult result) {
  struct object *picture = NULL, *other;
  for (size_t i = 0; i < l->count; i++)
    picture = (other = take_commands(l->commands[i], result == VK_SUCCESS && !l->failed)) ? other : picture;
  end_submit(picture);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *list,
                                                        VkFence fence) {
  struct command_list all = {.commands = NULL};
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < list[i].commandBufferCount; k++)
      add_commands(&all, list[i].pCommandBuffers[k]);
  if (count > 0)
    begin_submit(&all);
  const VkResult result = layer_device.next.QueueSubmit(queue, count, list, fence);
  take_list(&all, result);
  pthread_mutex_unlock(&layer_lock);
  free(all.commands);
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *list,
                                                         VkFence fence) {
  struct command_list all = {.commands = NULL};
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < list[i].commandBufferInfoCount; k++)
      add_commands(&all, list[i].pCommandBufferInfos[k].commandBuffer);
  if (count > 0)
    begin_submit(&all);
  const VkResult result = layer_device.next.QueueSubmit2(queue, count, list, fence);
  take_list(&all, result);
  pthread_mutex_unlock(&layer_lock);
  free(all.commands);
  return result;
}

static struct object *presented_image(const VkPresentInfoKHR *info) {
  const struct object *swapchain =
      info->swapchainCount > 0 ? layer_find(OBJECT_SWAPCHAIN, HANDLE(info->pSwapchains[0])) : NULL;
  if (!swapchain || info->pImageIndices[0] >= swapchain->data_count)
    return NULL;
  return layer_find(OBJECT_IMAGE, HANDLE(((const VkImage *)swapchain->data)[info->pImageIndices[0]]));
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_QueuePresentKHR(VkQueue queue, const VkPresentInfoKHR *info) {
  pthread_mutex_lock(&layer_lock);
  end_frame(presented_image(info));
  pthread_mutex_unlock(&layer_lock);
  return layer_device.next.QueuePresentKHR(queue, info);
}

const struct layer_hook submit_hooks[] = {HOOK(QueueSubmit), HOOK(QueueSubmit2), HOOK(QueuePresentKHR), {NULL, NULL}};
