# libgridcast-record.so, which the CUDA driver loads into programs that `gridcast record` runs: only what it needs, and
# no symbol of its own but those that the driver and NVTX look for. It stays loaded, as CUPTI calls it back.
file(GLOB RECORD_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/record/*.c)
add_library(gridcast_record MODULE ${RECORD_SOURCES} ${PROJECT_SOURCE_DIR}/src/base/index.c)
set_target_properties(gridcast_record PROPERTIES OUTPUT_NAME gridcast-record)
target_include_directories(gridcast_record PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(gridcast_record PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(gridcast_record PRIVATE -Wl,-z,nodelete)

# The command looks for it beside itself, and from there in the folder where it is installed.
if(NOT GRIDCAST_RECORD_DIR)
  set(GRIDCAST_RECORD_DIR ${CMAKE_INSTALL_LIBDIR}) # packages have a folder of their own, as no program links with it
endif()
if(IS_ABSOLUTE "${GRIDCAST_RECORD_DIR}")
  set(RECORD_LIBRARIES ${GRIDCAST_RECORD_DIR})
elseif(IS_ABSOLUTE "${CMAKE_INSTALL_BINDIR}")
  set(RECORD_LIBRARIES ${CMAKE_INSTALL_PREFIX}/${GRIDCAST_RECORD_DIR})
else()
  file(RELATIVE_PATH RECORD_LIBRARIES /${CMAKE_INSTALL_BINDIR} /${GRIDCAST_RECORD_DIR})
endif()
set_source_files_properties(src/cli/commands/record.c PROPERTIES COMPILE_DEFINITIONS GRIDCAST_LIBRARIES="${RECORD_LIBRARIES}")
