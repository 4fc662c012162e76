#include "report/web/page_blocks.h"

#include <stdlib.h>

#include "base/text/base64.h"
#include "model/run_children.h"
#include "report/run/packing.h"
#include "report/run/sm_index.h"

/* Blocks in the view, of those that are recorded. */
static uint64_t count_blocks(const gcast_run *run, const view *v)
{
    uint64_t count = 0;
    for (size_t i = 0; i < run_total(run); i++) {
        shown_blocks blocks = shown_blocks_of(&run->ops[i]);
        for (uint64_t b = 0; blocks.at && b < blocks.count; b++) {
            const gcast_block *k = &blocks.at[b];
            count += (int)k->sm >= v->first_sm && (int)k->sm <= v->last_sm && view_holds(v, k->start_ns, k->end_ns);
        }
    }
    return count;
}

gcast_status page_blocks_make(page_blocks *b, const page_ops *p, const view *v, const gcast_report_options *options,
                              gcast_error *err)
{
    bool again = !shown_blocks_any(p->run) && options->each_block && !options->no_blocks && !p->run->hang;
    *b = (page_blocks){.kind = PAGE_BLOCKS_NONE};
    if (!v->blocks && !again)
        return GCAST_OK;
    if (v->blocks) {
        b->kind = PAGE_BLOCKS_EACH;
        b->count = count_blocks(p->run, v);
    }
    if (!again && b->count <= GCAST_PAGE_BLOCKS && !p->left_out)
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
