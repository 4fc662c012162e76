/* The earliest of many players, each with a number and a time: a tree in which
 * every node is the earlier of its four children. Giving a player another time plays
 * its way up to the root again. Which nodes that reads is known beforehand, so that
 * they are read all at once and not one after the other, as in a heap, and nothing
 * on the way is a branch.
 *
 * A node is one word, time and player, so that one comparison takes the earlier of
 * two (among equal times: the lower player). Its 36 bits of time count from a base;
 * times past that are far, and when the earliest is far the base is moved, which
 * costs a look at every player but happens at most once in a minute of the times. */
#ifndef BASE_TOURNAMENT_H
#define BASE_TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOURNAMENT_OUT INT64_MAX /* the time of a player that does not play */
#define TOURNAMENT_LEVELS 16
#define TOURNAMENT_PLAYER_BITS 28
#define TOURNAMENT_MOST ((size_t)1 << TOURNAMENT_PLAYER_BITS)
#define TOURNAMENT_FAR ((UINT64_C(1) << (64 - TOURNAMENT_PLAYER_BITS)) - 2) /* one more: out */

typedef struct tournament {
    uint64_t *level[TOURNAMENT_LEVELS]; /* [0]: the players; [top]: one node, the winner */
    int64_t *far;                       /* by player: its time, if that is far or out */
    int64_t base;                       /* no time is earlier */
    int top;
    size_t players; /* from 0, how many there may be */
} tournament;

/* Whom the winner met on its way up, level by level. */
typedef struct tournament_rivals {
    uint64_t at[TOURNAMENT_LEVELS];
} tournament_rivals;

/* Room for the players 0 to n - 1; new ones are out. False without memory. */
bool tournament_grow(tournament *t, size_t n);
/* The time of every player that plays moves by as much. */
void tournament_shift(tournament *t, int64_t by);
void tournament_free(tournament *t);
/* Count times from `base` on. */
void tournament_rebase(tournament *t, int64_t base);
/* Count from the earliest time on, which was far; returns it. */
int64_t tournament_advance(tournament *t);

static inline uint64_t tournament_earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The earliest of the other three children of its parent. */
static inline uint64_t tournament_others(const uint64_t *at, size_t i)
{
    return tournament_earlier(tournament_earlier(at[i ^ 1], at[i ^ 2]), at[i ^ 3]);
}

/* The node of a player with this time, which is kept where the node does not hold it. */
static inline uint64_t tournament_node(tournament *t, size_t player, int64_t time)
{
    uint64_t after = (uint64_t)time - (uint64_t)t->base;
    if (after >= TOURNAMENT_FAR) {
        t->far[player] = time;
        after = TOURNAMENT_FAR + (time == TOURNAMENT_OUT);
    }
    return after << TOURNAMENT_PLAYER_BITS | player;
}

static inline int64_t tournament_time(const tournament *t, uint32_t player)
{
    uint64_t after = t->level[0][player] >> TOURNAMENT_PLAYER_BITS;
    return after < TOURNAMENT_FAR ? t->base + (int64_t)after : t->far[player];
}

static inline uint32_t tournament_winner(const tournament *t)
{
    return (uint32_t)(t->level[t->top][0] & (TOURNAMENT_MOST - 1));
}

/* The winner's time; TOURNAMENT_OUT where nobody plays. */
static inline int64_t tournament_first(tournament *t)
{
    uint64_t after = t->level[t->top][0] >> TOURNAMENT_PLAYER_BITS;
    if (after < TOURNAMENT_FAR)
        return t->base + (int64_t)after;
    return after == TOURNAMENT_FAR ? tournament_advance(t) : TOURNAMENT_OUT;
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

/* The winner's new time, later than its old one; nothing has changed since
 * tournament_tied looked at its rivals. */
static inline void tournament_replace(tournament *t, const tournament_rivals *r, int64_t time)
{
    size_t i = tournament_winner(t);
    uint64_t x = t->level[0][i] = tournament_node(t, i, time);
    for (int l = 0; l < t->top; l++, i /= 4)
        t->level[l + 1][i / 4] = x = tournament_earlier(x, r->at[l]);
}

#endif
