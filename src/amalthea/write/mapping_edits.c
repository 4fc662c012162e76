/* Finds the elements that say where a task runs, and changes them. */
#include "amalthea/write/mapping_edits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amalthea/read/references.h"

#define PRIORITY "priority?type=SchedulingParameterDefinition"

static bool fail(mapping_edits *e, const char *task, const char *message)
{
    e->status =
        gcast_error_set(e->err, GCAST_INPUT, NULL, "the mapping of '%.100s' cannot be written: %s", task, message);
    if (e->err) {
        xml_one_line(e->err->message);
        snprintf(e->err->file, sizeof e->err->file, "%s", e->t->name);
    }
    return false;
}

static bool no_memory(mapping_edits *e)
{
    e->status = gcast_error_set_memory(e->err);
    return false;
}

/* Name?type=Class with all in the name encoded that must be; needs no escapes in XML. For the caller to free. */
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

/* References to other files are children with an href: the first gets another target, and the rest go. */
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

/* The task that an attribute or an href of the element refers to; without one it is none. */
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

static bool find_allocations(mapping_edits *e)
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

static xml_node *find_allocation(mapping_edits *e, const am_task *task)
{
    for (size_t i = 0; i < e->allocations.count; i++) {
        const found_allocation *a = &e->allocations.at[i];
        if (strcmp(a->class, task->isr ? "ISR" : "Task") == 0 && strcmp(a->name, task->name) == 0)
            return a->node;
    }
    return NULL;
}

static xml_node *find_task(mapping_edits *e, const am_task *task)
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

/* All items that wait for events; as deep as elements may be. */
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
    const xml_node *n = find_task(e, task->was);
    if (!n)
        return fail(e, task->was->name, "the task is in another file, and so is how it waits");
    if (!set_waits(e, n, task->to->busy ? "active" : "passive", &count))
        return false;
    return count || fail(e, task->was->name, "the task itself waits for no event, so how it waits is not its own");
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
    for (size_t i = 0; i < e->m->allocation_count; i++) /* somebody has a priority, so it is defined */
        if (e->m->allocations[i].has_priority)
            return true;
    return false;
}

/* Lines of a priority, two spaces deep for each of `levels`. */
static bool put_priority(mapping_edits *e, const moved_task *task, text *out, const char *indent)
{
    long long priority = task->to->priority;
    if (!is_new_style(e->m)) {
        text_printf(out, "%s<schedulingParameters priority=\"%lld\"%s\n", indent, priority, e->t->empty_end);
        return true;
    }
    if (!e->t->has_xsi || !has_definition(e))
        return fail(e, task->was->name, "the model defines no parameter called priority");
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
    if (task->was->isr)
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

/* Attributes come before children: an element without an end tag may get one. */
static bool edit_allocation(mapping_edits *e, const moved_task *task, xml_node *n)
{
    const am_model *m = e->m;
    if (task->scheduler >= 0) {
        const am_scheduler *s = &m->schedulers[task->scheduler];
        if (!set_reference(e, n, task->was->isr ? "controller" : "scheduler", s->name, scheduler_class(s)))
            return false;
    }
    if (task->unit >= 0 && !task->was->isr &&
        !set_reference(e, n, "affinity", m->units[task->unit].name, "ProcessingUnit"))
        return false;
    return !task->priority || edit_priority(e, task, n);
}

static bool add_allocation(mapping_edits *e, const moved_task *task)
{
    const am_scheduler *s = task->scheduler >= 0 ? &e->m->schedulers[task->scheduler] : NULL;
    if (task->was->isr || task->unit < 0 || !s)
        return fail(e, task->was->name, "it has no allocation yet, and no scheduler is responsible for its core");
    char *name = reference_to(task->was->name, "Task"), *scheduler = reference_to(s->name, scheduler_class(s));
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

bool edit_task(mapping_edits *e, const moved_task *task)
{
    if (task->waiting && !edit_waiting(e, task))
        return false;
    if (task->unit < 0 && task->scheduler < 0 && !task->priority)
        return true;
    if (!task->allocation)
        return add_allocation(e, task);
    if (!e->has_allocations && !find_allocations(e))
        return false;
    xml_node *n = same_file(e, task->allocation->at.file) ? find_allocation(e, task->was) : NULL;
    if (!n)
        return fail(e, task->was->name, "its allocation is in another file");
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

bool edit_finish(mapping_edits *e)
{
    if (!e->added.used && !e->added.failed)
        return true;
    char *lines = text_take(&e->added, NULL);
    bool good = lines && put_in_model(e, lines);
    free(lines);
    return good || no_memory(e);
}

void edit_free(mapping_edits *e)
{
    vec_free(&e->allocations);
    text_drop(&e->added);
}
