#include "report/web/page_blocks.h"

#include <stdlib.h>

#include "base/text/base64.h"
#include "model/run_children.h"
#include "report/run/packing.h"
#include "report/run/sm_index.h"
#include "report/web/page_steps.h"

page_blocks_kind page_blocks_choose(const page_ops *p, const view *v, uint64_t *count)
{
    *count = 0;
    if (!v->blocks)
        return PAGE_BLOCKS_NONE;
    for (size_t i = 0; i < run_total(p->run); i++) {
        shown_blocks blocks = shown_blocks_of(&p->run->ops[i]);
        for (uint64_t b = 0; blocks.at && b < blocks.count; b++) {
            const gcast_block *k = &blocks.at[b];
            *count += (int)k->sm >= v->first_sm && (int)k->sm <= v->last_sm && view_holds(v, k->start_ns, k->end_ns);
        }
    }
    return *count > PAGE_MAX_BLOCKS || p->left_out ? PAGE_BLOCKS_STEPS : PAGE_BLOCKS_EACH;
}

static int by_place(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Blocks of one lane: the gap before each, and how its length, operation and number differ from the one before. */
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

/* An SM: the number of its lanes, then each with its place. */
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

gcast_status page_blocks_put(const page_ops *p, const view *v, page_blocks_kind kind, int number, text *out,
                             gcast_error *err)
{
    sm_index index;
    if (kind == PAGE_BLOCKS_NONE)
        return GCAST_OK;
    gcast_status status = sm_index_create(&index, p->run, v, err);
    if (status != GCAST_OK)
        return status;
    status =
        kind == PAGE_BLOCKS_EACH ? put_each(p, &index, number, out, err) : page_steps_put(&index, number, out, err);
    sm_index_free(&index);
    return status;
}
