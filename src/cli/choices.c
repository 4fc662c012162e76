#include "cli/choices.h"

#include <stdio.h>
#include <string.h>

#include "analyze/mapping/score/mapping_score.h"
#include "gridcast/gridcast.h"
#include "model/system/system_answer.h"

#define X(id, name, text) name,
choice color_choices[] = {"auto", "always", "never", NULL};
choice method_choices[] = {"auto", GCAST_METHOD_TABLE(X) NULL}; /* after auto in the order of gcast_method */
choice goal_choices[] = {GCAST_GOAL_TABLE(X) NULL};
choice durations_choices[] = {GCAST_DURATIONS_TABLE(X) NULL};
choice model_choices[] = {"threads", "stack", NULL}; /* in the order of gcast_simt_model, after BY_TARGET */
choice contract_choices[] = {"ptxas", "off", NULL};  /* in the order of gcast_simt_contract */
choice placement_choices[] = {GCAST_PLACEMENT_KIND_TABLE(X) NULL};
choice block_placement_choices[] = {"random", NULL}; /* of simulate and explain */
choice convert_choices[] = {"native", "examiner", NULL};
choice metric_choices[] = {"stp", "antt", NULL}; /* in the order of gcast_corun_goal */
choice shell_choices[] = {"bash", "zsh", "fish", NULL};
choice policies_choices[] = {"flat", "always", "offline", "spawn", "predict", NULL}; /* names of contenders */
choice idle_choices[] = {GCAST_SPAWN_IDLE_TABLE(X) NULL};
choice average_choices[] = {GCAST_SPAWN_AVERAGE_TABLE(X) NULL};
choice counters_choices[] = {GCAST_SPAWN_COUNTER_TABLE(X) NULL};
choice start_choices[] = {GCAST_SPAWN_START_TABLE(X) NULL};
choice child_stream_choices[] = {"child", "block", NULL};
choice communication_choices[] = {SYS_COMMUNICATION_TABLE(X) NULL}; /* in the order of sys_communication */
choice reaction_choices[] = {SYS_REACTION_TABLE(X) NULL};           /* in the order of sys_reaction */
choice contexts_choices[] = {"streams", "slices", NULL};            /* in the order of sys_sharing */
choice wait_choices[] = {"busy", "suspend", NULL};
choice map_choices[] = {"all", "core", "gpu", "priority", "wait", NULL}; /* all, or a list of the others */
choice objective_choices[] = {MAP_OBJECTIVE_TABLE(X) NULL};              /* in the order of map_objective_kind */
choice spans_choices[] = {"launch", "kernel", NULL};                     /* in the order of prof_durations */
choice events_choices[] = {"inferred", "told", NULL};                    /* in the order of prof_events */
#undef X

static const struct {
    const char *value;
    choice *list;
} lists[] = {
    {"WHEN", color_choices},          {"METHOD", method_choices},
    {"GOAL", goal_choices},           {"WHICH", durations_choices},
    {"MODEL", model_choices},         {"HOW", contract_choices},
    {"KIND|FILE", placement_choices}, {"PLACEMENT", block_placement_choices},
    {"FORMAT", convert_choices},      {"METRIC", metric_choices},
    {"SHELL", shell_choices},         {"POLICIES", policies_choices},
    {"IDLE", idle_choices},           {"AVERAGE", average_choices},
    {"COUNTERS", counters_choices},   {"STREAM", child_stream_choices},
    {"START", start_choices},         {"DATA", communication_choices},
    {"FROM", reaction_choices},       {"CONTEXTS", contexts_choices},
    {"WAIT", wait_choices},           {"WHAT", map_choices},
    {"OBJECTIVE", objective_choices}, {"SPANS", spans_choices},
    {"EVENTS", events_choices},
};

choice *choices_of(const char *value)
{
    for (size_t i = 0; value && i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(lists[i].value, value) == 0)
            return lists[i].list;
    return NULL;
}

int choice_find(choice *list, const char *word)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], word) == 0)
            return i;
    return -1;
}

void choices_join(choice *list, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; list[i] && used < size; i++) {
        const char *separator = !i ? "" : list[i + 1] ? ", " : " or ";
        int n = snprintf(out + used, size - used, "%s%s", separator, list[i]);
        used += n > 0 ? (size_t)n : 0;
    }
}
