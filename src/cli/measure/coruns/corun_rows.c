#include "cli/measure/coruns/corun_rows.h"

#include <stdio.h>
#include <string.h>

#include "base/text/number.h"
#include "report/tables/grid.h"

#define LIST_SIZE 128

/* "3, 5": a number per kernel. */
static const char *list(char *out, const corun_rows *r, const uint32_t *number, const double *us)
{
    char one[32];
    out[0] = '\0';
    for (uint32_t i = 0; i < r->l->count; i++) {
        if (us)
            number_print(one, sizeof one, "%.1f", us[i] / 1000);
        else
            snprintf(one, sizeof one, "%u", number[i]);
        size_t used = strlen(out);
        snprintf(out + used, LIST_SIZE - used, "%s%s", i ? ", " : "", one);
    }
    return out;
}

void corun_rows_table(const corun_rows *r, text *out)
{
    static const grid_column columns[] = {{"manner", false}, {"SMs", true},  {"workers/SM", true}, {"times (us)", true},
                                          {"STP", true},     {"ANTT", true}, {NULL, false}};
    char words[LIST_SIZE];
    grid g;
    text_str(out, r->l->gpu->title ? r->l->gpu->title : r->l->gpu->name);
    text_printf(out, ", %d SMs:", r->l->gpu->sms);
    for (uint32_t i = 0; i < r->l->count; i++) {
        text_str(out, i ? " and " : " ");
        text_terminal(out, r->l->at[i].file->name);
        text_printf(out, " (alone %.1f us)", r->alone_ns[i] / 1000);
    }
    text_char(out, '\n');
    grid_open(&g, columns);
    for (size_t k = 0; k < r->count; k++) {
        const corun_row *x = &r->row[k];
        grid_add(&g, GRID_PLAIN);
        grid_cell(&g, 0, x->manner);
        if (x->has_split)
            grid_print(&g, 1, "%s", list(words, r, x->config.sms, NULL));
        if (x->has_workers)
            grid_print(&g, 2, "%s", list(words, r, x->config.workers, NULL));
        grid_print(&g, 3, "%s", list(words, r, NULL, x->ns));
        grid_print(&g, 4, "%.3f", x->score.stp);
        grid_print(&g, 5, "%.3f", x->score.antt);
    }
    grid_text(&g, want_color(r->l->a), out);
    grid_close(&g);
    if (r->missing)
        text_printf(out, "%llu jobs did not run in the co-runs that were tried: nothing is repaired while timing\n",
                    (unsigned long long)r->missing);
}

static void json_numbers(text *out, const char *key, const corun_rows *r, const uint32_t *number, const double *ns)
{
    text_printf(out, ", \"%s\": [", key);
    for (uint32_t i = 0; i < r->l->count; i++) {
        text_str(out, i ? ", " : "");
        if (ns)
            text_printf(out, "%.0f", ns[i]);
        else
            text_uint(out, number[i]);
    }
    text_char(out, ']');
}

void corun_rows_json(const corun_rows *r, text *out)
{
    text_str(out, "{\"schema\": \"gridcast.corun-measure/1\", \"gpu\": ");
    text_json(out, r->l->gpu->title ? r->l->gpu->title : r->l->gpu->name);
    text_printf(out, ", \"sms\": %d, \"kernels\": [", r->l->gpu->sms);
    for (uint32_t i = 0; i < r->l->count; i++) {
        text_str(out, i ? ", " : "");
        text_json(out, r->l->at[i].file->name);
    }
    text_char(out, ']');
    json_numbers(out, "alone_ns", r, NULL, r->alone_ns);
    text_printf(out, ", \"missing\": %llu, \"rows\": [", (unsigned long long)r->missing);
    for (size_t k = 0; k < r->count; k++) {
        const corun_row *x = &r->row[k];
        text_printf(out, "%s\n  {\"manner\": \"%s\", \"stp\": %.5f, \"antt\": %.5f, \"tried\": %u", k ? "," : "",
                    x->manner, x->score.stp, x->score.antt, x->tried);
        json_numbers(out, "ns", r, NULL, x->ns);
        if (x->has_split)
            json_numbers(out, "sms", r, x->config.sms, NULL);
        if (x->has_workers)
            json_numbers(out, "workers", r, x->config.workers, NULL);
        if (x->predicted_ns[0] > 0)
            json_numbers(out, "predicted_ns", r, NULL, x->predicted_ns);
        text_char(out, '}');
    }
    text_str(out, "]}\n");
}
