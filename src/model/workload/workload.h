/* Changes to a workload, and questions about it, beyond the public calls: for readers and for what-if analyses. */
#ifndef MODEL_WORKLOAD_WORKLOAD_H
#define MODEL_WORKLOAD_WORKLOAD_H

#include "base/arena.h"
#include "base/index.h"
#include "base/vec.h"
#include "gridcast/workload.h"

/* May blocks with this mask run on the SM? NULL: on all SMs. */
static inline bool mask_has_sm(const gcast_mask *mask, int sm)
{
    return !mask || mask->word[sm / 64] >> (sm % 64) & 1;
}

/* The mask with this index, as an op has it; NULL for GCAST_ALL_SMS. */
static inline const gcast_mask *mask_at(const gcast_workload *w, int mask)
{
    return mask == GCAST_ALL_SMS ? NULL : &w->masks[mask];
}

/* How many of the first `sms` SMs are in the mask. */
static inline int mask_sm_count(const gcast_mask *mask, int sms)
{
    int n = 0;
    for (int sm = 0; sm < sms; sm++)
        n += mask_has_sm(mask, sm);
    return n;
}

/* How many SMs of the mask are not among the first `sms`. */
static inline int mask_beyond(const gcast_mask *mask, int sms)
{
    int n = 0;
    for (int sm = sms; sm < GCAST_MAX_SMS; sm++)
        n += mask_has_sm(mask, sm);
    return n;
}

/* A note about them: the label of the kernel, that number, and the number of SMs. */
#define MASK_BEYOND_NOTE "%.200s: %d of its allowed_sms are ignored: the GPU has %d SMs"

/* A workload as its owner sees it: the arrays behind the public struct, which may be changed. */
typedef struct owned_workload {
    gcast_workload w;                  /* first, so that a gcast_workload is its handle */
    arena memory;                      /* of all text, durations per block and plans */
    VEC(gcast_stream) streams;         /* these arrays are those of w */
    VEC(const char *) hosts;           /* names of host threads */
    VEC(gcast_op) ops;                 /* ops that run once first, then those of each task */
    VEC(gcast_op) children;            /* kernels that kernels launch; copied behind ops for w */
    bool children_deferred;            /* w has no children until all ops are added */
    VEC(gcast_task) tasks;             /* each with its place in ops */
    VEC(gcast_mask) masks;             /* each of them once */
    VEC(const char *) graphs;          /* names of launches of graphs */
    VEC(const char *) notes;           /* what a reader could not carry over */
    VEC(const char *) remarks;         /* what changes no answer, such as complete names of kernels */
    hash_index stream_ids, mask_index; /* find a stream by its id, and a mask by its bits */
    gcast_gpu *gpu;                    /* the one that the workload names; NULL */
    bool counted_by_time;              /* iterations were counted so that they fill the time of the file */
    bool is_shortened;                 /* a duration became shorter after that */
} owned_workload;

static inline owned_workload *workload_owned(gcast_workload *w)
{
    return (owned_workload *)w;
}

/* As gcast_workload_add_note, for what changes no answer: it is written with the workload, and that is all. */
gcast_status workload_add_remark(gcast_workload *w, const char *remark, gcast_error *err);

/* Adds a note, once, where iterations were counted by durations that have become shorter since, so that there may be
 * more of them. */
gcast_status workload_note_iterations(gcast_workload *w, gcast_error *err);

/* The longest time in a workload, so that sums of a few do not overflow. */
#define WORKLOAD_MAX_NS (INT64_MAX / 4)

/* The index of the stream with this id, or -1. */
int workload_find_stream(const gcast_workload *w, int id);
void workload_set_op_duration(gcast_workload *w, size_t op, int64_t ns);
/* The maximum duration of the longest block of a kernel, or of the copy; GCAST_UNKNOWN_NS. */
int64_t workload_longest_block(const gcast_op *op);
/* The minimum duration of the shortest block of a kernel; GCAST_UNKNOWN_NS. */
int64_t workload_shortest_block(const gcast_op *op);
/* Sets the maximum duration of an op; durations of single blocks change in proportion, rounded up. `original` is the op
 * in another workload, which repeated changes start from. */
void workload_stretch_op(gcast_workload *w, size_t op, const gcast_op *original, int64_t longest);
void workload_set_period(gcast_workload *w, size_t task, int64_t ns);
void workload_set_priority(gcast_workload *w, size_t stream, int priority);
/* A stream like another, with another id. A stream like the NULL stream does not wait for the NULL stream, and counts
 * as known not to. */
gcast_stream workload_stream_like(const gcast_workload *w, int like, int id);
/* Sets whether a stream is blocking, which then counts as known. */
void workload_set_blocking(gcast_workload *w, size_t stream, bool blocking);
/* Sets what an op is after; false without memory. */
bool workload_set_after(gcast_workload *w, size_t op, const uint32_t *after, size_t count);
/* Sets the ports of an op, one for each op in `after`; false without memory. */
bool workload_set_ports(gcast_workload *w, size_t op, const gcast_port *ports);
/* Sets the kernels whose blocks its own blocks wait for; false without memory. */
bool workload_set_waits_for(gcast_workload *w, size_t op, const uint32_t *kernels, size_t count);
/* Moves an op to another stream, and with it all ops of its task that are in its stream. */
void workload_move_op(gcast_workload *w, size_t op, int stream);
/* Has the workload ops in the NULL stream, and in streams of which it does not say whether they are blocking? */
bool workload_blocking_unknown(const gcast_workload *w);
/* Replaces an op by another of the same task, or of no task. Its text and arrays are not copied. */
void workload_put_op(gcast_workload *w, size_t at, const gcast_op *op);
/* While many ops are added, defers putting the kernels that they launch behind the ops each time. Call it with true
 * before, with false after. */
void workload_defer_children(gcast_workload *w, bool is_deferred);
/* Iterations of one call have the labels "K", "K#2", "K#3": returns the length of "K". */
size_t workload_label_stem(const char *label);
/* gcast_workload_check, but durations may be unknown. */
gcast_status workload_check_form(const gcast_workload *w, gcast_error *err);

bool gcast_kind_on_gpu(gcast_kind k);

gcast_status gcast_workload_set_source(gcast_workload *w, const char *source, gcast_error *err);

/* The path of an op in the file, such as /ops/3 or /tasks/0/ops/1. */
void gcast_workload_op_path(const gcast_workload *w, size_t op, char *path, size_t size);

#endif
