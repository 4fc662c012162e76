#include "report/web/page_waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "gridcast/explain.h"
#include "gridcast/names.h"
#include "model/run_op.h"
#include "model/workload/attributes.h"
#include "model/workload/workload.h"
#include "report/report_progress.h"
#include "report/run/hung_run.h"
#include "report/run/waits.h"
#include "report/view.h"

/* The longest waits of an explanation, where it has more than a page lists. */
typedef struct longest_waits {
    int64_t least_ns; /* longer ones are all kept */
    size_t equal;     /* so many that are as long as this are kept: the first ones */
} longest_waits;

static int64_t length_of(const gcast_wait *wait)
{
    return wait->to_ns - wait->from_ns;
}

static int longest_first(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x > y ? -1 : x < y;
}

/* At most `most` waits; false without memory. */
static bool longest_waits_choose(longest_waits *l, const gcast_explanation *e, size_t most)
{
    *l = (longest_waits){.least_ns = -1};
    if (e->wait_count <= most)
        return true;
    int64_t *lengths = malloc(e->wait_count * sizeof *lengths);
    if (!lengths)
        return false;
    for (size_t i = 0; i < e->wait_count; i++)
        lengths[i] = length_of(&e->waits[i]);
    qsort(lengths, e->wait_count, sizeof *lengths, longest_first);
    l->least_ns = lengths[most - 1];
    for (l->equal = 0; l->equal < most && lengths[most - 1 - l->equal] == l->least_ns;)
        l->equal++;
    free(lengths);
    return true;
}

/* Is this wait kept? Must be asked of all waits in their order. */
static bool longest_waits_keep(longest_waits *l, const gcast_wait *wait)
{
    if (length_of(wait) != l->least_ns)
        return length_of(wait) > l->least_ns;
    if (!l->equal)
        return false;
    l->equal--;
    return true;
}

/* A rule and its sentence; both are string constants. */
typedef struct reason {
    const char *rule, *text;
} reason;

typedef struct writer {
    const page_ops *p;                   /* the operations */
    const gcast_report_options *options; /* with the call that explains */
    bool *chosen;                        /* by row: the operation is explained */
    waits by_times;                      /* for operations that are not */
    VEC(reason) reasons;                 /* the reasons used, to which waits refer by number */
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

/* The waits of an operation from its release to its end, as far as times of operations tell. */
typedef struct timed_waits {
    wait_part parts[WAIT_PARTS + 2];
    size_t count; /* 0: nothing is known */
    bool exact;   /* no part is rough, and each operation that it waited for is named or counted */
} timed_waits;

static void add_part(timed_waits *t, const char *rule, const char *why, int64_t start_ns, int64_t end_ns, bool rough)
{
    if (end_ns > start_ns)
        t->parts[t->count++] = (wait_part){rule, why, start_ns, end_ns, WAIT_NO_HOLDER, 0, 0, rough};
}

static void add_reason(timed_waits *t, gcast_reason why, int64_t start_ns, int64_t end_ns)
{
    add_part(t, gcast_name(GCAST_NAMES_REASON, why), gcast_text(GCAST_NAMES_REASON, why), start_ns, end_ns, false);
}

/* Adds the time from start to end. If all blocks of a kernel start at once, the one that ends last runs all the time;
 * else blocks may wait for room. */
static void add_run(const gcast_run *run, size_t i, timed_waits *t)
{
    const gcast_run_op *o = &run->ops[i];
    const gcast_op *op = run_op(run, i);
    if (op->kind != GCAST_KIND_KERNEL)
        add_reason(t, GCAST_WHY_COPY_RUN, o->start_ns, o->end_ns);
    else if (o->dispatched_ns == o->start_ns && op->policy == GCAST_POLICY_HARDWARE && !op->launches &&
             !op->programmatic && !attributes_waits(op))
        add_reason(t, GCAST_WHY_RUN, o->start_ns, o->end_ns);
    else
        add_part(t, gcast_name(GCAST_NAMES_REASON, GCAST_WHY_RUN),
                 "from the start of its first block to its end: its blocks ran, or waited for room or for other blocks",
                 o->start_ns, o->end_ns, true);
}

static void find_timed_waits(const writer *w, size_t i, timed_waits *t)
{
    const gcast_run *run = w->p->run;
    const gcast_run_op *o = &run->ops[i];
    *t = (timed_waits){.exact = true};
    if (!w->by_times.known || o->skipped || o->end_ns < 0 || never_ends(run, i) || o->call_ns < 0 ||
        o->release_ns < 0 || i >= run->op_count)
        return;
    add_reason(t, GCAST_WHY_HOST, o->release_ns, o->call_ns);
    if (!gcast_kind_on_gpu(run_op(run, i)->kind)) {
        add_reason(t, GCAST_WHY_HOST_WAIT, o->call_ns, o->end_ns);
    } else if (run_op_ran(run, i)) {
        t->count += waits_of(&w->by_times, i, o->call_ns, t->parts + t->count);
        add_run(run, i, t);
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
        timed_waits t = {.exact = false};
        if (o->skipped || gcast_response_ns(o) < 0)
            continue;
        if (!few)
            find_timed_waits(w, p->at[k], &t);
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

/* Writes the number of a reason; false without memory. */
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

/* Writes an operation as its row; where the page does not have it, as its label. */
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
    if (!put_reason(w, gcast_wait_rule(wait->reason, wait->resources), gcast_text(GCAST_NAMES_REASON, wait->reason)))
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
    timed_waits t;
    find_timed_waits(w, i, &t);
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
        text_printf(w->out, "%s\"%s\"", r ? "," : "", gcast_name(GCAST_NAMES_RESOURCE, (gcast_resource)r));
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
