/* gcast_residency_report: can the workload hang, for people and as gridcast.residency/1. */
#include <stdlib.h>

#include "analyze/residency/residency_answer.h"
#include "base/api.h"
#include "base/text.h"
#include "change/change_text.h"
#include "gridcast/names.h"
#include "report/format_names.h"
#include "report/schemas.h"

#define MAX_RISKS 20 /* lines of risks */
#define MAX_MOVED 3  /* calls of a witness that are named */

static const char *label(const gcast_residency *t, uint32_t op)
{
    return t->w->ops[op].label;
}

static void put_risk(const gcast_residency *t, const residency_risk *k, text *out)
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

static void put_change(const gcast_residency *t, const change *c, text *out)
{
    text said;
    text_open(&said, NULL, NULL);
    change_say_of(c, 0, t->w, &said);
    char *words = text_take(&said, NULL);
    if (words)
        text_terminal(out, words);
    else
        text_no_memory(out);
    free(words);
}

static void put_remedy(const gcast_residency *t, const residency_remedy *x, text *out)
{
    text_str(out, "  ");
    if (x->kind == REMEDY_PRIORITY)
        text_str(out, "one priority for the streams of all these kernels");
    else if (x->kind == REMEDY_COOPERATIVE)
        text_str(out, "cooperative launches of the kernels whose blocks wait for each other");
    else if (x->kind == REMEDY_SMS)
        text_printf(out, "%lld of %d SMs only for kernels that wait, and these kernels only there", (long long)x->value,
                    t->gpu->sms);
    else if (x->kind == REMEDY_ORDER) {
        text_terminal(out, label(t, x->op));
        text_str(out, " depends on ");
        text_terminal(out, label(t, x->other));
        text_str(out, ", and is called after it");
    } else {
        put_change(t, &(change){.kind = CHANGE_AT_MOST, .at = x->op, .value = x->value}, out);
    }
    text_char(out, '\n');
}

/* Is the op, or the launch of the graph that it begins, called at another time in the witness? */
static bool is_moved(const gcast_residency *t, size_t op)
{
    const gcast_op *x = &t->a.witness->ops[op], *y = &t->w->ops[op];
    bool next_node = op && y->graph != GCAST_NO_GRAPH && t->w->ops[op - 1].graph == y->graph;
    return !next_node && (x->release_ns != y->release_ns || x->delay_ns != y->delay_ns);
}

/* How the witness differs from the workload: times of calls, durations within their ranges, or nothing. */
static void put_witness(const gcast_residency *t, text *out)
{
    size_t moved = 0;
    text_str(out, "\na schedule that hangs: the workload as it is");
    for (size_t i = 0; i < t->w->op_count; i++) {
        if (!is_moved(t, i) || moved++ >= MAX_MOVED)
            continue;
        text_str(out, moved == 1 ? ", but with " : ", ");
        text_terminal(out, label(t, (uint32_t)i));
        text_printf(out, " released at %lld ns", (long long)t->a.witness->ops[i].release_ns);
    }
    if (moved > MAX_MOVED)
        text_printf(out, " and %zu more calls at other times", moved - MAX_MOVED);
    text_str(out, " (--witness FILE writes it; gridcast simulate FILE shows it)\n");
}

static void put_verdict(const gcast_residency *t, text *out)
{
    size_t waiters = t->a.r.waiter_count;
    const char *plural = waiters > 1 ? "s" : "";
    bool safe = t->a.verdict == GCAST_HANG_SAFE || t->a.verdict == GCAST_HANG_SAFE_IF;
    text_printf(out, "%s: ", gcast_name(GCAST_NAMES_HANG, t->a.verdict));
    if (t->a.verdict == GCAST_HANG_HANGS)
        text_str(out, "there is a schedule in which blocks wait forever\n\n");
    else if (!safe)
        text_printf(out,
                    "no schedule was found that hangs, but there is no proof that none hangs (blocks of %zu kernel%s "
                    "wait for other blocks)\n\n",
                    waiters, plural);
    else if (!waiters)
        text_str(out, "no blocks wait for other blocks\n");
    else
        text_printf(out, "no schedule hangs: every block starts for which blocks of %zu kernel%s wait\n", waiters,
                    plural);
    if (safe && !t->a.simulated)
        text_str(out, "proven, but not also simulated: the workload has too many blocks\n");
    if (t->a.condition_count)
        text_str(out, "\nconditions:\n");
    for (size_t i = 0; i < t->a.condition_count; i++) {
        text_str(out, "  ");
        text_str(out, t->conditions[i]);
        text_char(out, '\n');
    }
    if (safe && t->a.r.risk_count)
        text_str(out, "\nin another order of calls:\n");
}

