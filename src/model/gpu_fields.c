#include "model/gpu_fields.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/integers.h"
#include "base/units.h"
#include "gridcast/gpu.h"
#include "model/gpu.h"

#define BIG (1 << 28) /* the upper limit of numbers that have no other */
#define AT(member) offsetof(gcast_gpu, member), sizeof(((gcast_gpu *)0)->member) == 8
#define GPU(member, word, unit, lo, hi, text)                                                                          \
    {                                                                                                                  \
#member, word, AT(member), false, GPU_##unit, lo, hi, text                                                     \
    }
#define LIMIT(member, word, unit, lo, hi, text)                                                                        \
    {                                                                                                                  \
#member, word, AT(limits.member), true, GPU_##unit, lo, hi, text                                               \
    }

const gpu_field gpu_fields[] = {
    GPU(sms, "sms", COUNT, 1, GCAST_MAX_SMS, "SMs"),
    GPU(sms_per_tpc, "sms_per_tpc", COUNT, 1, 16, "SMs per bit of an SM mask"),
    GPU(copy_engines, "copy_engines", COUNT, 1, 16, "copy engines"),
    GPU(copy_channels, "copy_channels", COUNT, 0, 1024, "queues of each copy engine; 0: one for all"),
    GPU(connections, "connections", COUNT, 0, 1024, "hardware queues for kernels; 0: one per stream"),
    GPU(priority_levels, "priorities", COUNT, 1, 64, "stream priorities"),
    GPU(launch_latency_ns, "launch", TIME, 0, DAY_NS, "from the call of a kernel to its stream's queue"),
    GPU(copy_latency_ns, "copy", TIME, 0, DAY_NS, "from the call of a copy to its stream's queue"),
    GPU(h2d_overhead_ns, "h2d_overhead", TIME, 0, DAY_NS,
        "fixed time of a copy to the device, added to that of its bytes"),
    GPU(d2h_overhead_ns, "d2h_overhead", TIME, 0, DAY_NS,
        "fixed time of a copy to the host, added to that of its bytes"),
    GPU(copy_duplex_percent, "duplex", COUNT, 1, 100,
        "speed of a copy beside one in the other direction, percent of its usual speed"),
    GPU(copy_slow_percent, "copy_slow", COUNT, 100, BIG,
        "longest time of a copy, percent of its usual time; 100: not known"),
    GPU(copy_gap_ns, "copy_gap", TIME, 0, DAY_NS, "from the end of a copy to the next one on its engine"),
    GPU(copy_idle_ns, "copy_idle", TIME, 0, DAY_NS,
        "after this time without a call, a copy takes copy_wake_ns longer; 0: never"),
    GPU(copy_wake_ns, "copy_wake", TIME, 0, DAY_NS, "extra time of a copy after such a pause"),
    GPU(d2h_start_ns, "d2h_start", TIME, 0, DAY_NS, "start delay of a copy to the host beside one to the device"),
    GPU(d2h_end_ns, "d2h_end", TIME, 0, DAY_NS,
        "end delay of a copy to the host that would end beside one to the device"),
    GPU(stream_gap_ns, "gap", TIME, 0, DAY_NS, "from the end of an operation to the next one of its stream"),
    GPU(event_gap_ns, "event_gap", TIME, 0, DAY_NS,
        "from the end of an operation to one in another stream that waits for it; 0: as gap"),
    GPU(programmatic_gap_ns, "programmatic_gap", TIME, 0, DAY_NS,
        "from the last trigger of a kernel to its programmatic successor; 0: as gap"),
    GPU(programmatic_wait_ns, "programmatic_wait", TIME, 0, DAY_NS,
        "from the end of a kernel to the return of waits in its programmatic successor; 0: as gap"),
    GPU(programmatic_depth, "programmatic_depth", COUNT, 0, 1024,
        "maximum number of kernels of a stream that overlap by programmatic launches; 0: 8"),
    GPU(handover_ns, "handover", TIME, 0, DAY_NS, "from the end of a block to the next use of its resources"),
    GPU(noise_ns, "noise", TIME, 0, 1000000000, "random variation of block times; 0: not known"),
    GPU(launch_noise_ns, "launch_noise", TIME, 0, 1000000000, "random variation of launch latencies; 0: not known"),
    GPU(switch_ns, "switch", TIME, 0, DAY_NS, "from the last block start of a kernel to the first of the next kernel"),
    GPU(turn_ns, "turn", TIME, 0, DAY_NS, "between kernels that enter in turn from connections of one half; 0: none"),
    GPU(wake_ns, "wake", TIME, 0, 1000000,
        "sleeping warps wake at multiples of this time, a multiple of 4; 0: not known"),
    GPU(look_step_ns, "look", TIME, 0, 1000000,
        "between block ends on an SM, which the GPU sees one by one; 0: all at once"),
    GPU(starving_warps, "starving", COUNT, 0, BIG,
        "a block starves beside this many older spinning warps of its SM; 0: never"),
    GPU(starved_ns, "starved", TIME, 0, DAY_NS, "longest extra time of a starving block"),
    GPU(retreat_ns, "retreat", TIME, 0, DAY_NS, "time of a worker that finds no job in its plan"),
    GPU(job_overhead_ns, "job_overhead", TIME, 0, DAY_NS, "time of a worker before each of its jobs"),
    GPU(graph_latency_ns, "graph_latency", TIME, 0, DAY_NS,
        "from the launch of a graph to its stream's queue; 0: as launch"),
    GPU(graph_node_ns, "graph_node", TIME, 0, DAY_NS, "extra launch time for each node of the graph"),
    GPU(graph_root_ns, "graph_root", TIME, 0, DAY_NS, "extra delay of each further root node"),
    GPU(graph_gap_ns, "graph_gap", TIME, 0, DAY_NS, "from the end of a node to its successor; 0: as gap"),
    GPU(graph_step_ns, "graph_step", TIME, 0, DAY_NS, "between successors of the same node"),
    GPU(graph_trigger_gap_ns, "graph_trigger_gap", TIME, 0, DAY_NS,
        "from the triggers of a node to its programmatic successor; 0: as graph_gap"),
    GPU(graph_start_gap_ns, "graph_start_gap", TIME, 0, DAY_NS,
        "from the last block start of a node to its launch_completion successor; 0: as graph_gap"),
    GPU(graph_copy_gap_ns, "graph_copy_gap", TIME, 0, DAY_NS,
        "before and after a node that copies between host and device; 0: as event_gap"),
    GPU(graph_wait_ns, "graph_wait", TIME, 0, DAY_NS,
        "from the end of a node to waiting blocks of others; 0: as programmatic_wait"),
    GPU(graph_wide, "graph_wide", COUNT, 0, BIG,
        "a node's successors enter in reverse order if there are this many; 0: never"),
    GPU(graph_wide_ns, "graph_wide_late", TIME, 0, DAY_NS, "extra delay of successors in reverse order"),
    GPU(graph_wide_step_ns, "graph_wide_step", TIME, 0, DAY_NS, "between successors in reverse order"),
    GPU(child_launch_ns, "child_launch", TIME, 0, DAY_NS,
        "from the launches of a warp until its children are in their streams' queues"),
    GPU(child_step_ns, "child_step", TIME, 0, DAY_NS, "extra time for each launch of the warp at that time"),
    GPU(child_call_ns, "child_call", TIME, 0, DAY_NS, "time that launches block their warp"),
    GPU(child_call_step_ns, "child_call_step", TIME, 0, DAY_NS, "extra time for each of these launches"),
    GPU(child_call_service_ns, "child_call_service", TIME, 0, DAY_NS,
        "time of a launch on the path that all launches share"),
    GPU(child_refused_ns, "child_refused", TIME, 0, DAY_NS, "time that a refused launch blocks its warp"),
    GPU(child_service_ns, "child_service", TIME, 0, DAY_NS, "minimum time between two children on the whole GPU"),
    GPU(child_end_ns, "child_end", TIME, 0, DAY_NS, "from the end of a child until it is complete"),
    GPU(child_pool, "child_pool", COUNT, 0, BIG, "maximum number of pending children; 0: no maximum"),
    GPU(child_pool_grows, "child_pool_grows", COUNT, 0, 1, "1: further children wait; 0: they are refused"),
    GPU(child_queues, "child_queues", COUNT, 0, 65536, "hardware queues of children; 0: none"),
    GPU(child_forget, "child_forget", COUNT, 0, 1, "1: children with streams of their own need no hardware queue"),
    GPU(child_level, "child_level", COUNT, 0, 2, "queue of children: 0 their parent's, 1 the highest, 2 of priority 0"),
    GPU(child_sync, "child_sync", COUNT, 0, 1, "1: blocks may wait for their children"),
    GPU(spawn_window_ns, "spawn_window", TIME, 1, DAY_NS, "window of the averages of the SPAWN controller"),
    GPU(h2d_bytes_per_s, "h2d", RATE, 0, INT64_MAX, "copies to the device, per second; 0: not known"),
    GPU(d2h_bytes_per_s, "d2h", RATE, 0, INT64_MAX, "copies to the host, per second; 0: not known"),
    GPU(d2d_bytes_per_s, "d2d", RATE, 0, INT64_MAX, "copies on the device, per second; 0: not known"),
    GPU(memset_bytes_per_s, "memset", RATE, 0, INT64_MAX, "memsets, per second; 0: not known"),
    GPU(memory_bytes, "memory", BYTES, 0, INT64_MAX, "memory that can be allocated; 0: not known"),
    GPU(l2_bytes, "l2", BYTES, 0, INT64_MAX, "L2 cache; 0: not known; only shown"),
    GPU(clock_mhz, "clock", COUNT, 0, BIG, "highest clock of the SMs, MHz; 0: not known; only shown"),
    LIMIT(threads_per_sm, "threads", COUNT, 1, BIG, "threads per SM"),
    LIMIT(warps_per_sm, "warps", COUNT, 1, BIG, "warps per SM"),
    LIMIT(blocks_per_sm, "blocks", COUNT, 1, 65535, "blocks per SM"),
    LIMIT(threads_per_block, "threads_block", COUNT, 1, BIG, "threads a block may have"),
    LIMIT(registers_per_sm, "registers", COUNT, 1, BIG, "32-bit registers of an SM"),
    LIMIT(registers_per_block, "registers_block", COUNT, 1, BIG, "registers a block may have"),
    LIMIT(registers_per_thread, "registers_thread", COUNT, 1, 65535, "registers a thread may have"),
    LIMIT(register_unit, "register_unit", COUNT, 1, 65536, "registers of a warp come in multiples of this"),
    LIMIT(register_parts, "register_parts", COUNT, 1, 64, "parts of an SM's register file"),
    LIMIT(smem_per_sm, "smem", BYTES, 0, BIG, "shared memory of an SM"),
    LIMIT(smem_per_block, "smem_block", BYTES, 0, BIG, "shared memory a block may have, with opt-in"),
    LIMIT(smem_per_block_default, "smem_block_default", BYTES, 0, BIG,
          "shared memory a block may have, without opt-in"),
    LIMIT(smem_reserved, "smem_reserved", BYTES, 0, BIG, "shared memory that the system reserves for each block"),
    LIMIT(smem_unit, "smem_unit", BYTES, 1, 65536, "shared memory of a block comes in multiples of this"),
    LIMIT(barriers_per_sm, "barriers", COUNT, 0, BIG, "named barriers of an SM; 0: no limit"),
    LIMIT(resident_grids, "grids", COUNT, 0, BIG, "maximum number of resident kernels; 0: no maximum"),
    LIMIT(cores_per_sm, "cores", COUNT, 0, BIG, "CUDA cores of an SM; 0: not known; only shown"),
    LIMIT(block_x, "block_x", COUNT, 0, INT32_MAX, "threads a block may have in x; only shown"),
    LIMIT(block_y, "block_y", COUNT, 0, INT32_MAX, "in y; only shown"),
    LIMIT(block_z, "block_z", COUNT, 0, INT32_MAX, "in z; only shown"),
    LIMIT(grid_x, "grid_x", COUNT, 0, INT32_MAX, "blocks a grid may have in x; only shown"),
    LIMIT(grid_y, "grid_y", COUNT, 0, INT32_MAX, "in y; only shown"),
    LIMIT(grid_z, "grid_z", COUNT, 0, INT32_MAX, "in z; only shown"),
    LIMIT(texture_1d, "texture_1d", COUNT, 0, INT32_MAX, "width of a 1D texture; only shown"),
    LIMIT(texture_2d_width, "texture_2d_width", COUNT, 0, INT32_MAX, "width of a 2D texture; only shown"),
    LIMIT(texture_2d_height, "texture_2d_height", COUNT, 0, INT32_MAX, "height of a 2D texture; only shown"),
    LIMIT(texture_3d, "texture_3d", COUNT, 0, INT32_MAX, "each edge of a 3D texture; only shown"),
};
const size_t gpu_field_count = sizeof gpu_fields / sizeof gpu_fields[0];
_Static_assert(sizeof gpu_fields / sizeof gpu_fields[0] <= GPU_FIELDS_MAX, "more fields than bits");

