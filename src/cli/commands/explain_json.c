#include "cli/commands/explain_json.h"

#include <inttypes.h>

#include "analyze/advice/remedy.h"
#include "gridcast/names.h"

static void put_short_of(text *t, unsigned resources)
{
    const char *comma = "";
    text_str(t, ",\"short_of\":[");
    for (int k = 0; k < GCAST_RESOURCES; k++)
        if (resources >> k & 1) {
            text_printf(t, "%s\"%s\"", comma, gcast_name(GCAST_NAMES_RESOURCE, (gcast_resource)k));
            comma = ",";
        }
    text_char(t, ']');
}

/* Marks a child, or the rest of a block. */
static void put_child(text *t, const gcast_run *run, size_t i)
{
    if (i >= run->op_count)
        text_printf(t, ",\"%s\":true", run->children[i - run->op_count].is_rest ? "rest" : "child");
}

static void put_wait(text *t, const gcast_run *run, const gcast_wait *wait)
{
    text_printf(t, "\"from_ns\":%" PRId64 ",\"to_ns\":%" PRId64 ",\"rule\":", wait->from_ns, wait->to_ns);
    text_json(t, gcast_wait_rule(wait->reason, wait->resources));
    put_short_of(t, wait->resources);
    if (wait->reason == GCAST_WHY_CARVEOUT)
        text_printf(t, ",\"size_bytes\":%" PRId64 ",\"least_bytes\":%" PRId64, wait->size_bytes, wait->min_bytes);
    text_str(t, ",\"holders\":[");
    for (size_t h = 0; h < wait->holder_count; h++) {
        const gcast_run_op *holder = &run->ops[wait->holders[h].run_op];
        text_str(t, h ? ",{\"label\":" : "{\"label\":");
        text_json(t, run->workload->ops[holder->op].label);
        text_printf(t, ",\"job\":%u,\"blocks\":%" PRIu64 ",\"sms\":%u", holder->job, wait->holders[h].blocks,
                    wait->holders[h].sms);
        put_child(t, run, wait->holders[h].run_op);
        text_char(t, '}');
    }
    text_char(t, ']');
}

static void put_rules(text *t, const gcast_totals *sum)
{
    text_str(t, ",\"totals\":[");
    for (size_t i = 0; i < sum->rule_count; i++) {
        text_str(t, i ? ",\n{\"rule\":" : "\n{\"rule\":");
        text_json(t, gcast_wait_rule(sum->rules[i].reason, sum->rules[i].resources));
        put_short_of(t, sum->rules[i].resources);
        text_printf(t, ",\"ns\":%" PRId64 ",\"waits\":%zu}", sum->rules[i].ns, sum->rules[i].waits);
    }
    text_char(t, ']');
}

/* How much waiting a holder caused, by rule. */
static void put_cost(text *t, const gcast_totals *sum, const gcast_holder_total *h)
{
    const char *comma = "";
    text_printf(t, ",\"operations\":%zu,\"ns\":%" PRId64 ",\"rules\":[", h->operations, h->ns);
    for (size_t r = 0; r < sum->rule_count; r++)
        if (h->by_rule[r]) {
            text_printf(t, "%s{\"rule\":", comma);
            text_json(t, gcast_wait_rule(sum->rules[r].reason, sum->rules[r].resources));
            put_short_of(t, sum->rules[r].resources);
            text_printf(t, ",\"ns\":%" PRId64 "}", h->by_rule[r]);
            comma = ",";
        }
    text_str(t, "]}");
}

static void put_held(text *t, const gcast_workload *w, const gcast_totals *sum)
{
    text_printf(t, ",\"held_ns\":%" PRId64 ",\"held_by\":{\"ops\":[", sum->held_ns);
    for (size_t i = 0; i < sum->op_count; i++) {
        text_str(t, i ? ",\n{\"label\":" : "\n{\"label\":");
        text_json(t, w->ops[sum->ops[i].which].label);
        put_cost(t, sum, &sum->ops[i]);
    }
    text_str(t, "],\"streams\":[");
    for (size_t i = 0; i < sum->stream_count; i++) {
        text_printf(t, "%s\n{\"stream\":%d", i ? "," : "", w->streams[sum->streams[i].which].id);
        put_cost(t, sum, &sum->streams[i]);
    }
    text_str(t, "],\"tasks\":[");
    for (size_t i = 0; i < sum->task_count; i++) {
        text_str(t, i ? ",\n{\"task\":" : "\n{\"task\":");
        text_json(t, w->tasks[sum->tasks[i].which].name);
        put_cost(t, sum, &sum->tasks[i]);
    }
    text_str(t, "]}");
}

