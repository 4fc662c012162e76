#include "report/analysis/verdict_rows.h"

#include <stdlib.h>

#include "base/integers.h"

#define MAX_ROWS 200    /* ops that are missed or open, then those with the least slack, go first */
#define MAX_RATIO 5     /* of the scales of panels that share an axis */
#define MAX_DEADLINES 3 /* bars that are longer than so many deadlines are cut */
#define MAX_TIME INT64_MAX / 8

static int64_t sum_of(int64_t a, int64_t b)
{
    return min_i64(a, MAX_TIME) + min_i64(b, MAX_TIME);
}

static verdict_row row_of(const gcast_answer *a, const gcast_response *r)
{
    const gcast_op *op = &a->workload->ops[r->op];
    int64_t release_ns = op->task == GCAST_ONCE ? 0 : op->release_ns;
    int64_t seen_ns = a->attained && r->worst_ns != GCAST_NO_BOUND ? r->worst_ns : r->seen_ns;
    return (verdict_row){
        .response = r,
        .verdict = gcast_answer_verdict(a, r),
        .task = op->task,
        .deadline_ns = r->deadline_ns,
        .best_ns = sum_of(release_ns, r->best_ns),
        .worst_ns = r->worst_ns == GCAST_NO_BOUND ? GCAST_NO_BOUND : sum_of(release_ns, r->worst_ns),
        .seen_ns = seen_ns ? sum_of(release_ns, seen_ns) : 0,
    };
}

static int by_task(const void *a, const void *b)
{
    const verdict_row *x = a, *y = b;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return x->response->op < y->response->op ? -1 : x->response->op > y->response->op;
}

/* 0: missed, 1: open, 2: met, 3: it has no deadline. */
static int rank_of(gcast_deadline_verdict v)
{
    return v == GCAST_DEADLINE_MISSED ? 0 : v == GCAST_DEADLINE_OPEN ? 1 : v == GCAST_DEADLINE_NONE ? 3 : 2;
}

static int64_t slack_of(const verdict_row *row)
{
    return row->worst_ns == GCAST_NO_BOUND ? INT64_MIN : row->deadline_ns - row->worst_ns;
}

static int by_risk(const void *a, const void *b)
{
    const verdict_row *x = a, *y = b;
    if (rank_of(x->verdict) != rank_of(y->verdict))
        return rank_of(x->verdict) < rank_of(y->verdict) ? -1 : 1;
    if (slack_of(x) != slack_of(y))
        return slack_of(x) < slack_of(y) ? -1 : 1;
    return by_task(a, b);
}

/* The latest time that a row shows. */
static int64_t last_time(const verdict_row *row)
{
    int64_t last_ns = max_i64(row->best_ns, row->seen_ns);
    return row->worst_ns == GCAST_NO_BOUND ? last_ns : max_i64(last_ns, row->worst_ns);
}

static void choose_end(const verdict_rows *v, verdict_panel *p)
{
    int64_t deadline_ns = 0, longest_ns = 1;
    for (size_t i = p->first_row; i < p->first_row + p->row_count; i++) {
        deadline_ns = max_i64(deadline_ns, v->rows.at[i].deadline_ns);
        longest_ns = max_i64(longest_ns, last_time(&v->rows.at[i]));
    }
    deadline_ns = min_i64(deadline_ns, MAX_TIME);
    p->scale_ns = deadline_ns ? deadline_ns : longest_ns;
    p->end_ns = longest_ns;
    if (deadline_ns)
        p->end_ns =
            max_i64(deadline_ns, longest_ns / MAX_DEADLINES < deadline_ns ? longest_ns : deadline_ns * MAX_DEADLINES);
    p->end_ns += p->end_ns / 25 + 1; /* so that a deadline or a bound is not at the edge */
}

static void choose_axes(verdict_rows *v)
{
    int64_t shortest_ns = INT64_MAX, longest_ns = 0, end_ns = 0;
    for (size_t i = 0; i < v->panels.count; i++) {
        verdict_panel *p = &v->panels.at[i];
        choose_end(v, p);
        shortest_ns = min_i64(shortest_ns, p->scale_ns);
        longest_ns = max_i64(longest_ns, p->scale_ns);
        end_ns = max_i64(end_ns, p->end_ns);
    }
    v->own_axes = longest_ns / MAX_RATIO > shortest_ns;
    for (size_t i = 0; i < v->panels.count && !v->own_axes; i++)
        v->panels.at[i].end_ns = end_ns;
}

bool verdict_rows_make(verdict_rows *v, const gcast_answer *a)
{
    bool ok = true;
    *v = (verdict_rows){0};
    for (size_t i = 0; ok && i < a->response_count; i++)
        ok = vec_push(&v->rows, row_of(a, &a->responses[i]));
    if (ok && v->rows.count > MAX_ROWS) {
        qsort(v->rows.at, v->rows.count, sizeof *v->rows.at, by_risk);
        v->hidden = v->rows.count - MAX_ROWS;
        v->rows.count = MAX_ROWS;
    }
    if (v->rows.count)
        qsort(v->rows.at, v->rows.count, sizeof *v->rows.at, by_task);
    for (size_t i = 0; ok && i < v->rows.count; i++) {
        if (!i || v->rows.at[i].task != v->rows.at[i - 1].task)
            ok = vec_push(&v->panels, ((verdict_panel){.task = v->rows.at[i].task, .first_row = i}));
        if (ok)
            v->panels.at[v->panels.count - 1].row_count++;
    }
    if (ok)
        choose_axes(v);
    else
        verdict_rows_free(v);
    return ok;
}

void verdict_rows_free(verdict_rows *v)
{
    vec_free(&v->rows);
    vec_free(&v->panels);
}
