#include "report/web/page_waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "gridcast/explain.h"
#include "model/run_children.h"
#include "model/run_op.h"
#include "model/workload/attributes/attributes.h"
#include "report/hang/never_ends.h"
#include "report/report_options.h"
#include "report/report_progress.h"
#include "report/waits/waits.h"
#include "report/web/longest_waits.h"

/* A rule and its sentence; both are constants. */
typedef struct reason {
    const char *rule, *text;
} reason;

typedef struct writer {
    const page_ops *p;                   /* the operations */
    const gcast_report_options *options; /* with the call that explains */
    bool *chosen;                        /* by row: it is explained; else its times tell */
    waits by_times;                      /* for the others */
    VEC(reason) reasons;                 /* those that are used; waits have their numbers */
    text *out;
} writer;

typedef struct candidate {
    int64_t response; /* ns */
    uint32_t row;
} candidate;

static int by_response(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->response != y->response)
        return x->response > y->response ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static bool can_explain(const writer *w)
{
    const gcast_run *run = w->p->run;
    return w->options->explain && run->blocks_recorded && strcmp(run->source, "simulated") == 0;
}

/* An operation from its release to its end, as far as times of operations tell. */
typedef struct told {
    wait_part parts[WAIT_PARTS + 2];
    size_t count; /* 0: nothing is known */
    bool exact;   /* no part is rough, and each operation that it waited for is named or counted */
} told;

static void tell_part(told *t, const char *rule, const char *why, int64_t start_ns, int64_t end_ns, bool rough)
{
    if (end_ns > start_ns)
        t->parts[t->count++] = (wait_part){rule, why, start_ns, end_ns, WAIT_NO_HOLDER, 0, 0, rough};
}

static void tell_reason(told *t, gcast_reason why, int64_t start_ns, int64_t end_ns)
{
    tell_part(t, gcast_reason_rule(why), gcast_reason_text(why), start_ns, end_ns, false);
}

/* Of a kernel all of whose blocks start at once the one that ends last runs all the time; else blocks may wait for
 * room.
 */
static void tell_run(const gcast_run *run, size_t i, told *t)
{
    const gcast_run_op *o = &run->ops[i];
    const gcast_op *op = run_op(run, i);
    if (op->kind != GCAST_KIND_KERNEL)
        tell_reason(t, GCAST_WHY_COPY_RUN, o->start_ns, o->end_ns);
    else if (o->dispatched_ns == o->start_ns && op->policy == GCAST_POLICY_HARDWARE && !op->launches &&
             !op->programmatic && !attributes_waits(op))
        tell_reason(t, GCAST_WHY_RUN, o->start_ns, o->end_ns);
    else
        tell_part(t, gcast_reason_rule(GCAST_WHY_RUN),
                  "from its first block's start to its end: its blocks ran, or waited for room or for others",
                  o->start_ns, o->end_ns, true);
}

static void tell(const writer *w, size_t i, told *t)
{
    const gcast_run *run = w->p->run;
    const gcast_run_op *o = &run->ops[i];
    *t = (told){.exact = true};
    if (!w->by_times.known || o->skipped || o->end_ns < 0 || never_ends(run, i) || o->call_ns < 0 ||
        o->release_ns < 0 || i >= run->op_count)
        return;
    tell_reason(t, GCAST_WHY_HOST, o->release_ns, o->call_ns);
    if (!gcast_kind_on_gpu(run_op(run, i)->kind)) {
        tell_reason(t, GCAST_WHY_HOST_WAIT, o->call_ns, o->end_ns);
    } else if (run_op_ran(run, i)) {
        t->count += waits_of(&w->by_times, i, o->call_ns, t->parts + t->count);
        tell_run(run, i, t);
    }
    for (size_t k = 0; k < t->count; k++)
        t->exact = t->exact && !t->parts[k].rough;
}

/* Chooses the operations that are explained; false without memory. */
static bool choose(writer *w)
{
    const page_ops *p = w->p;
    size_t count = 0, all = 0;
    uint64_t looks = run_total(p->run) + report_progress_blocks(p->run) + 1;
    w->chosen = calloc(p->count + 1, sizeof *w->chosen);
    candidate *list = malloc((p->count + 1) * sizeof *list);
    bool ok = w->chosen && list;
    for (size_t k = 0; ok && k < p->count && can_explain(w); k++)
        all += !p->run->ops[p->at[k]].skipped;
    bool few = all * looks <= PAGE_MAX_LOOKS;
    for (size_t k = 0; ok && k < p->count && can_explain(w); k++) {
        const gcast_run_op *o = &p->run->ops[p->at[k]];
        told t = {.exact = false};
        if (o->skipped || gcast_response_ns(o) < 0)
            continue;
        if (!few)
            tell(w, p->at[k], &t);
        if (!t.exact || !t.count)
            list[count++] = (candidate){gcast_response_ns(o), (uint32_t)k};
    }
    if (ok && !few)
        qsort(list, count, sizeof *list, by_response);
    for (size_t k = 0; ok && k < (few ? count : min_size(count, PAGE_MAX_LOOKS / looks)); k++)
        w->chosen[list[k].row] = true;
    free(list);
    return ok;
}

/* The number of a reason; false without memory. */
static bool put_reason(writer *w, const char *rule, const char *sentence)
{
    size_t i = 0;
    while (i < w->reasons.count && (w->reasons.at[i].text != sentence || strcmp(w->reasons.at[i].rule, rule) != 0))
        i++;
    if (i == w->reasons.count && !vec_push(&w->reasons, ((reason){rule, sentence})))
        return false;
    text_uint(w->out, i);
    return true;
}

