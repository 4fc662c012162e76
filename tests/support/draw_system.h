/* Random small systems of cores and a GPU whose loads are such that many have bounds. Times are a few nanoseconds, so
 * that things often happen at one time. */
#ifndef TESTS_SUPPORT_DRAW_SYSTEM_H
#define TESTS_SUPPORT_DRAW_SYSTEM_H

#include "model/system.h"
#include "support/support.h"

typedef struct draw_options {
    const gcast_gpu *gpu; /* NULL: none */
    bool plain;           /* periodic and preemptive tasks of one step each */
    bool chains;
    int priorities; /* how many there are; 0: nine, and most by period */
} draw_options;

/* To be freed with system_free. */
sys_system *draw_system(uint64_t seed, const draw_options *options);
/* Text of a system for people, on stderr. */
void draw_print(const sys_system *s);
/* How long steps take until draw_restore. */
typedef enum { DRAW_LEAST, DRAW_MOST, DRAW_RANGE, DRAW_HOWS } draw_how;
#define DRAW_STEPS 256 /* more than a system has */
/* Draws how long each step takes, tasks one after the other. */
void draw_hows(support_random *r, draw_how *hows);
void draw_durations(sys_system *s, const draw_how *hows);
void draw_restore(sys_system *s);

#endif
