/* A change to a workload or its GPU, as text ("connections=8") and in words. */
#ifndef CHANGE_CHANGE_H
#define CHANGE_CHANGE_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "gridcast/workload.h"

/* Kinds of change: name, form of its text. */
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

typedef enum {
#define X(id, name, form) CHANGE_##id,
    CHANGE_TABLE(X)
#undef X
        CHANGE_KINDS
} change_kind;

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
    const char *name; /* a label without #N of its iterations, or the name of a GPU; NULL: none, or all kernels */
    int64_t value;    /* a number, a stream's id, or one of the values above */
    int64_t other;    /* merge: the second stream; reserve: SMs */
} change;

typedef VEC(change) change_list;

/* Reads a change from text; its name is kept in `memory`. GCAST_USAGE where the text is no change. */
gcast_status change_parse(const char *words, arena *memory, change *c, gcast_error *err);
/* Writes a change as text that change_parse reads. */
void change_write(const change *c, text *t);
/* Writes what a change is, in plain words. */
void change_say(const change *c, text *t);
/* Is the change right only if operations of one stream do not depend on each other? No workload says what kernels read
 * and write. */
bool change_needs_independence(const change *c);
/* What must hold for the prediction, in words; NULL: nothing in particular. */
const char *change_condition(const change *c);
/* Does an op have this label, or is it an iteration of it (K#2 of K)? */
bool change_names(const change *c, const gcast_op *op);

#endif
