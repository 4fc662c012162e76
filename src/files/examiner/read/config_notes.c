#include "files/examiner/read/config_notes.h"

#include <string.h>

void examiner_note(examiner *x, const char *note)
{
    uint64_t hash = index_hash_text(note);
    if (x->doc.status != GCAST_OK)
        return;
    for (index_probe p = index_start(&x->notes, hash); index_next(&x->notes, &p);)
        if (strcmp(x->w->notes[p.value], note) == 0)
            return;
    x->doc.status = gcast_workload_add_note(x->w, note, x->doc.err);
    if (x->doc.status == GCAST_OK && !index_add(&x->notes, hash, (uint32_t)(x->w->note_count - 1)))
        x->doc.status = gcast_error_set_memory(x->doc.err);
}

void examiner_note_once(examiner *x, examiner_note_id note)
{
    static const char *const texts[] = {
#define X(id, text) text,
        EXAMINER_NOTE_TABLE(X)
#undef X
    };
    examiner_note(x, texts[note]);
}
