/* gcast_workers_report: how few workers per SM still hide latency, as a table, CSV, JSON or a picture. */
#include <math.h>
#include <stdio.h>

#include "base/api/argument_missing.h"
#include "base/text/text.h"
#include "report/plots/workers_draw.h"
#include "report/tables/grid.h"

#define US_PER_NS 0.001

/* The index of the shortest time that is known; count where there is none. */
static size_t find_shortest(const double *ns, size_t count)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++)
        if (ns[i] > 0 && (best == count || ns[i] < ns[best]))
            best = i;
    return best;
}

uint32_t gcast_workers_enough(const gcast_workers_curve *c)
{
    if (!c || !c->measured_ns || !c->workers)
        return 0;
    size_t best = find_shortest(c->measured_ns, c->count);
    for (size_t i = 0; best < c->count && i < c->count; i++)
        if (c->measured_ns[i] > 0 && c->measured_ns[best] * 1000 >= c->measured_ns[i] * WORKERS_ENOUGH_PERMILLE)
            return c->workers[i];
    return 0;
}

static bool is_time(double ns)
{
    return isfinite(ns) && ns >= 0;
}

static gcast_status find_points(workers_points *p, const gcast_workers_curve *c, gcast_error *err)
{
    char path[48];
    for (size_t i = 0; i < c->count; i++) {
        snprintf(path, sizeof path, "/points/%zu", i);
        if (c->workers[i] <= (i ? c->workers[i - 1] : 0))
            return gcast_error_set(err, GCAST_INPUT, path, "workers per SM must ascend from 1 on");
        if (!is_time(c->measured_ns[i]) || !is_time(c->predicted_ns[i]))
            return gcast_error_set(err, GCAST_INPUT, path, "a time is a finite number from 0 on");
    }
    size_t best = find_shortest(c->measured_ns, c->count), predicted = find_shortest(c->predicted_ns, c->count);
    if (best == c->count && predicted == c->count)
        return gcast_error_set(err, GCAST_INPUT, "/points", "no time is known");
    *p = (workers_points){.curve = c, .enough = gcast_workers_enough(c)};
    p->best_ns = best < c->count ? c->measured_ns[best] : c->predicted_ns[predicted];
    p->best = best < c->count ? c->workers[best] : 0;
    return GCAST_OK;
}

static void put_permille(grid *g, int column, int64_t permille)
{
    grid_print(g, column, "%lld.%lld %%", (long long)permille / 10, (long long)permille % 10);
}

static void write_table(text *t, const workers_points *p)
{
    static const grid_column columns[] = {
        {"workers/SM", true}, {"time (us)", true}, {"throughput", true}, {"predicted (us)", true},
        {"throughput", true}, {"error", true},     {NULL, false}};
    const gcast_workers_curve *c = p->curve;
    grid g;
    text_terminal(t, c->gpu);
    text_printf(t, ", %u SMs: ", c->sms);
    text_terminal(t, c->kernel);
    text_char(t, '\n');
    grid_open(&g, columns);
    for (size_t i = 0; i < c->count; i++) {
        double measured = c->measured_ns[i], predicted = c->predicted_ns[i];
        grid_add(&g, GRID_PLAIN);
        grid_print(&g, 0, "%u", c->workers[i]);
        if (measured > 0) {
            grid_print(&g, 1, "%.1f", measured * US_PER_NS);
            put_permille(&g, 2, workers_permille(p, measured));
        }
        if (predicted > 0) {
            grid_print(&g, 3, "%.1f", predicted * US_PER_NS);
            put_permille(&g, 4, workers_permille(p, predicted));
        }
        if (measured > 0 && predicted > 0)
            grid_print(&g, 5, "%+.1f %%", (predicted / measured - 1) * 100);
    }
    grid_text(&g, false, t);
    grid_close(&g);
    if (p->enough)
        text_printf(t, "%u %s per SM %s enough: throughput is within 5 %% of the best, which %u %s\n", p->enough,
                    p->enough == 1 ? "worker" : "workers", p->enough == 1 ? "is" : "are", p->best,
                    p->best == 1 ? "has" : "have");
}

/* A time and its throughput; `unknown` in the place of both where the time is not known. */
static void put_time(text *t, const workers_points *p, double ns, const char *separator, const char *unknown)
{
    if (ns > 0)
        text_printf(t, "%.0f", ns);
    else
        text_str(t, unknown);
    text_str(t, separator);
    if (ns > 0)
        text_milli(t, workers_permille(p, ns));
    else
        text_str(t, unknown);
}

static void write_csv(text *t, const workers_points *p)
{
    const gcast_workers_curve *c = p->curve;
    text_str(t, "workers,measured_ns,measured_throughput,predicted_ns,predicted_throughput\n");
    for (size_t i = 0; i < c->count; i++) {
        text_printf(t, "%u,", c->workers[i]);
        put_time(t, p, c->measured_ns[i], ",", "");
        text_char(t, ',');
        put_time(t, p, c->predicted_ns[i], ",", "");
        text_char(t, '\n');
    }
}

static void write_json(text *t, const workers_points *p)
{
    const gcast_workers_curve *c = p->curve;
    text_str(t, "{\"schema\": \"gridcast.workers/1\", \"gpu\": ");
    text_json(t, c->gpu);
    text_printf(t, ", \"sms\": %u, \"kernel\": ", c->sms);
    text_json(t, c->kernel);
    if (p->enough)
        text_printf(t, ",\n \"enough\": %u, \"best\": %u", p->enough, p->best);
    else
        text_str(t, ",\n \"enough\": null, \"best\": null");
    text_str(t, ", \"points\": [");
    for (size_t i = 0; i < c->count; i++) {
        text_printf(t, "%s\n  {\"workers\": %u, \"measured_ns\": ", i ? "," : "", c->workers[i]);
        put_time(t, p, c->measured_ns[i], ", \"measured_throughput\": ", "null");
        text_str(t, ", \"predicted_ns\": ");
        put_time(t, p, c->predicted_ns[i], ", \"predicted_throughput\": ", "null");
        text_char(t, '}');
    }
    text_str(t, "\n ]}\n");
}

gcast_status gcast_workers_report(const gcast_workers_curve *curve, gcast_format format, gcast_write_fn write,
                                  void *data, gcast_error *err)
{
    if (!curve || !curve->gpu || !curve->kernel || !curve->workers || !curve->measured_ns || !curve->predicted_ns ||
        !write)
        return argument_missing(err);
    static void (*const writers[GCAST_FORMATS])(text *, const workers_points *) = {
        [GCAST_FORMAT_TABLE] = write_table, [GCAST_FORMAT_CSV] = write_csv, [GCAST_FORMAT_JSON] = write_json};
    bool is_picture = format == GCAST_FORMAT_SVG || format == GCAST_FORMAT_PNG || format == GCAST_FORMAT_PDF;
    workers_points points;
    if ((unsigned)format >= GCAST_FORMATS || (!is_picture && !writers[format]))
        return gcast_error_set(err, GCAST_USAGE, NULL, "a curve of workers cannot be written as %s",
                               gcast_format_ending(format));
    gcast_status status = find_points(&points, curve, err);
    if (status != GCAST_OK)
        return status;
    if (is_picture)
        return workers_draw(&points, format, write, data, err);
    text t;
    text_open(&t, write, data);
    writers[format](&t, &points);
    return text_finish(&t, err);
}
