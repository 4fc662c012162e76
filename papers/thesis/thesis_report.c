#include "papers/thesis/thesis_report.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "gridcast/names.h"
#include "papers/thesis/thesis.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"
#include "report/canvas/time_axis.h"
#include "report/grid.h"

#define DECIMALS 9
#define THOUSANDTHS_SIZE 32

/* "273.067" for 273067 thousandths; of numbers of 0 or more. Returns out. */
static const char *thousandths_text(int64_t n, char out[THOUSANDTHS_SIZE])
{
    snprintf(out, THOUSANDTHS_SIZE, "%lld.%03lld", (long long)(n / 1000), (long long)(n % 1000));
    return out;
}

enum { OP, PERIOD, C, G, RELEASE, F, R, U, DEADLINE, VERDICT, COLUMNS };

static int64_t call_ns(const gcast_thesis *t, size_t kernel)
{
    return t->completions_ns[kernel] - t->responses_ns[kernel];
}

static time_format format_of(const gcast_answer *a, const gcast_thesis *t)
{
    int64_t longest = 0;
    for (size_t i = 0; i < t->count; i++)
        longest = max_i64(longest, max_i64(t->completions_ns[i], t->periods_ns[i]));
    time_format f = time_format_for(longest, DECIMALS);
    for (size_t i = 0; i < t->count; i++) {
        time_format_include(&f, t->periods_ns[i]);
        time_format_include(&f, t->kernels[i].execution_ns);
        time_format_include(&f, call_ns(t, i));
        time_format_include(&f, t->completions_ns[i]);
        time_format_include(&f, t->responses_ns[i]);
    }
    for (size_t i = 0; i < a->response_count; i++)
        time_format_include(&f, a->responses[i].deadline_ns);
    return f;
}

static void add_row(grid *g, const gcast_answer *a, const gcast_response *r, const gcast_thesis *t, size_t kernel,
                    time_format f)
{
    char u[THOUSANDTHS_SIZE];
    gcast_deadline_verdict v = gcast_answer_verdict(a, r);
    grid_add(g, v == GCAST_DEADLINE_MISSED || v == GCAST_DEADLINE_OPEN ? GRID_ALARM : GRID_PLAIN);
    grid_label(g, OP, a->workload->ops[r->op].label);
    time_format_cell(g, PERIOD, t->periods_ns[kernel], t->periods_ns[kernel] > 0, f);
    time_format_cell(g, C, t->kernels[kernel].execution_ns, true, f);
    grid_print(g, G, "%llu", (unsigned long long)t->kernels[kernel].blocks);
    time_format_cell(g, RELEASE, call_ns(t, kernel), true, f);
    time_format_cell(g, F, t->completions_ns[kernel], true, f);
    time_format_cell(g, R, t->responses_ns[kernel], true, f);
    grid_cell(g, U, t->periods_ns[kernel] ? thousandths_text(t->utilisations[kernel], u) : "-");
    time_format_cell(g, DEADLINE, r->deadline_ns, r->deadline_ns > 0, f);
    grid_cell(g, VERDICT, gcast_name(GCAST_NAMES_VERDICT, v));
}

/* Which kernel of the thesis each op is; NULL without memory. */
static size_t *kernels_by_op(const gcast_answer *a, const gcast_thesis *t)
{
    size_t *kernels = calloc(a->workload->op_count + 1, sizeof *kernels);
    for (size_t i = 0; kernels && i < t->count; i++)
        kernels[t->ops[i]] = i;
    return kernels;
}

static void put_total(const gcast_thesis *t, text *out)
{
    char total[THOUSANDTHS_SIZE];
    if (!t->period_count) {
        text_str(out,
                 "no kernel has a period T, so that u, U_t and deadlines are not known: --period TIME gives one\n");
        return;
    }
    int64_t permille =
        (int64_t)(((__int128)t->total_utilisation + t->total_threads / 2) / ((__int128)t->total_threads));
    text_printf(out, "U_t %s of %lld threads (%lld.%lld %%)", thousandths_text(t->total_utilisation, total),
                (long long)t->total_threads, (long long)(permille / 10), (long long)(permille % 10));
    if (t->period_count < t->count)
        text_printf(out, ", by the kernels that have a T: %zu of %zu", t->period_count, t->count);
    text_char(out, '\n');
}

