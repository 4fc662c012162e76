/* Special registers, as the PTX ISA defines them. Each block is a cluster of one block. Clocks count the instructions
 * that the block has issued, and the time that it slept, so that they are the same in every run. */
#include "simt/machine/special_registers.h"

#include <string.h>

static const struct {
    const char *name;
    int component;
} table[] = {
#define X(name, text, component, bits) {text, component},
    SPECIAL_TABLE(X)
#undef X
};

const uint8_t special_bits[] = {
#define X(name, text, component, bits) bits,
    SPECIAL_TABLE(X)
#undef X
};

int special_register(const char *name, int component)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].component == component && strcmp(table[i].name, name) == 0)
            return (int)i;
    return -1;
}

#define TIMER_START 1000000000u /* ns at the start of %globaltimer, so that it is not 0 */

static uint64_t thread_index(const machine *m, uint32_t thread, int axis)
{
    const uint32_t *n = m->launch->block;
    return axis == 0 ? thread % n[0] : axis == 1 ? thread / n[0] % n[1] : thread / n[0] / n[1];
}

static uint64_t lane_mask(special s, uint32_t lane)
{
    uint32_t own_bit = 1u << lane, below = own_bit - 1;
    switch (s) {
    case SPECIAL_lanemask_eq:
        return own_bit;
    case SPECIAL_lanemask_le:
        return own_bit | below;
    case SPECIAL_lanemask_lt:
        return below;
    case SPECIAL_lanemask_ge:
        return (uint32_t)~below;
    default:
        return (uint32_t) ~(own_bit | below);
    }
}

/* Values that are the same for the whole launch; 0 for registers of clusters. */
static uint64_t launch_value(const program *p, special s)
{
    uint32_t end = p->shared_bytes;
    switch (s) {
    case SPECIAL_total_smem_size:
    case SPECIAL_reserved_begin:
    case SPECIAL_reserved_0:
        return end - p->reserved_shared;
    case SPECIAL_reserved_1:
        return end - p->reserved_shared / 2;
    case SPECIAL_aggr_smem_size:
    case SPECIAL_reserved_end:
        return end;
    case SPECIAL_reserved_cap:
        return p->reserved_shared;
    case SPECIAL_envreg1: /* the address of the grid's workspace, as cooperative groups read it */
        return p->region[p->workspace - 1].base >> 32;
    case SPECIAL_envreg2:
        return p->region[p->workspace - 1].base & UINT32_MAX;
    default: /* cluster_ctaid, cluster_ctarank, is_explicit_cluster */
        return 0;
    }
}

/* Values that are the same for all threads of a warp. */
static uint64_t warp_value(core *c, warp *w, special s)
{
    const machine *m = c->machine;
    const block *b = w->block;
    uint32_t sms = m->options->sms ? m->options->sms : 1;
    uint64_t clock = b->instructions + b->sleep_ns;
    switch (s) {
    case SPECIAL_ntid_x:
    case SPECIAL_ntid_y:
    case SPECIAL_ntid_z:
        return m->launch->block[s - SPECIAL_ntid_x];
    case SPECIAL_ctaid_x:
    case SPECIAL_ctaid_y:
    case SPECIAL_ctaid_z:
        return b->index[s - SPECIAL_ctaid_x];
    case SPECIAL_clusterid_x:
    case SPECIAL_clusterid_y:
    case SPECIAL_clusterid_z:
        return b->index[s - SPECIAL_clusterid_x];
    case SPECIAL_nctaid_x:
    case SPECIAL_nctaid_y:
    case SPECIAL_nctaid_z:
        return m->launch->grid[s - SPECIAL_nctaid_x];
    case SPECIAL_nclusterid_x:
    case SPECIAL_nclusterid_y:
    case SPECIAL_nclusterid_z:
        return m->launch->grid[s - SPECIAL_nclusterid_x];
    case SPECIAL_cluster_nctaid_x:
    case SPECIAL_cluster_nctaid_y:
    case SPECIAL_cluster_nctaid_z:
    case SPECIAL_cluster_nctarank:
        return 1;
    case SPECIAL_warpid:
        return w->number;
    case SPECIAL_nwarpid:
        return 64;
    case SPECIAL_smid:
        return m->options->block_sm ? m->options->block_sm[b->number] : b->number % sms;
    case SPECIAL_nsmid:
        return sms;
    case SPECIAL_gridid:
        return 1;
    case SPECIAL_dynamic_smem_size:
        return m->launch->shared_bytes;
    case SPECIAL_clock:
    case SPECIAL_clock64:
    case SPECIAL_clock_hi:
        w->clock_read = true;
        return s == SPECIAL_clock ? (uint32_t)clock : s == SPECIAL_clock64 ? clock : clock >> 32;
    case SPECIAL_globaltimer:
    case SPECIAL_globaltimer_lo:
    case SPECIAL_globaltimer_hi:
        w->clock_read = true;
        clock += TIMER_START;
        return s == SPECIAL_globaltimer_lo ? (uint32_t)clock : s == SPECIAL_globaltimer ? clock : clock >> 32;
    case SPECIAL_activemask:
        return w->active;
    default:
        return launch_value(m->program, s);
    }
}

static uint64_t lane_value(core *c, const warp *w, special s, uint32_t lane, const op *o)
{
    switch (s) {
    case SPECIAL_tid_x:
    case SPECIAL_tid_y:
    case SPECIAL_tid_z:
        return thread_index(c->machine, w->number * LANES + lane, s - SPECIAL_tid_x);
    case SPECIAL_laneid:
        return lane;
    case SPECIAL_frame_address:
        return w->frame->local_offset[lane] + (uint64_t)o->imm;
    default:
        return lane_mask(s, lane);
    }
}

static bool differs_by_lane(special s)
{
    return s <= SPECIAL_tid_z || s == SPECIAL_laneid || s == SPECIAL_frame_address ||
           (s >= SPECIAL_lanemask_eq && s <= SPECIAL_lanemask_gt);
}

void special_read(core *c, warp *w, const op *o, uint32_t m)
{
    special s = (special)(o->variant & ~SPECIAL_OTHER_WIDTH);
    bool wide = (special_bits[s] == 64) != !!(o->variant & SPECIAL_OTHER_WIDTH);
    const rows *r = &w->frame->rows;
    if (special_bits[s] == 1) {
        u32 *p = row(r, o->d);
        *p &= ~m;
        return;
    }
    bool by_lane = differs_by_lane(s);
    uint64_t x = by_lane ? 0 : warp_value(c, w, s);
    EACH_SET(i, m)
    {
        if (by_lane)
            x = lane_value(c, w, s, i, o);
        lane_write(r, o->d, i, wide, x);
    }
}
