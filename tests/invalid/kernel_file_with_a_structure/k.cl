typedef struct { float position[3], weight; } body;
struct range { int first, count; };

kernel void k(global body *bodies, struct range r, local float4 *sums, image2d_t picture) {
  bodies[get_global_id(0)].weight = r.count;
}
