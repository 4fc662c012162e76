/* gcast_acceptance_report: how many sets each test accepts at each utilisation, as a table, CSV or a picture. */
#include <stdio.h>
#include <stdlib.h>

#include "base/api.h"
#include "base/integers.h"
#include "base/text.h"
#include "gridcast/names.h"
#include "papers/experiment/experiment.h"
#include "papers/experiment/owned_experiment.h"
#include "report/canvas/canvas.h"
#include "report/canvas/font.h"
#include "report/canvas/palette.h"

typedef struct acceptance {
    const gcast_experiment *e;          /* its points, its tests, and sets per point */
    uint64_t (*counts)[GCAST_VERDICTS]; /* sets by point, then by test, then by verdict */
    /* Sets by point, then by verdict of all tests together: accepted by some analysis; rejected, as an execution misses
     * a deadline; else unknown, which is called open. NULL: the experiment has no executions. */
    uint64_t (*together)[GCAST_VERDICTS];
} acceptance;

/* Sets by verdict. */
static const uint64_t *acceptance_at(const acceptance *a, size_t point, size_t test)
{
    return a->counts[point * a->e->test_count + test];
}

/* Has the test an answer for any set at this point? */
static bool acceptance_answered(const acceptance *a, size_t point, size_t test)
{
    return acceptance_at(a, point, test)[GCAST_VERDICT_UNKNOWN] < (uint64_t)a->e->sets;
}

/* Sets at all points for which the test has no answer. */
static uint64_t acceptance_unknown(const acceptance *a, size_t test)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < a->e->percents.count; i++)
        sum += acceptance_at(a, i, test)[GCAST_VERDICT_UNKNOWN];
    return sum;
}

/* How many of a thousand sets of a point these are. */
static int64_t acceptance_share(const acceptance *a, uint64_t sets)
{
    uint64_t all = (uint64_t)a->e->sets;
    return (int64_t)((sets * 1000 + all / 2) / all);
}

/* How many of a thousand sets the test accepts at this point. */
static int64_t acceptance_permille(const acceptance *a, size_t point, size_t test)
{
    return acceptance_share(a, acceptance_at(a, point, test)[GCAST_VERDICT_ACCEPTED]);
}

/* acceptance_draw draws a line per test, with a gap where the test has no answer for any set. Later lines are thinner,
 * so that lines that coincide can be told apart. Where the experiment has executions, the open sets are a filled band:
 * between those that some analysis accepts and those of which no execution misses a deadline. */

#define WIDTH PX(720)
#define HEIGHT PX(420)
#define LEFT PX(64)
#define RIGHT PX(690)
#define TOP PX(84)
#define BOTTOM PX(360)
#define GRID 0xe4e4e4u
#define OPEN 0xffe9b8u          /* the band of open sets */
#define MIN_LABEL_HEIGHT PX(18) /* of a band with a label in it */

typedef struct plot {
    const acceptance *a; /* what is drawn */
    canvas *c;           /* what it is drawn on */
    int64_t first, last; /* ends of the lower axis, in percent */
} plot;

static int32_t x_of(const plot *p, int64_t percent)
{
    return (int32_t)(LEFT + (percent - p->first) * (RIGHT - LEFT) / (p->last - p->first));
}

static int32_t y_of(int64_t permille)
{
    return (int32_t)(BOTTOM - permille * (BOTTOM - TOP) / 1000);
}

static void draw_axes(const plot *p)
{
    static const int64_t steps[] = {1, 2, 5, 10, 20, 50, 100, 200};
    char label[32];
    size_t step = 0;
    for (int v = 0; v <= 100; v += 20) {
        int32_t y = y_of(v * 10);
        canvas_line(p->c, LEFT, y, RIGHT, y, GRID, PX(1), false);
        snprintf(label, sizeof label, "%d %%", v);
        canvas_text(p->c, LEFT - PX(8), y + PX(4), label, PX(12), CANVAS_RIGHT, INK);
    }
    while (step + 1 < sizeof steps / sizeof steps[0] && (p->last - p->first) / steps[step] > 12)
        step++;
    for (int64_t v = round_up(p->first, steps[step]); v <= p->last; v += steps[step]) {
        int32_t x = x_of(p, v);
        canvas_line(p->c, x, BOTTOM, x, BOTTOM + PX(4), INK, PX(1), false);
        snprintf(label, sizeof label, "%lld %%", (long long)v);
        canvas_text(p->c, x, BOTTOM + PX(18), label, PX(12), CANVAS_CENTRE, INK);
    }
    canvas_line(p->c, LEFT, TOP, LEFT, BOTTOM, INK, PX(1), false);
    canvas_line(p->c, LEFT, BOTTOM, RIGHT, BOTTOM, INK, PX(1), false);
    canvas_text(p->c, (LEFT + RIGHT) / 2, BOTTOM + PX(42), "utilisation of the GPU", PX(13), CANVAS_CENTRE, INK);
    canvas_text_up(p->c, PX(18), (TOP + BOTTOM) / 2, "sets accepted", PX(13), CANVAS_CENTRE, INK);
}