int64_t gpu_field_get(const gcast_gpu *gpu, const gpu_field *field)
{
    const char *at = (const char *)gpu + field->offset;
    return field->wide ? *(const int64_t *)at : *(const int *)at;
}

bool gpu_field_set(gcast_gpu *gpu, const gpu_field *field, int64_t v)
{
    char *at = (char *)gpu + field->offset;
    if (v < field->lo || v > field->hi)
        return false;
    if (field->wide)
        *(int64_t *)at = v;
    else
        *(int *)at = (int)v;
    return true;
}

void gpu_field_format(const gpu_field *field, int64_t v, char *to, size_t size)
{
    switch (field->unit) {
    case GPU_TIME:
        units_format_time(v, to, size);
        break;
    case GPU_BYTES:
        units_format_size(v, to, size);
        break;
    case GPU_RATE:
        units_format_rate(v, to, size);
        break;
    default:
        snprintf(to, size, "%lld", (long long)v);
    }
}

gcast_status gpu_field_range_error(const gpu_field *field, const char *path, int64_t v, gcast_error *err)
{
    if (field->hi == INT64_MAX)
        return gcast_error_set(err, GCAST_INPUT, path, "must be at least %lld, not %lld", (long long)field->lo,
                               (long long)v);
    return gcast_error_set(err, GCAST_INPUT, path, "must be from %lld to %lld, not %lld", (long long)field->lo,
                           (long long)field->hi, (long long)v);
}

