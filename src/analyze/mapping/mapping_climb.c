#include "analyze/mapping/mapping_climb.h"

#include <string.h>

#include "analyze/mapping/space/mapping_move.h"

/* Chosen by trials on random systems of 10 to 34 tasks. */
#define MEMORY 10       /* tries */
#define PATIENCE 2000   /* changes that are no better, until it goes on from the best */
#define LEAST_CHANGES 3 /* at once then; and up to so many more */
#define MORE_CHANGES 8
#define MOST_REPEATED 16 /* changes for each try that counts; else nothing new is found any more */

static const map_score worst_score = {INT64_MAX, INT64_MAX, INT64_MAX};

typedef struct climb_state {
    map_climb *c;
    map_score memory[MEMORY]; /* scores of the mappings of the last tries */
    map_score score;          /* of the current one */
    map_score peak;           /* the best since it went on from the best */
    sys_place *next;          /* what is tried */
    size_t size;              /* of a mapping, in bytes */
} climb_state;

/* The score of the current mapping, whatever it is. */
static gcast_status score_current(climb_state *s, gcast_error *err)
{
    bool good;
    gcast_status status = map_try(s->c->trier, s->c->current, &worst_score, &s->score, &good, err);
    for (size_t i = 0; i < MEMORY; i++)
        s->memory[i] = s->score;
    s->peak = s->score;
    return status;
}

static void keep_best(climb_state *s)
{
    if (map_score_compare(&s->score, &s->c->best_score) < 0) {
        memcpy(s->c->best, s->c->current, s->size);
        s->c->best_score = s->score;
    }
}

/* Goes on from the best mapping, a few changes away. */
static gcast_status leap(climb_state *s, gcast_error *err)
{
    map_climb *c = s->c;
    uint64_t changes = LEAST_CHANGES + map_draw(&c->random, MORE_CHANGES);
    memcpy(c->current, c->best, s->size);
    while (changes-- > 0)
        map_move(c->trier->space, c->current, &c->random);
    c->idle = 0;
    gcast_status status = score_current(s, err);
    keep_best(s);
    return status;
}

static gcast_status climb_once(climb_state *s, gcast_error *err)
{
    map_climb *c = s->c;
    map_score *before = &s->memory[(c->trier->counts.tried + c->trier->counts.repeated) % MEMORY], score;
    const map_score *most = map_score_compare(before, &s->score) > 0 ? before : &s->score;
    bool good;
    memcpy(s->next, c->current, s->size);
    map_move(c->trier->space, s->next, &c->random);
    gcast_status status = map_try(c->trier, s->next, most, &score, &good, err);
    if (status != GCAST_OK)
        return status;
    c->idle++;
    if (good) {
        memcpy(c->current, s->next, s->size);
        s->score = score;
    }
    if (map_score_compare(&s->score, before) < 0)
        *before = s->score;
    if (map_score_compare(&s->score, &s->peak) < 0) {
        s->peak = s->score;
        c->idle = 0;
    }
    keep_best(s);
    return GCAST_OK;
}

static gcast_status climb(climb_state *s, gcast_error *err)
{
    map_climb *c = s->c;
    const map_counts *counts = &c->trier->counts;
    bool good;
    gcast_status status = map_try(c->trier, c->best, &worst_score, &c->best_score, &good, err);
    if (status == GCAST_OK)
        status = score_current(s, err);
    keep_best(s);
    if (!map_can_move(c->trier->space, c->current))
        return status;
    while (status == GCAST_OK && counts->tried < c->tries && counts->repeated < MOST_REPEATED * c->tries)
        status = c->idle < PATIENCE ? climb_once(s, err) : leap(s, err);
    return status;
}

gcast_status map_climb_run(map_climb *c, gcast_error *err)
{
    climb_state s = {.c = c, .size = c->trier->space->of->task_count * sizeof *s.next};
    s.next = malloc(s.size + 1);
    if (!s.next)
        return gcast_error_set_memory(err);
    gcast_status status = climb(&s, err);
    free(s.next);
    return status;
}
