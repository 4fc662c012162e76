#include "report/web/page_steps.h"

#include <stdlib.h>

#include "base/text/base64.h"
#include "report/areas/area.h"

#define STEPS_OF_ALL (1 << 18) /* steps of all SMs together */
#define MIN_STEPS 256
#define MAX_STEPS 4096
#define MAX_STREAMS 24

/* A key: the op of the workload whose colour and name it has, and whether its blocks are all of that kernel. */
static void put_keys(const area_keys *keys, const sm_index *index, int number, text *out)
{
    const gcast_run *run = index->run;
    text_printf(out, "<script type=\"application/json\" id=\"keys-%d\">[", number);
    for (int k = 0; k < keys->count; k++) {
        bool others = k == keys->others_key;
        text_printf(out, "%s[%lld,%d]", k ? "," : "", others ? -1LL : (long long)run->ops[keys->op_of[k]].op,
                    keys->streams || others ? 1 : 0);
    }
    text_str(out, "]</script>\n");
}

/* A key's part of an SM over time: spans of equal height, each with the gap before it. */
static void put_key(const area *a, int key, base64 *b)
{
    const bins *columns = &a->columns;
    uint64_t spans = 0;
    for (int pass = 0; pass < 2; pass++) {
        int64_t end = 0, length = 0, height = 0;
        for (int c = 0, next; c < columns->count; c = next) {
            uint32_t h = area_top(a, key, c) - area_low(a, key, c);
            for (next = c + 1; next < columns->count && area_top(a, key, next) - area_low(a, key, next) == h;)
                next++;
            if (!h)
                continue;
            if (!pass) {
                spans++;
                continue;
            }
            base64_signed(b, columns->edge[c] - end);
            base64_signed(b, columns->edge[next] - columns->edge[c] - length);
            base64_signed(b, h - height);
            end = columns->edge[next];
            length = columns->edge[next] - columns->edge[c];
            height = h;
        }
        if (!pass)
            base64_number(b, spans);
    }
}

static gcast_status put_sms(const sm_index *index, const area_keys *keys, const bins *columns, int number, text *out,
                            gcast_error *err)
{
    const view *v = index->shown;
    int sms = v->last_sm - v->first_sm + 1;
    sm_rows rows = {.count = sms, .row_of = malloc((size_t)sms * sizeof *rows.row_of)};
    gcast_status status = rows.row_of ? GCAST_OK : gcast_error_set_memory(err);
    base64 b;
    text_printf(out, "<script type=\"text/plain\" id=\"blocks-%d\">\n", number);
    base64_open(&b, out);
    for (int sm = 0; !status && sm < sms; sm++)
        rows.row_of[sm] = sm;
    for (int sm = 0; !status && sm < sms; sm++) {
        area a;
        status = area_make(&a, index, &rows, sm, keys, index->share, columns, err);
        if (status)
            break;
        for (int k = 0; k < keys->count; k++)
            put_key(&a, k, &b);
        area_free(&a);
    }
    base64_close(&b);
    text_str(out, "</script>\n");
    sm_rows_free(&rows);
    return status;
}

gcast_status page_steps_put(const sm_index *index, int number, text *out, gcast_error *err)
{
    area_keys keys;
    bins columns;
    int sms = index->shown->last_sm - index->shown->first_sm + 1;
    int steps = max_int(MIN_STEPS, min_int(MAX_STEPS, STEPS_OF_ALL / sms));
    gcast_status status = area_keys_make(&keys, index, index->share, MAX_STREAMS, err);
    if (status)
        return status;
    status = bins_make(&columns, index->run, index->shown, steps, 4, err);
    if (!status) {
        put_keys(&keys, index, number, out);
        status = put_sms(index, &keys, &columns, number, out, err);
        bins_free(&columns);
    }
    area_keys_free(&keys);
    return status;
}
