# kernels.list -> one small source per line, one per collision, lattice and precision, and the registry.
# For CUDA: one per storage instance, and one per storage and collision, whose loops are one kernel there.
# lbm_kernel_instances(<list file> <output folder> <variable for the sources>)
# What the list marks with + is left out of LBM_KERNELS=default, with * of checked, too; the registry knows it by name.
# Part of lbmFoam, GPL-3.0-or-later.
set(LBM_KERNELS default CACHE STRING
  "Kernels to build: default (what users and tutorials run), checked (each kind of code once) or all (papers, rare combinations)")
set_property(CACHE LBM_KERNELS PROPERTY STRINGS default checked all)
if(NOT LBM_KERNELS MATCHES "^(default|checked|all)$")
  message(FATAL_ERROR "LBM_KERNELS is '${LBM_KERNELS}': default, checked or all")
endif()

function(lbm_capitalize word result)
  string(SUBSTRING ${word} 0 1 head)
  string(SUBSTRING ${word} 1 -1 tail)
  string(TOUPPER ${head} head)
  set(${result} "${head}${tail}" PARENT_SCOPE)
endfunction()

# Whether this build has what stands behind a mark: nothing, + or *
function(lbm_mark_is_built mark result)
  set(built ON)
  if((mark STREQUAL "+" AND LBM_KERNELS STREQUAL "default") OR (mark STREQUAL "*" AND NOT LBM_KERNELS STREQUAL "all"))
    set(built OFF)
  endif()
  set(${result} ${built} PARENT_SCOPE)
endfunction()

# a,b+c*d -> <words>: a;b of the default set, a;b;c of the checked one, a;b;c;d of all; <rare>: those left out
function(lbm_kernel_words field words rare)
  set(taken "")
  set(left "")
  string(REGEX MATCHALL "[+*]?[^+*]+" parts "${field}")
  foreach(part ${parts})
    string(REGEX MATCH "^[+*]" mark "${part}")
    string(REGEX REPLACE "^[+*]" "" part "${part}")
    string(REPLACE "," ";" part "${part}")
    lbm_mark_is_built("${mark}" built)
    if(built)
      list(APPEND taken ${part})
    else()
      list(APPEND left ${part})
    endif()
  endforeach()
  set(${words} "${taken}" PARENT_SCOPE)
  set(${rare} "${left}" PARENT_SCOPE)
endfunction()

# <fields>: the six words of a line; takes: what they are
function(lbm_kernel_fields line takes fields)
  string(REGEX REPLACE "[ \t]+" ";" words "${line}")
  list(LENGTH words n)
  if(NOT n EQUAL 6)
    message(FATAL_ERROR "${list}: ${takes}: '${line}'")
  endif()
  set(${fields} "${words}" PARENT_SCOPE)
endfunction()

# What a line builds, and what it leaves out: of lattices ... collisions which with, which without LBM_KERNELS=all. A device has
# as many lines as it likes; `closure_lines_<device>` names them.
macro(lbm_read_closures line)
  lbm_kernel_fields("${line}" "closures take lattices, device, precisions, closures, collisions" fields)
  list(GET fields 2 device)
  list(GET fields 1 3 4 5 fields)
  list(LENGTH closure_lines_${device} number)
  list(APPEND closure_lines_${device} ${device}${number})
  foreach(kind closure_lattices closure_precisions closures closure_collisions)
    list(POP_FRONT fields field)
    lbm_kernel_words("${field}" ${kind}_${device}${number} rare_${kind}_${device}${number})
  endforeach()
endmacro()

