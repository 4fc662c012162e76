#include "cli/smc/survey.h"

#include <string.h>

#include "cli/output/print_text.h"
#include "cli/say.h"
#include "report/tables/grid.h"

typedef struct survey {
    grid table;    /* a row per kernel */
    text *json;    /* the same as JSON; NULL: not asked for */
    bool has_more; /* a kernel was written before */
    bool is_no;    /* a kernel cannot be transformed */
} survey;

/* The part of a message behind the kernel's name. */
static const char *reason_of(const gcast_error *err)
{
    static const char words[] = " cannot be made SM-centric: ";
    const char *at = strstr(err->message, words);
    return at ? at + sizeof words - 1 : err->message;
}

static void add_json(survey *s, const char *kernel, const gcast_error *refusal)
{
    text_str(s->json, s->has_more ? ",\n  {\"kernel\": " : "\n  {\"kernel\": ");
    text_json(s->json, kernel);
    text_printf(s->json, ", \"can\": %s", refusal ? "false" : "true");
    if (refusal) {
        text_printf(s->json, ", \"line\": %d, \"column\": %d, \"reason\": ", refusal->line, refusal->column);
        text_json(s->json, reason_of(refusal));
    }
    text_char(s->json, '}');
}

static void add_row(survey *s, const char *kernel, const gcast_error *refusal)
{
    char reason[sizeof refusal->message + 32];
    grid_add(&s->table, refusal ? GRID_ALARM : GRID_PLAIN);
    grid_label(&s->table, 0, kernel);
    grid_cell(&s->table, 1, refusal ? "no" : "yes");
    if (!refusal)
        return;
    snprintf(reason, sizeof reason, "line %d: %s", refusal->line, reason_of(refusal));
    grid_cell(&s->table, 2, reason);
}

static gcast_status look_at(survey *s, const smc_request *r, const char *kernel)
{
    gcast_smc_options options = gcast_smc_options_default();
    gcast_error err;
    options.kernel = kernel;
    options.independent = args_has(r->a, "independent");
    options.whole_warps = args_has(r->a, "whole-warps");
    gcast_status status = gcast_smc_check(r->ptx, &options, &err);
    if (status != GCAST_OK && status != GCAST_INPUT)
        return say_error(&err);
    if (s->json)
        add_json(s, kernel, status == GCAST_OK ? NULL : &err);
    else
        add_row(s, kernel, status == GCAST_OK ? NULL : &err);
    s->has_more = true;
    s->is_no = s->is_no || status != GCAST_OK;
    return GCAST_OK;
}

static gcast_status look_at_all(survey *s, const smc_request *r)
{
    gcast_status status = GCAST_OK;
    for (uint32_t i = 0; i < gcast_ptx_kernels(r->ptx) && status == GCAST_OK; i++) {
        const char *kernel = gcast_ptx_kernel(r->ptx, i);
        if (!r->kernel || strcmp(r->kernel, kernel) == 0)
            status = look_at(s, r, kernel);
    }
    return status == GCAST_OK && !s->has_more ? say(GCAST_INPUT, "%s: has no kernel", r->file) : status;
}

gcast_status smc_survey(const smc_request *r)
{
    static const grid_column columns[] = {{"kernel", false}, {"SM-centric", false}, {"why not", false}, {NULL, false}};
    bool is_json = args_has(r->a, "json");
    survey s = {0};
    text printed;
    text_open(&printed, NULL, NULL);
    grid_open(&s.table, columns);
    s.json = is_json ? &printed : NULL;
    if (is_json) {
        text_str(&printed, "{\"schema\": \"gridcast.smc/1\", \"file\": ");
        text_json(&printed, r->file);
        text_str(&printed, ", \"kernels\": [");
    }
    gcast_status status = look_at_all(&s, r);
    if (is_json)
        text_str(&printed, "]}\n");
    else if (!args_has(r->a, "quiet"))
        grid_text(&s.table, want_color(r->a), &printed);
    status = print_text(&printed, status);
    grid_close(&s.table);
    return status == GCAST_OK && s.is_no ? GCAST_NO : status;
}
