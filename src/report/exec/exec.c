/* gcast_exec_report: chooses the writer of a format. */
#include "gridcast/exec.h"
#include "base/api/argument_missing.h"
#include "base/api/launch_given.h"
#include "base/api/options_copy.h"
#include "base/text/text.h"
#include "report/exec/json.h"
#include "report/exec/masks_draw.h"
#include "report/exec/table.h"

gcast_status gcast_exec_report(const gcast_exec *given, gcast_format format, gcast_write_fn write, void *data,
                               gcast_error *err)
{
    if (!given || !given->source || !given->kernel || !given->launch || !given->options || !write)
        return argument_missing(err);
    gcast_simt_options own = gcast_simt_options_default();
    gcast_status status = options_copy(&own, sizeof own, given->options, "gcast_simt_options", err);
    if (status == GCAST_OK)
        status = launch_given(given->launch, err);
    if (status != GCAST_OK)
        return status;
    gcast_exec with_own = *given;
    const gcast_exec *e = &with_own;
    with_own.options = &own;
    static void (*const writers[GCAST_FORMATS])(const gcast_exec *, text *) = {
        [GCAST_FORMAT_TABLE] = exec_table, [GCAST_FORMAT_CSV] = exec_csv, [GCAST_FORMAT_JSON] = exec_json};
    if (format == GCAST_FORMAT_SVG || format == GCAST_FORMAT_PNG || format == GCAST_FORMAT_PDF)
        return exec_masks_draw(e, format, write, data, err);
    if ((unsigned)format >= GCAST_FORMATS || !writers[format])
        return gcast_error_set(err, GCAST_USAGE, NULL, "a launch cannot be written as %s", gcast_format_ending(format));
    text t;
    text_open(&t, write, data);
    writers[format](e, &t);
    return text_finish(&t, err);
}
