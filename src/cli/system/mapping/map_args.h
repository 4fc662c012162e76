/* Options of `analyze --map`: the search for a mapping. */
#ifndef CLI_SYSTEM_MAPPING_MAP_ARGS_H
#define CLI_SYSTEM_MAPPING_MAP_ARGS_H

#include "analyze/mapping/mapping_search.h"
#include "cli/args.h"

#define MAP_OPTIONS                                                                                                    \
    {"map", 0, "WHAT", "find a mapping: all, or core,gpu,priority,wait"},                                              \
        {"objective", 0, "OBJECTIVE", "responses (default), chain, chain:NAME or slack"},                              \
        {"tries", 0, "N", "mappings to try, about (default: 200000)"},                                                 \
        {"search-time", 0, "TIME", "stop the search after TIME"}, {"seed", 0, "N", "of the search (default: 1)"},      \
        {"islands", 0, "N", "mappings that it starts from (default: 16)"},                                             \
        {"threads", 0, "N", "of the search (default: all cores)"},                                                     \
    {                                                                                                                  \
        "stop-after", 0, "N", "stop after N parts; the same command goes on"                                           \
    }

typedef struct map_args {
    map_options options; /* the chain of the objective is not in it */
    const char *chain;   /* of the objective; NULL: all */
    int64_t time_ns;     /* INT64_MAX: none */
    int64_t threads;     /* 0: all cores */
    int64_t max_items;
    const char *file;  /* the first -o that is a file: a search that was stopped is next to it; NULL: none is */
    const char *model; /* the -o that ends in .amxmi; NULL: none does */
} map_args;

/* Does a file of -o have this ending: the model with its new mapping? */
bool map_is_model_file(const char *path);
/* Errors are printed, here and below. */
gcast_status map_args_read(const args *a, map_args *m);
/* Where --map is not given: its other options are errors. */
gcast_status map_args_refuse(const args *a);
/* The chain that the objective names. */
gcast_status map_args_chain(map_args *m, const sys_system *s);

#endif