const gpu_field *gpu_field_find(const char *key)
{
    for (size_t i = 0; i < gpu_field_count; i++)
        if (strcmp(gpu_fields[i].key, key) == 0)
            return &gpu_fields[i];
    return NULL;
}

gpu_field_bits gpu_field_bit(const char *key)
{
    const gpu_field *field = gpu_field_find(key);
    return field ? (gpu_field_bits)1 << (field - gpu_fields) : 0;
}

void gpu_limits_complete(gcast_limits *l, gpu_field_bits given, bool carveouts_given)
{
    const gcast_limits *cc = gcast_limits_find(l->cc_major, l->cc_minor);
#define GIVEN(key) ((given & gpu_field_bit(#key)) != 0)
    if (GIVEN(threads_per_sm) && !GIVEN(warps_per_sm))
        l->warps_per_sm = (int)div_up(l->threads_per_sm, 32);
    if (!GIVEN(threads_per_block))
        l->threads_per_block = min_int(l->threads_per_block, l->threads_per_sm);
    if (!GIVEN(registers_per_block))
        l->registers_per_block = min_int(l->registers_per_block, l->registers_per_sm);
    if (cc && l->registers_per_thread != cc->registers_per_thread)
        l->register_check = l->registers_per_thread;
    int available = max_int(l->smem_per_sm - l->smem_reserved, 0);
    if (!GIVEN(smem_per_block))
        l->smem_per_block = min_int(l->smem_per_block, available);
    if (!GIVEN(smem_per_block_default))
        l->smem_per_block_default = min_int(l->smem_per_block_default, l->smem_per_block);
#undef GIVEN
    if (carveouts_given)
        return;
    int n = 0;
    while (n < l->carveouts && l->carveout[n] < l->smem_per_sm)
        n++;
    n = min_int(n, GCAST_MAX_CARVEOUTS - 1);
    l->carveout[n] = l->smem_per_sm;
    l->carveouts = n + 1;
}

