#include "property/explain_checks.h"

#include "property/free_resources.h"

static const gcast_op *spec(const gcast_run *run, size_t i)
{
    return &run->workload->ops[run->ops[i].op];
}

static int64_t sum_of(const gcast_holder_total *list, size_t count, const gcast_totals *t)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t rules = 0;
        for (size_t r = 0; r < t->rule_count; r++)
            rules += list[i].by_rule[r];
        assert_int_equal(rules, list[i].ns);
        assert_true(list[i].operations > 0 && list[i].ns >= 0);
        assert_true(i == 0 || list[i - 1].ns >= list[i].ns);
        sum += list[i].ns;
    }
    return sum;
}

/* Do workers hold resources that the run does not show? */
static bool has_plans(const gcast_run *run)
{
    bool found = false;
    for (size_t i = 0; i < run->op_count; i++)
        found = found || spec(run, i)->policy != GCAST_POLICY_HARDWARE;
    return found;
}

/* A wait for resources: a block fits on no SM that may be used, and the named resources are those that are short. */
static void shortage_is_right(const gcast_run *run, const gcast_wait *w, explain_tally *y)
{
    const gcast_op *op = spec(run, w->run_op);
    unsigned all = 0, each;
    if (w->reason != GCAST_WHY_RESOURCES || resources_have_sizes(run) || has_plans(run))
        return;
    for (int sm = 0; sm < run->gpu->sms; sm++) {
        if (op->mask != GCAST_ALL_SMS && !(run->workload->masks[op->mask].word[sm / 64] >> (sm % 64) & 1))
            continue;
        assert_false(resources_fit(run, w->run_op, sm, w->from_ns, &each));
        y->quarters += run->gpu->register_quarters && each & (1u << GCAST_RES_WARPS | 1u << GCAST_RES_REGISTERS);
        if (each >> GCAST_RES_THREADS & 1) /* threads stand for their warps */
            each &= ~(1u << GCAST_RES_WARPS);
        all |= each;
    }
    assert_int_equal(w->resources, all);
    y->resources++;
}

/* A wait of a cluster: no GPC has an SM for each of its blocks. */
static void cluster_is_right(const gcast_run *run, const gcast_wait *w)
{
    const gcast_op *op = spec(run, w->run_op);
    const int *sm = run->gpu->gpc_sms;
    unsigned each;
    if (w->reason != GCAST_WHY_CLUSTER || resources_have_sizes(run))
        return;
    for (int g = 0; g < run->gpu->gpc_count; g++) {
        uint32_t fit = 0;
        for (int i = 0; i < run->gpu->gpc_sizes[g]; i++, sm++)
            fit += (op->mask == GCAST_ALL_SMS || (run->workload->masks[op->mask].word[0] >> *sm & 1)) &&
                   resources_fit(run, w->run_op, *sm, w->from_ns, &each);
        assert_true(fit < op->cluster[0] * op->cluster[1]);
    }
    assert_true(w->holder_count > 0);
}

/* A worker that had other jobs first: it took one when the wait begins, and one ended on its SM when the wait ends. */
static void jobs_are_right(const gcast_run *run, const gcast_explanation *e, const gcast_wait *w)
{
    const gcast_run_op *r = &run->ops[w->run_op];
    bool taken = false, ended = false;
    if (w->reason != GCAST_WHY_JOBS || w->run_op != e->run_op || w->to_ns == e->end_ns)
        return;
    uint32_t sm = r->blocks[e->critical_block].sm;
    for (uint64_t j = 0; j < r->block_count; j++) {
        taken = taken || (r->blocks[j].sm == sm && r->blocks[j].start_ns - run->gpu->job_overhead_ns == w->from_ns);
        ended = ended || (r->blocks[j].sm == sm && r->blocks[j].end_ns == w->to_ns);
    }
    assert_true((taken || w->from_ns > r->start_ns) && ended);
}

