/* gcast_occupancy_report_curve: blocks per SM over block size for a kernel, as a table, CSV, JSON or a picture. */
#include "report/plots/occupancy_report.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/api.h"
#include "base/integers.h"
#include "gridcast/names.h"
#include "gridcast/occupancy.h"
#include "gridcast/report.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"
#include "report/canvas/picture_frame.h"
#include "report/format_names.h"
#include "report/schemas.h"

#define CURVE_STEP 32   /* threads from one point to the next */
#define CURVE_POINTS 64 /* block sizes 32, 64, ... at most 2048 */

typedef struct curve_point {
    gcast_block_shape shape;   /* with a block size of its own */
    gcast_occupancy occupancy; /* of that shape */
} curve_point;

typedef struct curve {
    const char *title;            /* of the GPU */
    curve_point at[CURVE_POINTS]; /* by block size */
    size_t count;                 /* of points */
    curve_point chosen;           /* the shape that was asked for */
} curve;

void occupancy_names(text *t, unsigned set, const char *separator)
{
    const char *before = "";
    for (int r = 0; r < GCAST_RESOURCES; r++) {
        if (!(set >> r & 1))
            continue;
        text_str(t, before);
        text_str(t, gcast_name(GCAST_NAMES_RESOURCE, (gcast_resource)r));
        before = separator;
    }
}

int64_t occupancy_thousandths(const gcast_occupancy *o)
{
    return ((int64_t)o->warps_per_sm * 2000 + o->max_warps) / (2 * (int64_t)o->max_warps);
}

int64_t occupancy_idle_thousandths(const gcast_block_shape *shape, const gcast_occupancy *o)
{
    int64_t lanes = (int64_t)shape->threads + o->idle_lanes;
    return (o->idle_lanes * INT64_C(2000) + lanes) / (2 * lanes);
}

/* A name, or a list where several resources limit. */
static void put_limited_by(text *t, unsigned set)
{
    bool several = (set & (set - 1)) != 0;
    text_str(t, several ? "[\"" : "\"");
    occupancy_names(t, set, "\", \"");
    text_str(t, several ? "\"]" : "\"");
}

static void put_limits(json_out *j, const gcast_occupancy *o)
{
    for (int r = 0; r < GCAST_RESOURCES; r++)
        json_put_int(j, gcast_name(GCAST_NAMES_RESOURCE, (gcast_resource)r),
                     o->limit[r] == INT_MAX ? JSON_UNKNOWN : o->limit[r]);
}

#define SHAPE_FIELDS(FIELD, LINE)                                                                                      \
    FIELD(int, block, true, shape->threads, "threads per block")                                                       \
    FIELD(int, blocks_per_sm, true, o->blocks_per_sm, "blocks that fit on an SM; 0: it cannot launch")                 \
    FIELD(object, limited_by, true, put_limited_by(j->out, o->limited_by), "name of a resource, or a list of several") \
    FIELD(int, warps_per_sm, true, o->warps_per_sm, "their warps")                                                     \
    FIELD(milli, occupancy, true, occupancy_thousandths(o), "these, as a share of the warps that an SM can hold")      \
    FIELD(int, idle_lanes, true, o->idle_lanes, "lanes without a thread in the last warp of a block")                  \
    FIELD(milli, idle, true, occupancy_idle_thousandths(shape, o), "their share")                                      \
    FIELD(record, limits, true, put_limits(j, o), "blocks that each resource allows; null: no limit")                  \
    FIELD(int, registers_per_block, true, o->registers_per_block, "registers that a block takes")                      \
    FIELD(int, smem_per_block, true, o->smem_per_block, "bytes of shared memory that a block takes")                   \
    FIELD(int, smem_config, true, o->smem_config, "bytes of shared memory of an SM")                                   \
    FIELD(text, reason, o->reason[0], o->reason, "why it cannot launch")

void occupancy_json(json_out *j, const gcast_block_shape *shape, const gcast_occupancy *o)
{
    PUT_FIELDS(SHAPE_FIELDS);
}

const field occupancy_fields[] = FIELDS(SHAPE_FIELDS);

/* curve_draw draws a bar per block size, as high as the number of blocks that fit on an SM and in the colour of the
 * resource that limits them, and occupancy as a line. */

