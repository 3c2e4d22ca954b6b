#include "graphics/layer/reading/image_uses.h"

#include <stdlib.h>
#include <string.h>

#define ALL_ASPECTS (VK_IMAGE_ASPECT_COLOR_BIT | VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)

/* All objects by number. */
struct index {
  struct object **objects;
  size_t count;
};

static bool count_objects(struct object *o, void *user) {
  struct index *x = user;
  o->reads = o->replaces = 0;
  x->count = o->id >= x->count ? o->id + (size_t)1 : x->count;
  return true;
}

static bool add_object(struct object *o, void *user) {
  const struct index *x = user;
  x->objects[o->id] = o;
  return true;
}

static struct object *find(const struct index *x, uint32_t id, enum object_type type) {
  struct object *o = id < x->count ? x->objects[id] : NULL;
  return o && o->type == type ? o : NULL;
}

/* Aspects that were replaced before are known. */
static void read_image(const struct index *x, uint32_t image, uint32_t aspects) {
  struct object *o = find(x, image, OBJECT_IMAGE);
  if (o)
    o->reads |= aspects & ~o->replaces;
}

static const struct frame_view *view_of(const struct index *x, uint32_t view) {
  const struct object *o = find(x, view, OBJECT_VIEW);
  return o && o->records.length >= sizeof(struct frame_record_head) + sizeof(struct frame_view)
             ? (const void *)(o->records.bytes + sizeof(struct frame_record_head))
             : NULL;
}

static void read_view(const struct index *x, uint32_t view) {
  const struct frame_view *v = view_of(x, view);
  if (v)
    read_image(x, v->image, ALL_ASPECTS);
}

static void read_set(const struct index *x, uint32_t set) {
  const struct object *o = find(x, set, OBJECT_SET);
  const struct frame_descriptor *list = o ? o->data : NULL;
  for (size_t i = 0; list && i < o->data_count; i++)
    read_view(x, list[i].object);
}

static bool covers(const struct frame_scissor *area, const struct object *image) {
  return area->x <= 0 && area->y <= 0 && area->x + (int64_t)area->width >= image->width &&
         area->y + (int64_t)area->height >= image->height;
}

static void use_target(const struct index *x, const struct frame_begin_pass *p, const struct frame_target *t,
                       uint32_t aspect) {
  const struct frame_view *v = view_of(x, t->view);
  struct object *image = v ? find(x, v->image, OBJECT_IMAGE) : NULL;
  if (!image)
    return;
  const bool is_one = image->levels == 1 && image->layers == 1 && image->depth == 1;
  if (t->load == VK_ATTACHMENT_LOAD_OP_CLEAR && is_one && covers(&p->area, image))
    image->replaces |= aspect & ~image->reads;
  else
    read_image(x, v->image, aspect);
  read_view(x, t->resolve);
}

static void use_targets(const struct index *x, const struct frame_begin_pass *p) {
  for (uint32_t i = 0; i < p->color_count; i++)
    use_target(x, p, &p->colors[i], VK_IMAGE_ASPECT_COLOR_BIT);
  use_target(x, p, &p->depth, VK_IMAGE_ASPECT_DEPTH_BIT);
  use_target(x, p, &p->stencil, VK_IMAGE_ASPECT_STENCIL_BIT);
}

static bool read_any(struct object *o, void *user) {
  (void)user;
  o->reads |= ALL_ASPECTS & ~o->replaces;
  return true;
}

/* Finds the uses of one command, whose record has `payload`. */
static void use(const struct index *x, uint32_t kind, const void *payload) {
  const struct frame_bind_sets *sets = payload;
  const struct frame_copy_image *copy = payload;
  const struct frame_blit_image *blit = payload;
  switch (kind) {
  case FRAME_BEGIN_PASS:
    use_targets(x, payload);
    return;
  case FRAME_BIND_SETS:
    for (uint32_t i = 0; i < sets->count && i < FRAME_MAX_SETS; i++)
      read_set(x, sets->sets[i]);
    return;
  case FRAME_CLEAR_IMAGE:
    read_image(x, ((const struct frame_clear_image *)payload)->image, ALL_ASPECTS);
    return;
  case FRAME_COPY_IMAGE:
    read_image(x, copy->source.image, ALL_ASPECTS);
    read_image(x, copy->target.image, ALL_ASPECTS);
    return;
  case FRAME_COPY_TEXELS:
    read_image(x, ((const struct frame_copy_texels *)payload)->part.image, ALL_ASPECTS);
    return;
  case FRAME_BLIT_IMAGE:
    read_image(x, blit->source.image, ALL_ASPECTS);
    read_image(x, blit->target.image, ALL_ASPECTS);
    return;
  case FRAME_UNSUPPORTED: /* a command that may use any image */
    layer_visit(read_any, NULL);
    return;
  default:
    return;
  }
}

static void use_commands(const struct index *x, const struct record_stream *s) {
  struct frame_record_head head;
  for (size_t at = 0; at < s->length; at += sizeof head + head.bytes) {
    memcpy(&head, s->bytes + at, sizeof head);
    use(x, head.kind, s->bytes + at + sizeof head);
  }
}

void image_uses_all(void) {
  layer_visit(read_any, NULL);
}

void image_uses_find(const VkCommandBuffer *commands, size_t count) {
  struct index x = {NULL, 0};
  layer_visit(count_objects, &x);
  x.objects = calloc(x.count + 1, sizeof *x.objects);
  if (!x.objects) {
    image_uses_all();
    return;
  }
  layer_visit(add_object, &x);
  for (size_t i = 0; i < count; i++)
    use_commands(&x, layer_commands(commands[i]));
  free(x.objects);
}
