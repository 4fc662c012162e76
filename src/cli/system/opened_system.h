/* A model that the command line names, read and made a system. */
#ifndef CLI_SYSTEM_OPENED_SYSTEM_H
#define CLI_SYSTEM_OPENED_SYSTEM_H

#include "amalthea/amalthea.h"
#include "cli/args.h"

typedef struct opened_system {
    am_model *model;
    gcast_gpu *gpu; /* NULL: --gpu is not given */
    sys_given *given;
    sys_system *s;
} opened_system;

/* Reads the model of the operands and the options, and makes no system. Errors are printed, here and below. */
gcast_status opened_model_from_args(const args *a, opened_system *o);
/* The same, with the system. */
gcast_status opened_system_from_args(const args *a, opened_system *o);
void opened_system_free(opened_system *o);
/* Prints an error that has no file as one of the model. Returns its code. */
gcast_status say_system_error(const sys_system *s, gcast_error *err);

#endif
