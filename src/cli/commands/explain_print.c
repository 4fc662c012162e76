#include "cli/commands/explain_print.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/advice/remedy.h"
#include "change/change_text.h"
#include "report/phrases.h"

#define MAX_ROWS 6     /* holders of one kind that have a line each */
#define MAX_WAITS 8    /* of a pair */
#define MAX_REMEDIES 5 /* of a pair */
#define TIME_WIDTH 14  /* of a column */

/* One operation or job: its waits are summed up. */

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

/* Which block launched a child, and for how many items. */
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

/* Says among how many it is the worst, and by which measure. */
static void put_worst(text *t, const explained *x)
{
    const gcast_subject *s = &x->subject;
    if (!x->worst)
        return;
    if (s->matches == 1)
        text_str(t, "the only one");
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
    size_t rows = count <= MAX_ROWS + 1 ? count : MAX_ROWS; /* the sum of a single other would take a line, too */
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

/* Two operations: the waits say why they do not overlap more. */

/* "K1 ran from 1ms to 3ms", or "K1 ran for 1ms between 1ms and 3ms" where it paused. */
static void put_ran(text *t, const gcast_run *run, size_t i, int64_t ran_ns)
{
    bool without_pause = ran_ns == run->ops[i].end_ns - run->ops[i].start_ns;
    phrase_op(t, run, i);
    text_str(t, " ran ");
    if (!without_pause) {
        text_str(t, "for ");
        phrase_time(t, ran_ns, 0);
    }
    text_str(t, without_pause ? "from " : " between ");
    phrase_time(t, run->ops[i].start_ns, 0);
    text_str(t, without_pause ? " to " : " and ");
    phrase_time(t, run->ops[i].end_ns, 0);
}

/* "2ms, 50.0 % of the shorter's time" */
static void put_overlap(text *t, int64_t overlap_ns, int64_t shorter_ns)
{
    int64_t permille =
        shorter_ns ? (int64_t)((unsigned __int128)(uint64_t)overlap_ns * 1000 / (uint64_t)shorter_ns) : 1000;
    phrase_time(t, overlap_ns, 0);
    if (permille == 1000)
        text_str(t, ", the whole time of the shorter one");
    else
        text_printf(t, ", %" PRId64 ".%" PRId64 " %% of the time of the shorter one", permille / 10, permille % 10);
}

static void put_pair_head(text *t, const paired *x)
{
    const gcast_pair *p = x->pair;
    put_ran(t, x->run, p->earlier, p->earlier_ran_ns);
    text_str(t, ", ");
    put_ran(t, x->run, p->later, p->later_ran_ns);
    if (p->overlap_ns) {
        text_str(t, ": they overlap by ");
        put_overlap(t, p->overlap_ns, pair_shorter_ns(p));
        text_char(t, '\n');
    } else {
        text_str(t, ": they do not overlap\n");
    }
}

/* Counts the waits of the later operation itself; deeper links say why the link before them lasted so long. */
static size_t count_waits(const gcast_pair *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->link_count; i++)
        n += p->links[i].depth == 0;
    return n;
}

static int64_t duration_ns(const gcast_link *l)
{
    return l->wait.to_ns - l->wait.from_ns;
}

/* Is it one of the MAX_WAITS longest waits? Of equal ones the first count. */
static bool is_among_longest(const gcast_pair *p, size_t i)
{
    size_t longer = 0;
    for (size_t k = 0; k < p->link_count && longer < MAX_WAITS; k++)
        longer += p->links[k].depth == 0 && (duration_ns(&p->links[k]) > duration_ns(&p->links[i]) ||
                                             (duration_ns(&p->links[k]) == duration_ns(&p->links[i]) && k < i));
    return longer < MAX_WAITS;
}

