/* The words that options take as values: one list for parsing, messages and completion. */
#ifndef CLI_CHOICES_H
#define CLI_CHOICES_H

#include <stddef.h>

/* A list of words is an array of these that ends with NULL. */
typedef const char *const choice;
extern choice color_choices[], method_choices[], goal_choices[], durations_choices[], model_choices[],
    contract_choices[], placement_choices[], block_placement_choices[], convert_choices[], metric_choices[],
    shell_choices[], policies_choices[], idle_choices[], average_choices[], counters_choices[], start_choices[],
    child_stream_choices[], communication_choices[], reaction_choices[], contexts_choices[], wait_choices[],
    map_choices[], objective_choices[], spans_choices[], events_choices[];

/* The words that an option takes whose value --help calls `value`, such as "WHEN"; NULL: its values are no words. */
choice *choices_of(const char *value);
/* The index of a word; -1: it is not in the list. */
int choice_find(choice *list, const char *word);
/* Such as "auto, always or never". */
void choices_join(choice *list, char *out, size_t size);

#endif
