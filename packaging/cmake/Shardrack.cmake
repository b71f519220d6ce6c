# How Shardrack's libraries, programs and tests are declared.
#
# Every layer is one static library that sees its own folder and, through its dependencies, theirs:
# each library's include directory holds one link, named like the layer, to the layer's folder. So
# `#include "site/site.h"` compiles only where the site layer is a declared dependency.

function(shardrack_compile_options target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
        -fstack-protector-strong)
    if(NOT SHARDRACK_SANITIZE) # the sanitizers replace the same functions
        target_compile_options(${target} PRIVATE # -U: a compiler may define it by itself
            $<$<CONFIG:Release,RelWithDebInfo>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
    endif()
    # gcc 12 sees an overlap in "text" + std::string that is not there (gcc bug 105651).
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
    target_compile_definitions(${target} PRIVATE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
    target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now)
    if(SHARDRACK_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(SHARDRACK_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${SHARDRACK_SANITIZE} -fno-sanitize-recover=all
            -fno-omit-frame-pointer)
        target_link_options(${target} PRIVATE -fsanitize=${SHARDRACK_SANITIZE})
    endif()
endfunction()

# Qt's dangerous conveniences are off in everything that uses Qt, except in tests.
function(shardrack_qt_definitions target)
    target_compile_definitions(${target} PRIVATE QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII
        QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING QT_STRICT_ITERATORS
        QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_DISABLE_DEPRECATED_BEFORE=0x060400)
endfunction()

function(shardrack_include_root target layer)
    set(root ${CMAKE_BINARY_DIR}/include/${target})
    file(MAKE_DIRECTORY ${root})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${layer} SYMBOLIC)
    target_include_directories(${target} PUBLIC ${root})
endfunction()

# shardrack_core_library(LAYER SOURCES a.cpp … [DEPENDS layer …]): Qt-free; made in the layer's folder.
function(shardrack_core_library layer)
    cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
    set(target shardrack_core_${layer})
    add_library(${target} STATIC ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES AUTOMOC OFF)
    shardrack_compile_options(${target})
    shardrack_include_root(${target} ${layer})
    list(TRANSFORM arg_DEPENDS PREPEND shardrack_core_)
    target_link_libraries(${target} PUBLIC ${arg_DEPENDS} nlohmann_json::nlohmann_json)
endfunction()

# shardrack_ui_library(PART SOURCES a.cpp … [DEPENDS target …] [QT module …])
function(shardrack_ui_library part)
    cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;QT" ${ARGN})
    set(target shardrack_ui_${part})
    add_library(${target} STATIC ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES AUTOMOC ON)
    shardrack_compile_options(${target})
    shardrack_include_root(${target} ${part})
    list(TRANSFORM arg_QT PREPEND Qt6::)
    target_link_libraries(${target} PUBLIC ${arg_DEPENDS} ${arg_QT})
    shardrack_qt_definitions(${target})
endfunction()

# A test takes longer to compile than to run, and most of that is Qt's headers: tests are optimized
# little, and share headers that a program precompiles which does nothing else. Qt tells each test its
# folders by macros; none reads them, and they would keep the headers from being shared.
function(shardrack_test_options target)
    shardrack_compile_options(${target})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>
        -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
    # gcc 12 sees writes that are not there in the library's strings, and where its headers are
    # precompiled does not know them for a library's (gcc bugs 105329, 105651).
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
    endif()
endfunction()
function(shardrack_precompile_test target)
    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/tests
        OUTPUT_VARIABLE folder)
    set(parts Test)
    if("Qt6::Widgets" IN_LIST ARGN)
        list(APPEND parts Gui Widgets)
    elseif(folder MATCHES "^ui/")
        list(APPEND parts Gui)
    endif()
    list(TRANSFORM parts REPLACE "(.+)" "<Qt\\1>" OUTPUT_VARIABLE headers)
    list(TRANSFORM parts PREPEND Qt6::)
    list(GET parts -1 owner)
    string(REPLACE Qt6:: headers_of_tests_ owner ${owner})
    if(NOT TARGET ${owner})
        file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/${owner}.cpp CONTENT "int main() {}\n")
        add_executable(${owner} ${CMAKE_BINARY_DIR}/${owner}.cpp)
        shardrack_test_options(${owner})
        target_link_libraries(${owner} PRIVATE ${parts} nlohmann_json::nlohmann_json)
        target_precompile_headers(${owner} PRIVATE ${headers} <nlohmann/json.hpp>)
    endif()
    target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# shardrack_label_test(TEST TARGET [label …]): labels a test with the folders it lives in below tests
# (tests/core/base: "core", "base") and those given; `tests-LABEL` builds the programs of a label.
function(shardrack_label_test test target)
    file(RELATIVE_PATH labels ${CMAKE_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
    string(REPLACE "/" ";" labels "${labels}")
    list(APPEND labels ${ARGN})
    list(REMOVE_DUPLICATES labels)
    set_property(TEST ${test} PROPERTY LABELS "${labels}")
    foreach(label IN LISTS labels)
        if(NOT TARGET tests-${label})
            add_custom_target(tests-${label})
        endif()
        add_dependencies(tests-${label} ${target})
    endforeach()
endfunction()

# shardrack_test(NAME SOURCES a.cpp … DEPENDS target … [QT module …] [LABELS label …]): a Qt Test
# program. It runs without a display, or with the label "xvfb" in a real X server of its own.
function(shardrack_test name)
    cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;QT;LABELS" ${ARGN})
    add_executable(${name} ${arg_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    shardrack_test_options(${name})
    list(TRANSFORM arg_QT PREPEND Qt6::)
    target_link_libraries(${name} PRIVATE ${arg_DEPENDS} Qt6::Test ${arg_QT})
    target_compile_definitions(${name} PRIVATE
        SHARDRACK_SOURCE_DIR="${CMAKE_SOURCE_DIR}" SHARDRACK_BINARY_DIR="${CMAKE_BINARY_DIR}")
    shardrack_precompile_test(${name} ${arg_QT})
    if("xvfb" IN_LIST arg_LABELS)
        find_program(SHARDRACK_XVFB_RUN xvfb-run)
        set(platform xcb)
        add_test(NAME ${name} COMMAND
            ${SHARDRACK_XVFB_RUN} -a -s "-screen 0 1600x1000x24" $<TARGET_FILE:${name}>)
        if(NOT SHARDRACK_XVFB_RUN)
            set_tests_properties(${name} PROPERTIES DISABLED TRUE)
        endif()
    else()
        set(platform offscreen)
        add_test(NAME ${name} COMMAND ${name})
    endif()
    shardrack_label_test(${name} ${name} ${arg_LABELS})
    set_tests_properties(${name} PROPERTIES TIMEOUT 300
        ENVIRONMENT "QT_QPA_PLATFORM=${platform};${SHARDRACK_TEST_ENVIRONMENT}"
        SKIP_REGULAR_EXPRESSION "^SKIP WHOLE TEST")
endfunction()

# What every test runs with: nothing of the user's, nothing of the machine's.
set(SHARDRACK_TEST_ENVIRONMENT LANG=C.UTF-8 QT_SCALE_FACTOR=1
    HOME=${CMAKE_BINARY_DIR}/tests/home
    XDG_CONFIG_HOME=${CMAKE_BINARY_DIR}/tests/config
    XDG_RUNTIME_DIR=${CMAKE_BINARY_DIR}/tests/runtime
    UBSAN_OPTIONS=print_stacktrace=1
    LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/lsan.supp:print_suppressions=0)
