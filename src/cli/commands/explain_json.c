#include "cli/commands/explain_json.h"

#include "analyze/advice/remedy.h"
#include "gridcast/names.h"
#include "model/run_op.h"

static void put_resources(json_out *j, unsigned resources)
{
    for (int k = 0; k < GCAST_RESOURCES; k++)
        if (resources >> k & 1)
            json_put_text(j, NULL, gcast_name(GCAST_NAMES_RESOURCE, (gcast_resource)k));
}

/* Operations that kernels launched are marked. */
#define CHILD_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(bool, child, i >= run->op_count && !run_is_rest(run, i), true, "a child, whose job is its call number")      \
    FIELD(bool, rest, i >= run->op_count && run_is_rest(run, i), true, "the rest of a block that waited for children")

#define HOLDER_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(text, label, true, run_op(run, i)->label, "name of the operation")                                           \
    FIELD(count, job, true, run->ops[i].job, "job of its task")                                                        \
    FIELD(count, blocks, true, h->blocks, "its blocks on SMs")                                                         \
    FIELD(count, sms, true, h->sms, "on so many SMs")                                                                  \
    CHILD_FIELDS(FIELD, LINE)

static void put_holders(json_out *j, const gcast_run *run, const gcast_wait *wait)
{
    for (size_t n = 0; n < wait->holder_count; n++) {
        const gcast_holder *h = &wait->holders[n];
        size_t i = h->run_op;
        PUT_OBJECT(HOLDER_FIELDS);
    }
}

static bool is_carveout(const gcast_wait *wait)
{
    return wait->reason == GCAST_WHY_CARVEOUT;
}

#define WAIT_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(ns, from_ns, true, wait->from_ns, "begin")                                                                   \
    FIELD(ns, to_ns, true, wait->to_ns, "end")                                                                         \
    FIELD(text, rule, true, gcast_wait_rule(wait->reason, wait->resources), "why it waits, as in gridcast-explain(1)") \
    FIELD(list, short_of, true, put_resources(j, wait->resources), "resources of SMs that it lacks")                   \
    FIELD(int, size_bytes, is_carveout(wait), wait->size_bytes, "largest shared memory of SMs with room; -1: unknown") \
    FIELD(int, least_bytes, is_carveout(wait), wait->min_bytes, "shared memory that it needs")                         \
    FIELD(list, holders, true, put_holders(j, run, wait), "operations that hold what it waits for")

#define EXPLAINED_WAIT_FIELDS(FIELD, LINE)                                                                             \
    FIELD(text, label, x->subject.task >= 0 || wait->run_op != e->run_op, run_op(run, wait->run_op)->label,            \
          "operation that waits, where it is another one")                                                             \
    WAIT_FIELDS(FIELD, LINE)

static void put_waits(json_out *j, const explained *x)
{
    const gcast_explanation *e = x->explanation;
    const gcast_run *run = x->run;
    for (size_t i = 0; i < e->wait_count; i++) {
        const gcast_wait *wait = &e->waits[i];
        PUT_ELEMENT(EXPLAINED_WAIT_FIELDS);
    }
}

#define RULE_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(text, rule, true, gcast_wait_rule(sum->rules[i].reason, sum->rules[i].resources), "as in waits")             \
    FIELD(list, short_of, true, put_resources(j, sum->rules[i].resources), "as in waits")
#define TOTAL_FIELDS(FIELD, LINE)                                                                                      \
    RULE_FIELDS(FIELD, LINE)                                                                                           \
    FIELD(ns, ns, true, sum->rules[i].ns, "time waited")                                                               \
    FIELD(count, waits, true, sum->rules[i].waits, "number of waits")
#define HELD_RULE_FIELDS(FIELD, LINE)                                                                                  \
    RULE_FIELDS(FIELD, LINE)                                                                                           \
    FIELD(ns, ns, true, h->by_rule[i], "time waited")

static void put_totals(json_out *j, const gcast_totals *sum)
{
    for (size_t i = 0; i < sum->rule_count; i++)
        PUT_ELEMENT(TOTAL_FIELDS);
}

/* How much waiting a holder caused, by rule. */
static void put_held_rules(json_out *j, const gcast_totals *sum, const gcast_holder_total *h)
{
    for (size_t i = 0; i < sum->rule_count; i++)
        if (h->by_rule[i]) {
            PUT_OBJECT(HELD_RULE_FIELDS);
        }
}

