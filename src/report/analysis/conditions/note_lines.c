#include "report/analysis/conditions/note_lines.h"

void note_condition(const gcast_answer *a, text *out)
{
    bool has_other = a->conditional || a->rests_on_assumed || a->rests_on_open;
    if (a->workload->note_count)
        text_printf(out, "%s nothing that was left out of the workload makes it later", has_other ? ", and" : ", if");
}

void note_lines(const gcast_answer *a, text *out)
{
    for (size_t i = 0; i < a->workload->note_count; i++) {
        text_str(out, "left out or assumed: ");
        text_terminal(out, a->workload->notes[i]);
        text_char(out, '\n');
    }
}

void note_json(const gcast_answer *a, text *out)
{
    if (!a->workload->note_count)
        return;
    text_str(out, ",\n \"notes\": [");
    for (size_t i = 0; i < a->workload->note_count; i++) {
        text_str(out, i ? ", " : "");
        text_json(out, a->workload->notes[i]);
    }
    text_char(out, ']');
}