bool gpu_default_quarters(const gcast_limits *l)
{
    return l->register_parts == GCAST_QUARTERS && l->registers_per_sm % GCAST_QUARTERS == 0 &&
           l->warps_per_sm % GCAST_QUARTERS == 0;
}

/* Is key one of the words in fields? */
static bool has_word(const char *fields, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = fields; length && (at = strstr(at, key)); at += length)
        if ((at == fields || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

bool gpu_sources_are_there(const gcast_gpu *gpu)
{
    for (size_t i = 0; i < gpu->source_count; i++)
        if (!gpu->sources || !gpu->sources[i].fields || !gpu->sources[i].text)
            return false;
    return true;
}

const char *gpu_field_source(const gcast_gpu *gpu, const char *key)
{
    for (size_t i = 0; gpu_sources_are_there(gpu) && i < gpu->source_count; i++)
        if (has_word(gpu->sources[i].fields, key))
            return gpu->sources[i].text;
    return NULL;
}

/* gcast_gpu_origin says where the value of a field is from. The text of its source says whether it is known of this
 * GPU. A value without a source is either that of all GPUs of the compute capability, or one that nobody has measured.
 */

static bool starts_with(const char *line, const char *prefix)
{
    return strncasecmp(line, prefix, strlen(prefix)) == 0;
}

static gcast_origin origin_of_source(const char *source)
{
    if (starts_with(source, "assumed:"))
        return GCAST_ORIGIN_ASSUMED;
    bool is_known = !starts_with(source, "not measured") && !starts_with(source, "not measurable") &&
                    !starts_with(source, "not known");
    return is_known ? GCAST_ORIGIN_SOURCE : GCAST_ORIGIN_NOT_KNOWN;
}

/* Is the value that of a GPU of which only the compute capability is known? *is_limit: it is one of the compute
 * capability's limits; *is_time: it is a time that is not 0. */
static bool is_default(const gcast_gpu *gpu, const char *key, bool *is_limit, bool *is_time)
{
    gcast_gpu plain = {0};
    const gpu_field *field = gpu_field_find(key);
    *is_limit = *is_time = false;
    if (strcmp(key, "sms") == 0) /* there is none: whoever describes a GPU says how many */
        return false;
    const gcast_limits *cc = gcast_limits_find(gpu->limits.cc_major, gpu->limits.cc_minor);
    gpu_set_defaults(&plain, cc ? cc : &gpu->limits, gpu->sms);
    *is_limit = field ? field->limit : strcmp(key, "register_quarters") == 0;
    *is_time = field && field->unit == GPU_TIME && gpu_field_get(&plain, field);
    if (field)
        return gpu_field_get(gpu, field) == gpu_field_get(&plain, field);
    if (strcmp(key, "register_quarters") == 0)
        return gpu->register_quarters == plain.register_quarters;
    if (strcmp(key, "placement") == 0)
        return gpu->placement == plain.placement;
    return strcmp(key, "tie_order") != 0 || gpu->tie_order == plain.tie_order;
}

gcast_origin gcast_gpu_origin(const gcast_gpu *gpu, const char *field)
{
    if (!gpu || !field)
        return GCAST_ORIGIN_NOT_KNOWN;
    const char *source = gpu_field_source(gpu, field);
    bool is_limit, is_time;
    if (source)
        return origin_of_source(source);
    /* Every GPU since 2013 has several priorities: one level means that nobody thought of them, even in a GPU without
     * sources, all other values of which count as given. */
    bool may_be_default = gpu->source_count || strcmp(field, "priority_levels") == 0;
    if (!may_be_default || !is_default(gpu, field, &is_limit, &is_time))
        return GCAST_ORIGIN_GIVEN;
    return is_limit ? GCAST_ORIGIN_CC : is_time ? GCAST_ORIGIN_ASSUMED : GCAST_ORIGIN_NOT_KNOWN;
}

bool gcast_gpu_assumes(const gcast_gpu *gpu, const char *field)
{
    if (!gpu || !field)
        return false;
    gcast_origin origin = gcast_gpu_origin(gpu, field);
    return origin == GCAST_ORIGIN_ASSUMED || origin == GCAST_ORIGIN_NOT_KNOWN;
}
