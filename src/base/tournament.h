/* A tournament tree: finds the earliest of many players, each with a number and a time. Every node is the earliest of
 * its four children; when the time of a player changes, the nodes from it to the root are computed anew. Which nodes
 * that reads is known beforehand, so that the processor reads them in parallel, and there are no branches; a heap has
 * both.
 *
 * A node is one word of time and player, so that one comparison finds the earlier of two (of equal times: the lower
 * player). Its 36 bits of time are relative to a base; later times are "far". When the earliest time is far the base is
 * moved, which takes time in proportion to the players, but happens at most once per 2^36 ns. */
#ifndef BASE_TOURNAMENT_H
#define BASE_TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOURNAMENT_OUT INT64_MAX /* the time of a player that does not play */
#define TOURNAMENT_LEVELS 16
#define TOURNAMENT_PLAYER_BITS 28
#define TOURNAMENT_MAX_PLAYERS ((size_t)1 << TOURNAMENT_PLAYER_BITS)
#define TOURNAMENT_FAR ((UINT64_C(1) << (64 - TOURNAMENT_PLAYER_BITS)) - 2) /* TOURNAMENT_FAR + 1: out */

typedef struct tournament {
    uint64_t *level[TOURNAMENT_LEVELS]; /* [0]: the players; [top]: one node, the winner */
    int64_t *far;                       /* by player: its time, if that is far or out */
    int64_t base;                       /* no time is earlier */
    int top;                            /* the level of the root */
    size_t players;                     /* how many there may be, a power of four */
} tournament;

/* By level: the earliest of the other children on the winner's way up. */
typedef struct tournament_rivals {
    uint64_t at[TOURNAMENT_LEVELS]; /* their nodes */
} tournament_rivals;

/* Allocates the players 0 to n - 1; new ones are out. False without memory. */
bool tournament_grow(tournament *t, size_t n);
/* Adds `offset` to the time of every player that plays. */
void tournament_shift(tournament *t, int64_t offset);
void tournament_free(tournament *t);
/* Makes times relative to `base`. */
void tournament_rebase(tournament *t, int64_t base);
/* Makes times relative to the earliest, which was far, and returns it. */
int64_t tournament_advance(tournament *t);

static inline uint64_t tournament_earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The earliest of the other three children of the parent of node i. */
static inline uint64_t tournament_others(const uint64_t *at, size_t i)
{
    return tournament_earlier(tournament_earlier(at[i ^ 1], at[i ^ 2]), at[i ^ 3]);
}

/* The node of a player with this time; a time that does not fit into the node is stored in `far`. */
static inline uint64_t tournament_node(tournament *t, size_t player, int64_t time)
{
    uint64_t relative = (uint64_t)time - (uint64_t)t->base;
    if (relative >= TOURNAMENT_FAR) {
        t->far[player] = time;
        relative = TOURNAMENT_FAR + (time == TOURNAMENT_OUT);
    }
    return relative << TOURNAMENT_PLAYER_BITS | player;
}

static inline int64_t tournament_time(const tournament *t, uint32_t player)
{
    uint64_t relative = t->level[0][player] >> TOURNAMENT_PLAYER_BITS;
    return relative < TOURNAMENT_FAR ? t->base + (int64_t)relative : t->far[player];
}

static inline uint32_t tournament_winner(const tournament *t)
{
    return (uint32_t)(t->level[t->top][0] & (TOURNAMENT_MAX_PLAYERS - 1));
}

/* The winner's time; TOURNAMENT_OUT where no player plays. */
static inline int64_t tournament_first(tournament *t)
{
    uint64_t relative = t->level[t->top][0] >> TOURNAMENT_PLAYER_BITS;
    if (relative < TOURNAMENT_FAR)
        return t->base + (int64_t)relative;
    return relative == TOURNAMENT_FAR ? tournament_advance(t) : TOURNAMENT_OUT;
}

static inline void tournament_set(tournament *t, uint32_t player, int64_t time)
{
    size_t i = player;
    if (time < t->base)
        tournament_rebase(t, time);
    uint64_t x = t->level[0][i] = tournament_node(t, i, time);
    for (int l = 0; l < t->top; l++, i /= 4)
        t->level[l + 1][i / 4] = x = tournament_earlier(x, tournament_others(t->level[l], i));
}

/* Is another player as early as the winner, right after tournament_first? */
static inline bool tournament_tied(const tournament *t, tournament_rivals *r)
{
    size_t i = tournament_winner(t);
    uint64_t second = UINT64_MAX;
    for (int l = 0; l < t->top; l++, i /= 4) {
        r->at[l] = tournament_others(t->level[l], i);
        second = tournament_earlier(second, r->at[l]);
    }
    return (second ^ t->level[t->top][0]) >> TOURNAMENT_PLAYER_BITS == 0;
}

/* Sets a later time of the winner, where nothing has changed since tournament_tied filled in its rivals. */
static inline void tournament_replace(tournament *t, const tournament_rivals *r, int64_t time)
{
    size_t i = tournament_winner(t);
    uint64_t x = t->level[0][i] = tournament_node(t, i, time);
    for (int l = 0; l < t->top; l++, i /= 4)
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): tournament_tied has filled in the rivals */
        t->level[l + 1][i / 4] = x = tournament_earlier(x, r->at[l]);
}

#endif
