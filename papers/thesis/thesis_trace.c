#include "papers/thesis/thesis_trace.h"

#include <stdlib.h>

#include "base/integers.h"
#include "cli/say.h"
#include "papers/thesis/thesis.h"
#include "report/grid.h"

#define DECIMALS 9
#define MAX_STEPS 1000 /* rows of the table of steps */
#define MAX_ROWS 12    /* rows of h in a step */

typedef struct trace {
    const gcast_workload *w;  /* the workload */
    const gcast_thesis *t;    /* the workload in the model of the thesis */
    time_format times_format; /* the unit and the decimals of all times */
    grid steps;               /* the table of steps */
    uint64_t count;           /* how many steps there were */
    int64_t *f;               /* the completion time of each kernel by algorithm 2 */
    int64_t *corrected;       /* by the closed form with its errors corrected */
    int64_t *doubled;         /* twice the time by the closed form as printed, which may give half nanoseconds */
    bool closed;              /* the closed form applies */
} trace;

static const char *label(const trace *x, size_t kernel)
{
    return x->w->ops[x->t->ops[kernel]].label;
}

enum { STEP, KERNEL, PLACED, LEFT, AT, FREE, ROWS };

static void put_rows(trace *x, const gcast_thesis_step *step)
{
    text t;
    text_open(&t, NULL, NULL);
    for (size_t i = 0; i < step->row_count && i < MAX_ROWS; i++) {
        char time[48];
        time_in_unit(step->rows[i].time_ns, x->times_format.unit, x->times_format.decimals, time, sizeof time);
        text_printf(&t, "%s(%s, %llu)", i ? " " : "", time, (unsigned long long)step->rows[i].slots);
    }
    if (step->row_count > MAX_ROWS)
        text_printf(&t, " and %zu more", step->row_count - MAX_ROWS);
    if (step->waves)
        text_printf(&t, "%s%llu rounds of all slots at once", step->row_count ? ", " : "",
                    (unsigned long long)step->waves);
    char *rows = text_take(&t, NULL);
    if (rows)
        grid_cell(&x->steps, ROWS, rows);
    else
        x->steps.failed = true;
    free(rows);
}

static void add_step(void *data, const gcast_thesis_step *step)
{
    trace *x = data;
    if (x->count++ >= MAX_STEPS)
        return;
    grid_add(&x->steps, GRID_PLAIN);
    grid_print(&x->steps, STEP, "%llu", (unsigned long long)x->count);
    grid_label(&x->steps, KERNEL, label(x, step->kernel));
    grid_cell(&x->steps, PLACED, step->left ? "no" : "yes");
    grid_print(&x->steps, LEFT, "%llu", (unsigned long long)step->left);
    time_format_cell(&x->steps, AT, step->time_ns, true, x->times_format);
    grid_print(&x->steps, FREE, "%llu", (unsigned long long)step->free);
    put_rows(x, step);
}

static bool print_steps(trace *x, bool color, text *out, gcast_error *err)
{
    char at[32];
    const grid_column columns[] = {{"step", true},
                                   {"kernel", false},
                                   {"all placed", false},
                                   {"left", true},
                                   {time_format_title(at, sizeof at, "t_a", x->times_format), true},
                                   {"g_f", true},
                                   {"h", false},
                                   {NULL, false}};
    gcast_thesis_watch watch = {add_step, x};
    grid_open(&x->steps, columns);
    bool ok = gcast_thesis_completions(&x->t->pool, x->t->kernels, x->t->count, &watch, x->f, NULL, err) == GCAST_OK &&
              grid_text(&x->steps, color, out);
    grid_close(&x->steps);
    if (ok && x->count > MAX_STEPS)
        text_printf(out, "and %llu steps more\n", (unsigned long long)(x->count - MAX_STEPS));
    return ok;
}

/* All kernels are released at 0, all blocks take the same time, and the GPU has no hand-over or switch times. */
static bool closed_form_applies(const gcast_thesis *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->kernels[i].release_ns || t->kernels[i].execution_ns != t->kernels[0].execution_ns)
            return false;
    return !t->pool.handover_ns && !t->pool.switch_ns;
}

enum { NAME, C, G, RELEASE, F, CLOSED, PRINTED };

/* Half of doubled_ns. It is a whole number of nanoseconds unless the printed form is wrong. */
static void doubled_cell(grid *g, int64_t doubled_ns, time_format f)
{
    char time[48];
    time_in_unit(doubled_ns / 2, f.unit, f.decimals, time, sizeof time);
    grid_print(g, PRINTED, doubled_ns % 2 ? "%s and half a nanosecond" : "%s", time);
}