#define WIDTH PX(720)
#define HEIGHT PX(420)
#define LEFT PX(64)
#define RIGHT PX(656)
#define TOP PX(84)
#define BOTTOM PX(360)
#define OUTLINE 0x111111u
#define CANNOT 0xeeeeeeu
#define CHOSEN 0xcc0000u

/* Where several resources limit, the first of these gives the colour. Colours are those of the palette (palette.c). */
static const struct {
    unsigned set; /* of gcast_resource */
    uint32_t rgb;
    const char *text;
} colours[] = {
    {1u << GCAST_RES_REGISTERS, 0x4477aa, "registers"},
    {1u << GCAST_RES_SHARED_MEMORY, 0xee8866, "shared memory"},
    {1u << GCAST_RES_BARRIERS, 0x774466, "barriers"},
    {1u << GCAST_RES_BLOCKS, 0xeedd66, "block slots"},
    {1u << GCAST_RES_WARPS | 1u << GCAST_RES_THREADS, 0x33aaaa, "threads and warps"},
};
#define COLOURS (sizeof colours / sizeof colours[0])

typedef struct plot {
    const curve *curve; /* what is drawn */
    canvas *c;          /* what it is drawn on */
    int max_blocks;     /* where the left axis ends */
    int max_threads;    /* the lower axis ends half a step after it */
} plot;

static size_t colour_of(const gcast_occupancy *o)
{
    size_t i = 0;
    while (i + 1 < COLOURS && !(colours[i].set & o->limited_by))
        i++;
    return i;
}

static int32_t x_of(const plot *p, int64_t threads)
{
    int64_t half_steps = threads > CURVE_STEP / 2 ? threads * 2 - CURVE_STEP : 0;
    return (int32_t)(LEFT + half_steps * (RIGHT - LEFT) / (2 * (int64_t)p->max_threads));
}

/* `max` is the value at the upper end of the axis. */
static int32_t y_of(int64_t value, int64_t max)
{
    return (int32_t)(BOTTOM - value * (BOTTOM - TOP) / max);
}

/* A round step of which `span` has at most six. */
static int step_for(int span)
{
    static const int steps[] = {1, 2, 4, 8, 10, 20, 50, 100, 200, 500, 1000};
    size_t i = 0;
    while (i + 1 < sizeof steps / sizeof steps[0] && span / steps[i] > 6)
        i++;
    return span / steps[i] > 6 ? span / 6 : steps[i];
}

static void draw_axes(const plot *p)
{
    char label[32];
    int step = step_for(p->max_blocks);
    for (int v = 0; v <= p->max_blocks; v += step) {
        int32_t y = y_of(v, p->max_blocks);
        snprintf(label, sizeof label, "%d", v);
        frame_line(p->c, LEFT, RIGHT, y, label);
    }
    for (int v = 0; v <= 100; v += 25) {
        int32_t y = y_of(v, 100);
        canvas_line(p->c, RIGHT, y, RIGHT + PX(4), y, INK, PX(1), false);
        snprintf(label, sizeof label, "%d %%", v);
        canvas_text(p->c, RIGHT + PX(8), y + PX(4), label, PX(12), CANVAS_LEFT, INK);
    }
    int step_threads = (int)round_up(p->max_threads / 8, CURVE_STEP);
    for (int threads = step_threads; threads <= p->max_threads; threads += step_threads) {
        snprintf(label, sizeof label, "%d", threads);
        frame_tick(p->c, x_of(p, threads), BOTTOM, label, PX(12));
    }
    canvas_text(p->c, (LEFT + RIGHT) / 2, BOTTOM + PX(42), "threads per block", PX(13), CANVAS_CENTRE, INK);
    canvas_text_up(p->c, PX(22), (TOP + BOTTOM) / 2, "blocks per SM", PX(13), CANVAS_CENTRE, INK);
    canvas_text_up(p->c, WIDTH - PX(8), (TOP + BOTTOM) / 2, "occupancy", PX(13), CANVAS_CENTRE, INK);
}

