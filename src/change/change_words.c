/* Changes in words. */
#include <inttypes.h>

#include "base/units.h"
#include "change/change_text.h"
#include "gridcast/names.h"

static void say_split(const change *c, text *t)
{
    if (c->value == CHANGE_ALL)
        text_str(t, "every operation in a stream of its own");
    else if (c->value == CHANGE_LABELS)
        text_str(t, "a stream for each label of a stream");
    else if (c->value == CHANGE_HOSTS)
        text_str(t, "a stream for each host of a stream");
    else if (c->value == 1)
        text_str(t, "operations of a stream in turn in two");
    else
        text_printf(t, "every %" PRId64 " operations of a stream in turn in two", c->value);
}

static void say_blocks(const change *c, text *t)
{
    if (c->value == CHANGE_HALF)
        text_str(t, "half the blocks of ");
    else if (c->value == CHANGE_QUARTER)
        text_str(t, "a quarter of the blocks of ");
    else if (c->value == CHANGE_WAVE)
        text_str(t, "one wave of blocks of ");
    else
        text_printf(t, "%" PRId64 " block%s of ", c->value, c->value == 1 ? "" : "s");
    text_str(t, c->name);
    text_str(t, c->value > 0 ? ", which do the same work" : ", each with more of the same work");
}

static void say_launches(const change *c, text *t)
{
    char time[40];
    text_str(t, "launches instead of graphs, ");
    if (c->value >= 0) {
        units_format_time(c->value, time, sizeof time);
        text_printf(t, "%s apart", time);
    } else {
        text_str(t, "a launch latency apart");
    }
}

/* The label, or `all` where none is named. */
static void say_of(const change *c, const char *all, text *t)
{
    text_str(t, c->name ? c->name : all);
}

static const char *sm_word(int64_t sms)
{
    return sms == 1 ? "SM" : "SMs";
}

static void say_on_sms(const change *c, text *t)
{
    if (c->kind == CHANGE_SMS) {
        text_printf(t, "on %" PRId64 " %s: a partition, as of MPS or a green context", c->value, sm_word(c->value));
    } else if (c->kind == CHANGE_RESERVE) {
        text_printf(t, "%" PRId64 " %s for stream %" PRId64 " alone, the others for all else", c->other,
                    sm_word(c->other), c->value);
    } else {
        text_str(t, c->name);
        text_printf(t, " on %" PRId64 " %s only", c->value, sm_word(c->value));
    }
}

static void say_streams(const change *c, text *t)
{
    if (c->kind == CHANGE_MERGE && c->value == CHANGE_ALL)
        text_str(t, "all streams in one");
    else if (c->kind == CHANGE_MERGE)
        text_printf(t, "streams %" PRId64 " and %" PRId64 " in one", c->value, c->other);
    else if (c->kind == CHANGE_PRIORITY)
        text_printf(t, "stream %" PRId64 " with the highest priority", c->value);
    else {
        text_str(t, c->name);
        text_str(t, " in a stream of its own");
    }
}

bool change_needs_independence(const change *c)
{
    return c->kind == CHANGE_SPLIT || c->kind == CHANGE_MOVE;
}

const char *change_condition(const change *c)
{
    switch (c->kind) {
    case CHANGE_SPLIT:
    case CHANGE_MOVE:
        return "only if independent: the workload does not say what kernels read and write";
    case CHANGE_GRAPHS:
        return "if the CPU has nothing to do between these calls; predictions were up to 30 % too short for recorded "
               "graphs";
    case CHANGE_BLOCKS:
        return "if the kernel's grid is yours to choose";
    case CHANGE_PAUSES:
        return "a limit: what the CPU does between calls is not known";
    case CHANGE_LATENCY:
        return "a limit: no launch is that fast";
    default:
        return NULL;
    }
}

