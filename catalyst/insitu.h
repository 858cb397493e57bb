/* insitu.h: what a solver tells an in-situ module, and the module's functions. Plain C: a module is a shared library
   that is loaded at run time, so that solvers neither link nor need what stands behind it.

   Order of calls: initialize once for each client; then each time something is due: publish every channel, execute;
   finalize at the end. Functions return 0 on success; otherwise `message` says why. Nothing is copied where the
   layout allows it: arrays have to stay in place until `execute` returns, topology until `finalize`. Where there are several
   processes all of them call each function, with channels and fields of the same names.

   Part of lbmFoam, GPL-3.0-or-later. */
#ifndef LBM_INSITU_H
#define LBM_INSITU_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* To be raised with every change of what follows */
#define LBM_INSITU_VERSION 4

typedef enum {
    LBM_FLOAT32,
    LBM_FLOAT64,
    LBM_INT32,
    LBM_INT64,
    LBM_UINT8,
    LBM_STRING /* values: const char* const*; only for LBM_WHOLE */
} lbmInsituType;

typedef enum {
    LBM_CELLS,
    LBM_POINTS,
    LBM_WHOLE /* state: belongs to the mesh as a whole */
} lbmInsituPlace;

/* values: tuples*components numbers, those of a tuple next to each other; null for a field on cells or an image that
   lbmInsituSource makes when something looks at it */
typedef struct {
    const char* name;
    lbmInsituType type;
    lbmInsituPlace place;
    int components;
    int64_t tuples;
    const void* values;
} lbmInsituArray;

/* Points on a regular grid, x fastest, on which all fields are (LBM_POINTS). */
typedef struct {
    int64_t counts[3];
    double origin[3], spacing[3]; /* m */
} lbmInsituImage;

/* Unstructured cells, numbered and named as VTK does; or an image, and then nothing else but version. */
typedef struct {
    int64_t version;       /* another number: topology or coordinates have changed */
    lbmInsituArray points; /* 3 components, floating point [m] */
    int64_t cells;
    const uint8_t* types; /* a cell; null: all are of uniformType */
    uint8_t uniformType;
    const int32_t* offsets; /* cells + 1, into connectivity */
    const int32_t* connectivity;
    const int32_t* faces;        /* polyhedra: number of faces, then each with its size before its points; or null */
    const int32_t* faceEnds;     /* a cell: where its faces end, -1 for others */
    const uint8_t* ghosts;       /* a cell: not 0 if another process has it, too, and shows it; null: none is */
    const lbmInsituImage* image; /* or null */
} lbmInsituMesh;

/* Makes values of fields on cells or on an image's points, of type LBM_FLOAT32, LBM_FLOAT64 or LBM_INT32: those of `cells` (count of them by number;
   null: all, in their order), as many as the field's components ask for, into values[f] for names[f]. 0 on success. */
typedef struct {
    void* self;
    int (*sample)(void* self, const char* const* names, int n, const int64_t* cells, int64_t count,
                  void* const* values);
} lbmInsituSource;

typedef struct {
    const char* const* scripts;   /* ends with null */
    const char* const* arguments; /* of the scripts; ends with null */
    const char* outputDirectory;
    const char* live; /* host:port of a client to send data to, or null */
    int ranks;        /* processes of this run */
} lbmInsituSetup;

typedef struct {
    int version;      /* LBM_INSITU_VERSION of the module */
    const char* name; /* what stands behind it, with its version */

    /* Number of the client (>= 0), or -1 */
    int (*initialize)(const lbmInsituSetup*);

    /* 1 if something will look at this step, else 0. Cheap. */
    int (*due)(int client, int64_t step, double time);

    /* source: asked until execute returns; null where every field has its values */
    int (*publish)(int client, const char* channel, const lbmInsituMesh*, const lbmInsituArray* fields, int n,
                   const lbmInsituSource* source);

    /* parameters: ends with null. A script that has failed is not called again. */
    int (*execute)(int client, int64_t step, double time, const char* const* parameters);

    int (*finalize)(int client);

    /* Of the last call that failed */
    const char* (*message)(void);

    /* Seconds spent so far in starting up, which are part of no step */
    double (*startSeconds)(void);
} lbmInsituModule;

/* The one symbol of a module */
#define LBM_INSITU_ENTRY "lbmInsituEntry"
const lbmInsituModule* lbmInsituEntry(void);

#ifdef __cplusplus
}
#endif

#endif