void thesis_table(const gcast_answer *a, bool color, text *out)
{
    const gcast_thesis *t = gcast_answer_thesis(a);
    time_format f = format_of(a, t);
    char titles[COLUMNS][32];
    static const char *const names[] = {
        [PERIOD] = "T", [C] = "C", [RELEASE] = "r", [F] = "f", [R] = "R", [DEADLINE] = "deadline", [VERDICT] = NULL};
    grid_column columns[COLUMNS + 1] = {
        [OP] = {"op", false}, [G] = {"g", true}, [U] = {"u (threads)", true}, [VERDICT] = {"verdict", false}};
    for (int i = 0; i < COLUMNS; i++)
        if (names[i])
            columns[i] = (grid_column){time_format_title(titles[i], sizeof titles[i], names[i], f), true};
    grid g;
    grid_open(&g, columns);
    size_t *kernels = kernels_by_op(a, t);
    for (size_t i = 0; kernels && i < a->response_count; i++)
        add_row(&g, a, &a->responses[i], t, kernels[a->responses[i].op], f);
    g.failed = g.failed || !kernels;
    free(kernels);
    grid_text(&g, color, out);
    grid_close(&g);
    put_total(t, out);
}

static void put_number(text *out, const char *key, int64_t n)
{
    text_str(out, key);
    text_int(out, n);
}

static void put_kernel(const gcast_answer *a, const gcast_thesis *t, size_t i, text *out)
{
    char u[THOUSANDTHS_SIZE];
    text_str(out, "{\"label\": ");
    text_json(out, a->workload->ops[t->ops[i]].label);
    if (t->periods_ns[i])
        put_number(out, ", \"period_ns\": ", t->periods_ns[i]);
    else
        text_str(out, ", \"period_ns\": null");
    put_number(out, ", \"execution_ns\": ", t->kernels[i].execution_ns);
    text_printf(out, ", \"blocks\": %llu", (unsigned long long)t->kernels[i].blocks);
    put_number(out, ", \"release_ns\": ", t->completions_ns[i] - t->responses_ns[i]);
    put_number(out, ", \"completion_ns\": ", t->completions_ns[i]);
    put_number(out, ", \"response_ns\": ", t->responses_ns[i]);
    text_str(out, ", \"utilisation\": ");
    text_str(out, t->periods_ns[i] ? thousandths_text(t->utilisations[i], u) : "null");
    text_char(out, '}');
}

void thesis_legend(const gcast_answer *a, text *out)
{
    text_printf(out, "f is when the last block ends, by algorithm 2; R = f - r%s; u = C g b / T with b = %d threads\n",
                a->complete ? ", which occurs" : ", of one release", gcast_answer_thesis(a)->threads);
}

void thesis_json(const gcast_answer *a, text *out)
{
    const gcast_thesis *t = gcast_answer_thesis(a);
    char total[THOUSANDTHS_SIZE];
    text_printf(out,
                "{\"slots\": %u, \"threads_per_block\": %d, \"threads\": %lld, \"utilisation\": %s, "
                "\"kernels\": [",
                t->pool.slots, t->threads, (long long)t->total_threads,
                t->period_count ? thousandths_text(t->total_utilisation, total) : "null");
    for (size_t i = 0; i < t->count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        put_kernel(a, t, i, out);
    }
    text_str(out, "]}");
}

/* thesis_draw draws a row per kernel, in launch order, of three panels as in the thesis: (a) the kernel, (b) the slots
 * before it, (c) the slots after it. The slots of the pool are columns, and time goes upwards. */

#define MAX_KERNELS 16 /* rows; a line counts the others */
#define WIDTH PX(800)
#define HEAD PX(92)
#define FOOT PX(24)
#define ROW PX(238)
#define PANEL_TOP PX(26) /* in a row */
#define PANEL_HEIGHT PX(150)
#define PANEL_WIDTH PX(208)
#define KERNEL_LEFT PX(24)
#define BEFORE_LEFT PX(304)
#define AFTER_LEFT PX(568)
#define SMALL PX(11)
#define GRID_INK 0xe4e4e4u
#define PANEL_FILL 0xf7f7f7u
#define AT_INK 0xcc3311u
#define FREE_FILL 0x99cc88u

