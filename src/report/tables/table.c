#include "report/tables/table.h"

#include "report/hang/hang_reasons.h"
#include "report/tables/run_tables.h"

gcast_status table_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    run_table t;
    bool all_jobs, ok = true;
    run_table_ops(&t, run, &all_jobs);
    if (t.g.rows.count || !run->workload->task_count) {
        ok = grid_text(&t.g, options->color, out);
        text_char(out, '\n');
    }
    grid_close(&t.g);
    if (run->workload->task_count) {
        run_table_tasks(&t, run);
        ok = grid_text(&t.g, options->color, out) && ok;
        grid_close(&t.g);
        text_str(out, all_jobs ? "\n" : "\nresponse times of jobs; the operations of each job are in .csv and .json\n");
    }
    char summary[160], launches[RUN_LAUNCH_LINES][RUN_LAUNCH_LINE];
    size_t launch_lines = run_launch_lines(run, launches);
    for (size_t i = 0; i < launch_lines; i++) {
        text_str(out, launches[i]);
        text_char(out, '\n');
    }
    run_summary(run, summary, sizeof summary);
    text_str(out, summary);
    text_char(out, '\n');
    if (run->hang)
        hang_lines(run, out);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}