static void put_worst(text *t, const explained *x)
{
    if (!x->worst)
        return;
    text_printf(t, ",\"worst\":{\"of\":%zu,\"by\":\"%s\"", x->subject.matches,
                x->subject.by_lateness ? "lateness" : "response");
    if (x->subject.by_lateness)
        text_printf(t, ",\"late_ns\":%" PRId64, x->subject.late_ns);
    text_char(t, '}');
}

void explain_json(text *t, const explained *x)
{
    const gcast_explanation *e = x->explanation;
    const gcast_workload *w = x->run->workload;
    const gcast_run_op *r = &x->run->ops[e->run_op];
    text_str(t, "{\"schema\":\"gridcast.explanation/1\",\"label\":");
    text_json(t, w->ops[r->op].label);
    if (x->subject.task >= 0) {
        text_str(t, ",\"task\":");
        text_json(t, w->tasks[x->subject.task].name);
    }
    text_printf(t, ",\"job\":%u,\"release_ns\":%" PRId64 ",\"end_ns\":%" PRId64 ",\"response_ns\":%" PRId64, r->job,
                e->release_ns, e->end_ns, e->end_ns - e->release_ns);
    put_child(t, x->run, e->run_op);
    put_worst(t, x);
    put_rules(t, x->totals);
    put_held(t, w, x->totals);
    text_str(t, ",\n\"waits\":[");
    for (size_t i = 0; i < e->wait_count; i++) {
        text_str(t, i ? ",\n{" : "\n{");
        if (x->subject.task >= 0 || e->waits[i].run_op != e->run_op) {
            text_str(t, "\"label\":");
            text_json(t, w->ops[x->run->ops[e->waits[i].run_op].op].label);
            text_char(t, ',');
        }
        put_wait(t, x->run, &e->waits[i]);
        text_char(t, '}');
    }
    text_str(t, "]}\n");
}

static void put_op(text *t, const gcast_run *run, const char *key, size_t i, int64_t ran_ns)
{
    const gcast_run_op *r = &run->ops[i];
    text_printf(t, ",\"%s\":{\"label\":", key);
    text_json(t, run->workload->ops[r->op].label);
    text_printf(t, ",\"job\":%u,\"start_ns\":%" PRId64 ",\"end_ns\":%" PRId64 ",\"ran_ns\":%" PRId64 "}", r->job,
                r->start_ns, r->end_ns, ran_ns);
}

static void put_change(text *t, const gcast_workload *w, const gcast_change *c)
{
    text_printf(t, "{\"change\":\"%s\"", gcast_change_name(c->kind));
    if (c->kind != GCAST_CHANGE_CONNECTIONS) {
        text_str(t, ",\"label\":");
        text_json(t, w->ops[c->op].label);
    }
    if (c->kind != GCAST_CHANGE_OWN_STREAM && c->kind != GCAST_CHANGE_NON_BLOCKING && c->kind != GCAST_CHANGE_CARVEOUT)
        text_printf(t, ",\"value\":%" PRId64, c->value);
    text_char(t, '}');
}

void pair_json(text *t, const paired *x)
{
    const gcast_pair *p = x->pair;
    text_str(t, "{\"schema\":\"gridcast.pair/1\"");
    put_op(t, x->run, "earlier", p->earlier, p->earlier_ran_ns);
    put_op(t, x->run, "later", p->later, p->later_ran_ns);
    text_printf(t, ",\"overlap_ns\":%" PRId64 ",\"chain\":[", p->overlap_ns);
    for (size_t i = 0; i < p->link_count; i++) {
        const gcast_wait *w = &p->links[i].wait;
        text_printf(t, "%s\n{\"depth\":%d,\"label\":", i ? "," : "", p->links[i].depth);
        text_json(t, x->run->workload->ops[x->run->ops[w->run_op].op].label);
        text_printf(t, ",\"job\":%u,", x->run->ops[w->run_op].job);
        put_wait(t, x->run, w);
        text_char(t, '}');
    }
    text_str(t, "],\"remedies\":");
    if (!x->remedies)
        text_str(t, "null");
    for (size_t i = 0; x->remedies && i < x->remedies->count; i++) {
        const gcast_remedy *r = &x->remedies->list[i];
        text_str(t, i ? ",\n{\"changes\":[" : "[\n{\"changes\":[");
        for (size_t c = 0; c < r->change_count; c++) {
            text_str(t, c ? "," : "");
            put_change(t, x->run->workload, &r->changes[c]);
        }
        text_printf(t,
                    "],\"overlap_ns\":%" PRId64 ",\"shorter_ns\":%" PRId64 ",\"earlier_end_ns\":%" PRId64
                    ",\"later_end_ns\":%" PRId64 "}",
                    r->overlap_ns, r->shorter_ns, r->earlier_end_ns, r->later_end_ns);
    }
    if (x->remedies)
        text_str(t, x->remedies->count ? "]" : "[]");
    text_str(t, "}\n");
}
