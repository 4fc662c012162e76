#include "files/workload/read_policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/plan_file.h"
#include "files/source.h"
#include "gridcast/names.h"
#include "model/plan/plan.h"
#include "model/workload/policy.h"

#define MAX_JOBS ((uint64_t)1 << 24) /* limit of the jobs of all plans of a file */
#define MAX_WEIGHT INT32_MAX

#define X(id, name, text) name,
NAMES(policies, GCAST_POLICY_TABLE);
NAMES(mappings, GCAST_MAPPING_TABLE);
#undef X

/* The options for gcast_plan_make, and their arrays. */
typedef struct plan_wish {
    gcast_plan_options options;
    uint32_t sm[GCAST_PLAN_MAX_SMS];   /* options.sm */
    double weight[GCAST_PLAN_MAX_SMS]; /* options.weight */
    bool is_used[GCAST_PLAN_MAX_SMS];  /* by SM: it is in sm */
} plan_wish;

/* The number of SMs: as the plan says, else that of the partition or the GPU in the file. */
static uint32_t read_sms(native_reader *r, const node *kernel, const node *plan)
{
    const gcast_workload *w = r->w;
    int known = w->partition_sms ? w->partition_sms : w->gpu ? w->gpu->sms : 0;
    node n = node_key(plan, "sms");
    if (n.value)
        return (uint32_t)node_int(&n, 1, GCAST_PLAN_MAX_SMS);
    if (!known)
        node_fail(plan->value ? plan : kernel, "the file names no GPU, so the plan needs sms");
    return (uint32_t)known;
}

static uint32_t read_sm(const node *n, uint32_t sms)
{
    int64_t sm = node_int(n, 0, INT64_MAX);
    if (sm >= sms)
        node_fail(n, "there is no SM %lld: the GPU has 0 to %u", (long long)sm, sms - 1);
    return (uint32_t)sm;
}

/* Reads an SM, or [first, last], and marks them as used. */
static void read_used(const node *n, plan_wish *wish)
{
    gcast_plan_options *o = &wish->options;
    uint32_t first, last;
    if (json_is_array(n->value) && json_array_size(n->value) == 2) {
        node from = node_item(n, 0), to = node_item(n, 1);
        first = read_sm(&from, o->sms);
        last = read_sm(&to, o->sms);
        if (last < first)
            node_fail(n, "from SM %u to SM %u is not ascending", first, last);
    } else {
        if (!json_is_integer(n->value))
            node_fail(n, "must be an SM, or [from, to]");
        first = last = read_sm(n, o->sms);
    }
    for (uint32_t sm = first; sm <= last && n->doc->status == GCAST_OK; sm++) {
        if (wish->is_used[sm])
            node_fail(n, "SM %u is listed twice", sm);
        else
            wish->sm[o->sm_count++] = sm;
        wish->is_used[sm] = true;
    }
}

static void read_on(const node *plan, plan_wish *wish)
{
    node n = node_key(plan, "on");
    if (!n.value)
        return;
    size_t count = node_count(&n);
    if (count == 0)
        node_fail(&n, "must name at least one SM");
    for (size_t i = 0; i < count && n.doc->status == GCAST_OK; i++) {
        node item = node_item(&n, i);
        read_used(&item, wish);
    }
    wish->options.sm = wish->sm;
}

static void read_weights(const node *plan, plan_wish *wish)
{
    node n = node_key(plan, "weights");
    if (!n.value)
        return;
    size_t count = node_count(&n);
    uint32_t used = wish->options.sm ? wish->options.sm_count : wish->options.sms;
    if (count != used)
        node_fail(&n, "must have a number for each of the %u SMs, not %zu", used, count);
    for (size_t i = 0; i < count && n.doc->status == GCAST_OK; i++) {
        node item = node_item(&n, i);
        wish->weight[i] = (double)node_int(&item, 0, MAX_WEIGHT);
    }
    wish->options.weight = wish->weight;
}

/* Refuses keys for single SMs, as a persistent kernel has one queue for all. */
static void check_persistent(const node *plan)
{
    static const char *const of_sms[] = {"steal", "workers", "on", "weights"};
    for (size_t i = 0; i < sizeof of_sms / sizeof of_sms[0]; i++) {
        node n = node_key(plan, of_sms[i]);
        if (n.value)
            node_fail(&n, "a plan of the policy persistent has no %s", of_sms[i]);
    }
}

