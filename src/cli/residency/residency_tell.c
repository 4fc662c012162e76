#include "cli/residency/residency_tell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/residency/hang_search.h"
#include "analyze/residency/remedies.h"
#include "cli/output/output.h"
#include "cli/output/print_text.h"
#include "cli/say.h"
#include "gridcast/read.h"

#define MAX_RISKS 20 /* that are printed */

typedef struct teller {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    residency r;
    residency_remedy remedies[REMEDIES_MAX];
    size_t remedy_count;
    gcast_workload *witness; /* a schedule that hangs; NULL: none was found */
} teller;

static const char *label(const teller *t, uint32_t op)
{
    return t->w->ops[op].label;
}

static void put_risk(const teller *t, const residency_risk *k, text *out)
{
    text_terminal(out, label(t, k->kernel));
    if (k->reason == RESIDENCY_SIZE) {
        text_printf(out, ": %s\n", residency_reason_text(k->reason));
        return;
    }
    text_printf(out, " may never start (%s) while ", residency_reason_name(k->reason));
    text_terminal(out, label(t, k->waiter));
    text_printf(out, " waits: %s", residency_reason_text(k->reason));
    if (k->between != RESIDENCY_NONE) {
        text_str(out, ": ");
        text_terminal(out, label(t, k->between));
    }
    text_char(out, '\n');
}

static void put_remedy(const teller *t, const residency_remedy *x, text *out)
{
    text_str(out, "  ");
    if (x->kind == REMEDY_PRIORITY)
        text_str(out, "one priority for the streams of all these kernels");
    else if (x->kind == REMEDY_COOPERATIVE)
        text_str(out, "cooperative launches of the kernels whose blocks wait for each other");
    else if (x->kind == REMEDY_SMS)
        text_printf(out, "%lld of %d SMs only for kernels that wait, and these only there", (long long)x->value,
                    t->gpu->sms);
    else if (x->kind == REMEDY_ORDER) {
        text_terminal(out, label(t, x->op));
        text_str(out, " after ");
        text_terminal(out, label(t, x->other));
    } else {
        text_printf(out, "at most %lld block%s of ", (long long)x->value, x->value > 1 ? "s" : "");
        text_terminal(out, label(t, x->op));
    }
    text_char(out, '\n');
}

/* What differs from the workload: one release, or nothing. */
static void put_witness(const teller *t, text *out)
{
    text_str(out, "\na schedule that hangs: the workload as it is");
    for (size_t i = 0; i < t->w->op_count; i++)
        if (t->witness->ops[i].release_ns != t->w->ops[i].release_ns) {
            text_str(out, ", but with ");
            text_terminal(out, label(t, (uint32_t)i));
            text_printf(out, " released at %lld ns", (long long)t->witness->ops[i].release_ns);
        }
    text_str(out, " (--witness FILE writes it; gridcast simulate FILE shows it)\n");
}

static void put_text(const teller *t, text *out)
{
    size_t waiters = t->r.waiter_count;
    if (!waiters)
        text_str(out, "safe: no blocks wait for blocks\n");
    else if (!t->r.risk_count)
        text_printf(out, "safe: in every schedule all blocks start that the blocks of %zu kernel%s wait for\n", waiters,
                    waiters > 1 ? "s" : "");
    else
        text_printf(out, "%s: %zu kernel%s may wait for ever\n\n", t->witness ? "hangs" : "may hang", waiters,
                    waiters > 1 ? "s" : "");
    for (size_t i = 0; i < t->r.risk_count && i < MAX_RISKS; i++)
        put_risk(t, &t->r.risks[i], out);
    if (t->r.risk_count > MAX_RISKS)
        text_printf(out, "... and %zu more\n", t->r.risk_count - MAX_RISKS);
    if (t->witness)
        put_witness(t, out);
    if (t->r.risk_count)
        text_str(out, t->remedy_count ? "\nsafe with any one of these changes, each proven:\n"
                                      : "\nno single small change was found that is safe\n");
    for (size_t i = 0; i < t->remedy_count; i++)
        put_remedy(t, &t->remedies[i], out);
}

