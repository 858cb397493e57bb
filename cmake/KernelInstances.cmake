# kernels.list -> one small source per line, one per collision instance, and the registry.
# For CUDA: one per storage instance, and one per storage and collision, whose loops are one kernel there.
# lbm_kernel_instances(<list file> <output folder> <variable for the sources>)
function(lbm_capitalize word result)
  string(SUBSTRING ${word} 0 1 head)
  string(SUBSTRING ${word} 1 -1 tail)
  string(TOUPPER ${head} head)
  set(${result} "${head}${tail}" PARENT_SCOPE)
endfunction()

function(lbm_kernel_instances list folder sources)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
  file(STRINGS "${list}" lines REGEX "^[^#]")
  set(files "")
  set(declarations "")
  foreach(T double float)
    set(fill_storage_${T} "")
    set(fill_collision_${T} "")
    set(fill_cuda_${T} "")
  endforeach()
  set(cuda_declarations "")

  foreach(line ${lines})
    string(REGEX REPLACE "[ \t]+" ";" fields "${line}")
    list(LENGTH fields n)
    if(NOT n EQUAL 6)
      message(FATAL_ERROR "${list}: a line takes lattice, device, precision, tile, storages, collisions: '${line}'")
    endif()
    list(GET fields 0 L)
    list(GET fields 1 device)
    list(GET fields 2 T)
    list(GET fields 3 tile)
    list(GET fields 4 storages)
    list(GET fields 5 collisions)
    string(REPLACE "," ";" storages "${storages}")
    string(REPLACE "," ";" collisions "${collisions}")
    string(REPLACE "x" ", " extents "${tile}")

    if(device STREQUAL "cuda")
      if(NOT CMAKE_CUDA_COMPILER_LOADED)
        continue()
      endif()
      foreach(s ${storages})
        lbm_capitalize(${s} S)
        if(s MATCHES "^moments")
          set(stored ${T})
          if(s STREQUAL "moments16")
            set(stored Short)
          endif()
          set(copies 2)
          if(s STREQUAL "momentsSingle")
            set(copies 1)
          endif()
          foreach(c ${collisions})
            lbm_capitalize(${c} C)
            set(id "cuda_${L}_${s}_${c}_${T}_${tile}")
            file(CONFIGURE OUTPUT "${folder}/${id}.cu" CONTENT
"#include \"lbm/solver/CudaMomentInstance.cuh\"
namespace lbm {
void ${id}(std::vector<CudaMomentEntry<${T}>>& entries)
{
    addMoments<${copies}, ${L}, ${T}, ${stored}, Tile<${extents}>, ${C}>(entries, \"${s}\", \"${tile}\");
}
}
")
            list(APPEND files "${folder}/${id}.cu")
            string(APPEND cuda_declarations "void ${id}(std::vector<CudaMomentEntry<${T}>>&);\n")
            string(APPEND fill_cuda_${T} "    ${id}(c.moments);\n")
          endforeach()
          continue()
        endif()
        set(id "cuda_${L}_${s}_${T}_${tile}")
        file(CONFIGURE OUTPUT "${folder}/${id}.cu" CONTENT
"#include \"lbm/solver/CudaStorageInstance.cuh\"
namespace lbm {
std::unique_ptr<Solver> ${id}(std::shared_ptr<const Domain> d, const Config& c, const KernelRow& r, const CudaStep<${T}>& k)
{
    return makeCuda<${S}Phases, ${L}, ${T}, Tile<${extents}>>(std::move(d), c, r, k);
}
}
")
        list(APPEND files "${folder}/${id}.cu")
        string(APPEND cuda_declarations "std::unique_ptr<Solver> ${id}(std::shared_ptr<const Domain>, const Config&, const KernelRow&, const CudaStep<${T}>&);\n")
        string(APPEND fill_cuda_${T} "    c.storages.push_back({\"${L}\", \"${s}\", \"${tile}\", &${id}});\n")
        foreach(c ${collisions})
          lbm_capitalize(${c} C)
          set(id "cuda_${L}_${s}_${c}_${T}_${tile}")
          file(CONFIGURE OUTPUT "${folder}/${id}.cu" CONTENT
"#include \"lbm/solver/CudaStepInstance.cuh\"
namespace lbm {
void ${id}(std::vector<CudaStepEntry<${T}>>& entries) { addSteps<${S}Phases, ${L}, ${T}, Tile<${extents}>, ${C}>(entries, \"${tile}\"); }
}
")
          list(APPEND files "${folder}/${id}.cu")
          string(APPEND cuda_declarations "void ${id}(std::vector<CudaStepEntry<${T}>>&);\n")
          string(APPEND fill_cuda_${T} "    ${id}(c.steps);\n")
        endforeach()
      endforeach()
      continue()
    elseif(NOT device STREQUAL "cpu")
      message(FATAL_ERROR "${list}: device cpu or cuda, not '${device}': '${line}'")
    endif()

    # Storages of one line in one source: they share their geometry, which is half of the work.
    set(bodies "")
    foreach(s ${storages})
      lbm_capitalize(${s} S)
      if(s STREQUAL "moments")
        set(S MomentWindow)
      endif()
      set(id "tiled_${L}_${s}_${T}_${tile}")
      string(APPEND bodies
"std::unique_ptr<Solver> ${id}(std::shared_ptr<const Domain> d, const Config& c, const KernelRow& r, const CollideKernel<${T}>& k)
{
    return makeTiled<${S}<${L}, ${T}, Tile<${extents}>>>(std::move(d), c, r, k);
}
")
      string(APPEND declarations "std::unique_ptr<Solver> ${id}(std::shared_ptr<const Domain>, const Config&, const KernelRow&, const CollideKernel<${T}>&);\n")
      string(REPLACE ";" "," words "${collisions}")
      string(APPEND fill_storage_${T} "    c.storages.push_back({\"${L}\", \"${s}\", \"${tile}\", \"${words}\", &${id}});\n")
    endforeach()
    string(REPLACE ";" "_" id "tiled_${L}_${storages}_${T}_${tile}")
    file(CONFIGURE OUTPUT "${folder}/${id}.cpp" CONTENT "#include \"lbm/solver/StorageInstance.hpp\"\nnamespace lbm {\n${bodies}}\n")
    list(APPEND files "${folder}/${id}.cpp")

    foreach(c ${collisions})
      lbm_capitalize(${c} C)
      set(id "collision_${L}_${c}_${T}")
      if(NOT "${folder}/${id}.cpp" IN_LIST files)
        file(CONFIGURE OUTPUT "${folder}/${id}.cpp" CONTENT
"#include \"lbm/solver/CollisionInstance.hpp\"
namespace lbm {
void ${id}(std::vector<CollideEntry<${T}>>& entries) { addCollisions<${L}, ${C}, ${T}>(entries); }
}
")
        list(APPEND files "${folder}/${id}.cpp")
        string(APPEND declarations "void ${id}(std::vector<CollideEntry<${T}>>&);\n")
        string(APPEND fill_collision_${T} "    ${id}(c.collisions);\n")
      endif()
    endforeach()
  endforeach()

  file(CONFIGURE OUTPUT "${folder}/catalogue.cpp" CONTENT
"#include \"lbm/solver/CudaTypes.hpp\"
#include \"lbm/solver/RegistryTypes.hpp\"
namespace lbm {
${declarations}${cuda_declarations}
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
}
")
  list(APPEND files "${folder}/catalogue.cpp")
  set(${sources} "${files}" PARENT_SCOPE)
endfunction()