static void put_links(text *t, const paired *x, bool all)
{
    const gcast_pair *p = x->pair;
    size_t hidden_count = 0;
    bool shown = true;
    text_str(t, "\nwhy ");
    phrase_op(t, x->run, p->later);
    text_str(t, " did not start while ");
    phrase_op(t, x->run, p->earlier);
    text_printf(t, " waited or ran:\n%*s %*s  %-15s %s\n", TIME_WIDTH, "from", TIME_WIDTH, "for", "wait", "why");
    all = all || count_waits(p) <= MAX_WAITS + 1;
    for (size_t i = 0; i < p->link_count; i++) {
        const gcast_link *l = &p->links[i];
        if (l->depth == 0) {
            shown = all || is_among_longest(p, i);
            hidden_count += !shown;
        }
        if (!shown)
            continue;
        phrase_time(t, l->wait.from_ns, TIME_WIDTH);
        text_char(t, ' ');
        phrase_time(t, duration_ns(l), TIME_WIDTH);
        text_printf(t, "  %-15s %*s", phrase_short(l->wait.reason), 2 * l->depth, "");
        if (l->depth) {
            phrase_op(t, x->run, l->wait.run_op);
            text_str(t, ": ");
        }
        phrase_wait(t, x->run, &l->wait);
        phrase_rule(t, l->wait.reason, l->wait.resources);
        text_char(t, '\n');
    }
    if (hidden_count)
        text_printf(t, "%*s and %zu shorter waits; --all shows each\n", 2 * TIME_WIDTH + 1, "", hidden_count);
}

/* A change in words, without control characters of labels. */
static void put_change(text *t, const gcast_workload *w, const gcast_remedy *r, size_t which)
{
    text said;
    text_open(&said, NULL, NULL);
    change_say_of(r->changes, which, w, &said);
    char *words = text_take(&said, NULL);
    if (words)
        text_terminal(t, words);
    else
        text_no_memory(t);
    free(words);
}

/* The end of an operation with the remedy, if that changes it. */
static void put_end(text *t, const gcast_run *run, size_t i, int64_t new_end_ns)
{
    if (new_end_ns == run->ops[i].end_ns)
        return;
    text_str(t, "; ");
    phrase_op(t, run, i);
    text_str(t, " then ends at ");
    phrase_time(t, new_end_ns, 0);
    text_str(t, ", not ");
    phrase_time(t, run->ops[i].end_ns, 0);
}

/* Does the remedy remove an order between operations, so that one no longer waits for the end of another? */
static bool removes_order(const gcast_remedy *r)
{
    bool removes = false;
    for (size_t i = 0; i < r->change_count; i++)
        removes = removes || r->changes[i].kind == CHANGE_OWN_STREAM || r->changes[i].kind == CHANGE_NON_BLOCKING ||
                  r->changes[i].kind == CHANGE_CALL;
    return removes;
}

static void put_remedies(text *t, const paired *x)
{
    const gcast_remedies *all = x->remedies;
    bool any_removes_order = false;
    if (!all)
        return;
    if (!all->runs)
        text_str(t, "\nno known change would let them overlap more\n");
    else if (!all->count)
        text_str(t, "\nof the changes tried (streams, priorities, calls, blocks), none lets them overlap more\n");
    else
        text_str(t, "\nchanges that let them overlap more, each simulated:\n");
    for (size_t i = 0; i < all->count && i < MAX_REMEDIES; i++) {
        const gcast_remedy *r = &all->list[i];
        for (size_t c = 0; c < r->change_count; c++) {
            text_str(t, c ? " and " : "  with ");
            put_change(t, x->run->workload, r, c);
        }
        text_str(t, ": by ");
        put_overlap(t, r->overlap_ns, r->shorter_ns);
        put_end(t, x->run, x->pair->earlier, r->earlier_end_ns);
        put_end(t, x->run, x->pair->later, r->later_end_ns);
        text_char(t, '\n');
        any_removes_order = any_removes_order || removes_order(r);
    }
    if (any_removes_order)
        text_str(t, "the workload does not say whether one of them needs the results of another\n");
}

void pair_print(text *t, const paired *x, bool all)
{
    put_pair_head(t, x);
    if (pair_overlaps_fully(x->pair))
        return;
    if (x->pair->link_count)
        put_links(t, x, all);
    else
        text_str(t, "they start together; explain one of them to see why its last blocks started later\n");
    put_remedies(t, x);
}