/* t_a and g_f between two kernels. */
typedef struct pool_state {
    int64_t at_ns; /* t_a */
    uint64_t free; /* g_f */
} pool_state;

typedef struct figure {
    const gcast_answer *a;   /* the answer */
    const gcast_thesis *t;   /* its times of one release */
    canvas *c;               /* what is drawn on */
    size_t shown;            /* kernels that have a row */
    int64_t end_ns;          /* the upper end of the time axis */
    gcast_thesis_box *boxes; /* all blocks */
    size_t box_count;        /* of `boxes` */
    pool_state *after;       /* by kernel */
    bool *is_free;           /* by slot: for draw_free */
} figure;

static void note_state(void *data, const gcast_thesis_step *step)
{
    pool_state *after = data;
    after[step->kernel] = (pool_state){step->time_ns, step->free};
}

/* The state before a kernel is that after its predecessor, once the kernels have been switched. */
static pool_state state_before(const figure *f, size_t kernel)
{
    if (!kernel)
        return (pool_state){0, f->t->pool.slots};
    pool_state s = f->after[kernel - 1];
    s.at_ns += f->t->pool.switch_ns;
    return s;
}

static int64_t hold_ns(const figure *f, size_t kernel)
{
    return f->t->kernels[kernel].execution_ns + f->t->pool.handover_ns;
}

#define TIME_SIZE 48

/* "12 ms", in the unit that suits it, rounded to a thousandth of that. */
static const char *time_text(const figure *f, int64_t ns, char out[TIME_SIZE])
{
    char number[TIME_SIZE - 4];
    const time_unit *unit = time_unit_for(ns ? ns : f->end_ns, ns ? 1 : 2);
    time_in_unit(ns, unit, time_decimals(ns, unit, 3), number, sizeof number);
    snprintf(out, TIME_SIZE, "%s %s", number, unit->name);
    return out;
}

/* Cuts the line where it would be wider. */
static void draw_line_of_text(const figure *f, int32_t x, int32_t y, const char *s, int32_t size, int32_t width,
                              uint32_t rgb)
{
    char cut[LABEL_SIZE];
    if (font_width(s, size) <= width)
        canvas_text(f->c, x, y, s, size, CANVAS_LEFT, rgb);
    else if (font_fit(s, size, width, cut))
        canvas_text(f->c, x, y, cut, size, CANVAS_LEFT, rgb);
}

static int32_t x_of(const figure *f, int32_t left, uint64_t slot)
{
    return left + (int32_t)(slot * (uint64_t)PANEL_WIDTH / f->t->pool.slots);
}

/* How far above the lower edge of a panel a time is. */
static int32_t height_of(const figure *f, int64_t ns)
{
    return (int32_t)((__int128)min_i64(ns, f->end_ns) * PANEL_HEIGHT / f->end_ns);
}

/* Text in a box, on a ground of its own, so that no line between slots crosses it. */
static void draw_label(const figure *f, int32_t x, int32_t y, const char *label, uint32_t fill)
{
    int32_t w = font_width(label, SMALL);
    canvas_rect(f->c, x - w / 2, y - PX(7), w, PX(13), fill, CANVAS_NONE, NULL);
    canvas_text(f->c, x, y + PX(4), label, SMALL, CANVAS_CENTRE, palette_on(fill));
}