static bool print_kernels(const trace *x, bool color, text *out)
{
    static const char *const names[] = {
        [C] = "C", [RELEASE] = "r", [F] = "f", [CLOSED] = "closed form", [PRINTED] = "as printed"};
    char titles[PRINTED + 1][40];
    grid_column columns[PRINTED + 2] = {[NAME] = {"kernel", false}, [G] = {"g", true}};
    for (int i = C; i <= PRINTED; i++)
        if (names[i])
            columns[i] = (grid_column){time_format_title(titles[i], sizeof titles[i], names[i], x->times_format), true};
    grid g;
    grid_open(&g, columns);
    for (size_t i = 0; i < x->t->count; i++) {
        const gcast_thesis_kernel *k = &x->t->kernels[i];
        grid_add(&g, GRID_PLAIN);
        grid_label(&g, NAME, label(x, i));
        time_format_cell(&g, C, k->execution_ns, true, x->times_format);
        grid_print(&g, G, "%llu", (unsigned long long)k->blocks);
        time_format_cell(&g, RELEASE, k->release_ns, true, x->times_format);
        time_format_cell(&g, F, x->f[i], true, x->times_format);
        time_format_cell(&g, CLOSED, x->closed ? x->corrected[i] : 0, x->closed, x->times_format);
        if (x->closed)
            doubled_cell(&g, x->doubled[i], x->times_format);
        else
            grid_cell(&g, PRINTED, "-");
    }
    bool ok = grid_text(&g, color, out);
    grid_close(&g);
    return ok;
}

static void print_summary(const trace *x, text *out)
{
    size_t wrong_count = 0;
    for (size_t i = 0; x->closed && i < x->t->count; i++)
        wrong_count += x->doubled[i] != 2 * x->f[i];
    if (!x->closed)
        text_str(out, "no closed form: kernels take different times, or are not all released at 0\n");
    else if (wrong_count)
        text_printf(out,
                    "equations 3.12 to 3.15 as printed are wrong for %zu of %zu: where g = g_f, or g - g_f is a "
                    "multiple of g_max\n",
                    wrong_count, x->t->count);
    text_char(out, '\n');
}

/* Computes the completion times in all three ways, and finds a unit for all times. */
static gcast_status compute_times(trace *x, gcast_error *err)
{
    const gcast_thesis *t = x->t;
    int64_t longest_ns = 0, c = t->kernels[0].execution_ns;
    gcast_status status = gcast_thesis_completions(&t->pool, t->kernels, t->count, NULL, x->f, NULL, err);
    if (status != GCAST_OK)
        return status;
    x->closed = closed_form_applies(t);
    if (x->closed)
        status = gcast_thesis_closed(t->pool.slots, c, t->kernels, t->count, x->corrected, err);
    if (x->closed && status == GCAST_OK)
        status = gcast_thesis_closed_printed(t->pool.slots, c, t->kernels, t->count, x->doubled, err);
    if (status == GCAST_RESOURCE)
        return status;
    x->closed = x->closed && status == GCAST_OK;
    for (size_t i = 0; i < t->count; i++)
        longest_ns = max_i64(longest_ns, x->f[i]);
    x->times_format = time_format_for(longest_ns, DECIMALS);
    time_format_include(&x->times_format, t->pool.handover_ns);
    time_format_include(&x->times_format, t->pool.switch_ns);
    for (size_t i = 0; i < t->count; i++) {
        time_format_include(&x->times_format, t->kernels[i].execution_ns);
        time_format_include(&x->times_format, t->kernels[i].release_ns);
        time_format_include(&x->times_format, x->doubled[i] / 2);
    }
    return GCAST_OK;
}

gcast_status thesis_trace(const gcast_workload *w, const gcast_thesis *t, bool color, text *out)
{
    gcast_error err = {.code = GCAST_RESOURCE, .message = "not enough memory"};
    size_t n = t->count + 1;
    trace x = {.w = w, .t = t};
    x.f = calloc(n, sizeof *x.f);
    x.corrected = calloc(n, sizeof *x.corrected);
    x.doubled = calloc(n, sizeof *x.doubled);
    bool ok = x.f && x.corrected && x.doubled && compute_times(&x, &err) == GCAST_OK;
    if (ok) {
        text_printf(out, "g_max %u: slots for blocks of %d threads\n\n", t->pool.slots, t->threads);
        ok = print_steps(&x, color, out, &err);
        if (ok)
            text_char(out, '\n');
    }
    ok = ok && print_kernels(&x, color, out);
    if (ok)
        print_summary(&x, out);
    free(x.f);
    free(x.corrected);
    free(x.doubled);
    return ok ? GCAST_OK : say_error(&err);
}
