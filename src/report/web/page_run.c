#include "report/web/page_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/integers.h"
#include "model/run_op.h"
#include "report/formats/run_tables.h"
#include "report/run/deadlines.h"
#include "report/run/display_names.h"
#include "report/run/hung_run.h"
#include "report/run/packing.h"
#include "report/run/sm_index.h"

#define PAGE_MAX_HUNG 1000 /* operations of a run that hangs of which the page says why they never end */

gcast_status page_blocks_make(page_blocks *b, const page_ops *p, const view *v, const gcast_report_options *options,
                              gcast_error *err)
{
    bool simulates_again = !shown_blocks_any(p->run) && options->each_block && !options->no_blocks && !p->run->hang;
    *b = (page_blocks){.kind = PAGE_BLOCKS_NONE};
    if (!v->blocks && !simulates_again)
        return GCAST_OK;
    if (v->blocks) {
        b->kind = PAGE_BLOCKS_EACH;
        b->count = view_count_blocks(v, p->run);
    }
    if (!simulates_again && b->count <= GCAST_PAGE_BLOCKS && !p->left_out)
        return GCAST_OK;
    b->kind = PAGE_BLOCKS_STEPS;
    gcast_status status = page_means_make(&b->means, p->run, v, options, err);
    if (status == GCAST_OK)
        b->count = page_means_blocks(b->means);
    return status;
}

void page_blocks_free(page_blocks *b)
{
    page_means_free(b->means);
    b->means = NULL;
}

static int by_place(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Writes the blocks of a lane: the gap before each, and how its length, operation and number differ from the one
 * before. */
static void put_lane(const page_ops *p, const span *spans, size_t count, base64 *b)
{
    int64_t end = 0, length = 0, row = 0, block = 0;
    base64_number(b, count);
    for (size_t i = 0; i < count; i++) {
        const span *s = &spans[i];
        int64_t r = p->row_of[s->op];
        base64_signed(b, s->start - end);
        base64_signed(b, s->end - s->start - length);
        base64_signed(b, r - row);
        base64_signed(b, (int64_t)s->block - block);
        end = s->end;
        length = s->end - s->start;
        row = r;
        block = (int64_t)s->block;
    }
}

/* Writes an SM: the number of its lanes, then each with its place. */
static void put_sm(const page_ops *p, const span *spans, size_t count, base64 *b)
{
    uint64_t lanes = 0;
    for (size_t i = 0; i < count; i++)
        lanes += !i || spans[i].place != spans[i - 1].place;
    base64_number(b, lanes);
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && spans[i + n].place == spans[i].place;)
            n++;
        base64_number(b, spans[i].place);
        put_lane(p, &spans[i], n, b);
    }
}