static void put_json_op(const teller *t, const char *key, uint32_t op, text *out)
{
    text_printf(out, ", \"%s\": ", key);
    text_json(out, label(t, op));
}

static void put_json(const teller *t, text *out)
{
    static const char *const kinds[] = {"priority", "cooperative", "order", "blocks", "sms"};
    text_str(out, "{\n  \"schema\": \"gridcast.residency/1\",\n  \"workload\": ");
    text_json(out, t->w->name);
    text_str(out, ",\n  \"gpu\": ");
    text_json(out, t->gpu->name);
    text_printf(out, ",\n  \"verdict\": \"%s\",\n  \"waiting_kernels\": %zu,\n  \"risks\": [",
                t->witness        ? "hangs"
                : t->r.risk_count ? "may hang"
                                  : "safe",
                t->r.waiter_count);
    for (size_t i = 0; i < t->r.risk_count; i++) {
        const residency_risk *k = &t->r.risks[i];
        text_printf(out, "%s\n    {\"reason\": \"%s\"", i ? "," : "", residency_reason_name(k->reason));
        put_json_op(t, "kernel", k->kernel, out);
        put_json_op(t, "waiter", k->waiter, out);
        if (k->between != RESIDENCY_NONE)
            put_json_op(t, "between", k->between, out);
        text_char(out, '}');
    }
    text_str(out, "],\n  \"remedies\": [");
    for (size_t i = 0; i < t->remedy_count; i++) {
        const residency_remedy *x = &t->remedies[i];
        text_printf(out, "%s\n    {\"kind\": \"%s\"", i ? "," : "", kinds[x->kind]);
        if (x->kind == REMEDY_ORDER || x->kind == REMEDY_BLOCKS)
            put_json_op(t, "op", x->op, out);
        if (x->kind == REMEDY_ORDER)
            put_json_op(t, "after", x->other, out);
        if (x->kind == REMEDY_BLOCKS || x->kind == REMEDY_SMS)
            text_printf(out, ", \"%s\": %lld", kinds[x->kind], (long long)x->value);
        text_char(out, '}');
    }
    text_str(out, "]\n}\n");
}

gcast_status residency_check_args(const args *a)
{
    static const char *const others[] = {"method",   "any-order",   "horizon", "trace",      "period", "output",
                                         "quantile", "sensitivity", "order",   "priorities", "what-if"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (args_has(a, others[i]))
            return say(GCAST_USAGE, "--%s does not go with --residency", others[i]);
    return GCAST_OK;
}

static gcast_status write_witness(const args *a, const gcast_workload *w)
{
    gcast_error err;
    char *bytes = NULL;
    size_t size;
    if (gcast_workload_write_native(w, &bytes, &size, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = output_bytes(args_value(a, "witness"), args_has(a, "force"), bytes, size);
    free(bytes);
    return status;
}

gcast_status residency_tell(const args *a, const gcast_workload *w, const gcast_gpu *gpu)
{
    teller t = {.w = w, .gpu = gpu};
    gcast_error err;
    text out;
    gcast_status status = residency_prove(w, gpu, NULL, &t.r, &err);
    if (status == GCAST_OK && t.r.risk_count)
        status = remedies_find(w, gpu, &t.r, t.remedies, &t.remedy_count, &err);
    if (status == GCAST_OK)
        status = hang_search(w, gpu, &t.r, &t.witness, &err);
    if (status != GCAST_OK) {
        residency_free(&t.r);
        snprintf(err.file, sizeof err.file, "%s", w->source);
        return say_error(&err);
    }
    text_open(&out, NULL, NULL);
    if (args_has(a, "json"))
        put_json(&t, &out);
    else
        put_text(&t, &out);
    status = print_text(&out, GCAST_OK);
    if (status == GCAST_OK && t.witness && args_value(a, "witness"))
        status = write_witness(a, t.witness);
    if (status == GCAST_OK && t.r.risk_count)
        status = GCAST_NO;
    gcast_workload_free(t.witness);
    residency_free(&t.r);
    return status;
}
