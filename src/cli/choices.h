/* The words that options take, each list once: for parsing, messages and completion alike. */
#ifndef CLI_CHOICES_H
#define CLI_CHOICES_H

#include <stddef.h>

/* NULL ends a list. */
typedef const char *const choice;
extern choice color_choices[], method_choices[], goal_choices[], durations_choices[], model_choices[],
    contract_choices[], convert_choices[], shell_choices[];

/* The list behind what --help calls an option's value, such as "WHEN"; NULL: there is none. */
choice *choices_of(const char *value);
/* The place of a word; -1: it is not there. */
int choice_find(choice *list, const char *word);
/* "auto, always or never" */
void choices_join(choice *list, char *out, size_t size);

#endif