/* The point with the lowest utilisation above `percent`; percents->count where there is none. */
static size_t next_point(const gcast_numbers *percents, int64_t percent)
{
    size_t best = percents->count;
    for (size_t i = 0; i < percents->count; i++)
        if (percents->at[i] > percent && (best == percents->count || percents->at[i] < percents->at[best]))
            best = i;
    return best;
}

/* The point with the highest utilisation below `percent`; percents->count where there is none. */
static size_t last_point(const gcast_numbers *percents, int64_t percent)
{
    size_t best = percents->count;
    for (size_t i = 0; i < percents->count; i++)
        if (percents->at[i] < percent && (best == percents->count || percents->at[i] > percents->at[best]))
            best = i;
    return best;
}

/* How many of a thousand sets some analysis accepts. */
static int64_t shown_permille(const plot *p, size_t point)
{
    return acceptance_share(p->a, p->a->together[point][GCAST_VERDICT_ACCEPTED]);
}

/* Of how many of a thousand sets no execution is known that misses a deadline. */
static int64_t unmissed_permille(const plot *p, size_t point)
{
    return 1000 - acceptance_share(p->a, p->a->together[point][GCAST_VERDICT_REJECTED]);
}

/* The x at which the band ends at this level: at its lower edge left of the point, or at its upper edge right of it. */
static int32_t edge_x(const plot *p, size_t point, int64_t level, bool is_right)
{
    const gcast_numbers *percents = &p->a->e->percents;
    size_t next;
    while ((next = is_right ? next_point(percents, percents->at[point]) : last_point(percents, percents->at[point])) <
           percents->count) {
        int64_t value = is_right ? unmissed_permille(p, point) : shown_permille(p, point);
        int64_t next_value = is_right ? unmissed_permille(p, next) : shown_permille(p, next);
        int64_t x = x_of(p, percents->at[point]), next_x = x_of(p, percents->at[next]);
        if (is_right ? next_value <= level : next_value >= level)
            return (int32_t)(value == next_value ? x : x + (next_x - x) * (level - value) / (next_value - value));
        point = next;
    }
    return x_of(p, percents->at[point]);
}

/* Writes "open" into the band where most sets are open, if there is space. */
static void draw_open_label(const plot *p)
{
    static const char label[] = "open";
    size_t widest = 0;
    for (size_t i = 0; i < p->a->e->percents.count; i++)
        if (p->a->together[i][GCAST_VERDICT_UNKNOWN] > p->a->together[widest][GCAST_VERDICT_UNKNOWN])
            widest = i;
    int64_t top = unmissed_permille(p, widest), bottom = shown_permille(p, widest), level = (top + bottom) / 2;
    int32_t left = edge_x(p, widest, level, false), right = edge_x(p, widest, level, true);
    if (y_of(bottom) - y_of(top) >= MIN_LABEL_HEIGHT && right - left >= font_width(label, PX(12)) + PX(8))
        canvas_text(p->c, (left + right) / 2, y_of(level) + PX(4), label, PX(12), CANVAS_CENTRE, INK);
}

/* Fills the band of open sets. */
static void draw_open(const plot *p)
{
    const gcast_numbers *percents = &p->a->e->percents;
    for (size_t i = next_point(percents, 0), k; (k = next_point(percents, percents->at[i])) < percents->count; i = k) {
        int32_t x = x_of(p, percents->at[i]), next_x = x_of(p, percents->at[k]);
        canvas_point corners[] = {{x, y_of(unmissed_permille(p, i))},
                                  {next_x, y_of(unmissed_permille(p, k))},
                                  {next_x, y_of(shown_permille(p, k))},
                                  {x, y_of(shown_permille(p, i))}};
        if (corners[0].y != corners[3].y || corners[1].y != corners[2].y)
            canvas_polygon(p->c, corners, sizeof corners / sizeof corners[0], OPEN, NULL);
    }
}

