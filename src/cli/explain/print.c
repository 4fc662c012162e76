#include "cli/explain/print.h"

#include "cli/explain/phrases.h"

#define MAX_ROWS 6
#define TIME_WIDTH 14

/* NAME#JOB of a task's job, or the name of an operation. */
static void put_name(text *t, const explained *x)
{
    if (x->subject.task < 0) {
        phrase_op(t, x->run, x->subject.run_op);
        return;
    }
    text_terminal(t, x->run->workload->tasks[x->subject.task].name);
    text_printf(t, "#%u", x->run->ops[x->subject.run_op].job);
}

/* Of a child: what launched it, and for what. */
static void put_parent(text *t, const gcast_run *run, size_t i)
{
    if (i < run->op_count)
        return;
    const gcast_child *child = &run->children[i - run->op_count];
    text_printf(t, "; launched by block %u of ", child->parent_block);
    phrase_op(t, run, child->parent);
    text_printf(t, " for %u item%s", child->items, child->items == 1 ? "" : "s");
}

static void put_head(text *t, const explained *x)
{
    const gcast_explanation *e = x->explanation;
    put_name(t, x);
    text_str(t, ": released at ");
    phrase_time(t, e->release_ns, 0);
    text_str(t, ", ended at ");
    phrase_time(t, e->end_ns, 0);
    text_str(t, ", response time ");
    phrase_time(t, e->end_ns - e->release_ns, 0);
    if (x->subject.task >= 0) {
        text_str(t, "; ");
        phrase_op(t, x->run, e->run_op);
        text_str(t, " ended last");
    } else if (e->critical_block >= 0) {
        text_printf(t, "; block %lld of %llu ended last", (long long)e->critical_block,
                    (unsigned long long)x->run->ops[e->run_op].block_count);
        put_parent(t, x->run, e->run_op);
    }
    text_char(t, '\n');
}

/* Of how many it is the worst, and by what measure. */
static void put_worst(text *t, const explained *x)
{
    const gcast_subject *s = &x->subject;
    if (!x->worst)
        return;
    if (s->matches == 1)
        text_str(t, "the only one there is");
    else
        text_printf(t, "the worst of %zu by %s", s->matches, s->by_lateness ? "lateness" : "response time");
    if (s->by_lateness) {
        text_str(t, s->matches == 1 ? ", " : ": ");
        phrase_time(t, s->late_ns < 0 ? -s->late_ns : s->late_ns, 0);
        text_str(t, s->late_ns > 0 ? " after its deadline" : " before its deadline");
    }
    text_char(t, '\n');
}

static void put_rules(text *t, const gcast_totals *sum)
{
    text_printf(t, "\n%*s %7s  %-15s %s\n", TIME_WIDTH, "for", "share", "wait", "why");
    for (size_t i = 0; i < sum->rule_count; i++) {
        const gcast_rule_total *r = &sum->rules[i];
        phrase_time(t, r->ns, TIME_WIDTH);
        phrase_share(t, r->ns, sum->response_ns);
        text_printf(t, "  %-15s ", phrase_short(r->reason));
        phrase_reason(t, r->reason, r->resources);
        phrase_rule(t, r->reason, r->resources);
        text_char(t, '\n');
    }
    phrase_time(t, sum->response_ns, TIME_WIDTH);
    text_str(t, "          in all\n");
}

/* Such as ": queue order 4ms, no room 1.75ms", or ": no room" where one reason explains all the time. */
static void put_by_rule(text *t, const gcast_totals *sum, const gcast_holder_total *h)
{
    const char *separator = ": ";
    for (size_t r = 0; r < sum->rule_count; r++) {
        if (!h->by_rule[r])
            continue;
        text_printf(t, "%s%s", separator, phrase_short(sum->rules[r].reason));
        if (h->by_rule[r] != h->ns) {
            text_char(t, ' ');
            phrase_time(t, h->by_rule[r], 0);
        }
        separator = ", ";
    }
}

typedef enum { OPS, STREAMS, TASKS } holder_kind;