/* An operation as its row; where the page does not have it, as its label. */
static void put_op(const writer *w, size_t i)
{
    if (w->p->row_of[i] != PAGE_NONE)
        text_uint(w->out, w->p->row_of[i]);
    else
        text_json_page(w->out, run_op(w->p->run, i)->label, PAGE_LABEL);
}

static bool put_wait(writer *w, const gcast_wait *wait)
{
    text *out = w->out;
    text_str(out, ",[");
    if (!put_reason(w, gcast_wait_rule(wait->reason, wait->resources), gcast_reason_text(wait->reason)))
        return false;
    text_printf(out, ",%lld,%lld,%u,[", (long long)wait->from_ns, (long long)wait->to_ns, wait->resources);
    for (size_t h = 0; h < min_size(wait->holder_count, PAGE_MAX_HOLDERS); h++) {
        text_str(out, h ? ",[" : "[");
        put_op(w, wait->holders[h].run_op);
        text_printf(out, ",%llu,%u]", (unsigned long long)wait->holders[h].blocks, wait->holders[h].sms);
    }
    text_printf(out, "],%zu", wait->holder_count);
    if (wait->reason == GCAST_WHY_CARVEOUT)
        text_printf(out, ",%lld,%lld", (long long)wait->size_bytes, (long long)wait->min_bytes);
    text_char(out, ']');
    return true;
}

/* [1, waits left out, their time, critical block, the waits...] */
static bool put_explanation(writer *w, const gcast_explanation *e)
{
    longest_waits longest;
    bool ok = longest_waits_choose(&longest, e, PAGE_MAX_WAITS);
    size_t left_out = 0;
    int64_t out_ns = 0;
    for (int pass = 0; ok && pass < 2; pass++) {
        longest_waits chosen = longest;
        if (pass)
            text_printf(w->out, "[1,%zu,%lld,%lld", left_out, (long long)out_ns, (long long)e->critical_block);
        for (size_t i = 0; ok && i < e->wait_count; i++) {
            const gcast_wait *wait = &e->waits[i];
            bool keep = longest_waits_keep(&chosen, wait);
            if (pass && keep)
                ok = put_wait(w, wait);
            if (pass || keep)
                continue;
            left_out++;
            out_ns += wait->to_ns - wait->from_ns;
        }
    }
    text_char(w->out, ']');
    return ok;
}

/* [1 or 0 where it is rough, 0, 0, -1, the waits...]; 0: nothing is known. */
static bool put_by_times(writer *w, size_t i)
{
    told t;
    tell(w, i, &t);
    if (!t.count) {
        text_char(w->out, '0');
        return true;
    }
    text_printf(w->out, "[%d,0,0,-1", t.exact);
    for (size_t k = 0; k < t.count; k++) {
        const wait_part *part = &t.parts[k];
        text_str(w->out, ",[");
        if (!put_reason(w, part->rule, part->why))
            return false;
        text_printf(w->out, ",%lld,%lld,0,[", (long long)part->start_ns, (long long)part->end_ns);
        if (part->holder != WAIT_NO_HOLDER) {
            text_char(w->out, '[');
            put_op(w, part->holder);
            text_str(w->out, ",0,0]");
        }
        text_printf(w->out, "],%u", (unsigned)part->count);
        if (part->gap_ns || part->rough)
            text_printf(w->out, ",null,null,%lld,%d", (long long)part->gap_ns, part->rough);
        text_char(w->out, ']');
    }
    text_char(w->out, ']');
    return true;
}

static gcast_status put_row(writer *w, size_t row, gcast_error *err)
{
    gcast_explanation *e;
    bool ok;
    if (!w->chosen[row])
        return put_by_times(w, w->p->at[row]) ? GCAST_OK : gcast_error_set_memory(err);
    if (report_progress_of(w->options))
        report_progress_notify(report_progress_of(w->options)); /* an explanation may take long */
    gcast_status status = report_options_explain(w->options, w->p->run, w->p->at[row], &e, err);
    if (status != GCAST_OK)
        return status;
    ok = put_explanation(w, e);
    gcast_explanation_free(e);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

static void put_tables(const writer *w)
{
    text_str(w->out, "],\n\"reasons\":[");
    for (size_t i = 0; i < w->reasons.count; i++) {
        text_str(w->out, i ? ",\n[" : "[");
        text_json_page(w->out, w->reasons.at[i].rule, PAGE_LABEL);
        text_char(w->out, ',');
        text_json_page(w->out, w->reasons.at[i].text, PAGE_LABEL);
        text_char(w->out, ']');
    }
    text_str(w->out, "],\"resources\":[");
    for (int r = 0; r < GCAST_RESOURCES; r++)
        text_printf(w->out, "%s\"%s\"", r ? "," : "", gcast_resource_name((gcast_resource)r));
    text_str(w->out, "]}</script>\n");
}

gcast_status page_waits_put(const page_ops *p, const gcast_report_options *options, int number, text *out,
                            gcast_error *err)
{
    writer w = {.p = p, .options = options, .out = out};
    gcast_status status = GCAST_OK;
    if (!waits_make(&w.by_times, p->run))
        return gcast_error_set_memory(err);
    if (!choose(&w))
        status = gcast_error_set_memory(err);
    text_printf(out, "<script type=\"application/json\" id=\"waits-%d\">{\"list\":[", number);
    for (size_t k = 0; status == GCAST_OK && k < p->count; k++) {
        text_str(out, k ? ",\n" : "\n");
        status = put_row(&w, k, err);
    }
    put_tables(&w);
    free(w.chosen);
    vec_free(&w.reasons);
    waits_free(&w.by_times);
    return status;
}