static size_t proof_count(const gcast_experiment *e)
{
    size_t count = 0;
    for (size_t k = 0; k < e->test_count; k++)
        count += experiment_is_proof(e->tests[k]);
    return count;
}

/* Draws a line of the sets that some analysis accepts. */
static void draw_shown(const plot *p)
{
    const gcast_numbers *percents = &p->a->e->percents;
    int32_t last_x = 0, last_y = 0;
    bool joined = false;
    for (size_t i = next_point(percents, 0); i < percents->count; i = next_point(percents, percents->at[i])) {
        const uint64_t *c = p->a->together[i];
        int32_t x = x_of(p, percents->at[i]), y = y_of(shown_permille(p, i)), half = PX(2);
        char tooltip[160];
        snprintf(tooltip, sizeof tooltip, "all at %lld %%: %llu shown, %llu missed, %llu open",
                 (long long)percents->at[i], (unsigned long long)c[GCAST_VERDICT_ACCEPTED],
                 (unsigned long long)c[GCAST_VERDICT_REJECTED], (unsigned long long)c[GCAST_VERDICT_UNKNOWN]);
        if (joined)
            canvas_line(p->c, last_x, last_y, x, y, INK, PX(1), false);
        canvas_rect(p->c, x - half, y - half, 2 * half, 2 * half, INK, CANVAS_NONE, tooltip);
        joined = true;
        last_x = x;
        last_y = y;
    }
}

static void draw_point(const plot *p, size_t point, size_t test, int32_t x, int32_t y, int32_t half)
{
    const gcast_experiment *e = p->a->e;
    const uint64_t *c = acceptance_at(p->a, point, test);
    char tooltip[160];
    snprintf(tooltip, sizeof tooltip, "%s at %lld %%: %llu accepted, %llu rejected, %llu unknown",
             gcast_test_name(e->tests[test]), (long long)e->percents.at[point],
             (unsigned long long)c[GCAST_VERDICT_ACCEPTED], (unsigned long long)c[GCAST_VERDICT_REJECTED],
             (unsigned long long)c[GCAST_VERDICT_UNKNOWN]);
    canvas_rect(p->c, x - half, y - half, 2 * half, 2 * half, palette_stream(test), CANVAS_NONE, tooltip);
}

static void draw_line(const plot *p, size_t test)
{
    const gcast_experiment *e = p->a->e;
    int32_t width = PX(2) + (int32_t)(e->test_count - 1 - test) * PX(3) / 2, last_x = 0, last_y = 0;
    bool joined = false;
    for (size_t i = next_point(&e->percents, 0); i < e->percents.count;
         i = next_point(&e->percents, e->percents.at[i])) {
        int32_t x = x_of(p, e->percents.at[i]), y = y_of(acceptance_permille(p->a, i, test));
        bool answered = acceptance_answered(p->a, i, test);
        if (answered && joined)
            canvas_line(p->c, last_x, last_y, x, y, palette_stream(test), width, false);
        if (answered)
            draw_point(p, i, test, x, y, width / 2 + PX(2));
        joined = answered;
        last_x = x;
        last_y = y;
    }
}

static void draw_heading(const plot *p)
{
    const gcast_experiment *e = p->a->e;
    char gpu[LABEL_SIZE], name[LABEL_SIZE], line[LABEL_SIZE + 64];
    label_cut(*e->name ? e->name : "Sets accepted over utilisation", LABEL_CHARS, name);
    canvas_text(p->c, LEFT, PX(24), name, PX(16), CANVAS_LEFT, INK);
    snprintf(line, sizeof line, "%s, %lld sets of %d tasks a point", label_cut(e->gpu->title, LABEL_CHARS / 2, gpu),
             (long long)e->sets, e->tasks);
    canvas_text(p->c, LEFT, PX(42), line, PX(12), CANVAS_LEFT, FAINT);
}