static void put_holder(text *t, const explained *x, holder_kind kind, const gcast_holder_total *h)
{
    const gcast_workload *w = x->run->workload;
    if (kind == STREAMS) {
        text_printf(t, "stream %d", w->streams[h->which].id);
    } else if (kind == TASKS) {
        text_str(t, "task ");
        text_terminal(t, w->tasks[h->which].name);
    } else {
        text_terminal(t, w->ops[h->which].label);
        if (x->subject.task < 0 && h->which == x->run->ops[x->subject.run_op].op && h->operations == 1 &&
            h->which < w->op_count)
            text_str(t, " itself");
    }
    if (kind == OPS && h->which >= w->op_count)
        text_printf(t, ", %zu child%s", h->operations, h->operations == 1 ? "" : "ren");
    else if (kind == OPS && h->operations > 1)
        text_printf(t, ", %zu jobs", h->operations);
    else if (kind != OPS)
        text_printf(t, ", %zu operation%s", h->operations, h->operations == 1 ? "" : "s");
}

/* One line for each of the largest, and one with the sum of all others. */
static void put_holders(text *t, const explained *x, holder_kind kind, const gcast_holder_total *list, size_t count)
{
    size_t rows = count <= MAX_ROWS + 1 ? count : MAX_ROWS; /* a sum of one alone would take a line as well */
    int64_t rest_ns = 0;
    for (size_t i = 0; i < count; i++) {
        if (i >= rows) {
            rest_ns += list[i].ns;
            continue;
        }
        phrase_time(t, list[i].ns, TIME_WIDTH);
        phrase_share(t, list[i].ns, x->totals->response_ns);
        text_str(t, "  ");
        put_holder(t, x, kind, &list[i]);
        put_by_rule(t, x->totals, &list[i]);
        text_char(t, '\n');
    }
    if (rows == count)
        return;
    phrase_time(t, rest_ns, TIME_WIDTH);
    phrase_share(t, rest_ns, x->totals->response_ns);
    text_printf(t, "  and %zu more\n", count - rows);
}

static void put_held(text *t, const explained *x)
{
    const gcast_totals *sum = x->totals;
    if (!sum->op_count)
        return;
    text_printf(t, "\n%*s %7s  held by\n", TIME_WIDTH, "for", "share");
    if (sum->op_count > MAX_ROWS + 1) { /* too many for a line each: also by task and by stream */
        put_holders(t, x, TASKS, sum->tasks, sum->task_count);
        put_holders(t, x, STREAMS, sum->streams, sum->stream_count);
    }
    put_holders(t, x, OPS, sum->ops, sum->op_count);
}

static void put_waits(text *t, const explained *x)
{
    const gcast_explanation *e = x->explanation;
    text_printf(t, "\n%*s %*s  %-15s %s\n", TIME_WIDTH, "from", TIME_WIDTH, "for", "wait", "why");
    for (size_t i = 0; i < e->wait_count; i++) {
        const gcast_wait *wait = &e->waits[i];
        phrase_time(t, wait->from_ns, TIME_WIDTH);
        text_char(t, ' ');
        phrase_time(t, wait->to_ns - wait->from_ns, TIME_WIDTH);
        text_printf(t, "  %-15s ", phrase_short(wait->reason));
        if (x->subject.task >= 0 || wait->run_op != x->explanation->run_op) {
            phrase_op(t, x->run, wait->run_op);
            text_str(t, ": ");
        }
        phrase_wait(t, x->run, wait);
        phrase_rule(t, wait->reason, wait->resources);
        text_char(t, '\n');
    }
}

void explain_print(text *t, const explained *x, bool all)
{
    put_head(t, x);
    put_worst(t, x);
    put_rules(t, x->totals);
    put_held(t, x);
    if (all)
        put_waits(t, x);
    else if (x->explanation->wait_count > x->totals->rule_count)
        text_printf(t, "\n--all shows each of the %zu waits\n", x->explanation->wait_count);
}