/* Blocks of a kernel on `slots` adjacent slots, `rounds` on each, from start_ns on. */
static void draw_blocks(const figure *f, int32_t left, int32_t bottom, const gcast_thesis_box *b, bool is_new)
{
    char tooltip[LABEL_SIZE + 160], label[LABEL_SIZE], time[2][TIME_SIZE];
    const char *name = f->a->workload->ops[f->t->ops[b->kernel]].label;
    uint32_t fill = palette_stream(b->kernel);
    int32_t x = x_of(f, left, b->first_slot), w = x_of(f, left, (uint64_t)b->first_slot + b->slots) - x;
    int64_t hold = hold_ns(f, b->kernel), execution = f->t->kernels[b->kernel].execution_ns;
    bool each_round = b->rounds < 64 && height_of(f, hold) >= PX(3);
    snprintf(tooltip, sizeof tooltip, "%s: %llu on each of %u slots, from %s on, %s each",
             label_cut(name, LABEL_CHARS, label), (unsigned long long)b->rounds, b->slots,
             time_text(f, b->start_ns, time[0]), time_text(f, execution, time[1]));
    for (uint64_t round = 0; round < (each_round ? b->rounds : 1); round++) {
        int64_t start = b->start_ns + (int64_t)round * hold;
        int64_t end = each_round ? start + execution : start + (int64_t)b->rounds * hold;
        int32_t top = bottom - height_of(f, end), h = bottom - height_of(f, start) - top;
        canvas_rect(f->c, x, top, w, h, fill, is_new ? (int32_t)INK : 0xffffff, tooltip);
        for (uint32_t i = 1; i < b->slots && w / (int32_t)b->slots >= PX(6); i++) {
            int32_t column = x_of(f, left, (uint64_t)b->first_slot + i);
            canvas_line(f->c, column, top, column, top + h, 0xffffff, PX(1), false);
        }
        if (h >= PX(15) && font_fit_box(name, SMALL, w - PX(4), label))
            draw_label(f, x + w / 2, top + h / 2, label, fill);
    }
}

/* The free slots at t_a, just above it, and a line at t_a. */
static void draw_free(const figure *f, int32_t left, int32_t bottom, size_t kernels, pool_state s)
{
    int32_t y = bottom - height_of(f, s.at_ns);
    for (uint32_t i = 0; i < f->t->pool.slots; i++)
        f->is_free[i] = true;
    for (size_t k = 0; k < f->box_count && f->boxes[k].kernel < kernels; k++) {
        const gcast_thesis_box *b = &f->boxes[k];
        bool is_busy = b->start_ns <= s.at_ns && s.at_ns < b->start_ns + (int64_t)b->rounds * hold_ns(f, b->kernel);
        for (uint32_t i = 0; is_busy && i < b->slots; i++)
            f->is_free[b->first_slot + i] = false;
    }
    for (uint32_t i = 0, end; i < f->t->pool.slots; i = end) {
        for (end = i + 1; end < f->t->pool.slots && f->is_free[end] == f->is_free[i];)
            end++;
        int32_t x = x_of(f, left, i);
        if (f->is_free[i])
            canvas_rect(f->c, x, y - PX(6), x_of(f, left, end) - x, PX(6), FREE_FILL, CANVAS_NONE, NULL);
    }
    canvas_line(f->c, left - PX(4), y, left + PANEL_WIDTH + PX(4), y, AT_INK, PX(2), false);
}

static void draw_frame(const figure *f, int32_t left, int32_t bottom, const char *caption)
{
    char slots[24];
    ticks marks = ticks_for(0, f->end_ns, PX(300), SMALL);
    canvas_rect(f->c, left, bottom - PANEL_HEIGHT, PANEL_WIDTH, PANEL_HEIGHT, PANEL_FILL, CANVAS_NONE, NULL);
    for (int64_t t = marks.first; t <= f->end_ns; t += marks.step) {
        char label[TIME_SIZE];
        int32_t y = bottom - height_of(f, t);
        time_in_unit(t, marks.unit, marks.decimals, label, sizeof label);
        canvas_line(f->c, left, y, left + PANEL_WIDTH, y, GRID_INK, PX(1), false);
        canvas_text(f->c, left - PX(8), y + PX(4), label, SMALL, CANVAS_RIGHT, FAINT);
        if (t > INT64_MAX - marks.step)
            break;
    }
    canvas_text(f->c, left - PX(8), bottom - PANEL_HEIGHT - PX(8), marks.unit->name, SMALL, CANVAS_RIGHT, FAINT);
    snprintf(slots, sizeof slots, "%u", f->t->pool.slots);
    canvas_text(f->c, left, bottom + PX(14), "1", SMALL, CANVAS_LEFT, FAINT);
    if (f->t->pool.slots > 1)
        canvas_text(f->c, left + PANEL_WIDTH, bottom + PX(14), slots, SMALL, CANVAS_RIGHT, FAINT);
    canvas_text(f->c, left + PANEL_WIDTH / 2, bottom + PX(14), "slot", SMALL, CANVAS_CENTRE, FAINT);
    draw_line_of_text(f, left, bottom + PX(32), caption, PX(12), AFTER_LEFT - BEFORE_LEFT - PX(34), INK);
}