static gcast_status put_each(const page_ops *p, const sm_index *index, int number, text *out, gcast_error *err)
{
    base64 b;
    span_list spans = {0};
    bool ok = true;
    text_printf(out, "<script type=\"text/plain\" id=\"blocks-%d\">\n", number);
    base64_open(&b, out);
    for (int sm = index->shown->first_sm; ok && sm <= index->shown->last_sm; sm++) {
        uint32_t top;
        ok = sm_index_spans(index, sm, &spans) && lanes_pack(spans.at, spans.count, &top);
        if (ok && spans.count)
            qsort(spans.at, spans.count, sizeof *spans.at, by_place);
        if (ok)
            put_sm(p, spans.at, spans.count, &b);
    }
    base64_close(&b);
    text_str(out, "</script>\n");
    vec_free(&spans);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

gcast_status page_blocks_put(const page_blocks *blocks, const page_ops *p, const view *v, int number, text *out,
                             gcast_error *err)
{
    sm_index index;
    if (blocks->kind == PAGE_BLOCKS_STEPS)
        page_means_put(blocks->means, number, out);
    if (blocks->kind != PAGE_BLOCKS_EACH)
        return GCAST_OK;
    gcast_status status = sm_index_create(&index, p->run, v, err);
    if (status != GCAST_OK)
        return status;
    status = put_each(p, &index, number, out, err);
    sm_index_free(&index);
    return status;
}

/* "key":"text" */
static void put_text(text *out, const char *key, const char *s)
{
    text_printf(out, ",\"%s\":", key);
    text_json_page(out, s, PAGE_LABEL);
}

static void put_gpu(const gcast_gpu *gpu, text *out)
{
    const gcast_limits *l = &gpu->limits;
    text_str(out, ",\n\"gpu\":{\"sms\":");
    text_int(out, gpu->sms);
    put_text(out, "name", gpu->name ? gpu->name : "");
    put_text(out, "title", gpu->title ? gpu->title : "");
    text_printf(out, ",\"engines\":%d,\"threads\":%d,\"registers\":%d,\"smem\":%d,\"blocks\":%d}", gpu->copy_engines,
                l->threads_per_sm, l->registers_per_sm, l->smem_per_sm, l->blocks_per_sm);
}

static void put_names(const gcast_workload *w, text *out)
{
    char name[4 * LABEL_SIZE];
    text_str(out, ",\n\"hosts\":[");
    for (size_t i = 0; i < w->host_count; i++) {
        text_str(out, i ? "," : "");
        text_json_page(out, w->hosts[i], PAGE_LABEL);
    }
    text_str(out, "],\n\"streams\":[");
    for (size_t i = 0; i < w->stream_count; i++) {
        stream_describe(w, i, name, sizeof name);
        text_printf(out, "%s{\"id\":%d,\"priority\":%d", i ? ",\n" : "", w->streams[i].id, w->streams[i].priority);
        put_text(out, "name", name);
        text_char(out, '}');
    }
    text_str(out, "],\n\"tasks\":[");
    for (size_t i = 0; i < w->task_count; i++) {
        text_printf(out, "%s{\"period\":%lld,\"deadline\":%lld", i ? ",\n" : "", (long long)w->tasks[i].period_ns,
                    (long long)w->tasks[i].deadline_ns);
        put_text(out, "name", w->tasks[i].name);
        text_char(out, '}');
    }
    text_char(out, ']');
}

/* Writes the jobs with deadlines: of the workload's tasks, and those that the caller gave. False without memory. */
static bool put_deadlines(const gcast_run *run, const view *v, const gcast_report_options *o, text *out)
{
    deadline_list list = {0};
    const char *comma = "\n";
    size_t count = 0;
    bool ok = deadlines_find(run, &list) && deadlines_add(run, o->jobs, o->job_count, &list);
    text_str(out, ",\n\"jobs\":[");
    for (size_t i = 0; ok && i < list.count && count < PAGE_MAX_OPS; i++) {
        const deadline *d = &list.at[i];
        if (!view_holds(v, d->release, max_i64(d->deadline_ns, max_i64(d->end, d->release))))
            continue;
        text_printf(out, "%s[%d,%u,%lld,%lld,%lld,%d,", comma, d->task, d->job, (long long)d->release,
                    (long long)d->deadline_ns, (long long)d->end, d->stream);
        text_json_page(out, d->name, PAGE_LABEL);
        text_char(out, ']');
        comma = ",\n";
        count++;
    }
    text_char(out, ']');
    vec_free(&list);
    return ok;
}

/* Writes the waits that the caller gave: what led to a late end. */
static void put_given(const gcast_report_options *o, text *out)
{
    if (!o->wait_count)
        return;
    text_str(out, ",\n\"given\":{\"count\":");
    text_uint(out, o->wait_count);
    put_text(out, "label", o->waits_label ? o->waits_label : "");
    put_text(out, "title", o->waits_title ? o->waits_title : "");
    text_str(out, ",\"waits\":[");
    for (size_t i = 0; i < o->wait_count; i++) {
        const gcast_report_wait *w = &o->waits[i];
        text_printf(out, "%s{\"from\":%lld,\"to\":%lld,\"runs\":%d", i ? ",\n" : "\n", (long long)w->from_ns,
                    (long long)w->to_ns, w->runs);
        put_text(out, "op", w->op);
        put_text(out, "rule", w->rule);
        put_text(out, "reason", w->reason);
        put_text(out, "holders", w->holders);
        text_char(out, '}');
    }
    text_str(out, "]}");
}

static void put_notes(const gcast_run *run, text *out)
{
    char line[160], launches[RUN_LAUNCH_LINES][RUN_LAUNCH_LINE];
    run_summary(run, line, sizeof line);
    put_text(out, "summary", line);
    text_str(out, ",\n\"notes\":[");
    size_t count = run_launch_lines(run, launches);
    for (size_t i = 0; i < count + run_notes_count(run); i++) {
        text_str(out, i ? ",\n" : "\n");
        text_json_page(out, i < count ? launches[i] : run_notes_at(run, i - count), 4 * PAGE_LABEL);
    }
    text_char(out, ']');
}

/* Writes when the run hangs, and why the first operations never end. */
static bool put_hang(const page_ops *p, text *out)
{
    const gcast_hang *hang = p->original->hang;
    bool ok = true;
    if (!hang)
        return true;
    text_printf(out, ",\n\"hang\":{\"time\":%lld,\"count\":%zu,\"ops\":[", (long long)hang->time_ns, hang->op_count);
    for (size_t k = 0, n = 0; ok && k < hang->op_count && n < PAGE_MAX_HUNG; k++) {
        uint32_t row = p->row_of[hang->ops[k].run_op];
        if (row == PAGE_NONE)
            continue;
        text why;
        text_open(&why, NULL, NULL);
        hang_reason(p->original, k, &why);
        char *taken = text_take(&why, NULL);
        ok = taken != NULL;
        text_printf(out, n++ ? ",\n[%u,%llu,%llu," : "\n[%u,%llu,%llu,", row, (unsigned long long)hang->ops[k].resident,
                    (unsigned long long)hang->ops[k].not_started);
        text_json_page(out, ok ? taken : "", 4 * PAGE_LABEL);
        text_char(out, ']');
        free(taken);
    }
    text_str(out, "]}");
    return ok;
}

/* When the first operation started; -1: none did. */
static int64_t first_start(const gcast_run *run)
{
    int64_t first_ns = INT64_MAX;
    for (size_t i = 0; i < run->op_count; i++)
        if (run_op_ran(run, i))
            first_ns = min_i64(first_ns, run->ops[i].start_ns);
    return first_ns < INT64_MAX ? first_ns : -1;
}

gcast_status page_run_put(const page_ops *p, const view *v, const page_blocks *blocks,
                          const gcast_report_options *options, int number, text *out, gcast_error *err)
{
    static const char *const kinds[] = {"none", "each", "steps"};
    const gcast_run *run = p->original;
    text_printf(out, "<script type=\"application/json\" id=\"run-%d\">{\"schema\":\"gridcast.page/2\"", number);
    put_text(out, "name", run->workload->name);
    put_text(out, "source", run->source);
    const char *file = run->workload->source ? run->workload->source : "", *slash = strrchr(file, '/');
    put_text(out, "file", slash ? slash + 1 : file); /* its folder is nobody else's business */
    text_printf(out,
                ",\"shown\":[%lld,%lld,%d,%d],\"first\":%lld,\"end\":%lld,\"horizon\":%lld,\"blocks\":\"%s\","
                "\"blockCount\":%llu,\"leftOut\":%zu",
                (long long)v->start_ns, (long long)v->end_ns, v->first_sm, v->last_sm, (long long)first_start(p->run),
                (long long)run->end_ns, (long long)run->horizon_ns, kinds[blocks->kind],
                (unsigned long long)blocks->count, p->left_out);
    if (strcmp(run->source, "measured") == 0)
        text_printf(out, ",\"hostZero\":[%lld,%lld]", (long long)run->gpu_zero_lo_ns, (long long)run->gpu_zero_hi_ns);
    put_gpu(run->gpu, out);
    put_notes(run, out);
    put_names(run->workload, out);
    bool ok = put_deadlines(run, v, options, out) && put_hang(p, out) && page_ops_put_workload(p, out);
    page_ops_put_run(p, out);
    put_given(options, out);
    text_str(out, "}</script>\n");
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}
