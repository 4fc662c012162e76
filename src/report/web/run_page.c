#include "report/web/run_page.h"

#include "base/text.h"
#include "gridcast/report.h"
#include "report/canvas/font.h"
#include "report/canvas/svg.h"
#include "report/formats/run_tables.h"
#include "report/run/hung_run.h"
#include "report/timeline/draw.h"
#include "report/web/page_assets.h"
#include "report/web/page_run.h"
#include "report/web/page_waits.h"

#define MAX_ROWS 1000 /* of a table: a page is for reading */

static gcast_status put_picture(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    canvas *c;
    gcast_run shown = *run;
    if (run->hang && !shown_run_make(run, true, &shown))
        return gcast_error_set_memory(err);
    gcast_status status = run_draw(&shown, options, &c, err);
    if (status == GCAST_OK)
        status = canvas_svg_last(c, out, err);
    if (run->hang)
        shown_run_free(&shown);
    return status;
}

static bool put_tables(const gcast_run *run, text *out)
{
    run_table t;
    bool all_jobs, ok = true;
    run_table_ops(&t, run, &all_jobs);
    if (t.g.rows.count)
        ok = grid_html(&t.g, MAX_ROWS, out);
    grid_close(&t.g);
    if (run->workload->task_count) {
        run_table_tasks(&t, run);
        ok = grid_html(&t.g, MAX_ROWS, out) && ok;
        grid_close(&t.g);
    }
    return ok;
}

/* A run as HTML that needs no script: the timeline as inline SVG, then the tables. */
static gcast_status html_plain(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    char summary[160], launches[RUN_LAUNCH_LINES][RUN_LAUNCH_LINE];
    gcast_status status = put_picture(run, options, out, err);
    if (status)
        return status;
    run_summary(run, summary, sizeof summary);
    text_str(out, "<p>");
    text_xml(out, summary);
    text_str(out, "</p>\n");
    size_t launch_lines = run_launch_lines(run, launches);
    for (size_t i = 0; i < launch_lines; i++) {
        text_str(out, i ? "<br>\n" : "<p>");
        text_xml(out, launches[i]);
    }
    text_str(out, launch_lines ? "</p>\n" : "");
    if (run->hang)
        hang_html(run, out);
    for (size_t i = 0; i < run_notes_count(run); i++) {
        text_str(out, "<p>Note: ");
        text_xml(out, run_notes_at(run, i));
        text_str(out, "</p>\n");
    }
    return put_tables(run, out) ? GCAST_OK : gcast_error_set_memory(err);
}

static void put_head(const char *name, text *out)
{
    char title[LABEL_SIZE];
    text_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"");
    text_str(out, page_policy);
    text_str(out, "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    text_xml(out, label_cut(name, LABEL_CHARS, title));
    text_str(out, "</title>\n<style>");
    text_str(out, page_style);
    text_str(out, "</style>\n</head>\n<body>\n");
    text_str(out, page_body);
}

/* Writes the data of one run; `run` is what is drawn of it. */
static gcast_status put_drawn(const gcast_run *run, const gcast_run *original, const gcast_report_options *options,
                              int number, text *out, gcast_error *err)
{
    view v;
    page_ops ops;
    page_blocks blocks = {0};
    gcast_status status = view_make(&v, run, options, err);
    if (status != GCAST_OK)
        return status;
    if (!page_ops_make(&ops, run, original, &v))
        return gcast_error_set_memory(err);
    status = page_blocks_make(&blocks, &ops, &v, options, err);
    if (status == GCAST_OK)
        status = page_run_put(&ops, &v, &blocks, options, number, out, err);
    if (status == GCAST_OK)
        status = page_waits_put(&ops, options, number, out, err);
    if (status == GCAST_OK)
        status = page_blocks_put(&blocks, &ops, &v, number, out, err);
    page_blocks_free(&blocks);
    page_ops_free(&ops);
    return status;
}

/* Writes the data of one run. One that hangs is drawn up to then, and has no explanations. */
static gcast_status put_run(const gcast_run *run, const gcast_report_options *options, int number, text *out,
                            gcast_error *err)
{
    gcast_run shown;
    gcast_report_options own = *options;
    if (!run->hang)
        return put_drawn(run, run, options, number, out, err);
    if (!shown_run_make(run, true, &shown))
        return gcast_error_set_memory(err);
    own.explain = NULL;
    gcast_status status = put_drawn(&shown, run, &own, number, out, err);
    shown_run_free(&shown);
    return status;
}

static gcast_status put_page(const gcast_run *const *runs, int count, const gcast_report_options *options, text *out,
                             gcast_error *err)
{
    gcast_status status = GCAST_OK;
    put_head(runs[0]->workload->name, out);
    text_str(out, "<noscript>\n");
    for (int i = 0; i < count && status == GCAST_OK; i++)
        status = html_plain(runs[i], options, out, err);
    text_str(out, "</noscript>\n");
    for (int i = 0; i < count && status == GCAST_OK; i++)
        status = put_run(runs[i], options, i, out, err);
    text_str(out, "<script>");
    text_str(out, page_script);
    text_str(out, "</script>\n</body>\n</html>\n");
    return status;
}

gcast_status run_page_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    return put_page(&run, 1, options, out, err);
}

gcast_status run_page_write_pair(const gcast_run *above, const gcast_run *below, const gcast_report_options *options,
                                 text *out, gcast_error *err)
{
    const gcast_run *const runs[] = {above, below};
    return put_page(runs, 2, options, out, err);
}