/* An entry of the legend at *x, which becomes the place of the next. */
static void draw_entry(const plot *p, int32_t *x, uint32_t rgb, const char *label)
{
    int32_t y = PX(62);
    canvas_rect(p->c, *x, y - PX(9), PX(10), PX(10), rgb, CANVAS_NONE, NULL);
    canvas_text(p->c, *x + PX(14), y, label, PX(12), CANVAS_LEFT, INK);
    *x += PX(14) + font_width(label, PX(12)) + PX(12);
}

/* Adds what all tests together say: "bound or explore", "open". */
static void draw_legend_together(const plot *p, int32_t *x)
{
    const gcast_experiment *e = p->a->e;
    char label[64] = "";
    for (size_t k = 0, n = 0; k < e->test_count; k++)
        if (experiment_is_proof(e->tests[k]))
            n += (size_t)snprintf(label + n, sizeof label - n, "%s%s", n ? " or " : "", gcast_test_name(e->tests[k]));
    if (proof_count(e) > 1)
        draw_entry(p, x, INK, label);
    draw_entry(p, x, OPEN, "open");
}

static void draw_legend(const plot *p)
{
    const gcast_experiment *e = p->a->e;
    int32_t x = LEFT;
    for (size_t k = 0; k < e->test_count; k++) {
        char label[64];
        uint64_t unknown = acceptance_unknown(p->a, k);
        if (unknown)
            snprintf(label, sizeof label, "%s (%llu unknown)", gcast_test_name(e->tests[k]),
                     (unsigned long long)unknown);
        else
            snprintf(label, sizeof label, "%s", gcast_test_name(e->tests[k]));
        draw_entry(p, &x, palette_stream(k), label);
    }
    if (p->a->together)
        draw_legend_together(p, &x);
}

static gcast_status acceptance_draw(const acceptance *a, gcast_format format, gcast_write_fn write, void *data,
                                    gcast_error *err)
{
    const gcast_numbers *percents = &a->e->percents;
    plot p = {.a = a, .first = percents->at[0], .last = percents->at[0]};
    for (size_t i = 0; i < percents->count; i++) {
        p.first = min_i64(p.first, percents->at[i]);
        p.last = max_i64(p.last, percents->at[i]);
    }
    if (p.first == p.last) { /* a single point is in the middle */
        p.first--;
        p.last++;
    }
    p.c = canvas_create(WIDTH, HEIGHT, "Sets accepted over utilisation");
    if (!p.c)
        return gcast_error_set_memory(err);
    draw_heading(&p);
    draw_legend(&p);
    if (a->together)
        draw_open(&p);
    draw_axes(&p);
    for (size_t k = 0; k < a->e->test_count; k++)
        draw_line(&p, k);
    if (a->together && proof_count(a->e) > 1)
        draw_shown(&p);
    if (a->together)
        draw_open_label(&p);
    gcast_status status = canvas_write(p.c, format, write, data, err);
    canvas_free(p.c);
    return status;
}

static void write_together(text *t, const acceptance *a, size_t point)
{
    const uint64_t *c = a->together[point];
    long long shown = acceptance_share(a, c[GCAST_VERDICT_ACCEPTED]),
              missed = acceptance_share(a, c[GCAST_VERDICT_REJECTED]),
              open = acceptance_share(a, c[GCAST_VERDICT_UNKNOWN]);
    text_printf(t, "  |%5lld.%lld %%%8lld.%lld %%%8lld.%lld %%", shown / 10, shown % 10, missed / 10, missed % 10,
                open / 10, open % 10);
}

static void write_table(text *t, const acceptance *a)
{
    const gcast_experiment *e = a->e;
    if (*e->name) {
        text_terminal(t, e->name);
        text_str(t, "\n\n");
    }
    text_str(t, "utilisation");
    for (size_t k = 0; k < e->test_count; k++)
        text_printf(t, "%12s", gcast_test_name(e->tests[k]));
    if (a->together)
        text_printf(t, "  |%9s%12s%12s", "shown", "missed", "open");
    for (size_t i = 0; i < e->percents.count; i++) {
        text_printf(t, "\n%9lld %%", (long long)e->percents.at[i]);
        for (size_t k = 0; k < e->test_count; k++) {
            long long permille = acceptance_permille(a, i, k);
            if (acceptance_answered(a, i, k))
                text_printf(t, "%8lld.%lld %%", permille / 10, permille % 10);
            else
                text_printf(t, "%12s", "-");
        }
        if (a->together)
            write_together(t, a, i);
    }
    text_printf(t,
                "\n\n%lld sets of %d tasks at each; a method accepts a set where it says that all deadlines are met\n",
                (long long)e->sets, e->tasks);
    for (size_t k = 0; k < e->test_count; k++)
        if (acceptance_unknown(a, k))
            text_printf(t, "%s: no answer (-) for %llu of %llu sets\n", gcast_test_name(e->tests[k]),
                        (unsigned long long)acceptance_unknown(a, k), (unsigned long long)gcast_experiment_size(e));
    if (a->together)
        text_printf(t,
                    "shown: an analysis accepts the set; missed: one of up to %lld executions misses a deadline; open: "
                    "neither\n",
                    (long long)e->executions);
}

