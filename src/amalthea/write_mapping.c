/* amalthea_write_mapping finds the tasks that move, edits the elements that say where they run, and checks the new
 * text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amalthea/amalthea.h"
#include "amalthea/mapping_check.h"
#include "amalthea/mapping_text.h"
#include "amalthea/model.h"
#include "amalthea/read/references.h"
#include "base/text.h"
#include "gridcast/read.h"
#include "model/system.h"

/* A task whose place changes. */
typedef struct moved_task {
    const sys_task *task;
    const am_task *in_model;
    int number;                      /* in the model's tasks[] */
    const am_allocation *allocation; /* or NULL */
    const sys_place *from, *to;      /* places */
    int unit;                        /* the new processing unit; -1: as before */
    int scheduler;                   /* the new scheduler; -1: as before */
    bool priority, waiting;          /* they change */
} moved_task;

/* An element that allocates a task. */
typedef struct found_allocation {
    xml_node *node;
    const char *class, *name; /* of the task */
} found_allocation;

typedef struct mapping_edits {
    const am_model *m;
    mapping_text *t;
    VEC(found_allocation) allocations; /* of the file */
    bool has_allocations;              /* `allocations` is filled */
    text added;                        /* lines of new allocations */
    gcast_error *err;
    gcast_status status;
} mapping_edits;

#define PRIORITY "priority?type=SchedulingParameterDefinition"

static gcast_status not_written(gcast_error *err, const char *task, const char *message)
{
    gcast_error_set(err, GCAST_INPUT, NULL, "the mapping of '%.100s' cannot be written: %s", task, message);
    if (err)
        xml_one_line(err->message);
    return GCAST_INPUT;
}

static bool fail(mapping_edits *e, const char *task, const char *message)
{
    e->status = not_written(e->err, task, message);
    if (e->err)
        snprintf(e->err->file, sizeof e->err->file, "%s", e->t->name);
    return false;
}

static bool no_memory(mapping_edits *e)
{
    e->status = gcast_error_set_memory(e->err);
    return false;
}

/* Name?type=Class with the name encoded so that XML needs no escapes; the caller frees it. */
static char *reference_to(const char *name, const char *class)
{
    text out;
    text_open(&out, NULL, NULL);
    for (const char *c = name; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (plain || strchr(".-*_", *c))
            text_char(&out, *c);
        else if (*c == ' ')
            text_char(&out, '+');
        else
            text_printf(&out, "%%%02X", (unsigned char)*c);
    }
    text_printf(&out, "?type=%s", class);
    return text_take(&out, NULL);
}

static const char *scheduler_class(const am_scheduler *s)
{
    return s->interrupts ? "InterruptController" : "TaskScheduler";
}

/* References to other files are children with an href: the first gets another target, and the others are removed. */
static bool set_hrefs(mapping_edits *e, xml_node *child, const char *tag, const char *reference)
{
    const char *old = xml_peek(child, "href");
    text href;
    text_open(&href, NULL, NULL);
    text_bytes(&href, old ? old : "", old ? strcspn(old, "#") : 0);
    text_printf(&href, "#%s", reference);
    char *put = text_take(&href, NULL);
    bool good = put && change_attribute(e->t, child, "href", put);
    free(put);
    while (good && (child = xml_next(child, tag)))
        good = change_remove(e->t, child);
    return good;
}

static bool set_reference(mapping_edits *e, xml_node *n, const char *attribute, const char *name, const char *class)
{
    char *reference = reference_to(name, class);
    xml_node *child = xml_first(n, attribute);
    bool good = reference &&
                (child ? set_hrefs(e, child, attribute, reference) : change_attribute(e->t, n, attribute, reference));
    free(reference);
    return good || no_memory(e);
}

/* Lists the element with the task that an attribute or an href of it refers to; not without one. */
static bool add_allocation_of(mapping_edits *e, xml_node *n, const char *attribute)
{
    found_allocation found = {.node = n};
    const char *reference = xml_peek(n, attribute);
    const xml_node *child = reference ? NULL : xml_first(n, attribute);
    const char *href = child ? xml_peek(child, "href") : NULL;
    if (href)
        reference = reference_target(href);
    if (!reference || !reference_split(&e->t->tree.memory, reference, strlen(reference), &found.class, &found.name))
        return true;
    return vec_push(&e->allocations, found) || no_memory(e);
}

static bool list_allocation_nodes(mapping_edits *e)
{
    static const char *const kinds[][2] = {{"taskAllocation", "task"}, {"isrAllocation", "isr"}};
    for (xml_node *m = xml_first(e->t->tree.root, "mappingModel"); m; m = xml_next(m, "mappingModel"))
        for (size_t k = 0; k < 2; k++)
            for (xml_node *n = xml_first(m, kinds[k][0]); n; n = xml_next(n, kinds[k][0]))
                if (!add_allocation_of(e, n, kinds[k][1]))
                    return false;
    e->has_allocations = true;
    return true;
}

