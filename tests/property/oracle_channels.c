/* "Channels" of docs/model.md, from the calls made and the copies started so far. */
#include "property/oracle_state.h"

/* The last copy called before x on its engine, of a stream (-1: any) and a channel (-1: any); NULL: none. */
static const oracle_op *last_copy(const oracle_state *o, const oracle_op *x, int stream, int channel)
{
    const oracle_op *last = NULL;
    for (const oracle_op *y = o->ops; y < o->ops + o->count; y++)
        if (oracle_before(y, x) && oracle_engine(o, y->op) == oracle_engine(o, x->op) &&
            (stream < 0 || (y->op->stream == stream && !oracle_joins_alone(o, y))) &&
            (channel < 0 || y->run.channel == channel) && (!last || oracle_before(last, y)))
            last = y;
    return last;
}

int oracle_channel(const oracle_state *o, const oracle_op *x)
{
    const oracle_op *last_own = last_copy(o, x, x->op->stream, -1), *chain = oracle_copy_before(o, x);
    if (chain)
        return chain->run.channel;
    if (!oracle_joins_alone(o, x) && last_own && last_copy(o, x, -1, last_own->run.channel) == last_own)
        return last_own->run.channel;
    int best = 0;
    for (int c = 0; c < o->gpu->copy_channels; c++) {
        const oracle_op *join = last_copy(o, x, -1, c), *best_join = last_copy(o, x, -1, best);
        if (best_join && (!join || oracle_before(join, best_join)))
            best = c;
    }
    return best;
}

static int channel_of(const oracle_op *x)
{
    return x->run.channel < 0 ? 0 : x->run.channel;
}

oracle_op *oracle_next_copy(const oracle_state *o, int engine)
{
    int channels = o->gpu->copy_channels ? o->gpu->copy_channels : 1;
    const oracle_op *last = NULL;
    for (const oracle_op *x = o->ops; x < o->ops + o->count; x++)
        if (x->run.engine == engine && x->run.start_ns >= 0 && (!last || x->run.start_ns > last->run.start_ns))
            last = x;
    for (int k = 0; k < channels; k++) {
        oracle_op *head = NULL;
        for (oracle_op *x = o->ops; x < o->ops + o->count; x++)
            if (x->run.engine == engine && x->run.enter_ns >= 0 && x->run.start_ns < 0 &&
                channel_of(x) == ((last ? channel_of(last) : 0) + k) % channels &&
                (!head || x->run.entry < head->run.entry))
                head = x;
        if (head)
            return head;
    }
    return NULL;
}
