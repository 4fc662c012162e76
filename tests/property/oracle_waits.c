/* "Programmatic launches", "Blocks that wait" and "Runs that hang" of docs/model.md. */
#include "model/workload/workload.h"
#include "property/oracle_state.h"

oracle_op *oracle_primary(const oracle_state *o, const oracle_op *x)
{
    oracle_op *primary = NULL;
    if (!x->op->programmatic || !oracle_called(x))
        return NULL;
    for (oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (oracle_before(y, x) && y->op->stream == x->op->stream && (!primary || y->run.launch > primary->run.launch))
            primary = y;
    return primary && primary->op->graph == GCAST_NO_GRAPH ? primary : NULL;
}

static int64_t min_gap(const oracle_state *o, int64_t ns)
{
    return ns > 0 && ns < o->gpu->stream_gap_ns ? ns : o->gpu->stream_gap_ns;
}

/* From when on nothing holds the blocks of x that wait; -1: not known. */
static int64_t open_from(const oracle_state *o, const oracle_op *x)
{
    const oracle_op *primary = oracle_primary(o, x);
    int64_t from = 0, nodes = oracle_nodes_done(o, x);
    if ((primary && !oracle_complete(primary)) || nodes < 0)
        return -1;
    if (nodes > 0)
        from = nodes + (o->gpu->graph_wait_ns > 0 ? o->gpu->graph_wait_ns : min_gap(o, o->gpu->programmatic_wait_ns));
    if (primary)
        from = primary->run.end_ns + min_gap(o, o->gpu->programmatic_wait_ns);
    for (size_t k = 0; k < x->op->waits_for_count; k++)
        for (const oracle_op *y = o->ops; y < o->ops + o->count; y++) {
            if (y->op != &o->w->ops[x->op->waits_for[k]] || y->run.job != x->run.job)
                continue;
            if (y->run.dispatched_ns < 0)
                return -1;
            from = y->run.dispatched_ns > from ? y->run.dispatched_ns : from;
        }
    return from;
}

/* When a block of x that has started goes on after its wait; -1: not known. */
static int64_t resumes(const oracle_state *o, const oracle_op *x, uint64_t block)
{
    int64_t from = open_from(o, x), reached = x->blocks[block].start_ns + x->op->wait_ns;
    return from < 0 ? -1 : from > reached ? from : reached;
}

void oracle_go_on(oracle_state *o)
{
    for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
        for (uint64_t b = 0; oracle_is_kernel(x) && oracle_waits(x) && b < x->started; b++) {
            if (x->blocks[b].end_ns != ORACLE_UNKNOWN || resumes(o, x, b) < 0)
                continue;
            int64_t rest = oracle_duration(o, x, oracle_block_number(x->op, b)) - x->op->wait_ns;
            x->blocks[b].end_ns = resumes(o, x, b) + (rest > 1 ? rest : 1);
        }
}

/* When a block of x that has started has triggered or ended; -1: not known. */
static int64_t triggers(const oracle_state *o, const oracle_op *x, uint64_t b)
{
    const gcast_block *block = &x->blocks[b];
    int64_t end = block->end_ns == ORACLE_UNKNOWN ? -1 : block->end_ns, after = x->op->trigger_ns;
    if (after == GCAST_NEVER)
        return end;
    int64_t time = block->start_ns + after;
    if (oracle_waits(x) && after <= x->op->wait_ns)
        return time;
    if (end < 0)
        return -1;
    if (oracle_waits(x))
        time = resumes(o, x, b) + after - x->op->wait_ns;
    return time < end ? time : end;
}

int64_t oracle_triggered(const oracle_state *o, const oracle_op *x)
{
    int64_t last = -1;
    if (!oracle_is_kernel(x) || oracle_has_plan(x) || x->child || !oracle_is_dispatched(x))
        return -1;
    for (uint64_t b = 0; b < x->started; b++) {
        int64_t time = triggers(o, x, b);
        if (time < 0)
            return -1;
        last = time > last ? time : last;
    }
    return last;
}

int64_t oracle_trigger_seen(const oracle_state *o, const oracle_op *x)
{
    int64_t triggered = oracle_triggered(o, x), gap = min_gap(o, o->gpu->programmatic_gap_ns);
    return triggered < 0 ? -1 : triggered + (gap > 0 ? gap : 1);
}

bool oracle_overlaps(const oracle_state *o, const oracle_op *x, int left)
{
    const oracle_op *primary = oracle_primary(o, x);
    int depth = o->gpu->programmatic_depth ? o->gpu->programmatic_depth : 8;
    int64_t seen = primary ? oracle_trigger_seen(o, primary) : -1;
    return seen >= 0 && (seen < o->now || (seen == o->now && o->triggers_seen)) && left <= depth - 1;
}

/* Something of x is left that never happens. */
static bool is_left(const oracle_op *x)
{
    return gcast_kind_on_gpu(x->op->kind) && oracle_called(x) && !oracle_complete(x);
}

static void last_of(int64_t *last, int64_t time)
{
    if (time < ORACLE_UNKNOWN && time > *last)
        *last = time;
}

/* When the last thing happens. */
static int64_t hang_time(const oracle_state *o)
{
    int64_t last = 0;
    for (const oracle_op *x = o->ops; x < o->ops + o->count; x++) {
        const gcast_run_op *r = &x->run;
        const int64_t times[] = {r->call_ns,  r->return_ns, r->arrive_ns,     r->head_ns,
                                 r->enter_ns, r->start_ns,  r->dispatched_ns, r->end_ns};
        for (size_t i = 0; i < sizeof times / sizeof *times; i++)
            last_of(&last, times[i]);
        for (uint64_t b = 0; oracle_is_kernel(x) && b < x->started; b++) {
            last_of(&last, x->blocks[b].end_ns);
            if (x->blocks[b].end_ns == ORACLE_UNKNOWN)
                last_of(&last, x->blocks[b].start_ns + x->op->wait_ns);
        }
    }
    return last;
}

bool oracle_hangs(oracle_state *o, oracle_result *out)
{
    bool waits = false, left = false;
    for (const oracle_op *x = o->ops; x < o->ops + o->count; x++) {
        waits = waits || x->op->programmatic || (oracle_is_kernel(x) && oracle_waits(x));
        left = left || is_left(x);
    }
    gcast_hung_op *ops = arena_alloc_array(o->memory, o->count + 1, sizeof *ops);
    if (!waits || !left || !ops)
        return false;
    out->hangs = true;
    out->hang = (gcast_hang){.time_ns = hang_time(o), .ops = ops};
    out->end_ns = out->hang.time_ns;
    for (size_t i = 0; i < o->count; i++) {
        oracle_op *x = &o->ops[i];
        if (!oracle_called(x) && !x->run.skipped && oracle_due(o, x) >= 0)
            x->run.release_ns = oracle_due(o, x);
        x->run.skipped = !oracle_called(x);
        if (!is_left(x))
            continue;
        gcast_hung_op *hung = &ops[out->hang.op_count++];
        *hung = (gcast_hung_op){.run_op = (uint32_t)i};
        x->run.engine = oracle_engine(o, x->op);
        for (uint64_t b = 0; oracle_is_kernel(x) && b < x->run.block_count; b++) {
            hung->not_started += b >= x->started;
            hung->resident += b < x->started && x->blocks[b].end_ns == ORACLE_UNKNOWN;
            if (b >= x->started)
                x->blocks[b] = (gcast_block){.start_ns = -1, .end_ns = -1};
            else if (x->blocks[b].end_ns == ORACLE_UNKNOWN)
                x->blocks[b].end_ns = out->hang.time_ns;
        }
    }
    return true;
}
