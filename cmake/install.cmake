set(GRIDCAST_PC_REQUIRES "jansson zlib")
if(CAIRO_FOUND)
  string(APPEND GRIDCAST_PC_REQUIRES " cairo")
endif()
if(LibXml2_FOUND) # not libxml-2.0, whose own static libraries need more than Debian's package brings
  set(GRIDCAST_PC_LIBS " -lxml2")
endif()
if(YAJL_FOUND)
  string(APPEND GRIDCAST_PC_LIBS " -lyajl")
endif()
if(SQLite3_FOUND)
  string(APPEND GRIDCAST_PC_LIBS " -lsqlite3")
endif()
# The file finds its prefix from where it lies, so that the tree can be moved.
file(RELATIVE_PATH GRIDCAST_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/gridcast.pc.in gridcast.pc @ONLY)
install(TARGETS gridcast RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS gridcast_record LIBRARY DESTINATION ${GRIDCAST_RECORD_DIR})
install(TARGETS gridcast_shared EXPORT gridcast-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# For find_package(gridcast) of other CMake projects.
set(GRIDCAST_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gridcast)
set_target_properties(gridcast_shared PROPERTIES EXPORT_NAME gridcast)
install(EXPORT gridcast-targets NAMESPACE gridcast:: DESTINATION ${GRIDCAST_CMAKE_DIR})
include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/gridcast-config.cmake.in gridcast-config.cmake INSTALL_DESTINATION ${GRIDCAST_CMAKE_DIR})
write_basic_package_version_file(gridcast-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gridcast-config.cmake ${PROJECT_BINARY_DIR}/gridcast-config-version.cmake DESTINATION ${GRIDCAST_CMAKE_DIR})
install(FILES ${GRIDCAST_STATIC} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/gridcast DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES cuda/gridcast_spawn.cuh cuda/gridcast_spawn_log.h cuda/gridcast_spawn_measure.cuh cuda/gridcast_spawn_rules.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gridcast/cuda)
install(FILES ${PROJECT_BINARY_DIR}/gridcast.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY python DESTINATION ${CMAKE_INSTALL_DATADIR}/gridcast PATTERN __pycache__ EXCLUDE
  PATTERN README.md EXCLUDE PATTERN pyproject.toml EXCLUDE PATTERN setup.py EXCLUDE) # these are of wheels
install(DIRECTORY gpus DESTINATION ${CMAKE_INSTALL_DATADIR}/gridcast)
# As in the source tree, so that links, pictures and the commands shown work there too.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
