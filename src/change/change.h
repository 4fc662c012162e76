/* A change to a workload or its GPU. variant.h makes it; change_text.h reads and writes it. */
#ifndef CHANGE_CHANGE_H
#define CHANGE_CHANGE_H

#include "base/vec.h"
#include "gridcast/workload.h"

/* Kinds of change that people write: name, form of its text. */
#define CHANGE_TABLE(X)                                                                                                \
    X(CONNECTIONS, "connections", "connections=N")                                                                     \
    X(MERGE, "merge", "merge=all or merge=STREAM+STREAM")                                                              \
    X(SPLIT, "split", "split=all, split=labels, split=hosts or split=N")                                               \
    X(MOVE, "move", "move=LABEL")                                                                                      \
    X(PRIORITY, "priority", "priority=STREAM")                                                                         \
    X(SMS, "sms", "sms=N")                                                                                             \
    X(RESERVE, "reserve", "reserve=STREAM:N")                                                                          \
    X(CONFINE, "confine", "confine=LABEL:N")                                                                           \
    X(BLOCKS, "blocks", "blocks=LABEL:half, LABEL:quarter, LABEL:wave or LABEL:N")                                     \
    X(CARVEOUT, "carveout", "carveout=most, carveout=driver or carveout=LABEL:most")                                   \
    X(GRAPHS, "graphs", "graphs")                                                                                      \
    X(LAUNCHES, "launches", "launches or launches=TIME")                                                               \
    X(PAUSES, "pauses", "pauses=PERCENT")                                                                              \
    X(LATENCY, "latency", "latency=PERCENT")                                                                           \
    X(SCALE, "scale", "scale=PERCENT or scale=LABEL:PERCENT")                                                          \
    X(GPU, "gpu", "gpu=NAME")

/* Kinds that searches make, most of an op or task by its index `at`: name, what it does. A change of a stream is of the
 * one that the op is in by then. */
#define CHANGE_SEARCH_TABLE(X)                                                                                         \
    X(OWN_STREAM, "own_stream", "the op in a stream of its own, or its whole task")                                    \
    X(NON_BLOCKING, "non_blocking", "the stream takes no part in the rules of the NULL stream")                        \
    X(LEVEL, "priority", "of the stream, `value`")                                                                     \
    X(OP_CARVEOUT, "carveout", "of the op, `value`")                                                                   \
    X(THREADS, "threads", "`value` of them per block, and so many more or fewer blocks, which take as long each")      \
    X(REGISTERS, "registers", "`value` of them per thread")                                                            \
    X(SHARED_MEMORY, "shared_memory", "`value` bytes of it per block, static and dynamic")                             \
    X(CALL, "call", "of the op at `value`, by a host thread of its own")                                               \
    X(COOPERATIVE, "cooperative", "launch of the op")                                                                  \
    X(AT_MOST, "at_most", "`value` blocks of the op, which take as long each")                                         \
    X(ON_SMS, "on_sms", "the op runs on SMs from `value` to before `other` only")                                      \
    X(DURATION, "duration", "the longest block of the op, or the copy, takes `value` ns; others in proportion")        \
    X(PERIOD, "period", "of the task; its deadline stays")                                                             \
    X(PLACE, "place", "op `value` is called where op `at` was")                                                        \
    X(GPU_FIELD, "gpu_field", "number `name` of the GPU, or register_quarters, is `value`")

typedef enum {
#define X(id, name, form) CHANGE_##id,
    CHANGE_TABLE(X) CHANGE_SEARCH_TABLE(X)
#undef X
        CHANGE_KINDS
} change_kind;

#define CHANGE_WRITTEN_KINDS CHANGE_OWN_STREAM /* the kinds that people write come first */

const char *change_kind_name(change_kind kind);

/* Values that stand for words. */
#define CHANGE_ALL (-1)     /* merge, split: all */
#define CHANGE_LABELS (-2)  /* split: by label */
#define CHANGE_HOSTS (-3)   /* split: by host */
#define CHANGE_WAVE (-1)    /* blocks: one wave */
#define CHANGE_HALF (-2)    /* blocks: half of them */
#define CHANGE_QUARTER (-4) /* blocks: a quarter of them */
#define CHANGE_DEFAULT (-1) /* launches: the pause between two calls is the GPU's launch latency */

typedef struct change {
    change_kind kind;
    const char *name; /* a label without #N of its iterations, the name of a GPU or of its field; NULL: none, or all
                       * kernels */
    int64_t value;    /* a number, a stream's id, or one of the values above */
    int64_t other;    /* merge: the second stream; reserve: SMs */
    size_t at;        /* kinds of searches: an op or task */
} change;

typedef VEC(change) change_list;

/* Is the change right only if operations of one stream do not depend on each other? No workload says what kernels read
 * and write. */
bool change_needs_independence(const change *c);
/* What must hold for the prediction, in words; NULL: nothing in particular. */
const char *change_condition(const change *c);
/* Does an op have this label, or is it an iteration of it (K#2 of K)? */
bool change_names(const change *c, const gcast_op *op);
/* Gives the op blocks of `threads` threads, which is its own number doubled or halved some times; false: impossible. */
bool change_threads(gcast_op *op, int64_t threads);

#endif
