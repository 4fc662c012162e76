#include "report/phrases.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "gridcast/names.h"

#define MAX_HOLDERS 6

void phrase_time(text *t, int64_t ns, int width)
{
    char time[40];
    units_format_time(ns, time, sizeof time);
    text_printf(t, "%*s", width, time);
}

void phrase_share(text *t, int64_t ns, int64_t total_ns)
{
    unsigned __int128 scaled = (unsigned __int128)(uint64_t)ns * 1000 + (uint64_t)total_ns / 2;
    int permille = total_ns > 0 ? (int)(scaled / (uint64_t)total_ns) : 0;
    text_printf(t, "%4d.%d %%", permille / 10, permille % 10);
}

void phrase_op(text *t, const gcast_run *run, size_t i)
{
    const gcast_child *child = i < run->op_count ? NULL : &run->children[i - run->op_count];
    if (child && child->is_rest) {
        text_printf(t, "the rest of block %u of ", child->parent_block);
        i = child->parent;
    }
    const gcast_op *op = &run->workload->ops[run->ops[i].op];
    text_terminal(t, op->label);
    if (op->task != GCAST_ONCE || i >= run->op_count)
        text_printf(t, "#%u", run->ops[i].job);
}

const char *phrase_short(gcast_reason reason)
{
    switch (reason) {
    case GCAST_WHY_STREAM:
        return "stream order";
    case GCAST_WHY_NULL_FIRST:
    case GCAST_WHY_NULL_BEFORE:
        return "NULL stream";
    case GCAST_WHY_FIFO:
        return "queue order";
    case GCAST_WHY_PRIORITY:
        return "priority";
    case GCAST_WHY_RESOURCES:
        return "no room";
    case GCAST_WHY_COPY_FIFO:
        return "copy queue";
    default:
        return gcast_name(GCAST_NAMES_REASON, reason);
    }
}

const char *phrase_word(const char *rule)
{
    int reason;
    if (strncmp(rule, "R2", 2) == 0 || strcmp(rule, "R3") == 0)
        return phrase_short(GCAST_WHY_RESOURCES);
    return gcast_find_name(GCAST_NAMES_REASON, rule, &reason) ? phrase_short((gcast_reason)reason) : rule;
}

void phrase_rule(text *t, gcast_reason reason, unsigned resources)
{
    const char *rule = gcast_wait_rule(reason, resources);
    if (strpbrk(rule, "0123456789"))
        text_printf(t, " (%s %s)", strchr(rule, ' ') ? "rules" : "rule", rule);
}

void phrase_reason(text *t, gcast_reason reason, unsigned resources)
{
    const char *separator = "; short of ";
    text_str(t, gcast_text(GCAST_NAMES_REASON, reason));
    for (int r = 0; r < GCAST_RESOURCES; r++)
        if (resources >> r & 1) {
            const char *name = gcast_name(GCAST_NAMES_RESOURCE, (gcast_resource)r);
            text_str(t, separator);
            for (; *name; name++)
                text_char(t, *name == '_' ? ' ' : *name);
            separator = " and ";
        }
}

static void put_bytes(text *t, int64_t bytes)
{
    if (bytes % 1024)
        text_printf(t, "%" PRId64 " bytes", bytes);
    else
        text_printf(t, "%" PRId64 " KiB", bytes / 1024);
}

/* How much shared memory the SMs were configured with, and how much a block needs. */
static void put_sizes(text *t, const gcast_wait *wait)
{
    if (wait->reason != GCAST_WHY_CARVEOUT)
        return;
    text_str(t, "; ");
    if (wait->size_bytes >= 0) {
        put_bytes(t, wait->size_bytes);
        text_str(t, " there, ");
    }
    put_bytes(t, wait->min_bytes);
    text_str(t, " needed");
}

static void put_holders(text *t, const gcast_run *run, const gcast_wait *wait)
{
    if (wait->reason == GCAST_WHY_CALL && wait->holder_count)
        text_str(t, "; its host thread was busy with");
    for (size_t i = 0; i < wait->holder_count && i < MAX_HOLDERS; i++) {
        const gcast_holder *h = &wait->holders[i];
        text_str(t, i ? ", " : wait->reason == GCAST_WHY_CALL ? " " : ": ");
        phrase_op(t, run, h->run_op);
        if (h->blocks)
            text_printf(t, " (%" PRIu64 " block%s on %u SM%s)", h->blocks, h->blocks == 1 ? "" : "s", h->sms,
                        h->sms == 1 ? "" : "s");
    }
    if (wait->holder_count > MAX_HOLDERS)
        text_printf(t, " and %zu more", wait->holder_count - MAX_HOLDERS);
}

void phrase_wait(text *t, const gcast_run *run, const gcast_wait *wait)
{
    phrase_reason(t, wait->reason, wait->resources);
    put_sizes(t, wait);
    put_holders(t, run, wait);
}

void phrase_late(text *t, const char *label, const gcast_late *late)
{
    char time[40];
    bool is_late = late->late_ns > 0;
    units_format_time(is_late ? late->late_ns : late->response_ns, time, sizeof time);
    text_str(t, label);
    text_printf(t, is_late ? " ends %s after its deadline" : " takes %s", time);
}
