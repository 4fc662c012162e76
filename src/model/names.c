/* The names of enumerators, from the tables in the public headers. */
#include "gridcast/names.h"

#include <string.h>

#include "gridcast/advice.h"
#include "gridcast/analyze.h"
#include "gridcast/explain.h"
#include "gridcast/plan.h"
#include "gridcast/residency.h"
#include "gridcast/simt.h"
#include "gridcast/system.h"

typedef struct entry {
    const char *name, *text; /* NULL: it has none */
} entry;

/* The columns that the tables have. */
#define NAME(id, name) {name, NULL},
#define NAME_TEXT(id, name, text) {name, text},
#define KIND(id, name, on_gpu, text) {name, text},
#define HINT(id, text) {NULL, text},
#define MIX(id, name) {name, NULL},
#define STATUS(id, value, text) [value] = {#id, text},

static const entry kinds[] = {GCAST_KIND_TABLE(KIND)};
static const entry directions[] = {GCAST_DIRECTION_TABLE(NAME)};
static const entry bodies[] = {GCAST_BODY_TABLE(NAME_TEXT)};
static const entry carveouts[] = {GCAST_OP_CARVEOUT_TABLE(NAME_TEXT)};
static const entry policies[] = {GCAST_POLICY_TABLE(NAME_TEXT)};
static const entry ports[] = {GCAST_PORT_TABLE(NAME_TEXT)};
static const entry mappings[] = {GCAST_MAPPING_TABLE(NAME_TEXT)};
static const entry launchers[] = {GCAST_LAUNCHER_TABLE(NAME_TEXT)};
static const entry child_streams[] = {GCAST_CHILD_STREAM_TABLE(NAME_TEXT)};
static const entry child_waits[] = {GCAST_CHILD_WAIT_TABLE(NAME_TEXT)};
static const entry spawn_policies[] = {GCAST_SPAWN_TABLE(NAME_TEXT)};
static const entry spawn_whys[] = {GCAST_SPAWN_WHY_TABLE(NAME_TEXT)};
static const entry series[] = {GCAST_LAUNCH_SERIES_TABLE(NAME_TEXT)};
static const entry placements[] = {GCAST_PLACEMENT_TABLE(NAME_TEXT)};
static const entry tie_orders[] = {GCAST_TIES_TABLE(NAME_TEXT)};
static const entry origins[] = {GCAST_ORIGIN_TABLE(NAME)};
static const entry resources[] = {GCAST_RESOURCE_TABLE(NAME)};
static const entry methods[] = {GCAST_METHOD_TABLE(NAME_TEXT)};
static const entry latency_sources[] = {GCAST_LATENCY_TABLE(NAME)};
static const entry verdicts[] = {GCAST_DEADLINE_TABLE(NAME)};
static const entry hangs[] = {GCAST_HANG_TABLE(NAME)};
static const entry limits[] = {GCAST_LIMIT_TABLE(NAME_TEXT)};
static const entry goals[] = {GCAST_GOAL_TABLE(NAME_TEXT)};
static const entry reasons[] = {GCAST_REASON_TABLE(NAME_TEXT)};
static const entry mix[] = {GCAST_SIMT_MIX_TABLE(MIX)};
static const entry formats[] = {GCAST_FORMAT_TABLE(NAME_TEXT)};
static const entry statuses[] = {GCAST_STATUS_TABLE(STATUS)};
static const entry hints[] = {GCAST_HINT_TABLE(HINT)};
static const entry communications[] = {GCAST_COMMUNICATION_TABLE(NAME_TEXT)};
static const entry reactions[] = {GCAST_REACTION_TABLE(NAME_TEXT)};

#define LIST(entries)                                                                                                  \
    {                                                                                                                  \
        entries, sizeof entries / sizeof entries[0]                                                                    \
    }
static const struct {
    const entry *at;
    size_t count;
} lists[GCAST_NAMES] = {
    [GCAST_NAMES_KIND] = LIST(kinds),
    [GCAST_NAMES_DIRECTION] = LIST(directions),
    [GCAST_NAMES_BODY] = LIST(bodies),
    [GCAST_NAMES_CARVEOUT] = LIST(carveouts),
    [GCAST_NAMES_POLICY] = LIST(policies),
    [GCAST_NAMES_PORT] = LIST(ports),
    [GCAST_NAMES_MAPPING] = LIST(mappings),
    [GCAST_NAMES_LAUNCHER] = LIST(launchers),
    [GCAST_NAMES_CHILD_STREAM] = LIST(child_streams),
    [GCAST_NAMES_CHILD_WAIT] = LIST(child_waits),
    [GCAST_NAMES_SPAWN_POLICY] = LIST(spawn_policies),
    [GCAST_NAMES_SPAWN_WHY] = LIST(spawn_whys),
    [GCAST_NAMES_SERIES] = LIST(series),
    [GCAST_NAMES_PLACEMENT] = LIST(placements),
    [GCAST_NAMES_TIE_ORDER] = LIST(tie_orders),
    [GCAST_NAMES_ORIGIN] = LIST(origins),
    [GCAST_NAMES_RESOURCE] = LIST(resources),
    [GCAST_NAMES_METHOD] = LIST(methods),
    [GCAST_NAMES_LATENCY_SOURCE] = LIST(latency_sources),
    [GCAST_NAMES_VERDICT] = LIST(verdicts),
    [GCAST_NAMES_HANG] = LIST(hangs),
    [GCAST_NAMES_LIMIT] = LIST(limits),
    [GCAST_NAMES_GOAL] = LIST(goals),
    [GCAST_NAMES_REASON] = LIST(reasons),
    [GCAST_NAMES_MIX] = LIST(mix),
    [GCAST_NAMES_FORMAT] = LIST(formats),
    [GCAST_NAMES_STATUS] = LIST(statuses),
    [GCAST_NAMES_HINT] = LIST(hints),
    [GCAST_NAMES_COMMUNICATION] = LIST(communications),
    [GCAST_NAMES_REACTION] = LIST(reactions),
};

static entry find(gcast_names names, int value)
{
    bool exists = (unsigned)names < GCAST_NAMES && value >= 0 && (size_t)value < lists[names].count;
    return exists ? lists[names].at[value] : (entry){NULL, NULL};
}

const char *gcast_name(gcast_names names, int value)
{
    const char *name = find(names, value).name;
    return name ? name : "?";
}

const char *gcast_text(gcast_names names, int value)
{
    const char *text = find(names, value).text;
    return text ? text : "?";
}

bool gcast_find_name(gcast_names names, const char *name, int *value)
{
    if ((unsigned)names >= GCAST_NAMES || !name || !value)
        return false;
    for (size_t i = 0; i < lists[names].count; i++)
        if (lists[names].at[i].name && strcmp(lists[names].at[i].name, name) == 0) {
            *value = (int)i;
            return true;
        }
    return false;
}
