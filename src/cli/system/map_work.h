/* The search for a mapping, as work of a crew. */
#ifndef CLI_SYSTEM_MAP_WORK_H
#define CLI_SYSTEM_MAP_WORK_H

#include <pthread.h>

#include "analyze/mapping/mapping_evaluate.h"
#include "analyze/mapping/mapping_search.h"
#include "crew/crew.h"

typedef struct map_worker map_worker;

typedef struct map_work {
    map_search *search;
    sys_analyze_options options; /* of the analyses */
    pthread_mutex_t lock;        /* protects `idle` */
    map_worker *idle;            /* workers that no thread uses now */
} map_work;

/* Prepares the work, and scores the system's own mapping. The search must outlive it. */
gcast_status map_work_init(map_work *m, map_search *search, const sys_analyze_options *options, gcast_error *err);
void map_work_free(map_work *m);
/* `m` must outlive the work. */
crew_work map_work_items(map_work *m);
/* Opens or creates OUTPUT.part of this search, which `hash` identifies, and takes over the results in it. *found is
 * their number. */
gcast_status map_work_open(map_work *m, part_file *p, const char *output, uint64_t hash, uint64_t *found,
                           gcast_error *err);

#endif
