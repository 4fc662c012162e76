/* The message of a deadlock: which lanes wait or spin, and at which line. */
#include "simt/run/deadlock.h"

#include <stdio.h>

#include "simt/machine/fail.h"
#include "simt/program/source_place.h"

typedef struct sentence {
    char text[400];         /* so far */
    size_t used;            /* its length */
    const program *program; /* that the ops are of */
    const op *first;        /* the first op that is named */
} sentence;

static void say(sentence *s, const op *o, uint32_t mask, const char *verb)
{
    char place[80];
    source_place(s->program, o, place, sizeof place);
    int n = snprintf(s->text + s->used, sizeof s->text - s->used, "%slanes 0x%08x %s at line %d%s", s->used ? ", " : "",
                     mask, verb, o->line, place);
    if (n > 0 && s->used + (size_t)n < sizeof s->text)
        s->used += (size_t)n;
    else
        s->text[s->used] = '\0';
    if (!s->first)
        s->first = o;
}

static void say_stack(const core *c, const warp *w, sentence *s)
{
    const op *ops = c->machine->program->op;
    uint32_t covered = w->active;
    say(s, &ops[w->at_barrier && w->pc ? w->pc - 1 : w->pc], w->active, w->at_barrier ? "wait" : "spin");
    for (uint32_t i = w->stack_top ? w->stack_top - 1 : 0; i-- > 0;) {
        const stack_entry *e = &w->stack[i];
        uint32_t rest = e->mask & ~covered;
        if (rest && e->pc != NO_PC)
            say(s, &ops[e->pc], rest, "wait for them");
        covered |= rest;
    }
}

static int wait_of(const warp *w, uint32_t lane)
{
    for (int k = 0; k < WAIT_KINDS; k++)
        if (w->waiting[k] >> lane & 1)
            return k;
    return -1;
}

static void say_threads(const core *c, const warp *w, sentence *s)
{
    const op *ops = c->machine->program->op;
    uint32_t left = warp_live(w);
    for (int state = -1; state < WAIT_KINDS; state++)
        for (uint32_t lanes = left; lanes;) {
            uint32_t first = (uint32_t)__builtin_ctz(lanes), set = 0;
            EACH_SET(i, lanes)
            set |= (uint32_t)(w->lane_pc[i] == w->lane_pc[first] && wait_of(w, i) == wait_of(w, first)) << i;
            lanes &= ~set;
            if (wait_of(w, first) != state)
                continue;
            bool past_op = state == WAIT_BARRIER || state == WAIT_WARP;
            uint32_t pc = w->waits_together && state == WAIT_BARRIER ? w->pc : w->lane_pc[first];
            say(s, &ops[pc - past_op], set, state < 0 ? "spin" : "wait");
        }
}

void block_deadlock(core *c, const block *b, uint64_t waiting)
{
    const warp *found = NULL;
    for (uint32_t n = 0; n < b->warps && !found; n++)
        if (b->warp[n].state == WARP_SPINS || b->warp[n].state == WARP_STUCK)
            found = &b->warp[n];
    for (uint32_t n = 0; n < b->warps && !found; n++)
        if (b->warp[n].state != WARP_DONE)
            found = &b->warp[n];
    if (!found)
        return;
    sentence s = {.program = c->machine->program};
    if (c->machine->options->model == GCAST_SIMT_STACK)
        say_stack(c, found, &s);
    else
        say_threads(c, found, &s);
    char not_started[80] = "";
    if (waiting)
        snprintf(not_started, sizeof not_started, "; %llu more %s for room, as %d run at a time",
                 (unsigned long long)waiting, waiting == 1 ? "waits" : "wait", MAX_RESIDENT_BLOCKS);
    machine_fail(c, found, s.first, -1, "deadlock in warp %u of block (%u,%u,%u): %s%s", found->number, b->index[0],
                 b->index[1], b->index[2], s.text, not_started);
}