static void write_csv_line(text *t, const gcast_experiment *e, size_t point, const char *method, const uint64_t *c)
{
    text_printf(t, "%lld,%s,%llu,%llu,%llu,%lld\n", (long long)e->percents.at[point], method,
                (unsigned long long)c[GCAST_VERDICT_ACCEPTED], (unsigned long long)c[GCAST_VERDICT_REJECTED],
                (unsigned long long)c[GCAST_VERDICT_UNKNOWN], (long long)e->sets);
}

static void write_csv(text *t, const acceptance *a)
{
    const gcast_experiment *e = a->e;
    text_str(t, "utilisation_percent,method,accepted,rejected,unknown,sets\n");
    for (size_t i = 0; i < e->percents.count; i++) {
        for (size_t k = 0; k < e->test_count; k++)
            write_csv_line(t, e, i, gcast_test_name(e->tests[k]), acceptance_at(a, i, k));
        if (a->together)
            write_csv_line(t, e, i, "together", a->together[i]);
    }
}

/* What all tests together say about a set: accepted by an analysis, rejected by an execution, or unknown. */
static gcast_verdict verdict_together(const gcast_experiment *e, uint32_t verdicts)
{
    gcast_verdict together = GCAST_VERDICT_UNKNOWN;
    for (size_t k = 0; k < e->test_count; k++) {
        gcast_verdict v = verdicts >> (2 * k) & 3;
        if (v == GCAST_VERDICT_ACCEPTED && experiment_is_proof(e->tests[k]))
            together = GCAST_VERDICT_ACCEPTED;
        if (v == GCAST_VERDICT_REJECTED && e->tests[k] == GCAST_TEST_SIMULATE)
            return GCAST_VERDICT_REJECTED;
    }
    return together;
}

static void count_verdicts(acceptance *a, const uint32_t *verdicts)
{
    const gcast_experiment *e = a->e;
    for (uint64_t set = 0; set < gcast_experiment_size(e); set++) {
        size_t point = set / (uint64_t)e->sets;
        for (size_t k = 0; k < e->test_count; k++)
            a->counts[point * e->test_count + k][verdicts[set] >> (2 * k) & 3]++;
        if (a->together)
            a->together[point][verdict_together(e, verdicts[set])]++;
    }
}

gcast_status gcast_acceptance_report(const gcast_experiment *e, const uint32_t *verdicts, gcast_format format,
                                     gcast_write_fn write, void *data, gcast_error *err)
{
    if (!e || !verdicts || !write)
        return argument_missing(err);
    static void (*const writers[GCAST_FORMATS])(text *, const acceptance *) = {
        [GCAST_FORMAT_TABLE] = write_table, [GCAST_FORMAT_CSV] = write_csv};
    if ((unsigned)format >= GCAST_FORMATS || (!canvas_writes(format) && !writers[format]))
        return gcast_error_set(err, GCAST_USAGE, NULL, "acceptance cannot be written as %s",
                               gcast_name(GCAST_NAMES_FORMAT, format));
    acceptance a = {.e = e, .counts = calloc(e->percents.count * (e->test_count + 1) + 1, sizeof *a.counts)};
    if (!a.counts)
        return gcast_error_set_memory(err);
    a.together = e->executions ? a.counts + e->percents.count * e->test_count : NULL;
    count_verdicts(&a, verdicts);
    gcast_status status = GCAST_OK;
    if (canvas_writes(format)) {
        status = acceptance_draw(&a, format, write, data, err);
    } else {
        text t;
        text_open(&t, write, data);
        writers[format](&t, &a);
        status = text_finish(&t, err);
    }
    free(a.counts);
    return status;
}
