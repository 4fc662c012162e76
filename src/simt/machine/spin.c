/* Finds warps that spin. A warp that comes back to the same pc with the same registers, while memory has not changed
 * and no clock was read, repeats itself forever, unless another warp changes memory. The state is compared at jumps
 * backwards, less and less often, so that long loops cost little. */
#include "simt/machine/spin.h"

#include <string.h>

#include "base/integers.h"

/* Jumps before the first comparison, unless this loop may wait for another group of the warp. */
#define FIRST_COMPARISON 32
#define MAX_COMPARISONS 128 /* maximum of jumps for which a kept state is compared */

uint64_t spin_version(const core *c, const warp *w)
{
    const block *b = w->block; /* while blocks exchange no data, only changes by this block matter */
    return (c->machine->tracks_conflicts ? b->global_version : c->global_version) + b->shared_version;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* Hashes a multiple of 32 bytes. */
static void mix_bytes(uint64_t h[4], const void *data, size_t size)
{
    const char *bytes = data;
    for (size_t at = 0; at < size; at += 32)
        for (int k = 0; k < 4; k++) {
            uint64_t x;
            memcpy(&x, bytes + at + 8 * k, 8);
            h[k] = mix(h[k], x);
        }
}

/* Hashes the registers of all frames, also of callers, as the loop that repeats may be around the call. */
static uint64_t state_hash(const core *c, const warp *w)
{
    const program *p = c->machine->program;
    uint64_t h[4] = {w->active, (uint64_t)w->frame->depth << 32 | w->frame->function, w->exited, 0};
    for (uint32_t depth = 0; depth <= w->frame->depth; depth++)
        for (const frame *f = w->frames[depth]; f; f = f->next) {
            mix_bytes(h, f->rows.base[0], p->function[f->function].row_bytes / 32 * 32);
            mix_bytes(h, f->return_pc, sizeof f->return_pc);
        }
    return mix(mix(h[0], h[1]), mix(h[2], h[3]));
}

bool spin_seen(core *c, warp *w)
{
    uint64_t version = spin_version(c, w);
    if (version != w->watched_version || w->clock_read) {
        w->watched_version = version;
        w->clock_read = false;
        w->back_jumps = w->watch_until = 0;
        return false;
    }
    bool may_wait_for_group = w->stop_pc != NO_PC && c->machine->program->op[w->pc].may_wait;
    uint64_t n = ++w->back_jumps, first = may_wait_for_group ? 1 : FIRST_COMPARISON;
    bool compares = n <= w->watch_until && w->pc == w->watched_pc, records_state = n >= first && (n & (n - 1)) == 0;
    uint64_t hash = compares || records_state ? state_hash(c, w) : 0;
    if (compares && hash == w->watched_hash) {
        EACH_SET(i, w->active) w->lane_spin_version[i] = version + 1;
        w->ever_spun |= w->active;
        return true;
    }
    if (records_state) {
        w->watched_hash = hash;
        w->watched_pc = w->pc;
        w->watch_until = n + (n < 2 ? 1 : min_u64(n / 2, MAX_COMPARISONS));
    }
    return false;
}

uint32_t spin_known(const core *c, const warp *w, uint32_t m)
{
    uint64_t version = spin_version(c, w) + 1;
    m &= w->ever_spun;
    EACH_SET(i, m) if (w->lane_spin_version[i] != version) m &= ~(1u << i);
    return m;
}

bool spin_all(const core *c, const warp *w)
{
    uint32_t runs = c->machine->options->model == GCAST_SIMT_STACK ? w->active : warp_runnable(w);
    return runs && spin_known(c, w, runs) == runs;
}
