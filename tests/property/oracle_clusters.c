/* "Clusters" of docs/model.md. Independent of the simulator on purpose. */
#include "property/oracle_state.h"

int oracle_cluster(const gcast_op *op)
{
    return (int)(op->cluster[0] * op->cluster[1] * op->cluster[2]);
}

/* Clusters in the order of their numbers, and in each its blocks: the one at this place. */
uint64_t oracle_block_number(const gcast_op *op, uint64_t place)
{
    const uint32_t *grid = op->grid, *size = op->cluster;
    uint64_t n = 0;
    if (oracle_cluster(op) == 1)
        return place;
    for (uint32_t z = 0; z < grid[2]; z += size[2])
        for (uint32_t y = 0; y < grid[1]; y += size[1])
            for (uint32_t x = 0; x < grid[0]; x += size[0])
                for (uint32_t c = z; c < z + size[2]; c++)
                    for (uint32_t b = y; b < y + size[1]; b++)
                        for (uint32_t a = x; a < x + size[0]; a++)
                            if (n++ == place)
                                return a + grid[0] * (b + (uint64_t)grid[1] * c);
    return 0;
}

bool oracle_has_clusters_queued(const oracle_state *o)
{
    for (const oracle_op *x = o->ops; x < o->ops + o->all; x++)
        if (x->in_queue && oracle_cluster(x->op) > 1)
            return true;
    return false;
}

/* The SMs of a GPC. */
static const int *sms_of(const gcast_gpu *gpu, int gpc)
{
    const int *sms = gpu->gpc_sms;
    for (int g = 0; g < gpc; g++)
        sms += gpu->gpc_sizes[g];
    return sms;
}

static bool is_lone(const gcast_gpu *gpu, int gpc)
{
    return gpu->gpc_sizes[gpc] <= gpu->sms_per_tpc;
}

static bool needs(const oracle_state *o, const oracle_op *x, bool lone)
{
    if (oracle_cluster(x->op) == 1)
        return true;
    for (int g = 0; g < o->gpu->gpc_count; g++) {
        int usable = 0;
        for (int i = 0; i < o->gpu->gpc_sizes[g]; i++)
            usable += oracle_allowed(o, x->op, sms_of(o->gpu, g)[i]);
        if (is_lone(o->gpu, g) == lone && usable >= oracle_cluster(x->op))
            return true;
    }
    return false;
}

static bool in_front(const oracle_state *o, const oracle_op *y, const oracle_op *x)
{
    if (!y->in_queue)
        return false;
    int level_y = oracle_level(o, y), level_x = oracle_level(o, x);
    return level_y > level_x || (level_y == level_x && y->queue_number < x->queue_number);
}

static bool waits_for_grids(const oracle_state *o, const oracle_op *x)
{
    return !x->started && oracle_grids_are_full(o);
}

static bool may_use(const oracle_state *o, const oracle_op *x, bool lone)
{
    for (const oracle_op *y = o->ops; y < o->ops + o->all; y++)
        if (in_front(o, y, x) && needs(o, y, lone) &&
            !(waits_for_grids(o, y) && oracle_level(o, y) != oracle_level(o, x)))
            return false;
    return needs(o, x, lone);
}

/* The n-th largest remaining capacity, which so many SMs have or exceed. */
static int64_t room_of(const oracle_state *o, const oracle_op *x, int gpc, const bool *usable)
{
    int64_t room = 0;
    if (!usable[is_lone(o->gpu, gpc)])
        return 0;
    for (int i = 0; i < o->gpu->gpc_sizes[gpc]; i++) {
        int64_t capacity = oracle_capacity(o, x->op, sms_of(o->gpu, gpc)[i]);
        int as_large = 0;
        for (int k = 0; k < o->gpu->gpc_sizes[gpc]; k++)
            as_large += oracle_capacity(o, x->op, sms_of(o->gpu, gpc)[k]) >= capacity;
        if (as_large >= oracle_cluster(x->op) && capacity > room)
            room = capacity;
    }
    return room;
}

static void start_cluster(oracle_state *o, oracle_op *x, int gpc)
{
    bool chosen[GCAST_MAX_SMS] = {false};
    const int *sms = sms_of(o->gpu, gpc);
    for (int n = 0; n < oracle_cluster(x->op); n++) {
        int best = -1;
        for (int i = 0; i < o->gpu->gpc_sizes[gpc]; i++)
            if (!chosen[i] && (best < 0 || oracle_capacity(o, x->op, sms[i]) > oracle_capacity(o, x->op, sms[best])))
                best = i;
        chosen[best] = true;
    }
    for (int i = 0; i < o->gpu->gpc_sizes[gpc]; i++)
        if (chosen[i])
            oracle_start_block(o, x, sms[i]);
    o->last_gpc[is_lone(o->gpu, gpc)] = gpc;
}