static void draw_bars(const plot *p)
{
    int32_t step = (int32_t)((int64_t)(RIGHT - LEFT) * CURVE_STEP / p->max_threads);
    for (size_t i = 0; i < p->curve->count; i++) {
        const curve_point *at = &p->curve->at[i];
        const gcast_occupancy *o = &at->occupancy;
        text t;
        text_open(&t, NULL, NULL);
        text_printf(&t, "%d threads: %d blocks, limited by ", at->shape.threads, o->blocks_per_sm);
        occupancy_names(&t, o->limited_by, ", ");
        char *tooltip = text_take(&t, NULL);
        if (!tooltip)
            canvas_no_memory(p->c);
        int32_t y = y_of(o->blocks_per_sm ? o->blocks_per_sm : p->max_blocks, p->max_blocks);
        int32_t width = o->blocks_per_sm ? step * 4 / 5 : step;
        canvas_rect(p->c, x_of(p, at->shape.threads) - width / 2, y, width, BOTTOM - y,
                    o->blocks_per_sm ? colours[colour_of(o)].rgb : CANNOT, CANVAS_NONE,
                    o->blocks_per_sm ? tooltip : o->reason);
        free(tooltip);
    }
}

static void draw_frame(const plot *p)
{
    canvas_line(p->c, LEFT, TOP, LEFT, BOTTOM, INK, PX(1), false);
    canvas_line(p->c, RIGHT, TOP, RIGHT, BOTTOM, INK, PX(1), false);
    canvas_line(p->c, LEFT, BOTTOM, RIGHT, BOTTOM, INK, PX(1), false);
}

static void draw_occupancy(const plot *p)
{
    int32_t last_x = 0, last_y = 0;
    bool joined = false;
    for (size_t i = 0; i < p->curve->count; i++) {
        const gcast_occupancy *o = &p->curve->at[i].occupancy;
        int32_t x = x_of(p, p->curve->at[i].shape.threads), y = y_of(occupancy_thousandths(o), 1000);
        if (o->blocks_per_sm && joined)
            canvas_line(p->c, last_x, last_y, x, y, OUTLINE, PX(2), false);
        if (o->blocks_per_sm)
            canvas_rect(p->c, x - PX(2), y - PX(2), PX(4), PX(4), OUTLINE, CANVAS_NONE, NULL);
        joined = o->blocks_per_sm > 0;
        last_x = x;
        last_y = y;
    }
}

static void draw_chosen(const plot *p)
{
    const curve_point *at = &p->curve->chosen;
    char label[96];
    if (at->shape.threads > p->max_threads)
        return;
    int64_t thousandths = occupancy_thousandths(&at->occupancy);
    int32_t x = x_of(p, at->shape.threads);
    snprintf(label, sizeof label, "%d threads: %d blocks, %lld.%lld %%", at->shape.threads, at->occupancy.blocks_per_sm,
             (long long)thousandths / 10, (long long)thousandths % 10);
    bool right = x > (LEFT + RIGHT) / 2;
    canvas_line(p->c, x, TOP - PX(8), x, BOTTOM, CHOSEN, PX(1), false);
    canvas_text(p->c, right ? x - PX(5) : x + PX(5), TOP - PX(5), label, PX(12), right ? CANVAS_RIGHT : CANVAS_LEFT,
                CHOSEN);
}

static void draw_heading(const plot *p)
{
    const gcast_block_shape *s = &p->curve->chosen.shape;
    char name[LABEL_SIZE], title[LABEL_SIZE + 64], shape[160];
    long long smem = (long long)s->static_smem + s->dynamic_smem;
    snprintf(title, sizeof title, "%s: blocks per SM over block size",
             label_cut(p->curve->title, LABEL_CHARS / 2, name));
    snprintf(shape, sizeof shape, "%d registers per thread, %lld bytes of shared memory per block", s->registers, smem);
    frame_heading(p->c, LEFT, title, shape);
}