static xml_node *find_allocation_node(mapping_edits *e, const am_task *task)
{
    for (size_t i = 0; i < e->allocations.count; i++) {
        const found_allocation *a = &e->allocations.at[i];
        if (strcmp(a->class, task->isr ? "ISR" : "Task") == 0 && strcmp(a->name, task->name) == 0)
            return a->node;
    }
    return NULL;
}

static xml_node *find_task_node(mapping_edits *e, const am_task *task)
{
    const char *tag = task->isr ? "isrs" : "tasks";
    for (xml_node *m = xml_first(e->t->tree.root, "swModel"); m; m = xml_next(m, "swModel"))
        for (xml_node *n = xml_first(m, tag); n; n = xml_next(n, tag)) {
            const char *name = xml_peek(n, "name");
            if (name && strcmp(name, task->name) == 0)
                return n;
        }
    return NULL;
}

/* Changes all items that wait for events. The recursion is bounded by the depth of elements in XML. */
static bool set_waits(mapping_edits *e, const xml_node *n, const char *behaviour, size_t *count)
{
    if (strcmp(n->type, "WaitEvent") == 0) {
        ++*count;
        return change_attribute(e->t, n, "waitingBehaviour", behaviour) || no_memory(e);
    }
    for (const xml_node *c = n->first; c; c = c->next)
        if (!set_waits(e, c, behaviour, count))
            return false;
    return true;
}

static bool edit_waiting(mapping_edits *e, const moved_task *task)
{
    size_t count = 0;
    const xml_node *n = find_task_node(e, task->in_model);
    if (!n)
        return fail(e, task->in_model->name, "the task is in another file, and so is how it waits");
    if (!set_waits(e, n, task->to->busy ? "active" : "passive", &count))
        return false;
    return count || fail(e, task->in_model->name, "the task itself waits for no event, so how it waits is not its own");
}

/* The child that says the priority, in the style since 2.0.0. */
static xml_node *priority_value(xml_node *allocation)
{
    for (xml_node *n = xml_first(allocation, "schedulingParameters"); n; n = xml_next(n, "schedulingParameters")) {
        const char *key = xml_peek(n, "key");
        if (key && strcmp(key, PRIORITY) == 0)
            return xml_first(n, "value");
    }
    return NULL;
}

static bool is_new_style(const am_model *m)
{
    return strtol(m->version, NULL, 10) >= 2;
}

static bool has_definition(const mapping_edits *e)
{
    for (size_t i = 0; i < e->m->allocation_count; i++) /* a priority that is used is defined */
        if (e->m->allocations[i].has_priority)
            return true;
    return false;
}

/* Writes the lines of a priority, each behind `indent`. */
static bool put_priority(mapping_edits *e, const moved_task *task, text *out, const char *indent)
{
    long long priority = task->to->priority;
    if (!is_new_style(e->m)) {
        text_printf(out, "%s<schedulingParameters priority=\"%lld\"%s\n", indent, priority, e->t->empty_end);
        return true;
    }
    if (!e->t->has_xsi || !has_definition(e))
        return fail(e, task->in_model->name, "the model defines no parameter called priority");
    text_printf(out,
                "%s<schedulingParameters key=\"" PRIORITY "\">\n%s  <value xsi:type=\"%sIntegerObject\" "
                "value=\"%lld\"%s\n%s</schedulingParameters>\n",
                indent, indent, e->t->prefix, priority, e->t->empty_end, indent);
    return true;
}

static bool add_priority(mapping_edits *e, const moved_task *task, const xml_node *allocation)
{
    text lines;
    text_open(&lines, NULL, NULL);
    bool good = put_priority(e, task, &lines, "");
    char *put = text_take(&lines, NULL);
    good = good && ((put && change_child(e->t, allocation, put)) || no_memory(e));
    free(put);
    return good;
}

static bool edit_priority(mapping_edits *e, const moved_task *task, xml_node *allocation)
{
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)task->to->priority);
    if (task->in_model->isr)
        return change_attribute(e->t, allocation, "priority", number) || no_memory(e);
    if (is_new_style(e->m)) {
        const xml_node *value = priority_value(allocation);
        if (!value)
            return add_priority(e, task, allocation);
        return change_attribute(e->t, value, "value", number) || no_memory(e);
    }
    const xml_node *parameters = xml_first(allocation, "schedulingParameters");
    if (!parameters)
        return add_priority(e, task, allocation);
    return change_attribute(e->t, parameters, "priority", number) || no_memory(e);
}

