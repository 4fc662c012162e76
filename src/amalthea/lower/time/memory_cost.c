#include "amalthea/lower/time/memory_cost.h"

#include "amalthea/lower/findings.h"
#include "amalthea/lower/time/line_cost.h"

int64_t label_bytes(const am_label *label)
{
    return label->bits < 0 ? -1 : label->bits / 8 + (label->bits % 8 != 0);
}

int64_t memory_lines(const lowering *l, int64_t bytes)
{
    if (l->given->lines_plus_one)
        return bytes / l->line_bytes + 1;
    return bytes / l->line_bytes + (bytes % l->line_bytes != 0);
}

bool access_is_known(const lowering *l, size_t proc, int label, bool write)
{
    return line_cost_of(l, proc, label, write).known;
}

static gcast_status tell_free(lowering *l, const processor *p, const am_item *access, const char *by)
{
    if (l->told_free_access)
        return GCAST_OK;
    l->told_free_access = true;
    return finding_add(l, access->at, SYS_CONDITION | SYS_LEFT_OUT,
                       "Accesses to memory take no time here: nothing is said about how long they take (first: %s "
                       "accesses %s, on %s). Times that leave them out are too short.",
                       by, l->m->labels[access->label].name, p->name);
}

static gcast_status tell_partial(lowering *l, const processor *p, const am_item *access)
{
    if (l->told_path)
        return GCAST_OK;
    l->told_path = true;
    return finding_add(l, access->at, SYS_CONDITION | SYS_LEFT_OUT,
                       "Nothing is said about a part of the way from %s to the memory of label %s: that part takes no "
                       "time here, nor do others of which nothing is said.",
                       p->name, l->m->labels[access->label].name);
}

static gcast_status tell_over(lowering *l, const processor *p, const am_item *access)
{
    if (l->told_rates)
        return GCAST_OK;
    l->told_rates = true;
    return finding_add(l, access->at, SYS_APPROXIMATED,
                       "Several latencies or data rates count for the way from %s to the memory of label %s: an access "
                       "takes from the least to the most that may be meant.",
                       p->name, l->m->labels[access->label].name);
}

static gcast_status tell_contention(lowering *l)
{
    if (l->told_contention || l->s->core_count + (l->gpu_unit >= 0) < 2)
        return GCAST_OK;
    l->told_contention = true;
    return finding_add(l, lower_nowhere(), SYS_CONDITION,
                       "Accesses to memory take as long as the model says that one takes alone: contention with other "
                       "cores and the GPU is not included.");
}

gcast_status access_cost(lowering *l, size_t proc, const am_item *access, const char *by, fine_cost *out)
{
    *out = (fine_cost){0};
    if (access->label < 0)
        return GCAST_OK; /* listed as not understood by the reader */
    line_cost line = line_cost_of(l, proc, access->label, access->write);
    if (!line.known)
        return tell_free(l, &l->processors[proc], access, by);
    gcast_status status = line.given ? GCAST_OK : tell_contention(l);
    if (line.partial && status == GCAST_OK)
        status = tell_partial(l, &l->processors[proc], access);
    if (line.over && status == GCAST_OK)
        status = tell_over(l, &l->processors[proc], access);
    int64_t bytes = label_bytes(&l->m->labels[access->label]);
    if (bytes < 0 && !l->told_label_size && status == GCAST_OK) {
        l->told_label_size = true;
        status = finding_add(l, l->m->labels[access->label].at, SYS_CONDITION | SYS_LEFT_OUT,
                             "The size of label %s is not said: an access to it is one line of memory, as to all "
                             "labels without a size.",
                             l->m->labels[access->label].name);
    }
    int64_t lines = bytes < 0 ? 1 : memory_lines(l, bytes);
    out->min = out->access_min = fine_scale(line.min, lines);
    out->max = out->access_max = fine_scale(line.max, lines);
    return status;
}