static void read_wish(native_reader *r, const node *kernel, const node *plan, const gcast_op *op, plan_wish *wish)
{
    static const char *const keys[] = {"mapping", "steal", "workers", "sms", "on", "weights", NULL};
    gcast_plan_options *o = &wish->options;
    bool is_persistent = op->policy == GCAST_POLICY_PERSISTENT;
    *o = gcast_plan_options_default();
    memcpy(o->grid, op->grid, sizeof o->grid);
    if (plan->value)
        node_known(plan, keys);
    o->steal = get_bool_or(plan, "steal", false);
    node mapping = node_key(plan, "mapping");
    o->mapping = mapping.value   ? (gcast_mapping)node_choice(&mapping, mappings)
                 : is_persistent ? GCAST_MAPPING_PERSISTENT
                 : o->steal      ? GCAST_MAPPING_QUEUES
                                 : GCAST_MAPPING_SEGMENTS;
    if (is_persistent != (o->mapping == GCAST_MAPPING_PERSISTENT))
        node_fail(&mapping, "the mapping %s does not go with the policy %s",
                  gcast_name(GCAST_NAMES_MAPPING, o->mapping), gcast_name(GCAST_NAMES_POLICY, op->policy));
    o->sms = read_sms(r, kernel, plan);
    if (is_persistent) {
        check_persistent(plan);
        return;
    }
    o->workers = (uint32_t)get_int_or(plan, "workers", 1, GCAST_PLAN_MAX_WORKERS, 1);
    if (r->doc.status == GCAST_OK)
        read_on(plan, wish);
    if (r->doc.status == GCAST_OK)
        read_weights(plan, wish);
}

/* Makes a plan from the options in the file. */
static gcast_plan *make_plan(native_reader *r, const node *kernel, const node *plan, const gcast_op *op)
{
    gcast_plan *made = NULL;
    gcast_error err;
    plan_wish *wish = calloc(1, sizeof *wish);
    if (!wish) {
        node_fail_memory(kernel);
        return NULL;
    }
    read_wish(r, kernel, plan, op, wish);
    gcast_status status = r->doc.status == GCAST_OK ? gcast_plan_make(&wish->options, &made, &err) : GCAST_OK;
    if (status == GCAST_RESOURCE)
        node_fail_memory(kernel);
    else if (status != GCAST_OK)
        node_fail(plan->value ? plan : kernel, "%s", err.message);
    free(wish);
    return made;
}

static gcast_plan *load_plan(native_reader *r, const node *n, const gcast_op *op)
{
    gcast_plan *plan = NULL;
    gcast_error err = {0};
    const char *name = json_string_value(n->value);
    char *path = *name ? path_beside_file(r->doc.file, name) : NULL, place[32] = "";
    gcast_status status = path ? plan_load_for(path, op->grid, &plan, &err) : GCAST_RESOURCE;
    if (err.line)
        snprintf(place, sizeof place, ":%d:%d", err.line, err.column);
    if (!*name)
        node_fail(n, "must not be empty");
    else if (status == GCAST_RESOURCE)
        node_fail_memory(n);
    else if (status != GCAST_OK)
        node_fail(n, "%.120s%s: %.300s%s%.60s", name, place, err.message, err.path[0] ? ", at " : "", err.path);
    free(path);
    return plan;
}

static gcast_plan *read_plan(native_reader *r, const node *kernel, const gcast_op *op)
{
    node n = node_key(kernel, "plan");
    uint32_t jobs = plan_job_count(op->grid);
    r->jobs += jobs;
    if (jobs == 0 || r->jobs > MAX_JOBS) {
        node grid = node_key(kernel, "grid");
        node_fail(&grid, "the plans of a file have at most %llu jobs in all", (unsigned long long)MAX_JOBS);
        return NULL;
    }
    if (!n.value && op->policy == GCAST_POLICY_SM_CENTRIC)
        node_fail(kernel, "a kernel with the policy sm_centric needs a plan");
    else if (json_is_string(n.value))
        return load_plan(r, &n, op);
    else if (n.value && !json_is_object(n.value))
        node_fail(&n, "must be an object, or the path of a plan");
    else if (json_object_get(n.value, "schema"))
        return plan_from_node(&n, op->grid);
    else
        return make_plan(r, kernel, &n, op);
    return NULL;
}

void native_policy(native_reader *r, const node *kernel, gcast_op *op)
{
    node policy = node_key(kernel, "policy"), plan = node_key(kernel, "plan"), fill = node_key(kernel, "fill");
    if (policy.value)
        op->policy = (gcast_policy)node_choice(&policy, policies);
    if (op->policy == GCAST_POLICY_HARDWARE) {
        if (plan.value)
            node_fail(&plan, "a plan needs the policy persistent or sm_centric");
        if (fill.value)
            node_fail(&fill, "fill needs the policy persistent or sm_centric");
        return;
    }
    op->fill = (uint32_t)get_int_or(kernel, "fill", 0, POLICY_MAX_FILL, 0);
    if (r->doc.status == GCAST_OK)
        op->plan = read_plan(r, kernel, op);
}
