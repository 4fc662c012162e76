/* gcast_occupancy_report_curve: blocks per SM over block size for one kernel shape, as a table, CSV, JSON or a
 * picture. */
#include "base/api/argument_missing.h"
#include "gridcast/report.h"
#include "report/plots/curve_draw.h"
#include "report/plots/occupancy_json.h"

static gcast_status compute(curve *c, const gcast_limits *limits, const gcast_block_shape *shape, int carveout,
                            gcast_error *err)
{
    c->chosen.shape = *shape;
    gcast_status status = gcast_occupancy_compute(limits, shape, carveout, &c->chosen.occupancy, err);
    for (int n = CURVE_STEP; status == GCAST_OK && c->count < CURVE_POINTS && n <= limits->threads_per_block;
         n += CURVE_STEP) {
        curve_point *p = &c->at[c->count++];
        p->shape = *shape;
        p->shape.threads = n;
        status = gcast_occupancy_compute(limits, &p->shape, carveout, &p->occupancy, err);
    }
    return status;
}

/* `idle`: there is a column of idle lanes. */
typedef void write_row(text *t, const curve_point *p, bool idle);

/* In the order of block sizes, with the size that was asked for among them where it is none of the curve's. */
static void write_rows(text *t, const curve *c, write_row *write)
{
    const curve_point *chosen = c->chosen.shape.threads % CURVE_STEP ? &c->chosen : NULL;
    for (size_t i = 0; i < c->count; i++) {
        if (chosen && chosen->shape.threads < c->at[i].shape.threads) {
            write(t, chosen, true);
            chosen = NULL;
        }
        write(t, &c->at[i], c->chosen.occupancy.idle_lanes > 0);
    }
}

static void table_row(text *t, const curve_point *p, bool idle)
{
    const gcast_occupancy *o = &p->occupancy;
    int64_t percent = occupancy_thousandths(o);
    text_printf(t, "%5d %10d %9d %7lld.%lld %%  ", p->shape.threads, o->blocks_per_sm, o->warps_per_sm,
                (long long)percent / 10, (long long)percent % 10);
    if (idle)
        text_printf(t, "%10d  ", o->idle_lanes);
    occupancy_names(t, o->limited_by, ", ");
    text_char(t, '\n');
}

static void write_table(text *t, const curve *c)
{
    text_printf(t, "block  blocks/SM  warps/SM  occupancy  %slimited by\n",
                c->chosen.occupancy.idle_lanes ? "idle lanes  " : "");
    write_rows(t, c, table_row);
}

static void csv_row(text *t, const curve_point *p, bool idle)
{
    (void)idle;
    const gcast_occupancy *o = &p->occupancy;
    text_printf(t, "%d,%d,%d,", p->shape.threads, o->blocks_per_sm, o->warps_per_sm);
    text_milli(t, occupancy_thousandths(o));
    text_char(t, ',');
    occupancy_names(t, o->limited_by, " ");
    text_printf(t, ",%d\n", o->idle_lanes);
}

static void write_csv(text *t, const curve *c)
{
    text_str(t, "block,blocks_per_sm,warps_per_sm,occupancy,limited_by,idle_lanes\n");
    write_rows(t, c, csv_row);
}

static void write_json(text *t, const curve *c)
{
    text_str(t, "{\"schema\": \"gridcast.occupancy/1\", \"gpu\": ");
    text_json(t, c->title);
    text_str(t, ", ");
    occupancy_json(t, &c->chosen.shape, &c->chosen.occupancy);
    text_str(t, ",\n \"curve\": [");
    for (size_t i = 0; i < c->count; i++) {
        text_str(t, i ? ",\n  {" : "\n  {");
        occupancy_json(t, &c->at[i].shape, &c->at[i].occupancy);
        text_char(t, '}');
    }
    text_str(t, "\n ]}\n");
}

gcast_status gcast_occupancy_report_curve(const gcast_limits *limits, const char *gpu_title,
                                          const gcast_block_shape *shape, int carveout, gcast_format format,
                                          gcast_write_fn write, void *data, gcast_error *err)
{
    if (!limits || !gpu_title || !shape || !write)
        return argument_missing(err);
    static void (*const writers[GCAST_FORMATS])(text *, const curve *) = {
        [GCAST_FORMAT_TABLE] = write_table, [GCAST_FORMAT_CSV] = write_csv, [GCAST_FORMAT_JSON] = write_json};
    curve c = {.title = gpu_title};
    gcast_status status = compute(&c, limits, shape, carveout, err);
    if (status != GCAST_OK)
        return status;
    if (format == GCAST_FORMAT_SVG || format == GCAST_FORMAT_PNG || format == GCAST_FORMAT_PDF)
        return curve_draw(&c, format, write, data, err);
    if ((unsigned)format >= GCAST_FORMATS || !writers[format])
        return gcast_error_set(err, GCAST_USAGE, NULL, "a curve cannot be written as %s", gcast_format_ending(format));
    text t;
    text_open(&t, write, data);
    writers[format](&t, &c);
    return text_finish(&t, err);
}