/* The lists of those who held up an operation. */
typedef enum { OPS, STREAMS, TASKS } holders;

#define HOLDER_TOTAL_FIELDS(FIELD, LINE)                                                                               \
    FIELD(text, label, of == OPS, w->ops[h->which].label, "of ops: name of the operation")                             \
    FIELD(int, stream, of == STREAMS, w->streams[h->which].id, "of streams: its number")                               \
    FIELD(text, task, of == TASKS, w->tasks[h->which].name, "of tasks: its name")                                      \
    FIELD(count, operations, true, h->operations, "operations of it that held something")                              \
    FIELD(ns, ns, true, h->ns, "time that they held up the operation")                                                 \
    FIELD(list, rules, true, put_held_rules(j, sum, h), "the same by rule")

static void put_held(json_out *j, const gcast_workload *w, const gcast_totals *sum, holders of,
                     const gcast_holder_total *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const gcast_holder_total *h = &list[i];
        PUT_ELEMENT(HOLDER_TOTAL_FIELDS);
    }
}

#define HELD_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(list, ops, true, put_held(j, w, sum, OPS, sum->ops, sum->op_count), "by operation, sum held_ns")             \
    FIELD(list, streams, true, put_held(j, w, sum, STREAMS, sum->streams, sum->stream_count), "by stream")             \
    FIELD(list, tasks, true, put_held(j, w, sum, TASKS, sum->tasks, sum->task_count), "by task")

FIELD_WRITER(put_held_by, HELD_FIELDS, const gcast_workload *w, const gcast_totals *sum)

#define WORST_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(count, of, true, x->subject.matches, "jobs that it is the worst of")                                         \
    FIELD(text, by, true, x->subject.by_lateness ? "lateness" : "response", "lateness or response")                    \
    FIELD(ns, late_ns, x->subject.by_lateness, x->subject.late_ns, "end - deadline")

FIELD_WRITER(put_worst, WORST_FIELDS, const explained *x)

#define EXPLANATION_FIELDS(FIELD, LINE)                                                                                \
    FIELD(text, schema, true, "gridcast.explanation/1", "the format")                                                  \
    FIELD(text, label, true, run_op(run, i)->label, "name of the operation; of a whole job, of its last one")          \
    FIELD(text, task, x->subject.task >= 0, w->tasks[x->subject.task].name, "task of a whole job")                     \
    FIELD(count, job, true, run->ops[i].job, "job of its task")                                                        \
    FIELD(ns, release_ns, true, e->release_ns, "release")                                                              \
    FIELD(ns, end_ns, true, e->end_ns, "end")                                                                          \
    FIELD(ns, response_ns, true, e->end_ns - e->release_ns, "response time")                                           \
    CHILD_FIELDS(FIELD, LINE)                                                                                          \
    FIELD(record, worst, x->worst, put_worst(j, x), "with --worst")                                                    \
    FIELD(list, totals, true, put_totals(j, x->totals), "waits by rule, longest first, sum response_ns")               \
    FIELD(ns, held_ns, true, x->totals->held_ns, "time in which others held it up")                                    \
    FIELD(record, held_by, true, put_held_by(j, w, x->totals), "who held it up")                                       \
    LINE(list, waits, true, put_waits(j, x), "from the release to the end, without holes")

const record explanation_schema[] = {RECORD("", EXPLANATION_FIELDS),
                                     RECORD("worst", WORST_FIELDS),
                                     RECORD("totals", TOTAL_FIELDS),
                                     RECORD("held_by", HELD_FIELDS),
                                     RECORD("held_by.ops", HOLDER_TOTAL_FIELDS),
                                     RECORD("held_by.ops.rules", HELD_RULE_FIELDS),
                                     RECORD("waits", EXPLAINED_WAIT_FIELDS),
                                     RECORD("waits.holders", HOLDER_FIELDS),
                                     {NULL, NULL}};

void explain_json(text *t, const explained *x)
{
    const gcast_explanation *e = x->explanation;
    const gcast_run *run = x->run;
    const gcast_workload *w = run->workload;
    size_t i = e->run_op;
    json_out *j = &(json_out){.out = t};
    PUT_DOCUMENT(EXPLANATION_FIELDS);
}

