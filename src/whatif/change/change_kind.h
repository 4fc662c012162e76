/* Kinds of change. */
#ifndef WHATIF_CHANGE_CHANGE_KIND_H
#define WHATIF_CHANGE_CHANGE_KIND_H

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

#endif
