/* gridcast explain: why an operation ended when it did. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "cli/run_options.h"
#include "cli/workload_args.h"

#define MOST_HOLDERS 6

/* LABEL, or LABEL#JOB for the operation of one job of a task. */
static bool find_op(const gcast_run *run, const char *name, size_t *found)
{
    const gcast_workload *w = run->workload;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_op *op = &w->ops[run->ops[i].op];
        size_t length = strlen(op->label);
        char job[16];
        snprintf(job, sizeof job, "#%u", run->ops[i].job);
        if (strcmp(op->label, name) == 0 ||
            (op->task != GCAST_ONCE && strncmp(op->label, name, length) == 0 && strcmp(name + length, job) == 0)) {
            *found = i;
            return true;
        }
    }
    return false;
}

static void put_time(text *t, int64_t ns, int width)
{
    char time[40];
    units_format_time(ns, time, sizeof time);
    text_printf(t, "%*s", width, time);
}

static void put_bytes(text *t, int64_t bytes)
{
    if (bytes % 1024)
        text_printf(t, "%" PRId64 " bytes", bytes);
    else
        text_printf(t, "%" PRId64 " KiB", bytes / 1024);
}

static void put_op(text *t, const gcast_run *run, size_t i)
{
    const gcast_op *op = &run->workload->ops[run->ops[i].op];
    text_terminal(t, op->label);
    if (op->task != GCAST_ONCE)
        text_printf(t, "#%u", run->ops[i].job);
}

static void put_resources(text *t, unsigned bits)
{
    const char *separator = "; short of ";
    for (int r = 0; r < GCAST_RESOURCES; r++)
        if (bits >> r & 1) {
            const char *name = gcast_resource_name((gcast_resource)r);
            text_str(t, separator);
            for (; *name; name++)
                text_char(t, *name == '_' ? ' ' : *name);
            separator = " and ";
        }
}

/* What SMs had of shared memory, and what was needed. */
static void put_sizes(text *t, const gcast_wait *wait)
{
    if (wait->reason != GCAST_WHY_CARVEOUT)
        return;
    text_str(t, "; ");
    if (wait->size_bytes >= 0) {
        put_bytes(t, wait->size_bytes);
        text_str(t, " there, ");
    }
    put_bytes(t, wait->least_bytes);
    text_str(t, " needed");
}

static void put_holders(text *t, const gcast_run *run, const gcast_wait *wait)
{
    for (size_t i = 0; i < wait->holder_count && i < MOST_HOLDERS; i++) {
        const gcast_holder *h = &wait->holders[i];
        text_str(t, i ? ", " : ": ");
        put_op(t, run, h->run_op);
        if (h->blocks)
            text_printf(t, " (%" PRIu64 " block%s on %u SM%s)", h->blocks, h->blocks == 1 ? "" : "s", h->sms,
                        h->sms == 1 ? "" : "s");
    }
    if (wait->holder_count > MOST_HOLDERS)
        text_printf(t, " and %zu more", wait->holder_count - MOST_HOLDERS);
}

static void put_explanation(text *t, const gcast_run *run, const gcast_explanation *e)
{
    const gcast_run_op *r = &run->ops[e->run_op];
    put_op(t, run, e->run_op);
    text_str(t, ": released at ");
    put_time(t, r->release_ns, 0);
    text_str(t, ", ended at ");
    put_time(t, r->end_ns, 0);
    text_str(t, ", response time ");
    put_time(t, r->end_ns - r->release_ns, 0);
    if (e->critical_block >= 0)
        text_printf(t, "; block %" PRId64 " of %" PRIu64 " ended last", e->critical_block, r->block_count);
    text_printf(t, "\n\n%14s %14s  %-14s %s\n", "from", "for", "rule", "why");
    for (size_t i = 0; i < e->wait_count; i++) {
        const gcast_wait *wait = &e->waits[i];
        put_time(t, wait->from_ns, 14);
        text_char(t, ' ');
        put_time(t, wait->to_ns - wait->from_ns, 14);
        text_printf(t, "  %-14s %s", gcast_reason_rule(wait->reason), gcast_reason_text(wait->reason));
        put_resources(t, wait->resources);
        put_sizes(t, wait);
        put_holders(t, run, wait);
        text_char(t, '\n');
    }
    text_printf(t, "%14s ", "in all");
    put_time(t, r->end_ns - r->release_ns, 14);
    text_char(t, '\n');
}

