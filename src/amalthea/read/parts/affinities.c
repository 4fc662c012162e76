/* Constraints that put processes on one core, or on different ones. Others stay unused, and are listed. */
#include <string.h>

#include "amalthea/read/parts/parts.h"
#include "amalthea/read/references.h"

#define PART "constraintsModel"

/* The processes of all groups, each with the number of its group. */
static bool read_groups(am_reader *r, xml_node *n, const char *tag, am_affinity *a, int *groups)
{
    const int **lists = reader_array(r, (size_t)*groups + 1, sizeof *lists);
    size_t *counts = reader_array(r, (size_t)*groups + 1, sizeof *counts), all = 0;
    int group = 0;
    if (!lists || !counts)
        return false;
    for (xml_node *g = xml_first(n, tag); g; g = xml_next(g, tag), group++) {
        if (!reference_list(r, g, "processes", SYMBOL_TASK, &lists[group], &counts[group]))
            return false;
        all += counts[group];
    }
    int *tasks = reader_array(r, all, sizeof *tasks), *of = reader_array(r, all, sizeof *of);
    if (!tasks || !of)
        return false;
    for (int g = 0; g < group; g++)
        for (size_t i = 0; i < counts[g]; i++) {
            tasks[a->task_count] = lists[g][i];
            of[a->task_count++] = g;
        }
    a->tasks = tasks;
    a->groups = of;
    return true;
}

static bool is_understood(const xml_node *n, const char *tag, bool together)
{
    int groups = 0;
    for (const xml_node *c = n->first; c; c = c->next) {
        if (strcmp(c->tag, tag) == 0 && strcmp(c->type, "ProcessEntityGroup") == 0)
            groups++;
        else if (strcmp(c->tag, "target") != 0 || strcmp(c->type, "TargetCore") != 0)
            return false;
    }
    return together ? groups == 1 : groups >= 2;
}

static bool read_affinity(am_reader *r, xml_node *n, am_affinity *a, bool *taken)
{
    bool together = strcmp(n->type, "ProcessPairingConstraint") == 0;
    const char *tag = together ? "group" : "groups";
    int groups = 0;
    *a = (am_affinity){.together = together, .at = reader_place(r, n)};
    *taken = (together || strcmp(n->type, "ProcessSeparationConstraint") == 0) && is_understood(n, tag, together);
    n->used = *taken;
    if (!*taken)
        return true;
    xml_get(n, "name");
    for (const xml_node *c = n->first; c; c = c->next)
        groups += strcmp(c->tag, tag) == 0;
    xml_node *target = xml_first(n, "target");
    return read_groups(r, n, tag, a, &groups) &&
           (!target || reference_list(r, target, "cores", SYMBOL_UNIT, &a->units, &a->unit_count));
}

bool read_affinities(am_reader *r)
{
    size_t count = 0;
    for (xml_node *n = NULL; (n = part_next(r, PART, "affinityConstraints", n));)
        count++;
    am_affinity *all = reader_array(r, count, sizeof *all);
    if (!all)
        return false;
    r->m->affinities.at = all;
    for (xml_node *n = NULL; (n = part_next(r, PART, "affinityConstraints", n));) {
        bool taken;
        if (!read_affinity(r, n, &all[r->m->affinities.count], &taken))
            return false;
        r->m->affinities.count += taken;
    }
    return true;
}