/* Changes attributes before it adds children, which may add an end tag. */
static bool edit_allocation(mapping_edits *e, const moved_task *task, xml_node *n)
{
    const am_model *m = e->m;
    if (task->scheduler >= 0) {
        const am_scheduler *s = &m->schedulers[task->scheduler];
        if (!set_reference(e, n, task->in_model->isr ? "controller" : "scheduler", s->name, scheduler_class(s)))
            return false;
    }
    if (task->unit >= 0 && !task->in_model->isr &&
        !set_reference(e, n, "affinity", m->units[task->unit].name, "ProcessingUnit"))
        return false;
    return !task->priority || edit_priority(e, task, n);
}

static bool add_allocation(mapping_edits *e, const moved_task *task)
{
    const am_scheduler *s = task->scheduler >= 0 ? &e->m->schedulers[task->scheduler] : NULL;
    if (task->in_model->isr || task->unit < 0 || !s)
        return fail(e, task->in_model->name, "it has no allocation yet, and no scheduler is responsible for its core");
    char *name = reference_to(task->in_model->name, "Task"), *scheduler = reference_to(s->name, scheduler_class(s));
    char *unit = reference_to(e->m->units[task->unit].name, "ProcessingUnit");
    bool good = name && scheduler && unit;
    if (good)
        text_printf(&e->added, "<taskAllocation task=\"%s\" scheduler=\"%s\" affinity=\"%s\">\n", name, scheduler,
                    unit);
    free(name);
    free(scheduler);
    free(unit);
    if (!good)
        return no_memory(e);
    if (!put_priority(e, task, &e->added, "  "))
        return false;
    text_str(&e->added, "</taskAllocation>\n");
    return true;
}

static bool same_file(const mapping_edits *e, const char *file)
{
    return strcmp(e->t->name, file) == 0;
}

/* Makes the changes of one task. */
static bool edit_task(mapping_edits *e, const moved_task *task)
{
    if (task->waiting && !edit_waiting(e, task))
        return false;
    if (task->unit < 0 && task->scheduler < 0 && !task->priority)
        return true;
    if (!task->allocation)
        return add_allocation(e, task);
    if (!e->has_allocations && !list_allocation_nodes(e))
        return false;
    xml_node *n = same_file(e, task->allocation->at.file) ? find_allocation_node(e, task->in_model) : NULL;
    if (!n)
        return fail(e, task->in_model->name, "its allocation is in another file");
    return edit_allocation(e, task, n);
}

static bool put_in_model(mapping_edits *e, char *lines)
{
    xml_node *model = xml_first(e->t->tree.root, "mappingModel"), *last = NULL;
    if (!model) {
        text whole;
        text_open(&whole, NULL, NULL);
        text_str(&whole, "<mappingModel>\n");
        for (const char *line = lines; *line; line += strcspn(line, "\n") + 1)
            text_printf(&whole, "  %.*s\n", (int)strcspn(line, "\n"), line);
        text_str(&whole, "</mappingModel>\n");
        char *put = text_take(&whole, NULL);
        bool good = put && change_last(e->t, e->t->tree.root, put);
        free(put);
        return good;
    }
    for (xml_node *n = xml_first(model, "taskAllocation"); n; n = xml_next(n, "taskAllocation"))
        last = n;
    return last ? change_behind(e->t, last, lines) : change_last(e->t, model, lines);
}

/* Puts in the new allocations; called once, at the end. */
static bool edit_finish(mapping_edits *e)
{
    if (!e->added.used && !e->added.failed)
        return true;
    char *lines = text_take(&e->added, NULL);
    bool good = lines && put_in_model(e, lines);
    free(lines);
    return good || no_memory(e);
}

static void edit_free(mapping_edits *e)
{
    vec_free(&e->allocations);
    text_drop(&e->added);
}