static void put_text(const gcast_residency *t, text *out)
{
    const residency *r = &t->a.r;
    put_verdict(t, out);
    for (size_t i = 0; i < r->risk_count && i < MAX_RISKS; i++)
        put_risk(t, &r->risks[i], out);
    if (r->risk_count > MAX_RISKS)
        text_printf(out, "... and %zu more\n", r->risk_count - MAX_RISKS);
    if (t->a.witness)
        put_witness(t, out);
    if (t->a.remedy_count)
        text_str(out, "\nsafe with any one of these changes, each proven for the GPU as described:\n");
    else if (t->a.verdict == GCAST_HANG_HANGS || t->a.verdict == GCAST_HANG_MAY_HANG)
        text_str(out, t->w->op_count > REMEDIES_MAX_OPS
                          ? "\nno changes were tried: the workload has too many operations\n"
                          : "\nno single change that makes it safe was found\n");
    for (size_t i = 0; i < t->a.remedy_count; i++)
        put_remedy(t, &t->a.remedies[i], out);
}

#define CONDITION_FIELDS(FIELD, LINE)                                                                                  \
    FIELD(text, kind, true, kinds[c->kind],                                                                            \
          "order (of operations without host), gpu, carveout, registers (not given) or notes")                         \
    FIELD(text, field, c->kind == SAFE_IF_GPU_FIELD, c->field, "gpu: key of gridcast.gpu/1 that nobody has measured")  \
    FIELD(int, value, c->kind == SAFE_IF_GPU_FIELD || c->kind == SAFE_IF_REGISTERS, c->value,                          \
          "gpu: its value; registers: up to so many")

static void put_json_conditions(json_out *j, const gcast_residency *t)
{
    static const char *const kinds[] = {"order", "gpu", "carveout", "registers", "notes"};
    for (size_t i = 0; i < t->a.condition_count; i++) {
        const safe_condition *c = &t->a.conditions[i];
        PUT_ELEMENT(CONDITION_FIELDS);
    }
}

#define RISK_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(text, reason, true, residency_reason_name(k->reason), "room, order, connection, size, skip or barrier")      \
    FIELD(text, kernel, true, label(t, k->kernel), "kernel that may never start")                                      \
    FIELD(text, waiter, true, label(t, k->waiter), "kernel whose blocks wait for it")                                  \
    FIELD(text, between, k->between != RESIDENCY_NONE, label(t, k->between), "operation that holds it up")

static void put_json_risks(json_out *j, const gcast_residency *t)
{
    for (size_t i = 0; i < t->a.r.risk_count; i++) {
        const residency_risk *k = &t->a.r.risks[i];
        PUT_ELEMENT(RISK_FIELDS);
    }
}

#define REMEDY_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(text, kind, true, kinds[x->kind], "priority, cooperative, order, blocks or sms")                             \
    FIELD(text, op, x->kind == REMEDY_ORDER || x->kind == REMEDY_BLOCKS, label(t, x->op), "operation to change")       \
    FIELD(text, after, x->kind == REMEDY_ORDER, label(t, x->other), "operation that must come first")                  \
    FIELD(int, blocks, x->kind == REMEDY_BLOCKS, x->value, "at most so many blocks")                                   \
    FIELD(int, sms, x->kind == REMEDY_SMS, x->value, "so many SMs only for kernels that wait")

static void put_json_remedies(json_out *j, const gcast_residency *t)
{
    static const char *const kinds[] = {"priority", "cooperative", "order", "blocks", "sms"};
    for (size_t i = 0; i < t->a.remedy_count; i++) {
        const residency_remedy *x = &t->a.remedies[i];
        PUT_ELEMENT(REMEDY_FIELDS);
    }
}

#define RESIDENCY_FIELDS(FIELD, LINE)                                                                                  \
    LINE(text, schema, true, "gridcast.residency/1", "the format")                                                     \
    LINE(text, workload, true, t->w->name, "the workload")                                                             \
    LINE(text, gpu, true, t->gpu->name, "the GPU")                                                                     \
    LINE(text, verdict, true, gcast_name(GCAST_NAMES_HANG, t->a.verdict), "safe, safe if, hangs or may hang")          \
    LINE(count, waiting_kernels, true, t->a.r.waiter_count, "kernels whose blocks wait for other blocks")              \
    LINE(list, conditions, true, put_json_conditions(j, t), "safe if: these hold")                                     \
    LINE(list, risks, true, put_json_risks(j, t), "kernels that may never start")                                      \
    LINE(list, remedies, true, put_json_remedies(j, t), "safe with any one of these changes")

const record residency_schema[] = {RECORD("", RESIDENCY_FIELDS),
                                   RECORD("conditions", CONDITION_FIELDS),
                                   RECORD("risks", RISK_FIELDS),
                                   RECORD("remedies", REMEDY_FIELDS),
                                   {NULL, NULL}};

static void put_json(const gcast_residency *t, text *out)
{
    json_out *j = &(json_out){.out = out, .indent = 2};
    json_begin(j, NULL, '{');
    PUT_FIELDS(RESIDENCY_FIELDS);
    text_str(out, "\n}\n");
}

gcast_status gcast_residency_report(const gcast_residency *r, gcast_format format, gcast_write_fn write, void *data,
                                    gcast_error *err)
{
    if (!r || !write)
        return argument_missing(err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON)
        return format_refused("whether a workload hangs", format, err);
    text t;
    text_open(&t, write, data);
    if (format == GCAST_FORMAT_JSON)
        put_json(r, &t);
    else
        put_text(r, &t);
    return text_finish(&t, err);
}
