#include "base/tournament.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"

static void play_all(tournament *t)
{
    size_t n = t->players;
    for (int l = 0; l < t->top; l++, n /= 4)
        for (size_t i = 0; i < n; i += 4)
            t->level[l + 1][i / 4] = tournament_earlier(t->level[l][i], tournament_others(t->level[l], i));
}

/* Adds `offset` to every time, and makes times relative to `base`. */
static void move(tournament *t, int64_t offset, int64_t base)
{
    tournament before = *t;
    t->base = base;
    for (size_t i = 0; i < t->players; i++) {
        int64_t time = tournament_time(&before, (uint32_t)i);
        t->level[0][i] = tournament_node(t, i, time == TOURNAMENT_OUT ? time : time + offset);
    }
    play_all(t);
}

void tournament_rebase(tournament *t, int64_t base)
{
    move(t, 0, base);
}

void tournament_shift(tournament *t, int64_t offset)
{
    move(t, offset, t->base + offset);
}

int64_t tournament_advance(tournament *t)
{
    int64_t first = TOURNAMENT_OUT;
    for (size_t i = 0; i < t->players; i++)
        first = min_i64(first, tournament_time(t, (uint32_t)i));
    tournament_rebase(t, first);
    return first;
}

void tournament_free(tournament *t)
{
    free(t->level[0]);
    free(t->far);
    *t = (tournament){0};
}

/* All levels are in one piece of memory, each a power of four in size. */
bool tournament_grow(tournament *t, size_t n)
{
    if (n <= t->players)
        return true;
    size_t players = 4, nodes = 1;
    int top = 1;
    if (n > TOURNAMENT_MAX_PLAYERS)
        return false;
    for (; players < n; players *= 4)
        top++;
    for (size_t k = players; k > 1; k /= 4)
        nodes += k;
    uint64_t *at = aligned_alloc(64, (nodes * sizeof *at + 63) / 64 * 64);
    int64_t *far = realloc(t->far, players * sizeof *far);
    if (far)
        t->far = far;
    if (!at || !far) {
        free(at);
        return false;
    }
    if (t->players)
        memcpy(at, t->level[0], t->players * sizeof *at);
    free(t->level[0]);
    size_t old_players = t->players;
    *t = (tournament){.far = far, .base = t->base, .top = top, .players = players};
    for (int l = 0; l <= top; l++, at += players, players /= 4)
        t->level[l] = at;
    for (size_t i = old_players; i < t->players; i++)
        t->level[0][i] = tournament_node(t, i, TOURNAMENT_OUT);
    play_all(t);
    return true;
}
