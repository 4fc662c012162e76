#include "report/timeline/sm_rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"

#define MAX_SINGLE 16 /* SMs with a row each, which a person can still read one by one */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}

static uint64_t hash(const span_list *l)
{
    uint64_t h = l->count;
    for (size_t i = 0; i < l->count; i++)
        h = mix(mix(mix(h, (uint64_t)l->at[i].start), (uint64_t)l->at[i].end), l->at[i].op);
    return h;
}

static bool equal(const span_list *a, const span_list *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->at[i].start != b->at[i].start || a->at[i].end != b->at[i].end || a->at[i].op != b->at[i].op)
            return false;
    return true;
}

/* The first SM of a row, and the hash of what it holds. */
typedef struct example {
    uint64_t hash; /* of the blocks that it holds */
    int sm;        /* the SM */
} example;

/* The row whose SMs hold the blocks of `spans`; -1: none; -2: no memory. */
static int find_row(const sm_index *index, const example *examples, int rows, const span_list *spans, uint64_t h,
                    span_list *row_spans)
{
    for (int row = 0; row < rows; row++) {
        if (examples[row].hash != h)
            continue;
        if (!sm_index_spans(index, examples[row].sm, row_spans))
            return -2;
        if (equal(spans, row_spans))
            return row;
    }
    return -1;
}

/* Gives one row to SMs that hold blocks of the same operations at the same times. */
static bool join_identical(sm_rows *r, const sm_index *index, int sms)
{
    example *examples = calloc((size_t)sms, sizeof *examples);
    span_list spans = {0}, row_spans = {0};
    bool ok = examples != NULL;
    r->count = 0;
    for (int i = 0; ok && i < sms; i++) {
        int sm = index->shown->first_sm + i;
        ok = sm_index_spans(index, sm, &spans);
        uint64_t h = ok ? hash(&spans) : 0;
        int row = ok ? find_row(index, examples, r->count, &spans, h, &row_spans) : -2;
        if (row == -1) {
            row = r->count++;
            examples[row] = (example){h, sm};
        }
        ok = row >= 0;
        r->row_of[i] = row;
    }
    vec_free(&spans);
    vec_free(&row_spans);
    free(examples);
    return ok;
}

gcast_status sm_rows_make(sm_rows *r, const sm_index *index, gcast_error *err)
{
    const view *v = index->shown;
    int sms = v->last_sm - v->first_sm + 1;
    *r = (sm_rows){.count = sms, .identical = true, .row_of = calloc((size_t)sms, sizeof *r->row_of)};
    if (!r->row_of)
        return gcast_error_set_memory(err);
    for (int i = 0; i < sms; i++)
        r->row_of[i] = i;
    bool too_many = v->fold && sms > min_int(v->max_rows, MAX_SINGLE);
    if (too_many && !join_identical(r, index, sms)) {
        sm_rows_free(r);
        return gcast_error_set_memory(err);
    }
    if (too_many && r->count > v->max_rows) {
        int sms_per_row = (int)div_up(sms, v->max_rows);
        for (int i = 0; i < sms; i++)
            r->row_of[i] = i / sms_per_row;
        r->count = (int)div_up(sms, sms_per_row);
        r->identical = sms_per_row == 1;
    }
    return GCAST_OK;
}

void sm_rows_free(sm_rows *r)
{
    free(r->row_of);
    *r = (sm_rows){0};
}

int sm_rows_first(const sm_rows *r, const sm_index *index, int row, int *count)
{
    int first = -1;
    *count = 0;
    for (int i = index->shown->last_sm - index->shown->first_sm; i >= 0; i--)
        if (r->row_of[i] == row) {
            first = index->shown->first_sm + i;
            ++*count;
        }
    return first;
}

void sm_rows_label(const sm_rows *r, const sm_index *index, int row, char *out, size_t size)
{
    int base = index->shown->first_sm, sms = index->shown->last_sm - base + 1, count;
    sm_rows_first(r, index, row, &count);
    size_t used = (size_t)(r->identical && count > 1 ? snprintf(out, size, "%d SMs:", count)
                                                     : snprintf(out, size, count > 1 ? "SMs" : "SM"));
    const char *comma = " ";
    for (int i = 0; i < sms; i++) {
        if (r->row_of[i] != row)
            continue;
        int last = i;
        while (last + 1 < sms && r->row_of[last + 1] == row)
            last++;
        if (used + 40 > size) { /* room for a range */
            snprintf(out + used, size - used, ", ...");
            break;
        }
        used += (size_t)snprintf(out + used, size - used, last > i ? "%s%d-%d" : "%s%d", comma, base + i, base + last);
        comma = ", ";
        i = last;
    }
}
