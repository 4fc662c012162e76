/* Variables of the module that --out writes after the run. */
#ifndef CLI_EXEC_ARGUMENTS_MODULE_OUTPUTS_H
#define CLI_EXEC_ARGUMENTS_MODULE_OUTPUTS_H

#include "cli/exec/arguments/launch.h"

/* Adds to the launch every variable of the module that an --out names and no buffer is called. Errors are printed. */
gcast_status exec_variables_bind(exec_launch *e, const gcast_ptx *p, const args *a);
/* The variable whose name is the first `length` characters; NULL: it was not added. */
const gcast_variable *exec_variable_find(const exec_launch *e, const char *name, size_t length);

#endif