/* (b) or (c): the blocks of the first `kernels`. */
static void draw_pool(const figure *f, int32_t left, int32_t bottom, size_t kernels, size_t row, pool_state s)
{
    char caption[160], at[TIME_SIZE];
    snprintf(caption, sizeof caption, "%s: t_a = %s, g_f = %llu", kernels > row ? "(c) after" : "(b) before",
             time_text(f, s.at_ns, at), (unsigned long long)s.free);
    draw_frame(f, left, bottom, caption);
    for (size_t k = 0; k < f->box_count && f->boxes[k].kernel < kernels; k++)
        draw_blocks(f, left, bottom, &f->boxes[k], f->boxes[k].kernel == row);
    draw_free(f, left, bottom, kernels, s);
    canvas_line(f->c, left, bottom, left + PANEL_WIDTH, bottom, INK, PX(1), false);
}

/* (a): g blocks side by side, as high as their time is long; blocks that do not fit into the row lie above it. */
static void draw_kernel(const figure *f, int32_t bottom, size_t row)
{
    const gcast_thesis_kernel *k = &f->t->kernels[row];
    uint64_t slots = f->t->pool.slots, rounds = k->blocks / slots;
    char caption[160], execution[TIME_SIZE];
    snprintf(caption, sizeof caption, "(a) g = %llu, C = %s", (unsigned long long)k->blocks,
             time_text(f, k->execution_ns, execution));
    if (rounds)
        draw_blocks(f, KERNEL_LEFT, bottom, &(gcast_thesis_box){row, 0, (uint32_t)slots, 0, rounds}, true);
    if (k->blocks % slots && (int64_t)rounds <= f->end_ns / hold_ns(f, row))
        draw_blocks(f, KERNEL_LEFT, bottom,
                    &(gcast_thesis_box){row, 0, (uint32_t)(k->blocks % slots), (int64_t)rounds * hold_ns(f, row), 1},
                    true);
    draw_line_of_text(f, KERNEL_LEFT, bottom + PX(32), caption, PX(12), BEFORE_LEFT - KERNEL_LEFT - PX(34), INK);
}

static void draw_row(const figure *f, size_t row)
{
    char label[LABEL_SIZE], line[LABEL_SIZE + 320], time[4][TIME_SIZE], u[THOUSANDTHS_SIZE];
    const gcast_thesis *t = f->t;
    int32_t top = HEAD + (int32_t)row * ROW, bottom = top + PANEL_TOP + PANEL_HEIGHT;
    int n = snprintf(line, sizeof line, "%s: r = %s, f = %s, R = %s",
                     label_cut(f->a->workload->ops[t->ops[row]].label, LABEL_CHARS / 2, label),
                     time_text(f, t->completions_ns[row] - t->responses_ns[row], time[0]),
                     time_text(f, t->completions_ns[row], time[1]), time_text(f, t->responses_ns[row], time[2]));
    if (t->periods_ns[row])
        snprintf(line + n, sizeof line - (size_t)n, ", T = %s, u = %s threads",
                 time_text(f, t->periods_ns[row], time[3]), thousandths_text(t->utilisations[row], u));
    canvas_rect(f->c, KERNEL_LEFT, top - PX(9), PX(10), PX(10), palette_stream(row), CANVAS_NONE, NULL);
    draw_line_of_text(f, KERNEL_LEFT + PX(16), top, line, PX(13), WIDTH - KERNEL_LEFT - PX(24), INK);
    draw_kernel(f, bottom, row);
    draw_pool(f, BEFORE_LEFT, bottom, row, row, state_before(f, row));
    draw_pool(f, AFTER_LEFT, bottom, row + 1, row, f->after[row]);
}

