#include "report/areas/sm_rows.h"

#include <stdio.h>
#include <stdlib.h>

#define FOLD_ABOVE 16 /* rows that a person reads one by one, with the numbers of their blocks */

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

typedef struct example {
    uint64_t hash;
    int sm;
} example;

/* The row whose SMs hold what `mine` holds; -1: none; -2: no memory. */
static int find(const sm_index *index, const example *examples, int rows, const span_list *mine, uint64_t h,
                span_list *other)
{
    for (int r = 0; r < rows; r++) {
        if (examples[r].hash != h)
            continue;
        if (!sm_index_spans(index, examples[r].sm, other))
            return -2;
        if (equal(mine, other))
            return r;
    }
    return -1;
}

static bool fold_alike(fold *f, const sm_index *index, int sms)
{
    example *examples = calloc((size_t)sms, sizeof *examples);
    span_list mine = {0}, other = {0};
    bool ok = examples != NULL;
    f->rows = 0;
    for (int i = 0; ok && i < sms; i++) {
        int sm = index->shown->first_sm + i;
        ok = sm_index_spans(index, sm, &mine);
        uint64_t h = ok ? hash(&mine) : 0;
        int row = ok ? find(index, examples, f->rows, &mine, h, &other) : -2;
        if (row == -1) {
            row = f->rows++;
            examples[row] = (example){h, sm};
        }
        ok = row >= 0;
        f->row[i] = row;
    }
    vec_free(&mine);
    vec_free(&other);
    free(examples);
    return ok;
}

gcast_status fold_make(fold *f, const sm_index *index, gcast_error *err)
{
    const view *v = index->shown;
    int sms = v->last_sm - v->first_sm + 1;
    *f = (fold){.rows = sms, .alike = true, .row = calloc((size_t)sms, sizeof *f->row)};
    if (!f->row)
        return gcast_error_set_memory(err);
    for (int i = 0; i < sms; i++)
        f->row[i] = i;
    bool many = v->fold && sms > (v->max_rows < FOLD_ABOVE ? v->max_rows : FOLD_ABOVE);
    if (many && !fold_alike(f, index, sms)) {
        fold_free(f);
        return gcast_error_set_memory(err);
    }
    if (many && f->rows > v->max_rows) {
        int each = (sms + v->max_rows - 1) / v->max_rows;
        for (int i = 0; i < sms; i++)
            f->row[i] = i / each;
        f->rows = (sms + each - 1) / each;
        f->alike = each == 1;
    }
    return GCAST_OK;
}

void fold_free(fold *f)
{
    free(f->row);
    *f = (fold){0};
}

int fold_first(const fold *f, const sm_index *index, int row, int *count)
{
    int first = -1;
    *count = 0;
    for (int i = index->shown->last_sm - index->shown->first_sm; i >= 0; i--)
        if (f->row[i] == row) {
            first = index->shown->first_sm + i;
            ++*count;
        }
    return first;
}

void fold_label(const fold *f, const sm_index *index, int row, char *out, size_t size)
{
    int base = index->shown->first_sm, sms = index->shown->last_sm - base + 1, count;
    fold_first(f, index, row, &count);
    size_t used = (size_t)(f->alike && count > 1 ? snprintf(out, size, "%d SMs:", count)
                                                 : snprintf(out, size, count > 1 ? "SMs" : "SM"));
    const char *comma = " ";
    for (int i = 0; i < sms; i++) {
        if (f->row[i] != row)
            continue;
        int last = i;
        while (last + 1 < sms && f->row[last + 1] == row)
            last++;
        if (used + 40 > size) { /* room for a range */
            used += (size_t)snprintf(out + used, size - used, ", ...");
            break;
        }
        used += (size_t)snprintf(out + used, size - used, last > i ? "%s%d-%d" : "%s%d", comma, base + i, base + last);
        comma = ", ";
        i = last;
    }
}
