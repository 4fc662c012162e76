/* Kinds of delays of an AMALTHEA model. */
#ifndef AMALTHEA_MAPPING_TYPE_H
#define AMALTHEA_MAPPING_TYPE_H

/* Which targets of a delay belong to which sources: name in the schema. */
#define AM_MAPPING_TABLE(X)                                                                                            \
    X(REACTION, "Reaction") X(ONE_TO_ONE, "OneToOne") X(UNIQUE, "UniqueReaction") X(NOT_SAID, "_undefined_")

typedef enum {
#define X(id, name) AM_MAPPING_##id,
    AM_MAPPING_TABLE(X)
#undef X
        AM_MAPPINGS
} am_mapping_type;

#endif
