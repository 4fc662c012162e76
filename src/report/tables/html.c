#include "report/tables/html.h"

#include "report/canvas/svg.h"
#include "report/hang/hang_reasons.h"
#include "report/hang/shown_run.h"
#include "report/picture/draw.h"
#include "report/run/run_notes.h"
#include "report/tables/run_tables.h"

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

gcast_status html_plain(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
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
