/* gridcast.whatif/1. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/whatif/whatif_print.h"

static void put_labels(text *t, const whatif_row *row)
{
    text_str(t, ",\"labels\":{");
    for (int k = 0; k < WAIT_LABELS && row->has_path; k++)
        text_printf(t, "%s\"%s\":%" PRId64, k ? "," : "", wait_label_name((wait_label)k), row->by_label[k]);
    text_char(t, '}');
}

static void put_deadlines(text *t, const whatif_rows *r, const whatif_row *row)
{
    if (r->before.deadlines)
        text_printf(t, ",\"deadlines\":%zu,\"missed\":%zu", row->deadlines, row->misses);
}

static void put_made(text *t, const change *c, void (*make)(const change *, text *))
{
    text made;
    size_t size;
    text_open(&made, NULL, NULL);
    make(c, &made);
    char *words = text_take(&made, &size);
    if (words)
        text_json(t, words);
    else
        text_no_memory(t);
    free(words);
}

static void put_changes(text *t, const whatif_row *row)
{
    text_str(t, "\"changes\":[");
    for (size_t i = 0; i < row->change_count; i++) {
        text_str(t, i ? ",{\"with\":" : "{\"with\":");
        put_made(t, &row->changes[i], change_write);
        text_str(t, ",\"text\":");
        put_made(t, &row->changes[i], change_say);
        if (change_condition(&row->changes[i])) {
            text_str(t, ",\"condition\":");
            text_json(t, change_condition(&row->changes[i]));
        }
        text_char(t, '}');
    }
    text_char(t, ']');
}

static void put_row(text *t, const whatif_rows *r, size_t i)
{
    static const char *const states[] = {"done", "refused", "hangs"};
    const whatif_row *row = &r->rows.at[i];
    wait_label label;
    int64_t ns;
    text_printf(t, "%s\n{\"nr\":%zu,", i ? "," : "", i + 1);
    put_changes(t, row);
    text_printf(t, ",\"state\":\"%s\"", states[row->state]);
    if (row->state == WHATIF_REFUSED) {
        text_str(t, ",\"refusal\":");
        text_json(t, row->refusal);
    } else if (row->state == WHATIF_DONE) {
        text_printf(t, ",\"end_ns\":%" PRId64 ",\"gpu_ns\":%" PRId64 ",\"won_ns\":%" PRId64, row->end_ns, row->gpu_ns,
                    whatif_won_ns(&r->before, row));
        if (whatif_lost(&r->before, row))
            text_printf(t, ",\"lost_dependencies\":%zu", whatif_lost(&r->before, row));
        put_deadlines(t, r, row);
        put_labels(t, row);
        if (whatif_why(&r->before, row, &label, &ns))
            text_printf(t, ",\"why\":{\"label\":\"%s\",\"ns\":%" PRId64 "}", wait_label_name(label), ns);
    }
    text_char(t, '}');
}

static void put_path(text *t, const whatif_rows *r)
{
    text_str(t, ",\n\"path\":[");
    for (size_t i = 0; i < r->path.parts.count; i++) {
        const path_part *p = &r->path.parts.at[i];
        text_str(t, i ? ",\n{\"op\":" : "\n{\"op\":");
        text_json(t, r->given.w->ops[p->op].label);
        text_printf(t, ",\"job\":%u,\"label\":\"%s\",\"rule\":\"%s\",\"from_ns\":%" PRId64 ",\"to_ns\":%" PRId64 "}",
                    p->job, wait_label_name(p->label), gcast_reason_rule(p->reason), p->from_ns, p->to_ns);
    }
    text_char(t, ']');
}

void whatif_json(text *t, const whatif_rows *r)
{
    text_str(t, "{\"schema\":\"gridcast.whatif/1\",\"workload\":");
    text_json(t, r->given.w->name);
    text_str(t, ",\"gpu\":");
    text_json(t, r->given.gpu->name);
    if (r->base.of) {
        text_str(t, ",\"of\":");
        text_json(t, r->base.of);
    }
    text_printf(t, ",\"end_ns\":%" PRId64 ",\"gpu_ns\":%" PRId64, r->before.end_ns, r->before.gpu_ns);
    if (r->not_tried)
        text_printf(t, ",\"not_tried\":%zu", r->not_tried);
    put_deadlines(t, r, &r->before);
    put_labels(t, &r->before);
    put_path(t, r);
    text_str(t, ",\n\"rows\":[");
    for (size_t i = 0; i < r->rows.count; i++)
        put_row(t, r, i);
    text_str(t, "]}\n");
}
