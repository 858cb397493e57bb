# kernels.list -> one small source per storage instance, one per collision instance, and the registry.
# lbm_kernel_instances(<list file> <output folder> <variable for the sources>)
function(lbm_kernel_instances list folder sources)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
  file(STRINGS "${list}" lines REGEX "^[^#]")
  set(files "")
  set(declarations "")
  foreach(T double float)
    set(fill_storage_${T} "")
    set(fill_collision_${T} "")
  endforeach()

  foreach(line ${lines})
    string(REGEX REPLACE "[ \t]+" ";" fields "${line}")
    list(LENGTH fields n)
    if(NOT n EQUAL 5)
      message(FATAL_ERROR "${list}: a line takes lattice, precision, tile, storages, collisions: '${line}'")
    endif()
    list(GET fields 0 L)
    list(GET fields 1 T)
    list(GET fields 2 tile)
    list(GET fields 3 storages)
    list(GET fields 4 collisions)
    string(REPLACE "," ";" storages "${storages}")
    string(REPLACE "," ";" collisions "${collisions}")
    string(REPLACE "x" ", " extents "${tile}")

    foreach(s ${storages})
      string(SUBSTRING ${s} 0 1 head)
      string(SUBSTRING ${s} 1 -1 tail)
      string(TOUPPER ${head} head)
      set(id "tiled_${L}_${s}_${T}_${tile}")
      file(CONFIGURE OUTPUT "${folder}/${id}.cpp" CONTENT
"#include \"lbm/solver/StorageInstance.hpp\"
namespace lbm {
std::unique_ptr<Solver> ${id}(std::shared_ptr<const Domain> d, const Config& c, const KernelRow& r, const CollideKernel<${T}>& k)
{
    return makeTiled<${head}${tail}<${L}, ${T}, Tile<${extents}>>>(std::move(d), c, r, k);
}
}
")
      list(APPEND files "${folder}/${id}.cpp")
      string(APPEND declarations "std::unique_ptr<Solver> ${id}(std::shared_ptr<const Domain>, const Config&, const KernelRow&, const CollideKernel<${T}>&);\n")
      string(APPEND fill_storage_${T} "    c.storages.push_back({\"${L}\", \"${s}\", \"${tile}\", &${id}});\n")
    endforeach()

    foreach(c ${collisions})
      string(SUBSTRING ${c} 0 1 head)
      string(SUBSTRING ${c} 1 -1 tail)
      string(TOUPPER ${head} head)
      set(id "collision_${L}_${c}_${T}")
      if(NOT "${folder}/${id}.cpp" IN_LIST files)
        file(CONFIGURE OUTPUT "${folder}/${id}.cpp" CONTENT
"#include \"lbm/solver/CollisionInstance.hpp\"
namespace lbm {
void ${id}(std::vector<CollideEntry<${T}>>& entries) { addCollisions<${L}, ${head}${tail}, ${T}>(entries); }
}
")
        list(APPEND files "${folder}/${id}.cpp")
        string(APPEND declarations "void ${id}(std::vector<CollideEntry<${T}>>&);\n")
        string(APPEND fill_collision_${T} "    ${id}(c.collisions);\n")
      endif()
    endforeach()
  endforeach()

  file(CONFIGURE OUTPUT "${folder}/catalogue.cpp" CONTENT
"#include \"lbm/solver/RegistryTypes.hpp\"
namespace lbm {
${declarations}
void fillCatalogue(Catalogue<double>& c)
{
${fill_storage_double}${fill_collision_double}}
void fillCatalogue(Catalogue<float>& c)
{
${fill_storage_float}${fill_collision_float}}
}
")
  list(APPEND files "${folder}/catalogue.cpp")
  set(${sources} "${files}" PARENT_SCOPE)
endfunction()