# L, device, T, tile, storages, collisions, built_line; rare_storages, rare_collisions: what this build leaves out
macro(lbm_read_kernels line)
  string(REGEX MATCH "^[+*]" mark "${line}")
  string(REGEX REPLACE "^[+*]" "" plain "${line}")
  lbm_mark_is_built("${mark}" built_line)
  lbm_kernel_fields("${plain}" "a line takes lattice, device, precision, tile, storages, collisions" fields)
  foreach(word L device T tile storage_words collision_words)
    list(POP_FRONT fields ${word})
  endforeach()
  lbm_kernel_words("${storage_words}" storages rare_storages)
  lbm_kernel_words("${collision_words}" collisions rare_collisions)
  if(NOT device MATCHES "^(cpu|cuda)$")
    message(FATAL_ERROR "${list}: device cpu or cuda, not '${device}': '${line}'")
  endif()
  if(NOT T MATCHES "^(double|float)$")
    message(FATAL_ERROR "${list}: precision double or float, one a line, not '${T}': '${line}'")
  endif()
  foreach(s ${storages} ${rare_storages})
    if(NOT DEFINED stored_${device}_${s})
      message(FATAL_ERROR "${list}: lbm/api/Storage.hpp has no storage '${s}' for ${device}: '${line}'")
    endif()
  endforeach()
endmacro()

# Closures of lattice L, precision T and collision c on a device: constant and those of the device's lines of closures.
# <words>, <rare> as above.
function(lbm_closures_of L device T c words rare)
  set(found constant)
  set(left "")
  foreach(line ${closure_lines_${device}})
    set(common ON)
    set(matches ON)
    foreach(pair lattices=${L} precisions=${T} collisions=${c})
      string(REPLACE "=" ";" pair ${pair})
      list(GET pair 0 field)
      list(GET pair 1 word)
      if(word IN_LIST rare_closure_${field}_${line})
        set(common OFF)
      elseif(NOT word IN_LIST closure_${field}_${line})
        set(matches OFF)
      endif()
    endforeach()
    if(matches AND common)
      list(APPEND found ${closures_${line}})
    elseif(matches)
      list(APPEND left ${closures_${line}})
    endif()
    if(matches)
      list(APPEND left ${rare_closures_${line}})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES found)
  list(REMOVE_DUPLICATES left)
  list(REMOVE_ITEM left ${found})
  set(${words} "${found}" PARENT_SCOPE)
  set(${rare} "${left}" PARENT_SCOPE)
endfunction()

# The same in a storage: moments of third order do without (takesClosures in lbm/api/Storage.hpp)
function(lbm_closures_in s L device T c words rare)
  set(found constant)
  set(left "")
  if(NOT (stored_${device}_${s} STREQUAL "moments" AND c IN_LIST third_collisions))
    lbm_closures_of(${L} ${device} ${T} ${c} found left)
  endif()
  set(${words} "${found}" PARENT_SCOPE)
  set(${rare} "${left}" PARENT_SCOPE)
endfunction()

# Type of collision c with a closure, what has to be included for it, and the word that tells its source from others
function(lbm_collision_type c closure type includes word)
  lbm_capitalize(${c} C)
  set(${includes} "#include \"lbm/physics/${C}.hpp\"\n" PARENT_SCOPE)
  set(${type} "${C}" PARENT_SCOPE)
  set(${word} "${c}" PARENT_SCOPE)
  if(NOT closure STREQUAL "constant")
    lbm_capitalize(${closure} K)
    set(${includes} "#include \"lbm/physics/${C}.hpp\"\n#include \"lbm/physics/Closures.hpp\"\n" PARENT_SCOPE)
    set(${type} "Closed<${C}, ${K}>" PARENT_SCOPE)
    set(${word} "${c}_${closure}" PARENT_SCOPE)
  endif()
endfunction()

