/* What follows from the fields of a GPU: its GPCs, measured latencies, copy engines, levels of priorities, connections,
 * and the gaps of events and programmatic launches. */
#ifndef MODEL_GPU_H
#define MODEL_GPU_H

#include "base/units.h"
#include "gridcast/gpu.h"
#include "gridcast/workload.h"

/* Is each SM in exactly one GPC, where GPCs are known? The blocks of a cluster run on one GPC. */
gcast_status gpcs_check(const gcast_gpu *gpu, gcast_error *err);

/* Is a GPC of this many SMs no more than a TPC? */
static inline bool gpc_is_lone(const gcast_gpu *gpu, int sms)
{
    return sms <= gpu->sms_per_tpc;
}

#define LATENCY_MAX_ONE_IN 1000000000
#define LATENCY_MAX_NS DAY_NS
#define LATENCY_MAX_SAMPLES 1000000000000

/* Widens measured latencies so that the usual latency is within them. */
void latency_include(gcast_latency *l, int64_t usual_ns);

#define COPY_ENGINES 3 /* further ones are not used */

/* The copy engine that an operation needs. Copies to the host have engine 1 where there are two or more. Copies on the
 * device and memsets, which are kernels of the driver and wait for no other copies, have engine 2 where there are three
 * or more. All else has engine 0. */
static inline int copy_engine_of(const gcast_gpu *gpu, const gcast_op *op)
{
    if (op->kind == GCAST_KIND_COPY && op->direction == GCAST_D2H)
        return gpu->copy_engines > 1;
    bool is_inside = op->kind == GCAST_KIND_MEMSET || (op->kind == GCAST_KIND_COPY && op->direction == GCAST_D2D);
    return is_inside && gpu->copy_engines >= COPY_ENGINES ? COPY_ENGINES - 1 : 0;
}

/* From the end of an operation until a successor in another stream may enter. */
static inline int64_t event_gap_of(const gcast_gpu *gpu)
{
    return gpu->event_gap_ns ? gpu->event_gap_ns : gpu->stream_gap_ns;
}

/* CUDA's priorities go down from 0, the lowest, to this. */
static inline int highest_priority(const gcast_gpu *gpu)
{
    return 1 - gpu->priority_levels;
}

/* The priority that a stream has: the nearest to its own that the GPU has. */
static inline int nearest_priority(const gcast_gpu *gpu, int priority)
{
    int highest = highest_priority(gpu);
    return priority > 0 ? 0 : priority < highest ? highest : priority;
}

/* The level of a stream's priority, 0 the highest. */
static inline int level_of_priority(const gcast_gpu *gpu, int priority)
{
    return nearest_priority(gpu, priority) - highest_priority(gpu);
}

/* How many connections the kernels of a workload go through: its own number, or else the GPU's. 0: one per stream. */
static inline int connections_in_force(const gcast_workload *w, const gcast_gpu *gpu)
{
    return w->connections >= 0 ? w->connections : gpu->connections;
}

#define PROGRAMMATIC_DEPTH 8 /* where it is not known */

/* At most the stream gap, after which a kernel may enter in any case; 0 means the stream gap. */
static inline int64_t programmatic_at_most_gap(const gcast_gpu *gpu, int64_t ns)
{
    return ns && ns < gpu->stream_gap_ns ? ns : gpu->stream_gap_ns;
}

/* From the last trigger of a kernel until a programmatic one behind it may enter. */
static inline int64_t programmatic_gap_of(const gcast_gpu *gpu)
{
    int64_t ns = programmatic_at_most_gap(gpu, gpu->programmatic_gap_ns);
    return ns ? ns : 1; /* blocks that have just started may have triggered */
}

/* From the end of an operation until the waits of a programmatic kernel behind it return. */
static inline int64_t programmatic_wait_of(const gcast_gpu *gpu)
{
    return programmatic_at_most_gap(gpu, gpu->programmatic_wait_ns);
}

/* From the end of a graph node until the waits of its successors return. */
static inline int64_t programmatic_node_wait_of(const gcast_gpu *gpu)
{
    return gpu->graph_wait_ns ? gpu->graph_wait_ns : programmatic_wait_of(gpu);
}

/* How many kernels of a stream may overlap. */
static inline int programmatic_depth_of(const gcast_gpu *gpu)
{
    return gpu->programmatic_depth ? gpu->programmatic_depth : PROGRAMMATIC_DEPTH;
}

/* Sets the placement or the order of ties by its name; false where there is none, or it needs a list. */
bool gpu_name_placement(gcast_gpu *gpu, const char *name);
bool gpu_name_tie_order(gcast_gpu *gpu, const char *name);

/* A copy of a text that lives as long as the GPU (for name, title, sources). */
gcast_status gcast_gpu_keep_text(gcast_gpu *gpu, const char *text, const char **kept, gcast_error *err);

/* The longest that calls take, but for one in `one_in` of those that were measured; 0: for none. Taken from the first
 * entry that is at least as rare, or else the maximum. -1: not measured. */
int64_t gcast_latency_longest_ns(const gcast_latency *latency, int64_t one_in);

/* order[r] = the SM of tie rank r, for all gpu->sms ranks. */
void gcast_gpu_tie_ranks(const gcast_gpu *gpu, int *order);

/* How many built-in presets there are, and the JSON text of one (NULL: none has this name). */
size_t gcast_preset_count(void);
const char *gcast_preset_json(const char *name);

#endif
