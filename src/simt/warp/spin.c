/* Finds loops without end: a warp that comes back to the same place with the
 * same registers, while nothing in memory has changed and no clock was read,
 * does so for ever, unless another warp changes memory. Looks at jumps
 * backwards, more and more seldom, so that it costs long loops next to nothing. */
#include <string.h>

#include "simt/warp/warp.h"

#define FIRST_LOOK 32    /* where others wait for their turn, and this loop may wait for them: at once */
#define LONGEST_LOOK 128 /* jumps */

uint64_t spin_version(const core *c, const warp *w)
{
    const block *b = w->block; /* as long as blocks exchange nothing, what others do does not count */
    return (c->machine->tracked ? b->global_version : c->version) + b->shared_version;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* Of a multiple of 32 bytes. */
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

/* Also of all calls that are left to return to: a loop there may be what goes on. */
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
        w->backs = w->watch_until = 0;
        return false;
    }
    uint64_t n = ++w->backs, first = w->stop != NO_PC && c->machine->program->op[w->pc].waits ? 1 : FIRST_LOOK;
    bool compares = n <= w->watch_until && w->pc == w->watched_pc, keeps = n >= first && (n & (n - 1)) == 0;
    uint64_t hash = compares || keeps ? state_hash(c, w) : 0;
    if (compares && hash == w->watched_hash) {
        EACH_SET(i, w->active) w->lane_spin[i] = version + 1;
        w->spun |= w->active;
        return true;
    }
    if (keeps) {
        w->watched_hash = hash;
        w->watched_pc = w->pc;
        w->watch_until = n + (n < 2 ? 1 : n / 2 < LONGEST_LOOK ? n / 2 : LONGEST_LOOK);
    }
    return false;
}

uint32_t spin_known(const core *c, const warp *w, uint32_t m)
{
    uint64_t version = spin_version(c, w) + 1;
    m &= w->spun;
    EACH_SET(i, m) if (w->lane_spin[i] != version) m &= ~(1u << i);
    return m;
}

bool spin_all(const core *c, const warp *w)
{
    uint32_t runs = c->machine->options->model == GCAST_SIMT_STACK ? w->active : threads_running(w);
    return runs && spin_known(c, w, runs) == runs;
}