static void draw_legend(const plot *p)
{
    bool used[COLOURS] = {false}, cannot = false;
    int32_t x = LEFT, y = PX(60);
    for (size_t i = 0; i < p->curve->count; i++) {
        const gcast_occupancy *o = &p->curve->at[i].occupancy;
        used[colour_of(o)] |= o->blocks_per_sm > 0;
        cannot |= o->blocks_per_sm == 0;
    }
    canvas_text(p->c, x, y, "limited by", PX(12), CANVAS_LEFT, INK);
    x += font_width("limited by", PX(12)) + PX(8);
    for (size_t i = 0; i < COLOURS; i++)
        if (used[i])
            x = frame_key(p->c, x, y, colours[i].rgb, colours[i].text, PX(12), PX(10));
    if (cannot)
        x = frame_key(p->c, x, y, CANNOT, "cannot launch", PX(12), PX(10));
    canvas_line(p->c, x, y - PX(4), x + PX(18), y - PX(4), OUTLINE, PX(2), false);
    canvas_rect(p->c, x + PX(7), y - PX(6), PX(4), PX(4), OUTLINE, CANVAS_NONE, NULL);
    canvas_text(p->c, x + PX(22), y, "occupancy", PX(12), CANVAS_LEFT, INK);
}

static gcast_status curve_draw(const curve *c, gcast_format format, gcast_write_fn write, void *data, gcast_error *err)
{
    plot p = {.curve = c, .max_blocks = 1, .max_threads = (int)c->count * CURVE_STEP};
    if (c->count == 0)
        return gcast_error_set(err, GCAST_INPUT, NULL, "a GPU with blocks of less than %d threads has no curve",
                               CURVE_STEP);
    for (size_t i = 0; i < c->count; i++)
        p.max_blocks = max_int(p.max_blocks, c->at[i].occupancy.blocks_per_sm);
    p.c = canvas_create(WIDTH, HEIGHT, "Blocks per SM over block size");
    if (!p.c)
        return gcast_error_set_memory(err);
    draw_heading(&p);
    draw_legend(&p);
    draw_axes(&p);
    draw_bars(&p);
    draw_frame(&p);
    draw_occupancy(&p);
    draw_chosen(&p);
    return canvas_end(p.c, format, write, data, err);
}

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

/* Writes rows by block size; the size that was asked for is among them also where it is none of the curve's. */
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

#define CSV_FIELDS(FIELD, LINE)                                                                                        \
    FIELD(int, block, true, p->shape.threads, "threads per block")                                                     \
    FIELD(int, blocks_per_sm, true, o->blocks_per_sm, "blocks that fit on an SM")                                      \
    FIELD(int, warps_per_sm, true, o->warps_per_sm, "their warps")                                                     \
    FIELD(milli, occupancy, true, occupancy_thousandths(o), "these, as a share of the warps that an SM can hold")      \
    FIELD(resources, limited_by, true, o->limited_by, "resources that limit, with spaces between them")                \
    FIELD(int, idle_lanes, true, o->idle_lanes, "lanes without a thread in the last warp of a block")
#define csv_put_resources(out, set) occupancy_names(out, set, " ")

const record occupancy_curve_schema[] = {RECORD("", CSV_FIELDS), {NULL, NULL}};

static void csv_row(text *out, const curve_point *p, bool idle)
{
    const gcast_occupancy *o = &p->occupancy;
    bool is_first = true;
    (void)idle;
    PUT_COLUMNS(CSV_FIELDS);
    text_char(out, '\n');
}

static void write_csv(text *t, const curve *c)
{
    text_str(t, COLUMNS(CSV_FIELDS));
    text_char(t, '\n');
    write_rows(t, c, csv_row);
}

static void put_curve(json_out *j, const curve *c)
{
    for (size_t i = 0; i < c->count; i++) {
        json_line(j);
        json_put_record(j, NULL, occupancy_json(j, &c->at[i].shape, &c->at[i].occupancy));
    }
    text_str(j->out, "\n ");
}

static void write_json(text *t, const curve *c)
{
    json_out *j = &(json_out){.out = t, .indent = 1};
    json_begin(j, NULL, '{');
    json_put_text(j, "schema", "gridcast.occupancy/1");
    json_put_text(j, "gpu", c->title);
    occupancy_json(j, &c->chosen.shape, &c->chosen.occupancy);
    json_line(j);
    json_put_list(j, "curve", put_curve(j, c));
    json_end(j, '}');
    text_char(t, '\n');
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
    if (canvas_writes(format))
        return curve_draw(&c, format, write, data, err);
    if ((unsigned)format >= GCAST_FORMATS || !writers[format])
        return format_refused("a curve", format, err);
    text t;
    text_open(&t, write, data);
    writers[format](&t, &c);
    return text_finish(&t, err);
}
