/* --list and --print: what exec shows without running anything. */
#ifndef CLI_EXEC_LIST_H
#define CLI_EXEC_LIST_H

#include "gridcast/ptx.h"

/* Each instruction that exec can execute, with its forms. */
gcast_status exec_list_instructions(void);
/* The kernels of a program and the types of their parameters. */
gcast_status exec_list_kernels(const gcast_ptx *p);
/* A program as PTX text again. */
gcast_status exec_print_program(const gcast_ptx *p);

#endif