/* A round in the parts that are usable; false: no GPC has room. */
static bool start_round(oracle_state *o, oracle_op *x, const bool *usable)
{
    bool selected[GCAST_MAX_SMS] = {false};
    int count = o->gpu->gpc_count;
    int64_t rooms[GCAST_MAX_SMS], largest = 0;
    uint64_t left = (x->launch_size - x->started) / (uint64_t)oracle_cluster(x->op);
    for (int g = 0; g < count; g++) {
        rooms[g] = room_of(o, x, g, usable);
        largest = rooms[g] > largest ? rooms[g] : largest;
    }
    for (int lone = 1; lone >= 0; lone--)
        for (int g = 0; g < count && largest; g++)
            if (is_lone(o->gpu, g) == lone && rooms[g] == largest && left) {
                selected[g] = true;
                left--;
            }
    for (int lone = 1; lone >= 0; lone--)
        for (int i = 0, first = o->last_gpc[lone] + 1; i < count; i++)
            if (selected[(first + i) % count] && is_lone(o->gpu, (first + i) % count) == lone)
                start_cluster(o, x, (first + i) % count);
    return largest > 0;
}

/* A block of a kernel without clusters; false: it fits nowhere. */
static bool start_single(oracle_state *o, oracle_op *x, const bool *usable)
{
    for (int g = 0; g < o->gpu->gpc_count; g++)
        for (int i = 0; i < o->gpu->gpc_sizes[g]; i++)
            o->closed[sms_of(o->gpu, g)[i]] = !usable[is_lone(o->gpu, g)];
    int sm = oracle_place(o, x);
    for (int i = 0; i < o->gpu->sms; i++)
        o->closed[i] = false;
    if (sm >= 0)
        oracle_start_block(o, x, sm);
    return sm >= 0;
}

/* The kernel that is next behind x, or the first one; NULL: none. */
static oracle_op *next_in_order(const oracle_state *o, const oracle_op *x)
{
    oracle_op *next = NULL;
    for (oracle_op *y = o->ops; y < o->ops + o->all; y++)
        if (y->in_queue && (!x || in_front(o, x, y)) && (!next || in_front(o, y, next)))
            next = y;
    return next;
}

/* How many clusters fit in a GPC: the most for which each has as many SMs as it has blocks, none of them twice. */
static int64_t clusters_that_fit(const oracle_state *o, const oracle_op *x, int gpc)
{
    int64_t count = 0, places;
    do {
        places = 0;
        for (int i = 0; i < o->gpu->gpc_sizes[gpc]; i++) {
            int64_t capacity = oracle_capacity(o, x->op, sms_of(o->gpu, gpc)[i]);
            places += capacity < count + 1 ? capacity : count + 1;
        }
        count++;
    } while (places >= count * oracle_cluster(x->op));
    return count - 1;
}

/* "Whole": does all of a cooperative kernel fit in the parts that are usable? */
static bool fits_whole(const oracle_state *o, const oracle_op *x, const bool *usable)
{
    int64_t blocks = 0;
    for (int g = 0; g < o->gpu->gpc_count; g++)
        for (int i = 0; i < o->gpu->gpc_sizes[g] && usable[is_lone(o->gpu, g)] && oracle_cluster(x->op) == 1; i++)
            blocks += oracle_capacity(o, x->op, sms_of(o->gpu, g)[i]);
    for (int g = 0; g < o->gpu->gpc_count && oracle_cluster(x->op) > 1; g++)
        blocks += usable[is_lone(o->gpu, g)] ? clusters_that_fit(o, x, g) * oracle_cluster(x->op) : 0;
    return blocks >= (int64_t)x->launch_size;
}

/* Starts all of x that fits in the parts that it may use now; false: that is nothing. */
static bool start_fitting(oracle_state *o, oracle_op *x)
{
    uint64_t before = x->started;
    const bool usable[] = {may_use(o, x, false), may_use(o, x, true)};
    if (x->op->cooperative && !fits_whole(o, x, usable))
        return false;
    while (x->in_queue && (oracle_cluster(x->op) > 1 ? start_round(o, x, usable) : start_single(o, x, usable)))
        ;
    return x->started > before;
}

void oracle_start_beside_clusters(oracle_state *o)
{
    oracle_op *x = next_in_order(o, NULL);
    while (x && !oracle_switching(o))
        x = next_in_order(o, !waits_for_grids(o, x) && start_fitting(o, x) ? NULL : x);
}
