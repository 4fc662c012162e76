/* gcast_plan_write: a plan as gridcast.plan/1. Reading it gives the same plan. */
#include "base/text/text.h"
#include "gridcast/plan.h"

/* The number of workers that every SM with jobs has, and no other SM has any; 0: there is none. */
static uint32_t common_workers(const gcast_plan *p)
{
    uint32_t common = 0;
    for (uint32_t sm = 0; sm < p->sms; sm++) {
        bool has_jobs = p->first[sm + 1] > p->first[sm];
        if (has_jobs != (p->workers[sm] > 0) || (has_jobs && common && p->workers[sm] != common))
            return 0;
        common = has_jobs ? p->workers[sm] : common;
    }
    return common;
}

static void write_workers(text *t, const gcast_plan *p)
{
    uint32_t common = common_workers(p);
    text_str(t, ",\n  \"workers\": ");
    if (common) {
        text_uint(t, common);
        return;
    }
    for (uint32_t sm = 0; sm < p->sms; sm++) {
        text_str(t, sm ? ", " : "[");
        text_uint(t, p->workers[sm]);
    }
    text_char(t, ']');
}

static void write_queue(text *t, const gcast_plan *p, uint32_t queue)
{
    text_str(t, queue ? ",\n    [" : "\n    [");
    for (uint32_t i = p->first[queue], last; i < p->first[queue + 1]; i = last + 1) {
        for (last = i; last + 1 < p->first[queue + 1] && p->job[last + 1] == p->job[last] + 1;)
            last++;
        text_str(t, i > p->first[queue] ? ", " : "");
        text_str(t, last > i ? "[" : "");
        text_uint(t, p->job[i]);
        if (last > i) {
            text_str(t, ", ");
            text_uint(t, p->job[last]);
            text_char(t, ']');
        }
    }
    text_char(t, ']');
}

gcast_status gcast_plan_write(const gcast_plan *plan, char **out, gcast_error *err)
{
    text t;
    size_t size;
    *out = NULL;
    gcast_status status = gcast_plan_check(plan, err);
    if (status != GCAST_OK)
        return status;
    text_open(&t, NULL, NULL);
    text_str(&t, "{\n  \"schema\": \"gridcast.plan/1\"");
    text_printf(&t, ",\n  \"grid\": [%u, %u, %u]", plan->grid[0], plan->grid[1], plan->grid[2]);
    text_printf(&t, ",\n  \"sms\": %u", plan->sms);
    text_printf(&t, ",\n  \"mapping\": \"%s\"", gcast_mapping_name(plan->mapping));
    text_printf(&t, ",\n  \"steal\": %s", plan->steal ? "true" : "false");
    if (plan->mapping != GCAST_MAPPING_PERSISTENT)
        write_workers(&t, plan);
    text_str(&t, ",\n  \"queues\": [");
    for (uint32_t q = 0; q < plan->queues; q++)
        write_queue(&t, plan, q);
    text_str(&t, "\n  ]\n}\n");
    *out = text_take(&t, &size);
    return *out ? GCAST_OK : gcast_error_set_memory(err);
}