static void draw_heading(const figure *f)
{
    char label[LABEL_SIZE], line[LABEL_SIZE + 160], total[THOUSANDTHS_SIZE];
    const gcast_thesis *t = f->t;
    const char *name = f->a->workload->name;
    canvas_text(f->c, KERNEL_LEFT, PX(24), label_cut(*name ? name : "Response-time analysis", LABEL_CHARS, label),
                PX(16), CANVAS_LEFT, INK);
    int n = snprintf(line, sizeof line, "%s as one big SM: g_max = %u slots for blocks of b = %d threads",
                     label_cut(f->a->gpu->title, LABEL_CHARS / 2, label), t->pool.slots, t->threads);
    if (t->period_count)
        snprintf(line + n, sizeof line - (size_t)n, "; U_t = %s of %lld threads",
                 thousandths_text(t->total_utilisation, total), (long long)t->total_threads);
    draw_line_of_text(f, KERNEL_LEFT, PX(42), line, PX(12), WIDTH - 2 * KERNEL_LEFT, FAINT);
    canvas_line(f->c, KERNEL_LEFT, PX(58), KERNEL_LEFT + PX(18), PX(58), AT_INK, PX(2), false);
    canvas_text(f->c, KERNEL_LEFT + PX(24), PX(62), "t_a: the next block starts then", SMALL, CANVAS_LEFT, INK);
    canvas_rect(f->c, BEFORE_LEFT, PX(55), PX(18), PX(6), FREE_FILL, CANVAS_NONE, NULL);
    canvas_text(f->c, BEFORE_LEFT + PX(24), PX(62), "the g_f slots that are free at t_a", SMALL, CANVAS_LEFT, INK);
}

static void choose_end(figure *f)
{
    f->end_ns = 1;
    for (size_t i = 0; i < f->shown; i++)
        f->end_ns = max_i64(f->end_ns, f->t->completions_ns[i]);
}

static gcast_status draw(figure *f, gcast_format format, gcast_write_fn write, void *data, gcast_error *err)
{
    size_t hidden = f->t->count - f->shown;
    f->c = canvas_create(WIDTH, HEAD + (int32_t)f->shown * ROW + FOOT, "Response-time analysis of the thesis");
    if (!f->c)
        return gcast_error_set_memory(err);
    choose_end(f);
    draw_heading(f);
    for (size_t i = 0; i < f->shown; i++)
        draw_row(f, i);
    if (hidden) {
        char line[64];
        snprintf(line, sizeof line, "%zu more kernels are not shown", hidden);
        canvas_text(f->c, KERNEL_LEFT, HEAD + (int32_t)f->shown * ROW, line, PX(12), CANVAS_LEFT, FAINT);
    }
    gcast_status status = canvas_write(f->c, format, write, data, err);
    canvas_free(f->c);
    return status;
}

gcast_status thesis_draw(const gcast_answer *a, gcast_format format, gcast_write_fn write, void *data, gcast_error *err)
{
    const gcast_thesis *t = gcast_answer_thesis(a);
    figure f = {.a = a, .t = t, .shown = t->count < MAX_KERNELS ? t->count : MAX_KERNELS};
    int64_t *completions = malloc((f.shown + 1) * sizeof *completions);
    f.after = calloc(f.shown + 1, sizeof *f.after);
    f.is_free = calloc((size_t)t->pool.slots + 1, sizeof *f.is_free);
    gcast_thesis_watch watch = {note_state, f.after};
    gcast_status status = completions && f.after && f.is_free ? GCAST_OK : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = gcast_thesis_completions(&t->pool, t->kernels, f.shown, &watch, completions, NULL, err);
    if (status == GCAST_OK)
        status = gcast_thesis_place(&t->pool, t->kernels, f.shown, &f.boxes, &f.box_count, err);
    if (status == GCAST_OK)
        status = draw(&f, format, write, data, err);
    free(completions);
    free(f.after);
    free(f.is_free);
    free(f.boxes);
    return status;
}
