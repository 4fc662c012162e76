/* The names of the enumerators, as files and outputs have them, and a text for each where the headers have one. */
#ifndef GRIDCAST_NAMES_H
#define GRIDCAST_NAMES_H

#include <stdbool.h>

#include "gridcast/api.h"

GCAST_BEGIN_DECLS

/* An enum: its list of names, its type. */
#define GCAST_NAMES_TABLE(X)                                                                                           \
    X(KIND, gcast_kind)                                                                                                \
    X(DIRECTION, gcast_direction)                                                                                      \
    X(BODY, gcast_body)                                                                                                \
    X(CARVEOUT, gcast_op_carveout)                                                                                     \
    X(POLICY, gcast_policy)                                                                                            \
    X(PORT, gcast_port)                                                                                                \
    X(MAPPING, gcast_mapping)                                                                                          \
    X(LAUNCHER, gcast_launcher)                                                                                        \
    X(CHILD_STREAM, gcast_child_stream)                                                                                \
    X(CHILD_WAIT, gcast_child_wait)                                                                                    \
    X(SPAWN_POLICY, gcast_spawn_policy)                                                                                \
    X(SPAWN_WHY, gcast_spawn_why)                                                                                      \
    X(SERIES, gcast_series)                                                                                            \
    X(PLACEMENT, gcast_placement)                                                                                      \
    X(TIE_ORDER, gcast_tie_order)                                                                                      \
    X(ORIGIN, gcast_origin)                                                                                            \
    X(RESOURCE, gcast_resource)                                                                                        \
    X(METHOD, gcast_method)                                                                                            \
    X(LATENCY_SOURCE, gcast_latency_source)                                                                            \
    X(VERDICT, gcast_deadline_verdict)                                                                                 \
    X(LIMIT, gcast_limit)                                                                                              \
    X(GOAL, gcast_goal)                                                                                                \
    X(REASON, gcast_reason) /* the name is its rule */                                                                 \
    X(MIX, gcast_simt_mix)                                                                                             \
    X(FORMAT, gcast_format) /* the name is its file ending */                                                          \
    X(STATUS, gcast_status)                                                                                            \
    X(HINT, gcast_hint)                                                                                                \
    X(HANG, gcast_hang_verdict)                                                                                        \
    X(COMMUNICATION, gcast_communication)                                                                              \
    X(REACTION, gcast_reaction)

typedef enum {
#define GCAST_X(id, type) GCAST_NAMES_##id,
    GCAST_NAMES_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_NAMES
} gcast_names;

/* The name and the text of an enumerator; "?" if there is no such enumerator, name or text. The library owns both. */
GCAST_API const char *gcast_name(gcast_names names, int value);
GCAST_API const char *gcast_text(gcast_names names, int value);
/* Finds the enumerator with this name; false if there is none. */
GCAST_API bool gcast_find_name(gcast_names names, const char *name, int *value);

GCAST_END_DECLS

#endif
