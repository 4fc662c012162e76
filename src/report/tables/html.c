#include "report/tables/html.h"

#include "report/canvas/font.h"
#include "report/canvas/svg.h"
#include "report/picture/draw.h"
#include "report/tables/run_tables.h"

#define MAX_ROWS 1000 /* of a table: a page is for reading */

static const char style[] = "body{font:14px/1.5 system-ui,sans-serif;color:#222;margin:2em auto;max-width:1100px;"
                            "padding:0 1em}\n"
                            "svg{max-width:100%;height:auto}\n"
                            "table{border-collapse:collapse;margin:1em 0}\n"
                            "th,td{padding:.2em .8em;text-align:left;border-bottom:1px solid #ddd}\n"
                            ".number{text-align:right;font-variant-numeric:tabular-nums}\n"
                            ".dim{color:#888}\n.alarm{color:#b00020}\n"
                            "rect:hover,polygon:hover{opacity:.8}\n";

static gcast_status put_picture(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    canvas *c;
    gcast_status status = run_draw(run, options, &c, err);
    if (status)
        return status;
    if (canvas_failed(c))
        status = gcast_error_set_memory(err);
    else
        canvas_svg(c, out);
    canvas_free(c);
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

gcast_status html_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    char title[LABEL_SIZE], summary[160], launches[RUN_LAUNCH_LINES][RUN_LAUNCH_LINE];
    text_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    text_xml(out, label_cut(run->workload->name, LABEL_CHARS, title));
    text_str(out, "</title>\n<style>\n");
    text_str(out, style);
    text_str(out, "</style>\n</head>\n<body>\n");
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
    if (!put_tables(run, out))
        return gcast_error_set_memory(err);
    text_str(out, "</body>\n</html>\n");
    return GCAST_OK;
}
