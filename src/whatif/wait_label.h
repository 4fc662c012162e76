/* Why an operation waited, in few words: labels that sum up the many reasons of an explanation by what a programmer
 * could change. */
#ifndef WHATIF_WAIT_LABEL_H
#define WHATIF_WAIT_LABEL_H

#include "gridcast/explain.h"

/* Labels: name (of files), title (of what is printed), text. */
#define WAIT_LABEL_TABLE(X)                                                                                            \
    X(WORK, "work", "GPU busy", "with kernels and copies of the critical path")                                        \
    X(DEPENDENCY, "true dependency", "start gap",                                                                      \
      "its dependency had finished; the GPU takes this long to start the next operation")                              \
    X(CONNECTION, "connection", "connection", "kernels of other streams were in front of it in its hardware queue")    \
    X(CARVEOUT, "carveout", "carveout", "SMs with room had too small a carveout of shared memory")                     \
    X(ROOM, "room", "no room", "the SMs were full, or a kernel in front of it waited for room")                        \
    X(COPY_ENGINE, "copy engine", "copy engine", "other copies were in front of it")                                   \
    X(LAUNCH, "launch", "launch latency", "its call was on its way to the GPU")                                        \
    X(DEVICE_LAUNCH, "device launch", "device launch", "launch overhead of kernels that kernels launch")               \
    X(HOST, "host", "CPU-bound", "the GPU was idle; the CPU had not launched the next operation yet")

typedef enum {
#define X(id, name, title, text) WAIT_LABEL_##id,
    WAIT_LABEL_TABLE(X)
#undef X
        WAIT_LABELS
} wait_label;

const char *wait_label_name(wait_label label);
const char *wait_label_title(wait_label label);
const char *wait_label_text(wait_label label);
/* The label of a reason, without regard to the holder. */
wait_label wait_label_of_reason(gcast_reason reason);
/* The label of a wait. A kernel whose next blocks wait mostly for room that its own blocks hold is at work. */
wait_label wait_label_of(const gcast_wait *wait);
/* Is the wait for an operation that this one needs, so that the critical path follows that operation? */
bool wait_label_is_followed(gcast_reason reason);

#endif
