/* gcast_answer_report: chooses the writer of a format. */
#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "report/analysis/json.h"
#include "report/analysis/table.h"
#include "report/analysis/thesis_draw.h"
#include "report/verdicts/verdict_draw.h"

gcast_status gcast_answer_report(const gcast_answer *a, gcast_format format, const gcast_report_options *given,
                                 gcast_write_fn write, void *data, gcast_error *err)
{
    if (!a || !write)
        return argument_missing(err);
    text t;
    gcast_report_options own = gcast_report_options_default();
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_report_options", err);
    if (status != GCAST_OK)
        return status;
    bool is_picture = format == GCAST_FORMAT_SVG || format == GCAST_FORMAT_PNG || format == GCAST_FORMAT_PDF;
    if (is_picture && !gcast_format_available(format))
        return gcast_error_set(err, GCAST_USAGE, NULL, "this build cannot write %s: it was made without cairo",
                               gcast_format_ending(format));
    if (is_picture)
        return (gcast_answer_thesis(a) ? thesis_draw : verdict_draw)(a, format, write, data, err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON)
        return gcast_error_set(err, GCAST_USAGE, NULL, "an analysis cannot be written as %s",
                               gcast_format_ending(format));
    text_open(&t, write, data);
    if (format == GCAST_FORMAT_JSON)
        answer_json(a, &t);
    else
        answer_table(a, own.color, &t);
    return text_finish(&t, err);
}
