/* Reads constraints that put processes on one core or on different ones, and limits on times. Others stay unused, and
 * are listed. */
#include <string.h>

#include "amalthea/read/reader.h"
#include "amalthea/read/references.h"
#include "amalthea/read/values.h"

#define PART "constraintsModel"

/* Reads the processes of all groups, each with the number of its group. */
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
    int *tasks = reader_array(r, all, sizeof *tasks), *group_of = reader_array(r, all, sizeof *group_of);
    if (!tasks || !group_of)
        return false;
    for (int g = 0; g < group; g++)
        for (size_t i = 0; i < counts[g]; i++) {
            tasks[a->task_count] = lists[g][i];
            group_of[a->task_count++] = g;
        }
    a->tasks = tasks;
    a->groups = group_of;
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

/* Requirements and timing constraints are limits on times. */

static am_metric metric_of(const char *name)
{
    static const char *const names[AM_METRICS] = {
#define X(id, name) [AM_METRIC_##id] = name,
        AM_METRIC_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < AM_METRIC_OTHER; i++)
        if (name && strcmp(name, names[i]) == 0)
            return (am_metric)i;
    return AM_METRIC_OTHER;
}

/* Reads an upper or a lower limit. A limit on another metric becomes a finding when a system is made of the model. */
static bool read_limit(am_reader *r, xml_node *n, am_limit *limit)
{
    const char *type = xml_get(n, "limitType");
    int64_t value;
    if (!quantity_child_time(r, n, "limitValue", -1, &value))
        return false;
    if (value < 0)
        return reader_fail(r, n, "limitValue is missing");
    limit->metric = metric_of(xml_get(n, "metric"));
    if (type && strcmp(type, "UpperLimit") == 0)
        limit->upper_ps = value;
    else if (type && strcmp(type, "LowerLimit") == 0)
        limit->lower_ps = value;
    else
        return reader_fail(r, n, "limitType: '%.60s' is neither UpperLimit nor LowerLimit", type ? type : "");
    return true;
}

/* Sets *taken if it is a limit on a time. */
static bool read_requirement(am_reader *r, xml_node *n, am_limit *limit, bool *taken)
{
    static const struct {
        const char *class, *entity;
        am_limit_kind kind;
        am_symbol_kind symbol;
    } kinds[] = {{"ProcessRequirement", "process", AM_LIMIT_PROCESS, SYMBOL_TASK},
                 {"RunnableRequirement", "runnable", AM_LIMIT_RUNNABLE, SYMBOL_RUNNABLE},
                 {"ProcessChainRequirement", "processChain", AM_LIMIT_PROCESS_CHAIN, SYMBOL_PROCESS_CHAIN}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(n->type, kinds[i].class) != 0)
            continue;
        xml_node *inner = xml_first(n, "limit");
        if (!inner || strcmp(inner->type, "TimeRequirementLimit") != 0) {
            if (inner)
                inner->used = false;
            return true;
        }
        *taken = true;
        limit->kind = kinds[i].kind;
        limit->severity = reader_keep(r, xml_get(n, "severity"));
        return limit->severity && reference_one(r, n, kinds[i].entity, kinds[i].symbol, true, &limit->entity) &&
               read_limit(r, inner, limit);
    }
    n->used = false;
    return true;
}

static bool check_range(am_reader *r, const xml_node *n, const am_limit *limit)
{
    return limit->lower_ps < 0 || limit->upper_ps < 0 || limit->lower_ps <= limit->upper_ps ||
           reader_fail(r, n, "the least time is above the greatest");
}

static bool read_latency(am_reader *r, xml_node *n, am_limit *limit)
{
    const char *type = xml_get(n, "type");
    if (type && strcmp(type, "Age") == 0)
        limit->kind = AM_LIMIT_AGE;
    else if (type && strcmp(type, "Reaction") == 0)
        limit->kind = AM_LIMIT_REACTION;
    else
        return reader_fail(r, n, "type: '%.60s' is neither Age nor Reaction", type ? type : "");
    return reference_one(r, n, "scope", SYMBOL_CHAIN, true, &limit->entity) &&
           quantity_child_time(r, n, "minimum", -1, &limit->lower_ps) &&
           quantity_child_time(r, n, "maximum", -1, &limit->upper_ps) && check_range(r, n, limit);
}

static bool read_mapping_type(am_reader *r, xml_node *n, am_mapping_type *mapping)
{
    static const char *const names[AM_MAPPINGS] = {
#define X(id, name) [AM_MAPPING_##id] = name,
        AM_MAPPING_TABLE(X)
#undef X
    };
    const char *name = xml_get(n, "mappingType");
    *mapping = AM_MAPPING_NOT_SAID;
    if (!name)
        return true;
    for (size_t i = 0; i < AM_MAPPINGS; i++)
        if (strcmp(name, names[i]) == 0) {
            *mapping = (am_mapping_type)i;
            return true;
        }
    return reader_fail(r, n, "mappingType: '%.60s' is none of Reaction, OneToOne and UniqueReaction", name);
}

static bool read_delay(am_reader *r, xml_node *n, am_limit *limit)
{
    limit->kind = AM_LIMIT_DELAY;
    return read_mapping_type(r, n, &limit->mapping) &&
           reference_one(r, n, "source", SYMBOL_EVENT, true, &limit->source) &&
           reference_one(r, n, "target", SYMBOL_EVENT, true, &limit->target) &&
           quantity_child_time(r, n, "lower", -1, &limit->lower_ps) &&
           quantity_child_time(r, n, "upper", -1, &limit->upper_ps) && check_range(r, n, limit);
}

static bool read_constraint(am_reader *r, xml_node *n, am_limit *limit, bool *taken)
{
    *taken = true;
    if (strcmp(n->type, "EventChainLatencyConstraint") == 0)
        return read_latency(r, n, limit);
    if (strcmp(n->type, "DelayConstraint") == 0)
        return read_delay(r, n, limit);
    *taken = n->used = false;
    return true;
}

typedef bool (*read_limit_of)(am_reader *r, xml_node *n, am_limit *limit, bool *taken);

static bool read_all(am_reader *r, const char *tag, read_limit_of read, am_limit *limits)
{
    for (xml_node *n = NULL; (n = part_next(r, PART, tag, n));) {
        am_limit *limit = &limits[r->m->limit_count];
        bool taken = false;
        *limit = (am_limit){.metric = AM_METRIC_OTHER,
                            .entity = -1,
                            .source = -1,
                            .target = -1,
                            .lower_ps = -1,
                            .upper_ps = -1,
                            .severity = "",
                            .at = reader_place(r, n)};
        limit->name = reader_keep(r, xml_get(n, "name"));
        if (!limit->name || !read(r, n, limit, &taken))
            return false;
        r->m->limit_count += taken;
    }
    return true;
}

bool read_limits(am_reader *r)
{
    size_t count = 0;
    for (xml_node *n = NULL; (n = part_next(r, PART, "requirements", n));)
        count++;
    for (xml_node *n = NULL; (n = part_next(r, PART, "timingConstraints", n));)
        count++;
    am_limit *limits = reader_array(r, count, sizeof *limits);
    if (!limits)
        return false;
    r->m->limits = limits;
    return read_all(r, "requirements", read_requirement, limits) &&
           read_all(r, "timingConstraints", read_constraint, limits);
}
