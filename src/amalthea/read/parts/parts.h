/* The parts of a model. Each call fills arrays of the model; those that others need come first. */
#ifndef AMALTHEA_READ_PARTS_PARTS_H
#define AMALTHEA_READ_PARTS_PARTS_H

#include "amalthea/read/reader.h"

bool read_definitions(am_reader *r);
bool read_units(am_reader *r);
bool read_software(am_reader *r); /* labels, OS events, runnables, tasks, chains of processes */
bool read_stimuli(am_reader *r);
bool read_schedulers(am_reader *r); /* and semaphores */
bool read_mapping(am_reader *r);
bool read_events(am_reader *r);
bool read_chains(am_reader *r);
bool read_limits(am_reader *r);
bool read_affinities(am_reader *r);

/* Runs `read` for each symbol of a kind, with the slot of the array that has its number. */
typedef bool (*read_symbol)(am_reader *r, xml_node *n, const char *class, void *slot);
bool read_each(am_reader *r, am_symbol_kind kind, size_t size, read_symbol read, const void **array, size_t *count);

/* The elements with this tag in a part of every file, one after the other: start with n = NULL. */
xml_node *part_next(am_reader *r, const char *part, const char *tag, xml_node *n);

#endif