/* The time without holders is the rest. */
void explain_totals_add_up(const gcast_run *run, const gcast_explanation *e, explain_tally *y)
{
    gcast_error err;
    gcast_totals *t;
    int64_t rules = 0, held = 0, of_tasks = 0;
    assert_ok(gcast_run_sum_waits(run, e, &t, &err), &err);
    for (size_t i = 0; i < t->rule_count; i++)
        rules += t->rules[i].ns;
    for (size_t i = 0; i < e->wait_count; i++) {
        const gcast_wait *w = &e->waits[i];
        shortage_is_right(run, w, y);
        cluster_is_right(run, w);
        jobs_are_right(run, e, w);
        y->reasons[w->reason]++;
        held += w->holder_count ? w->to_ns - w->from_ns : 0;
        y->waits++;
        y->shared += w->holder_count > 1;
    }
    assert_int_equal(t->response_ns, e->end_ns - e->release_ns);
    assert_int_equal(rules, t->response_ns);
    assert_int_equal(t->held_ns, held);
    assert_int_equal(sum_of(t->ops, t->op_count, t), held);
    assert_true(sum_of(t->streams, t->stream_count, t) <= held); /* hosts' operations have none */
    for (size_t i = 0; i < t->op_count; i++)
        of_tasks += run->workload->ops[t->ops[i].which].task != GCAST_ONCE ? t->ops[i].ns : 0;
    assert_int_equal(sum_of(t->tasks, t->task_count, t), of_tasks);
    gcast_totals_free(t);
}

/* Who held up a child, or a kernel that waits for its children, by the times of the run. */
void explain_children_are_right(const gcast_run *run, const gcast_explanation *e, explain_tally *y)
{
    for (size_t i = 0; i < e->wait_count; i++) {
        const gcast_wait *w = &e->waits[i];
        const gcast_run_op *holder = w->holder_count ? &run->ops[w->holders[0].run_op] : NULL;
        size_t c = w->holder_count ? w->holders[0].run_op - run->op_count : 0; /* where the holder is a child */
        switch (w->reason) {
        case GCAST_WHY_POOL:
            assert_int_equal(w->holder_count, run->gpu->child_pool);
            assert_true(run->gpu->child_pool_grows);
            break;
        case GCAST_WHY_TAIL:
            assert_true(holder->start_ns <= w->from_ns && holder->end_ns >= w->to_ns);
            break;
        case GCAST_WHY_CHILD_STREAM:
            assert_int_equal(run->children[c].parent, run->children[w->run_op - run->op_count].parent);
            assert_true(holder->head_ns <= w->from_ns && holder->end_ns == w->to_ns);
            break;
        case GCAST_WHY_CHILD_QUEUE:
            assert_int_equal(run->children[c].queue, run->children[w->run_op - run->op_count].queue);
            assert_true(holder->enter_ns <= w->from_ns && run->children[c].blocks_end_ns == w->to_ns);
            break;
        case GCAST_WHY_LAUNCHES:
            assert_int_equal(run->children[c].parent, w->run_op);
            assert_true(holder->call_ns <= w->from_ns && w->to_ns <= holder->arrive_ns);
            break;
        case GCAST_WHY_CHILDREN:
            assert_int_equal(run->children[c].parent, w->run_op);
            assert_true(w->to_ns == holder->end_ns || w->to_ns == holder->call_ns);
            break;
        case GCAST_WHY_CHILD_ENDS:
            assert_int_equal(run->children[c].parent, w->run_op);
            assert_int_equal(holder->end_ns + run->gpu->child_end_ns, w->to_ns);
            break;
        default:
            break;
        }
        y->children += w->run_op >= run->op_count;
    }
}

void explain_waits_follow(const gcast_explanation *e)
{
    int64_t t = e->release_ns;
    for (size_t i = 0; i < e->wait_count; i++) {
        assert_int_equal(e->waits[i].from_ns, t);
        assert_true(e->waits[i].to_ns > t);
        t = e->waits[i].to_ns;
    }
    assert_int_equal(t, e->end_ns);
}