void change_say(const change *c, text *t)
{
    switch (c->kind) {
    case CHANGE_CONNECTIONS:
        text_printf(t, "CUDA_DEVICE_MAX_CONNECTIONS=%" PRId64, c->value);
        break;
    case CHANGE_SPLIT:
        say_split(c, t);
        break;
    case CHANGE_MERGE:
    case CHANGE_PRIORITY:
    case CHANGE_MOVE:
        say_streams(c, t);
        break;
    case CHANGE_SMS:
    case CHANGE_RESERVE:
    case CHANGE_CONFINE:
        say_on_sms(c, t);
        break;
    case CHANGE_BLOCKS:
        say_blocks(c, t);
        break;
    case CHANGE_CARVEOUT:
        text_printf(t, "the carveout \"%s\" for ", gcast_name(GCAST_NAMES_CARVEOUT, (gcast_op_carveout)c->value));
        say_of(c, "all kernels", t);
        break;
    case CHANGE_GRAPHS:
        text_str(t, "a CUDA graph for the calls between two synchronizations of a thread");
        break;
    case CHANGE_LAUNCHES:
        say_launches(c, t);
        break;
    case CHANGE_PAUSES:
        if (c->value)
            text_printf(t, "CPU time between calls %" PRId64 " %% as long", c->value);
        else
            text_str(t, "no CPU time between calls");
        break;
    case CHANGE_LATENCY:
        if (c->value)
            text_printf(t, "launch latencies %" PRId64 " %% as long", c->value);
        else
            text_str(t, "no launch latency");
        break;
    case CHANGE_SCALE:
        text_printf(t, "blocks %" PRId64 " %% as long: of ", c->value);
        say_of(c, "all kernels", t);
        break;
    default:
        text_str(t, "on ");
        text_str(t, c->name);
        text_str(t, ", with the same times of blocks");
    }
}

static void say_time(int64_t ns, text *t)
{
    char time[40];
    units_format_time(ns, time, sizeof time);
    text_str(t, time);
}

/* The stream of an op: its number, or "that of OP" if an earlier change gave it a stream of its own. */
static void say_stream(const change *changes, size_t which, const gcast_workload *w, text *t)
{
    const gcast_op *op = &w->ops[changes[which].at];
    bool moved = false;
    for (size_t i = 0; i < which; i++) {
        const gcast_op *changed = &w->ops[changes[i].at];
        moved = moved || (changes[i].kind == CHANGE_OWN_STREAM &&
                          (changed == op || (op->task != GCAST_ONCE && changed->task == op->task)));
    }
    if (moved) {
        text_str(t, "that of ");
        text_str(t, op->label);
    } else {
        text_printf(t, "stream %d", w->streams[op->stream].id);
    }
}

static void say_own_stream(const gcast_op *op, const gcast_workload *w, text *t)
{
    text_str(t, op->task == GCAST_ONCE ? "" : "task ");
    text_str(t, op->task == GCAST_ONCE ? op->label : w->tasks[op->task].name);
    text_str(t, w->streams[op->stream].id ? " in a stream of its own" : " in a non-blocking stream of its own");
}

/* What the op gets. */
static void say_of_op(const change *c, const gcast_op *op, text *t)
{
    if (c->kind == CHANGE_AT_MOST)
        text_printf(t, "at most %" PRId64 " block%s of ", c->value, c->value > 1 ? "s" : "");
    text_str(t, op->label);
    switch (c->kind) {
    case CHANGE_OP_CARVEOUT:
        text_str(t, "'s preferred carveout at 100 percent");
        break;
    case CHANGE_THREADS:
        text_printf(t, " in blocks of %" PRId64 " threads, %s blocks than before, each as long as before", c->value,
                    c->value < op->shape.threads ? "more" : "fewer");
        break;
    case CHANGE_REGISTERS:
        text_printf(t, " at %" PRId64 " registers per thread", c->value);
        break;
    case CHANGE_SHARED_MEMORY:
        text_printf(t, " at %" PRId64 " bytes of shared memory per block", c->value);
        break;
    case CHANGE_CALL:
        text_str(t, " called at ");
        say_time(c->value, t);
        break;
    case CHANGE_COOPERATIVE:
        text_str(t, " launched cooperatively");
        break;
    case CHANGE_ON_SMS:
        text_printf(t, " on SMs %" PRId64 " to %" PRId64 " only", c->value, c->other - 1);
        break;
    default:
        break;
    }
}

void change_say_of(const change *changes, size_t which, const gcast_workload *w, text *t)
{
    const change *c = &changes[which];
    if (c->kind < CHANGE_WRITTEN_KINDS) {
        change_say(c, t);
        return;
    }
    const gcast_op *op = &w->ops[c->at];
    switch (c->kind) {
    case CHANGE_OWN_STREAM:
        say_own_stream(op, w, t);
        break;
    case CHANGE_NON_BLOCKING:
        say_stream(changes, which, w, t);
        text_str(t, " non-blocking");
        break;
    case CHANGE_LEVEL:
        say_stream(changes, which, w, t);
        text_printf(t, " at priority %" PRId64, c->value);
        break;
    default:
        say_of_op(c, op, t);
    }
}