static int find_unit(const am_model *m, const char *name)
{
    for (size_t i = 0; i < m->unit_count; i++)
        if (m->units[i].kind == AM_UNIT_PROCESSOR && strcmp(m->units[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int find_task(const am_model *m, const sys_task *task)
{
    for (size_t i = 0; i < m->task_count; i++)
        if (m->tasks[i].isr == task->isr && strcmp(m->tasks[i].name, task->name) == 0)
            return (int)i;
    return -1;
}

static const am_allocation *find_allocation(const am_model *m, int task, size_t *count)
{
    const am_allocation *found = NULL;
    *count = 0;
    for (size_t i = 0; i < m->allocation_count; i++)
        if (m->allocations[i].task == task) {
            found = &m->allocations[i];
            ++*count;
        }
    return found;
}

/* The task keeps its scheduler if that is responsible for the new core, and else gets one that is. */
static gcast_status choose_scheduler(const am_model *m, moved_task *t, gcast_error *err)
{
    const am_allocation *a = t->allocation;
    int own = a ? a->scheduler : -1, was = own;
    bool gpu = t->to->core == SYS_GPU;
    if (own >= 0 && t->from->core == SYS_GPU) /* on a core it goes by priorities again */
        own = -1;
    t->scheduler = scheduler_for(m, own, t->unit, t->in_model->isr, gpu);
    if (t->scheduler < 0)
        return not_written(err, t->in_model->name, "no scheduler of its kind is responsible for its new core");
    if (t->scheduler == was)
        t->scheduler = -1;
    return GCAST_OK;
}

/* Describes what changes in a task's place. */
static gcast_status describe(const am_model *m, const sys_system *s, size_t i, const sys_place *to, moved_task *t,
                             gcast_error *err)
{
    size_t allocations;
    *t = (moved_task){.task = &s->tasks[i], .from = &s->places[i], .to = to, .unit = -1, .scheduler = -1};
    t->number = find_task(m, t->task);
    if (t->number < 0)
        return not_written(err, t->task->name, "the model has no such task");
    t->in_model = &m->tasks[t->number];
    t->allocation = find_allocation(m, t->number, &allocations);
    if (allocations > 1)
        return not_written(err, t->in_model->name, "it has several allocations");
    t->waiting = to->busy != t->from->busy;
    t->priority = to->priority != t->from->priority;
    if (to->core == t->from->core && (t->allocation || !t->priority))
        return GCAST_OK;
    const char *name = to->core == SYS_GPU ? s->gpu_name : s->cores[to->core].name;
    t->unit = find_unit(m, name);
    if (t->unit < 0)
        return not_written(err, t->in_model->name, "the model has no processing unit of the name of its new core");
    /* On the GPU priorities may have been left out, and have no meaning; on a core they have. */
    t->priority = t->priority || !t->allocation ||
                  (to->core != SYS_GPU && (!t->allocation->has_priority || t->allocation->priority != to->priority));
    return choose_scheduler(m, t, err);
}

static bool differs(const sys_place *a, const sys_place *b)
{
    return a->core != b->core || a->priority != b->priority || a->busy != b->busy;
}

static gcast_status edit_all(const am_model *m, const sys_system *s, const sys_place *places, mapping_text *t,
                             gcast_error *err)
{
    mapping_edits edits = {.m = m, .t = t, .err = err};
    text_open(&edits.added, NULL, NULL);
    gcast_status status = GCAST_OK;
    for (size_t i = 0; status == GCAST_OK && i < s->task_count; i++) {
        moved_task task;
        if (!differs(&s->places[i], &places[i]))
            continue;
        status = describe(m, s, i, &places[i], &task, err);
        if (status == GCAST_OK && !edit_task(&edits, &task))
            status = edits.status;
    }
    if (status == GCAST_OK && !edit_finish(&edits))
        status = edits.status;
    edit_free(&edits);
    return status;
}

/* Readers drop a byte order mark; it is a part of the file. */
static bool has_mark(const char *path)
{
    char mark[3] = {0};
    FILE *in = fopen(path, "rb");
    bool found = in && fread(mark, 1, 3, in) == 3 && memcmp(mark, "\xef\xbb\xbf", 3) == 0;
    if (in)
        fclose(in);
    return found;
}

static gcast_status put_mark(char **bytes, size_t *size, gcast_error *err)
{
    char *grown = realloc(*bytes, *size + 4);
    if (!grown)
        return gcast_error_set_memory(err);
    memmove(grown + 3, grown, *size + 1);
    memcpy(grown, "\xef\xbb\xbf", 3);
    *bytes = grown;
    *size += 3;
    return GCAST_OK;
}

static gcast_status write_text(const am_model *m, const sys_system *s, const sys_place *places, const char *path,
                               char *old, size_t old_size, char **bytes, size_t *size, gcast_error *err)
{
    mapping_text t;
    gcast_status status = mapping_text_open(&t, path, old, old_size, err);
    if (status != GCAST_OK)
        return status;
    status = edit_all(m, s, places, &t, err);
    if (status == GCAST_OK && !(*bytes = changed_text(&t, size)))
        status = gcast_error_set_memory(err);
    mapping_text_close(&t);
    if (status == GCAST_OK)
        status = mapping_check(m, s, places, path, *bytes, *size, err);
    return status;
}

gcast_status amalthea_write_mapping(const am_model *m, const sys_system *s, const sys_place *places, const char *path,
                                    char **bytes, size_t *size, gcast_error *err)
{
    char *old;
    size_t old_size;
    *bytes = NULL;
    *size = 0;
    gcast_status status = system_check_places(s, places, err);
    if (status != GCAST_OK)
        return status;
    status = gcast_file_read(path, &old, &old_size, err);
    if (status != GCAST_OK)
        return status;
    status = write_text(m, s, places, path, old, old_size, bytes, size, err);
    if (status == GCAST_OK && has_mark(path))
        status = put_mark(bytes, size, err);
    free(old);
    if (status != GCAST_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}
