/* The model with another mapping, as a file. */
#ifndef CLI_SYSTEM_MAPPING_MAP_WRITE_H
#define CLI_SYSTEM_MAPPING_MAP_WRITE_H

#include "cli/args.h"
#include "cli/system/opened_system.h"

/* Errors are printed. */
gcast_status map_write_model(const args *a, const opened_system *o, const sys_place *places, const char *path);

#endif
