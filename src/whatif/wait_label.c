/* The names of labels, and the label of each reason. */
#include "whatif/wait_label.h"

static const struct {
    const char *name, *title, *text;
} labels[] = {
#define X(id, name, title, text) {name, title, text},
    WAIT_LABEL_TABLE(X)
#undef X
};

const char *wait_label_name(wait_label label)
{
    return (unsigned)label < WAIT_LABELS ? labels[label].name : "?";
}

const char *wait_label_title(wait_label label)
{
    return (unsigned)label < WAIT_LABELS ? labels[label].title : "?";
}

const char *wait_label_text(wait_label label)
{
    return (unsigned)label < WAIT_LABELS ? labels[label].text : "?";
}

/* Without a default, so that the compiler finds a reason that has no label. */
wait_label wait_label_of_reason(gcast_reason reason)
{
    switch (reason) {
    case GCAST_WHY_RUN:
    case GCAST_WHY_COPY_RUN:
    case GCAST_WHY_JOBS:
    case GCAST_WHY_REPAIR:
    case GCAST_WHY_CHILDREN:
        return WAIT_LABEL_WORK;
    case GCAST_WHY_STREAM:
    case GCAST_WHY_GAP:
    case GCAST_WHY_NULL_FIRST:
    case GCAST_WHY_NULL_BEFORE:
    case GCAST_WHY_AFTER:
    case GCAST_WHY_EDGE:
    case GCAST_WHY_TRIGGER:
    case GCAST_WHY_DEPTH:
    case GCAST_WHY_GRID_WAIT:
    case GCAST_WHY_BLOCK_WAIT:
    case GCAST_WHY_IN_ORDER:
    case GCAST_WHY_TAIL:
    case GCAST_WHY_CHILD_STREAM:
        return WAIT_LABEL_DEPENDENCY;
    case GCAST_WHY_CONNECTION:
    case GCAST_WHY_TURN:
    case GCAST_WHY_CHILD_QUEUE:
        return WAIT_LABEL_CONNECTION;
    case GCAST_WHY_CARVEOUT:
        return WAIT_LABEL_CARVEOUT;
    case GCAST_WHY_FIFO:
    case GCAST_WHY_PRIORITY:
    case GCAST_WHY_SWITCH:
    case GCAST_WHY_GRIDS:
    case GCAST_WHY_CLUSTER:
    case GCAST_WHY_RESOURCES:
    case GCAST_WHY_PLAN:
    case GCAST_WHY_WHOLE:
    case GCAST_WHY_POOL:
        return WAIT_LABEL_ROOM;
    case GCAST_WHY_COPY_FIFO:
    case GCAST_WHY_COPY_BESIDE:
        return WAIT_LABEL_COPY_ENGINE;
    case GCAST_WHY_LATENCY:
        return WAIT_LABEL_LAUNCH;
    case GCAST_WHY_CHILD_LAUNCH:
    case GCAST_WHY_CHILD_SERVICE:
    case GCAST_WHY_LAUNCHES:
    case GCAST_WHY_CHILD_ENDS:
        return WAIT_LABEL_DEVICE_LAUNCH;
    case GCAST_WHY_CALL:
    case GCAST_WHY_HOST:
    case GCAST_WHY_HOST_WAIT:
    case GCAST_REASONS:
        break;
    }
    return WAIT_LABEL_HOST;
}

/* Holders come with the largest number of blocks first. */
wait_label wait_label_of(const gcast_wait *wait)
{
    wait_label label = wait_label_of_reason(wait->reason);
    bool for_itself = wait->holder_count && wait->holders[0].run_op == wait->run_op;
    return label == WAIT_LABEL_ROOM && for_itself ? WAIT_LABEL_WORK : label;
}

/* Waits of blocks for blocks are not followed: two kernels may wait for each other. Waits of children are not, as the
 * path goes on with their parents. */
bool wait_label_is_followed(gcast_reason reason)
{
    switch (reason) {
    case GCAST_WHY_STREAM:
    case GCAST_WHY_GAP:
    case GCAST_WHY_NULL_FIRST:
    case GCAST_WHY_NULL_BEFORE:
    case GCAST_WHY_AFTER:
    case GCAST_WHY_EDGE:
    case GCAST_WHY_TRIGGER:
    case GCAST_WHY_DEPTH:
    case GCAST_WHY_GRID_WAIT:
    case GCAST_WHY_IN_ORDER:
        return true;
    default:
        return false;
    }
}
