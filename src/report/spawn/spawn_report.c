/* gcast_spawn_report: policies side by side as tables, JSON or a picture. */
#include "base/api/argument_missing.h"
#include "base/text/text.h"
#include "report/spawn/spawn_bars.h"
#include "report/spawn/spawn_json.h"
#include "report/spawn/spawn_table.h"

/* Do all have the same choices, at least one? */
static bool are_alike(const spawn_set *s)
{
    const gcast_spawn_comparison *first = s->at[0];
    for (size_t i = 1; i < s->count; i++) {
        if (s->at[i]->row_count != first->row_count)
            return false;
        for (size_t k = 0; k < first->row_count; k++)
            if (s->at[i]->rows[k].contender != first->rows[k].contender)
                return false;
    }
    return first->row_count > 0;
}

gcast_status gcast_spawn_report(const gcast_spawn_comparison *const *comparisons, size_t count, gcast_format format,
                                bool color, gcast_write_fn write, void *data, gcast_error *err)
{
    if (!comparisons || !write)
        return argument_missing(err);
    spawn_set s = {.at = comparisons, .count = count, .color = color};
    if (!count || !are_alike(&s))
        return gcast_error_set(err, GCAST_USAGE, NULL, "only comparisons of the same policies go together");
    if (format == GCAST_FORMAT_SVG || format == GCAST_FORMAT_PNG || format == GCAST_FORMAT_PDF)
        return spawn_bars(&s, format, write, data, err);
    if (format != GCAST_FORMAT_TABLE && format != GCAST_FORMAT_JSON)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a comparison of policies cannot be written as %s",
                               gcast_format_ending(format));
    text t;
    text_open(&t, write, data);
    if (format == GCAST_FORMAT_TABLE)
        spawn_table(&s, &t);
    else
        spawn_json(&s, &t);
    return text_finish(&t, err);
}