#define PAIR_OP_FIELDS(FIELD, LINE)                                                                                    \
    FIELD(text, label, true, run_op(run, i)->label, "name of the operation")                                           \
    FIELD(count, job, true, run->ops[i].job, "job of its task")                                                        \
    FIELD(ns, start_ns, true, run->ops[i].start_ns, "start")                                                           \
    FIELD(ns, end_ns, true, run->ops[i].end_ns, "end")                                                                 \
    FIELD(ns, ran_ns, true, ran_ns, "time with a block on an SM, or a copy in progress")

FIELD_WRITER(put_op, PAIR_OP_FIELDS, const gcast_run *run, size_t i, int64_t ran_ns)

#define LINK_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(int, depth, true, p->links[i].depth,                                                                         \
          "0: a wait of `later`; deeper: why the first holder above had not gone on")                                  \
    FIELD(text, label, true, run_op(run, wait->run_op)->label, "operation that waits")                                 \
    FIELD(count, job, true, run->ops[wait->run_op].job, "job of its task")                                             \
    WAIT_FIELDS(FIELD, LINE)

static void put_chain(json_out *j, const gcast_run *run, const gcast_pair *p)
{
    for (size_t i = 0; i < p->link_count; i++) {
        const gcast_wait *wait = &p->links[i].wait;
        PUT_ELEMENT(LINK_FIELDS);
    }
}

#define CHANGE_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(                                                                                                             \
        text, change, true, change_kind_name(c->kind),                                                                 \
        "own_stream, non_blocking, priority, connections, carveout (at 100), threads, registers, shared_memory, call") \
    FIELD(text, label, c->kind != CHANGE_CONNECTIONS, w->ops[c->at].label, "operation to change")                      \
    FIELD(int, value, has_value, c->value, "new value; of call: a time")

static void put_changes(json_out *j, const gcast_workload *w, const gcast_remedy *r)
{
    for (size_t i = 0; i < r->change_count; i++) {
        const change *c = &r->changes[i];
        bool has_value =
            c->kind != CHANGE_OWN_STREAM && c->kind != CHANGE_NON_BLOCKING && c->kind != CHANGE_OP_CARVEOUT;
        PUT_OBJECT(CHANGE_FIELDS);
    }
}

#define REMEDY_FIELDS(FIELD, LINE)                                                                                     \
    FIELD(list, changes, true, put_changes(j, w, r), "what to change")                                                 \
    FIELD(ns, overlap_ns, true, r->overlap_ns, "overlap with the changes")                                             \
    FIELD(ns, shorter_ns, true, r->shorter_ns, "how much earlier the later end of the two is")                         \
    FIELD(ns, earlier_end_ns, true, r->earlier_end_ns, "end of `earlier` with the changes")                            \
    FIELD(ns, later_end_ns, true, r->later_end_ns, "end of `later` with the changes")

static void put_remedies(json_out *j, const gcast_workload *w, const gcast_remedies *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const gcast_remedy *r = &found->list[i];
        PUT_ELEMENT(REMEDY_FIELDS);
    }
}

#define PAIR_FIELDS(FIELD, LINE)                                                                                       \
    FIELD(text, schema, true, "gridcast.pair/1", "the format")                                                         \
    FIELD(record, earlier, true, put_op(j, run, p->earlier, p->earlier_ran_ns), "operation that starts first")         \
    FIELD(record, later, true, put_op(j, run, p->later, p->later_ran_ns), "the other operation")                       \
    FIELD(ns, overlap_ns, true, p->overlap_ns, "time in which both ran")                                               \
    FIELD(list, chain, true, put_chain(j, run, p), "waits that kept `later` from starting with `earlier`")             \
    FIELD(list, remedies, x->remedies, put_remedies(j, run->workload, x->remedies), "changes that make them overlap")  \
    FIELD(text, remedies, !x->remedies, NULL, "null: not tried")

const record pair_schema[] = {RECORD("", PAIR_FIELDS),
                              RECORD("earlier", PAIR_OP_FIELDS),
                              RECORD("later", PAIR_OP_FIELDS),
                              RECORD("chain", LINK_FIELDS),
                              RECORD("chain.holders", HOLDER_FIELDS),
                              RECORD("remedies", REMEDY_FIELDS),
                              RECORD("remedies.changes", CHANGE_FIELDS),
                              {NULL, NULL}};

void pair_json(text *t, const paired *x)
{
    const gcast_pair *p = x->pair;
    const gcast_run *run = x->run;
    json_out *j = &(json_out){.out = t};
    PUT_DOCUMENT(PAIR_FIELDS);
}
