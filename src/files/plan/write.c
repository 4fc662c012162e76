/* gcast_plan_write: a plan as gridcast.plan/1. Reading it gives the same plan. */
#include "files/plan/write.h"

#include "base/api/argument_missing.h"

/* What is written between the parts of a plan. */
typedef struct plan_layout {
    const char *first_key, *next_key;     /* before a key */
    const char *first_queue, *next_queue; /* before a queue */
    const char *end;                      /* after the last queue */
} plan_layout;

static const plan_layout on_lines = {"\n  ", ",\n  ", "\n    ", ",\n    ", "\n  ]\n}"};
static const plan_layout on_one_line = {"", ", ", "", ", ", "]}"};

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
    text_str(t, "\"workers\": ");
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
    text_char(t, '[');
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

static void write_plan(text *t, const gcast_plan *p, const plan_layout *layout)
{
    text_printf(t, "{%s\"schema\": \"gridcast.plan/1\"", layout->first_key);
    text_printf(t, "%s\"grid\": [%u, %u, %u]", layout->next_key, p->grid[0], p->grid[1], p->grid[2]);
    text_printf(t, "%s\"sms\": %u", layout->next_key, p->sms);
    text_printf(t, "%s\"mapping\": \"%s\"", layout->next_key, gcast_mapping_name(p->mapping));
    text_printf(t, "%s\"steal\": %s", layout->next_key, p->steal ? "true" : "false");
    if (p->mapping != GCAST_MAPPING_PERSISTENT) {
        text_str(t, layout->next_key);
        write_workers(t, p);
    }
    text_printf(t, "%s\"queues\": [", layout->next_key);
    for (uint32_t q = 0; q < p->queues; q++) {
        text_str(t, q ? layout->next_queue : layout->first_queue);
        write_queue(t, p, q);
    }
    text_str(t, layout->end);
}

void plan_write_inline(text *t, const gcast_plan *plan)
{
    write_plan(t, plan, &on_one_line);
}

gcast_status gcast_plan_write(const gcast_plan *plan, char **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!plan || !out)
        return argument_missing(err);
    text t;
    size_t size;
    gcast_status status = gcast_plan_check(plan, err);
    if (status != GCAST_OK)
        return status;
    text_open(&t, NULL, NULL);
    write_plan(&t, plan, &on_lines);
    text_char(&t, '\n');
    *out = text_take(&t, &size);
    return *out ? GCAST_OK : gcast_error_set_memory(err);
}
