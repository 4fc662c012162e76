/* What a command line of gridcast spawn asks for. */
#ifndef CLI_SPAWN_STATE_H
#define CLI_SPAWN_STATE_H

#include "cli/args.h"

#define SPAWN_MAX_CHOICES 10 /* as many as a table has columns for */

typedef struct spawn_request {
    const args *a;                                 /* the command line */
    gcast_gpu *gpu;                                /* on which all is simulated */
    gcast_compare_options options;                 /* of each comparison */
    gcast_spawn_choice choices[SPAWN_MAX_CHOICES]; /* of options */
    gcast_app_options app;                         /* of --app */
    bool is_all;                                   /* --app all */
} spawn_request;

#endif