# Every collision of one storage on a GPU, with each closure: `body` is that of its source, with @C@ for its type.
macro(lbm_cuda_collisions header type member body)
  foreach(c ${collisions})
    lbm_closures_in(${s} ${L} ${device} ${T} ${c} with_closures unused)
    foreach(closure ${with_closures})
      lbm_collision_type(${c} ${closure} C includes word)
      set(id "cuda_${L}_${s}_${word}_${T}_${tile}")
      string(CONFIGURE "${body}" filled @ONLY)
      file(CONFIGURE OUTPUT "${folder}/${id}.cu" CONTENT
"${includes}#include \"lbm/solver/${header}\"
namespace lbm {
void ${id}(std::vector<${type}<${T}>>& entries) { ${filled} }
}
")
      list(APPEND files "${folder}/${id}.cu")
      string(APPEND declarations "void ${id}(std::vector<${type}<${T}>>&);\n")
      string(APPEND fill_cuda_${T} "    ${id}(c.${member});\n")
    endforeach()
  endforeach()
endmacro()

# What lbm/api/Storage.hpp tells of all storages: stored_<device>_<name>, copies_..., bytes_... of a value; third_collisions
macro(lbm_read_storages)
  set(header "${PROJECT_SOURCE_DIR}/lbm/api/Storage.hpp")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
  set(row "^ +{\"(cpu|cuda)\", \"([A-Za-z0-9]+)\", Stored::([a-z]+), ([0-9]+), ([0-9]+),")
  file(STRINGS "${header}" rows REGEX "${row}")
  foreach(text ${rows})
    string(REGEX MATCH "${row}" found "${text}")
    set(id "${CMAKE_MATCH_1}_${CMAKE_MATCH_2}")
    set(stored_${id} ${CMAKE_MATCH_3})
    set(copies_${id} ${CMAKE_MATCH_4})
    set(bytes_${id} ${CMAKE_MATCH_5})
  endforeach()
  # And lbm/api/Collision.hpp of collisions
  set(header "${PROJECT_SOURCE_DIR}/lbm/api/Collision.hpp")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
  set(row "{\"([A-Za-z0-9]+)\", {[0-9, ]+}, [0-9]+, [0-9]+, (true|false), true}")
  file(STRINGS "${header}" rows REGEX "${row}")
  set(third_collisions "")
  foreach(text ${rows})
    string(REGEX MATCH "${row}" found "${text}")
    list(APPEND third_collisions ${CMAKE_MATCH_1})
  endforeach()
endmacro()

macro(lbm_cuda_line)
  foreach(s ${storages})
    lbm_capitalize(${s} S)
    if(stored_${device}_${s} STREQUAL "moments")
      set(stored ${T})
      if(bytes_${device}_${s} EQUAL 2)
        set(stored Short)
      endif()
      set(copies ${copies_${device}_${s}})
      lbm_cuda_collisions(CudaMomentInstance.cuh CudaMomentEntry moments
        "addMoments<@copies@, @L@, @T@, @stored@, Tile<@extents@>, @C@@Eqs@>(entries, \"@s@\", \"@tile@\");")
    else()
      set(id "cuda_${L}_${s}_${T}_${tile}")
      set(arguments "std::shared_ptr<const Domain>, const Config&, const KernelRow&, const CudaStep<${T}>&")
      file(CONFIGURE OUTPUT "${folder}/${id}.cu" CONTENT
"#include \"lbm/solver/CudaStorageInstance.cuh\"
namespace lbm {
std::unique_ptr<Part> ${id}(std::shared_ptr<const Domain> d, const Config& c, const KernelRow& r, const CudaStep<${T}>& k)
{
    return makeCuda<${S}Phases, ${L}, ${T}, Tile<${extents}>>(std::move(d), c, r, k);
}
}
")
      list(APPEND files "${folder}/${id}.cu")
      string(APPEND declarations "std::unique_ptr<Part> ${id}(${arguments});\n")
      string(APPEND fill_cuda_${T} "    c.storages.push_back({\"${L}\", \"${s}\", \"${tile}\", &${id}});\n")
      lbm_cuda_collisions(CudaStepInstance.cuh CudaStepEntry steps
        "addSteps<@S@Phases, @L@, @T@, Tile<@extents@>, @C@@Eqs@>(entries, \"@tile@\");")
    endif()
  endforeach()
endmacro()

# Storages of one line in one source: they share their geometry, which is half of the work.
macro(lbm_cpu_line)
  set(bodies "")
  set(includes "")
  set(arguments "std::shared_ptr<const Domain>, const Config&, const KernelRow&, const CollideKernel<${T}>&")
  string(REPLACE ";" "," words "${collisions}")
  foreach(s ${storages})
    lbm_capitalize(${s} S)
    set(header "nodes/NodeStorage.hpp")
    set(lattice "${L}")
    set(id "tiled_${L}_${s}_${T}_${tile}")
    if(stored_${device}_${s} STREQUAL "moments")
      set(S MomentWindow)
      set(header "moments/cpu/MomentWindow.hpp")
      # Which moments it keeps is the collisions' matter
      set(types "${L}")
      foreach(c ${collisions})
        lbm_collision_type(${c} constant C own unused)
        string(APPEND includes "${own}")
        string(APPEND types ", ${C}")
      endforeach()
      set(lattice "KeptLattice<${types}>::Type")
      list(GET collisions 0 first)
      string(APPEND id "_${first}")
    elseif(EXISTS "${PROJECT_SOURCE_DIR}/lbm/storage/rows/${S}.hpp")
      set(header "rows/${S}.hpp")
    endif()
    string(APPEND includes "#include \"lbm/storage/${header}\"\n")
    string(APPEND bodies
"std::unique_ptr<Part> ${id}(std::shared_ptr<const Domain> d, const Config& c, const KernelRow& r, const CollideKernel<${T}>& k)
{
    return makeTiled<${S}<${lattice}, ${T}, Tile<${extents}>>>(std::move(d), c, r, k);
}
")
    string(APPEND declarations "std::unique_ptr<Part> ${id}(${arguments});\n")
    string(APPEND fill_storage_${T} "    c.storages.push_back({\"${L}\", \"${s}\", \"${tile}\", \"${words}\", &${id}});\n")
  endforeach()
  list(GET storages 0 first)
  if(NOT stored_${device}_${first} STREQUAL "moments")
    string(REPLACE ";" "_" id "tiled_${L}_${storages}_${T}_${tile}")
  endif()
  file(CONFIGURE OUTPUT "${folder}/${id}.cpp" CONTENT "${includes}#include \"lbm/solver/StorageInstance.hpp\"\nnamespace lbm {\n${bodies}}\n")
  list(APPEND files "${folder}/${id}.cpp")

  # Closures of one collision in one source: they share what moves moments.
  foreach(c ${collisions})
    set(id "collision_${L}_${c}_${T}")
    if("${folder}/${id}.cpp" IN_LIST files)
      continue()
    endif()
    lbm_closures_of(${L} ${device} ${T} ${c} with_closures unused)
    set(bodies "")
    foreach(closure ${with_closures})
      lbm_collision_type(${c} ${closure} C includes word)
      string(APPEND bodies "    addCollisions<${L}, ${T}, ${C}${Eqs}>(entries);\n")
    endforeach()
    file(CONFIGURE OUTPUT "${folder}/${id}.cpp" CONTENT
"${includes}#include \"lbm/solver/CollisionInstance.hpp\"
namespace lbm {
void ${id}(std::vector<CollideEntry<${T}>>& entries)
{
${bodies}}
}
")
    list(APPEND files "${folder}/${id}.cpp")
    string(APPEND declarations "void ${id}(std::vector<CollideEntry<${T}>>&);\n")
    string(APPEND fill_collision_${T} "    ${id}(c.collisions);\n")
  endforeach()
endmacro()

# Rows of the list that this build leaves out: with every closure, or, of `which` rare, with rare ones
macro(lbm_left_out storages collisions equilibria which)
  foreach(s ${storages})
    foreach(c ${collisions})
      lbm_closures_in(${s} ${L} ${device} ${T} ${c} left_closures rare_left_closures)
      if(NOT "${which}" STREQUAL "rare")
        list(APPEND rare_left_closures ${left_closures})
      endif()
      foreach(e ${equilibria})
        foreach(k ${rare_left_closures})
          string(APPEND left_out
            "    {\"${L}\", \"${c}\", \"${k}\", \"${e}\", \"${s}\", \"${T}\", \"${device}\", \"${tile}\"},\n")
        endforeach()
      endforeach()
    endforeach()
  endforeach()
endmacro()

# equilibria and rare_equilibria of lattice L; Eqs: the former as arguments of a template behind others
macro(lbm_equilibria_of L)
  if(NOT DEFINED equilibria_${L})
    message(FATAL_ERROR "${list}: no line of equilibria names ${L}, but this one does: '${line}'")
  endif()
  set(equilibria "${equilibria_${L}}")
  set(rare_equilibria "${rare_equilibria_${L}}")
  set(Eqs "")
  foreach(e ${equilibria})
    lbm_capitalize(${e} E)
    string(APPEND Eqs ", ${E}")
  endforeach()
endmacro()

function(lbm_kernel_instances list folder sources)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
  file(STRINGS "${list}" lines REGEX "^[^#]")
  lbm_read_storages()
  set(files "")
  set(declarations "")
  set(left_out "")
  foreach(T double float)
    set(fill_storage_${T} "")
    set(fill_collision_${T} "")
    set(fill_cuda_${T} "")
  endforeach()

  foreach(line ${lines})
    if(line MATCHES "^equilibria[ \t]+([^ \t]+)[ \t]+([^ \t]+)$")
      string(REPLACE "," ";" lattices "${CMAKE_MATCH_1}")
      foreach(lattice ${lattices})
        lbm_kernel_words("${CMAKE_MATCH_2}" equilibria_${lattice} rare_equilibria_${lattice})
      endforeach()
      continue()
    endif()
    if(line MATCHES "^closures[ \t]")
      lbm_read_closures("${line}")
      continue()
    endif()
    lbm_read_kernels("${line}")
    lbm_equilibria_of(${L})
    string(REPLACE "x" ", " extents "${tile}")
    if(device STREQUAL "cuda" AND NOT CMAKE_CUDA_COMPILER_LOADED)
      continue()
    endif()
    if(NOT built_line)
      lbm_left_out("${storages};${rare_storages}" "${collisions};${rare_collisions}" "${equilibria};${rare_equilibria}" all)
      continue()
    endif()
    lbm_left_out("${rare_storages}" "${collisions};${rare_collisions}" "${equilibria};${rare_equilibria}" all)
    lbm_left_out("${storages}" "${rare_collisions}" "${equilibria};${rare_equilibria}" all)
    lbm_left_out("${storages}" "${collisions}" "${rare_equilibria}" all)
    lbm_left_out("${storages}" "${collisions}" "${equilibria}" rare)
    if(device STREQUAL "cuda")
      lbm_cuda_line()
    else()
      lbm_cpu_line()
    endif()
  endforeach()

  file(CONFIGURE OUTPUT "${folder}/catalogue.cpp" CONTENT
"#include \"lbm/solver/CudaTypes.hpp\"
#include \"lbm/solver/RegistryTypes.hpp\"
namespace lbm {
${declarations}
void fillCatalogue(Catalogue<double>& c)
{
${fill_storage_double}${fill_collision_double}}
void fillCatalogue(Catalogue<float>& c)
{
${fill_storage_float}${fill_collision_float}}
void fillCatalogue([[maybe_unused]] CudaCatalogue<double>& c)
{
${fill_cuda_double}}
void fillCatalogue([[maybe_unused]] CudaCatalogue<float>& c)
{
${fill_cuda_float}}
const std::vector<LeftOutKernel>& leftOutKernels()
{
    static const std::vector<LeftOutKernel> rows{
${left_out}    };
    return rows;
}
}
")
  list(APPEND files "${folder}/catalogue.cpp")
  set(${sources} "${files}" PARENT_SCOPE)
endfunction()
