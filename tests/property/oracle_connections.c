/* "Connections" of docs/model.md, from the calls made so far and nothing else. */
#include "property/oracle_state.h"

static bool is_empty(const oracle_state *o, int connection)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->ops[i].connection == connection)
            return false;
    return true;
}

/* The last kernel called before x of a stream (-1: any) that joined a connection (-1: any); NULL: none. */
static const oracle_op *last_kernel(const oracle_state *o, const oracle_op *x, int stream, int connection)
{
    const oracle_op *last = NULL;
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (oracle_joins(y) && oracle_before(y, x) &&
            (stream < 0 || (y->op->stream == stream && !oracle_joins_alone(o, y))) &&
            (connection < 0 || y->run.connection == connection) && (!last || oracle_before(last, y)))
            last = y;
    return last;
}

static int count_empty(const oracle_state *o, int half)
{
    int count = 0;
    for (int c = half; c < o->connections; c += 2)
        count += is_empty(o, c);
    return count;
}

/* The least recently joined connection: of every second one from `first` on, or, with step 1, of all. */
static int least_recently_joined(const oracle_state *o, const oracle_op *x, int first, int step, bool only_empty)
{
    const oracle_op *best_join = NULL;
    int best = -1;
    for (int c = first; c < o->connections; c += step) {
        const oracle_op *join = last_kernel(o, x, -1, c);
        if (only_empty && !is_empty(o, c))
            continue;
        if (best < 0 || (best_join && (!join || oracle_before(join, best_join)))) {
            best = c;
            best_join = join;
        }
    }
    return best;
}

int oracle_connection(const oracle_state *o, const oracle_op *x)
{
    const oracle_op *behind = oracle_joins_behind(o, x);
    bool alone = oracle_joins_alone(o, x);
    if (behind)
        return behind->run.connection;
    if (o->w->streams[x->op->stream].id == 0 && !alone)
        return 0;
    const oracle_op *last_own = last_kernel(o, x, x->op->stream, -1);
    if (!alone && last_own && last_kernel(o, x, -1, last_own->run.connection) == last_own)
        return last_own->run.connection;
    int even = count_empty(o, 0), odd = count_empty(o, 1);
    const oracle_op *last = last_kernel(o, x, -1, -1);
    if (even == 0 && odd == 0)
        return least_recently_joined(o, x, 0, 1, false);
    if (even == odd)
        return least_recently_joined(o, x, last && last->run.connection % 2 == 0 ? 1 : 0, 2, true);
    return least_recently_joined(o, x, odd > even ? 1 : 0, 2, true);
}