static void put_json(text *t, const gcast_run *run, const gcast_explanation *e)
{
    const gcast_run_op *r = &run->ops[e->run_op];
    text_str(t, "{\"schema\":\"gridcast.explanation/1\",\"label\":");
    text_json(t, run->workload->ops[r->op].label);
    text_printf(t,
                ",\"job\":%u,\"release_ns\":%" PRId64 ",\"end_ns\":%" PRId64 ",\"response_ns\":%" PRId64 ",\"waits\":[",
                r->job, r->release_ns, r->end_ns, r->end_ns - r->release_ns);
    for (size_t i = 0; i < e->wait_count; i++) {
        const gcast_wait *wait = &e->waits[i];
        text_printf(t, "%s\n{\"from_ns\":%" PRId64 ",\"to_ns\":%" PRId64 ",\"rule\":", i ? "," : "", wait->from_ns,
                    wait->to_ns);
        text_json(t, gcast_reason_rule(wait->reason));
        text_str(t, ",\"short_of\":[");
        const char *comma = "";
        for (int k = 0; k < GCAST_RESOURCES; k++)
            if (wait->resources >> k & 1) {
                text_printf(t, "%s\"%s\"", comma, gcast_resource_name((gcast_resource)k));
                comma = ",";
            }
        text_char(t, ']');
        if (wait->reason == GCAST_WHY_CARVEOUT)
            text_printf(t, ",\"size_bytes\":%" PRId64 ",\"least_bytes\":%" PRId64, wait->size_bytes, wait->least_bytes);
        text_str(t, ",\"holders\":[");
        for (size_t h = 0; h < wait->holder_count; h++) {
            const gcast_run_op *holder = &run->ops[wait->holders[h].run_op];
            text_str(t, h ? ",{\"label\":" : "{\"label\":");
            text_json(t, run->workload->ops[holder->op].label);
            text_printf(t, ",\"job\":%u,\"blocks\":%" PRIu64 ",\"sms\":%u}", holder->job, wait->holders[h].blocks,
                        wait->holders[h].sms);
        }
        text_str(t, "]}");
    }
    text_str(t, "]}\n");
}

static bool to_stdout(void *data, const char *bytes, size_t size)
{
    (void)data;
    return fwrite(bytes, 1, size, stdout) == size;
}

static gcast_status explain_one(const args *a, const gcast_run *run, const char *name)
{
    size_t i;
    gcast_error err;
    gcast_explanation *e;
    if (!find_op(run, name, &i))
        return say(GCAST_USAGE, "%s: no operation has the label %s", run->workload->source, name);
    if (gcast_explain(run, i, &e, &err) != GCAST_OK) {
        snprintf(err.file, sizeof err.file, "%s: %s", run->workload->source, name);
        return say_error(&err);
    }
    text t;
    text_open(&t, to_stdout, NULL);
    if (args_has(a, "json"))
        put_json(&t, run, e);
    else
        put_explanation(&t, run, e);
    gcast_explanation_free(e);
    return text_close(&t) ? GCAST_OK : say(GCAST_RESOURCE, "standard output: cannot be written");
}

static gcast_status run_command(const args *a)
{
    gcast_workload *w;
    gcast_run *run;
    gcast_status status = run_from_args(a, BLOCKS_ALL, false, &w, &run);
    if (status != GCAST_OK)
        return status;
    status = explain_one(a, run, a->operands[1]);
    gcast_run_free(run);
    gcast_workload_free(w);
    return status;
}

static const option_spec options[] = {
    {"json", 0, NULL, "print gridcast.explanation/1"},
    WORKLOAD_OPTIONS,
    SIMULATE_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const command cmd_explain = {
    .name = "explain",
    .operands = "WORKLOAD LABEL[#JOB]",
    .min_operands = 2,
    .max_operands = 2,
    .summary = "why an operation ended when it did: each wait, its rule, who held what",
    .options = options,
    .examples = {"gridcast explain examples/thesis.json K3",
                 "gridcast explain examples/thesis.json K4 --gpu h200 --sms 2 --json"},
    .run = run_command,
};
