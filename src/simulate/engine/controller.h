/* The controller of SPAWN (Tang, Pattnaik, Jiang, Jog et al., HPCA 2017) with its child CTA queuing system, CCQS: it
 * says for each launch whether a child would end sooner than its launcher would if that did the items itself. "SPAWN"
 * in docs/model.md has the rules; docs/spawn.md has the choices where the paper says nothing.
 *
 * It knows nothing of the engine: time goes on by calls, in whatever unit the caller counts (the engine: nanoseconds;
 * the paper: cycles). A block costs one pair of heap operations. */
#ifndef SIMULATE_ENGINE_CONTROLLER_H
#define SIMULATE_ENGINE_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/vec.h"
#include "gridcast/launches.h"

/* A child block that runs. */
typedef struct controller_block {
    uint64_t shown; /* its duration, as a counter shows it */
    uint32_t warps; /* how many of its warps have items */
    uint32_t next;  /* of a free place: the next one */
} controller_block;

typedef struct controller {
    gcast_spawn_options options;        /* the choices */
    int64_t window;                     /* length of a window */
    int64_t now;                        /* all ends and windows up to this time have been handled */
    uint64_t n;                         /* child blocks that were launched and have not ended */
    uint64_t running;                   /* child blocks that run at `now` */
    uint64_t ended;                     /* child blocks that have ended, ever */
    unsigned __int128 ended_sum;        /* of their durations */
    int64_t t_cta;                      /* average duration of a child block; 0: none has ended */
    int64_t window_start;               /* when the current window started */
    unsigned __int128 run_sum;          /* running blocks of the current window, summed over time up to `now` */
    unsigned __int128 last_sum;         /* run_sum of the last closed window, or as the choice for idle windows says */
    unsigned __int128 peak_sum;         /* the largest run_sum of a closed window */
    uint64_t window_ended;              /* child blocks that ended in the window */
    unsigned __int128 window_ended_sum; /* of their durations */
    uint64_t warps;                     /* child warps that ended in the window */
    unsigned __int128 warp_sum;         /* of their durations */
    int64_t t_warp;                     /* average duration of a child warp */
    heap ends;                          /* running child blocks whose end is known: indices of blocks[] */
    VEC(controller_block) blocks;       /* running blocks, and free places */
    uint32_t free_block;                /* the first free place; UINT32_MAX: none */
    VEC(controller_block) ending;       /* blocks that end at one time */
} controller;

void controller_init(controller *c, const gcast_spawn_options *options, int64_t window);
void controller_free(controller *c);
/* Handles all ends of blocks and windows up to `now`, which never goes back. */
void controller_advance(controller *c, int64_t now);
/* Would a child of so many blocks for so many items be launched at the controller's time? Does not count the child. */
bool controller_says_launch(const controller *c, int64_t overhead, uint64_t blocks, uint64_t items);
/* The same decision with the values behind it. */
gcast_spawn_decision controller_explain(const controller *c, int64_t overhead, uint64_t blocks, uint64_t items);
/* A child of so many blocks is launched. */
void controller_launch(controller *c, uint64_t blocks);
/* A child block starts at `now`. */
void controller_block_starts(controller *c, int64_t now);
/* A child block that started at `start` will end at `end`, which is not before `now`, with so many warps that have
 * items. False without memory. */
bool controller_block_ends_at(controller *c, int64_t start, int64_t end, uint32_t warps);

#endif
