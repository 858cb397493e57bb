"""The cases that tries start from: small, so that a run takes a fraction of a second.

cavity   OpenFOAM's own, 20 x 20 cells, with all entries of lbmDict
channel  40 x 10 cells, an inlet and an outlet that lets sound out, function objects
box      a lid-driven box with a sphere in it: lbmVoxelize's mesh from a surface
Part of lbmFoam, GPL-3.0-or-later."""
import os
import shutil

import numpy

from foam import bystander, header, read, results, setEntry, write

lbmDict = '''cells           20;
maxMach         0.1;
lattice         D2Q9;
collision       trt;
equilibrium     incompressible;
storage         aa;
precision       double;
device          cpu;
threads         1;
magic           0.25;
maxTau          1;
maxGridReynolds 100;
referenceSpeed  1;
startFlow       automatic;
wall            automatic;
checkEvery      1;
checkpoint      all;
'''

controlDict = '''application     icoFoam;
startFrom       startTime;
startTime       0;
stopAt          endTime;
endTime         0.1;
deltaT          0.005;
writeControl    timeStep;
writeInterval   5;
purgeWrite      0;
writeFormat     ascii;
writePrecision  12;
writeCompression off;
timeFormat      general;
timePrecision   6;
runTimeModifiable false;
'''

# Of a user, and of an earlier run: nothing that lbmFoam does may touch them
bystanders = {
    f'{bystander}/T': 'a field of another solver',
    'postProcessing/old/0/forces.dat': '# of an earlier run',
}


# A folder of the user's own whose name is much like that of a time under way
notes = 'notes.unfinished'


def dictionary(case, name, text, cls='dictionary'):
    write(os.path.join(case, name), header(cls, os.path.basename(name)) + text)


def addBystanders(case):
    for name, text in bystanders.items():
        write(os.path.join(case, name), text)


def addNotes(trial, case):
    if trial.rng.random() < 0.1:
        trial.did(f'beside a folder {notes} of the user')
        write(f'{case}/{notes}/keep.txt', 'a folder of the user')


def finish(lab, case):
    """Runs the case as it is; its fields. For the runs that nothing disturbs."""
    whole = case + '.whole'
    shutil.rmtree(whole, ignore_errors=True)
    shutil.copytree(case, whole)
    run = lab.run(['lbmFoam'], whole)
    if run.status != 0:
        raise RuntimeError(f'the run that nothing disturbs failed: {whole}\n{run.log[-2000:]}')
    return results(whole)


def makeCavity(lab, folder):
    source = os.path.join(lab.tutorials, 'incompressible', 'icoFoam', 'cavity', 'cavity')
    for part in ('0', 'constant', 'system'):
        shutil.copytree(os.path.join(source, part), os.path.join(folder, part))
    for at, _, files in os.walk(folder):
        for name in files:
            os.chmod(os.path.join(at, name), 0o644)
    dictionary(folder, 'system/controlDict', controlDict)
    dictionary(folder, 'system/lbmDict', lbmDict)
    lab.tool(['blockMesh'], folder)
    addBystanders(folder)


def cavity(lab):
    """Fields of the cavity."""
    def make(folder):
        makeCavity(lab, folder)
        return finish(lab, folder)
    return lab.once('cavity', make)


def makeChannel(lab, folder):
    makeCavity(lab, folder)
    dictionary(folder, 'system/blockMeshDict', '''
vertices ((0 0 0) (2 0 0) (2 0.5 0) (0 0.5 0) (0 0 0.1) (2 0 0.1) (2 0.5 0.1) (0 0.5 0.1));
blocks (hex (0 1 2 3 4 5 6 7) (40 10 1) simpleGrading (1 1 1));
boundary
(
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((1 2 6 5)); }
    walls { type wall; faces ((0 1 5 4) (3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
''')
    lab.tool(['blockMesh'], folder)
    dictionary(folder, '0/U', '''dimensions [0 1 -1 0 0 0 0];
internalField uniform (0 0 0);
boundaryField
{
    inlet
    {
        type            fixedValue;
        value           uniform (1 0 0);
    }
    outlet
    {
        type            inletOutlet;
        inletValue      uniform (0 0 0);
        value           uniform (0 0 0);
    }
    walls
    {
        type            noSlip;
    }
    frontAndBack
    {
        type            empty;
    }
}
''', 'volVectorField')
    dictionary(folder, '0/p', '''dimensions [0 2 -2 0 0 0 0];
internalField uniform 0;
boundaryField
{
    inlet
    {
        type            zeroGradient;
    }
    outlet
    {
        type            fixedValue;
        value           uniform 0;
    }
    walls
    {
        type            zeroGradient;
    }
    frontAndBack
    {
        type            empty;
    }
}
''', 'volScalarField')
    dictionary(folder, 'system/lbmDict', '''cellSize        0.05;
maxMach         0.1;
referenceSpeed  1.5;
force           (0 0 0);
startFlow       divergenceFree;
steadyTolerance 1e-6;
checkpoint      latest;
threads         1;
wall
{
    walls           halfway;
}
openings
{
    inlet
    {
        type            reflecting;
    }
    outlet
    {
        type            nonReflecting;
        lInf            2;
    }
}
''')
    dictionary(folder, 'constant/transportProperties', 'transportModel  Newtonian;\nnu              0.05;\n')
    control = os.path.join(folder, 'system', 'controlDict')
    for key, value in (('endTime', 0.4), ('deltaT', 0.02)):
        setEntry(control, key, value)
    write(control, read(control) + b'''functions
{
    walls
    {
        type            lbmForces;
        libs            ("liblbmFunctionObjects.so");
        patches         (walls);
        rho             rhoInf;
        rhoInf          1;
        CofR            (0 0 0);
        writeControl    timeStep;
        writeInterval   5;
    }
}
''')


def channel(lab):
    """Fields of the channel."""
    def make(folder):
        makeChannel(lab, folder)
        return finish(lab, folder)
    return lab.once('channel', make)


def icosphere(centre, radius, level):
    """Points and triangles of a closed sphere, normals outward."""
    g = (1 + 5**0.5)/2
    points = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g),
              (0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
             (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10),
             (8, 6, 7), (9, 8, 1)]
    for _ in range(level):
        middles = {}

        def middle(a, b):
            key = min(a, b), max(a, b)
            if key not in middles:
                middles[key] = len(points)
                points.append(tuple((x + y)/2 for x, y in zip(points[a], points[b])))
            return middles[key]
        finer = []
        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = finer
    x = numpy.array(points, float)
    x *= radius/numpy.linalg.norm(x, axis=1)[:, None]
    # As files hold them, whatever their kind
    return (x + numpy.array(centre)).astype(numpy.float32).astype(float), numpy.array(faces)


def asciiStl(points, triangles, name='ball'):
    lines = [f'solid {name}']
    for t in triangles:
        a, b, c = points[t]
        n = numpy.cross(b - a, c - a)
        n = n/(numpy.linalg.norm(n) or 1)
        lines += ['  facet normal %.6g %.6g %.6g' % tuple(n), '    outer loop']
        lines += ['      vertex %.9g %.9g %.9g' % tuple(p) for p in (a, b, c)]
        lines += ['    endloop', '  endfacet']
    return ('\n'.join(lines) + f'\nendsolid {name}\n').encode()


def binaryStl(points, triangles):
    record = numpy.dtype([('normal', '<f4', 3), ('corners', '<f4', (3, 3)), ('attribute', '<u2')])
    data = numpy.zeros(len(triangles), record)
    data['corners'] = points[triangles]
    a, b, c = (points[triangles[:, i]] for i in range(3))
    n = numpy.cross(b - a, c - a)
    data['normal'] = n/numpy.linalg.norm(n, axis=1)[:, None]
    return b'a ball'.ljust(80) + numpy.uint32(len(triangles)).tobytes() + data.tobytes()


def obj(points, triangles, name='ball'):
    lines = [f'o {name}', f'g {name}'] + ['v %.9g %.9g %.9g' % tuple(p) for p in points]
    return ('\n'.join(lines + ['f %d %d %d' % tuple(t + 1) for t in triangles]) + '\n').encode()


ballCentre, ballRadius, ballLevel = (0.5, 0.5, 0.5), 0.3, 2


def ball():
    return icosphere(ballCentre, ballRadius, ballLevel)


def makeSurfaceCase(lab, folder, entries):
    """A case for lbmVoxelize."""
    source = os.path.join(lab.tutorials, 'incompressible', 'icoFoam', 'cavity', 'cavity', 'system')
    for name in ('fvSchemes', 'fvSolution'):
        write(os.path.join(folder, 'system', name), read(os.path.join(source, name)))
    dictionary(folder, 'system/controlDict', controlDict)
    dictionary(folder, 'system/lbmVoxelizeDict', entries)
    write(os.path.join(folder, 'constant/triSurface/body.stl'), asciiStl(*ball()))
    addBystanders(folder)


boxEntries = '''surfaces        ( "body.stl" );
cellSize        0.0833333333333;
origin          (0 0 0);
insidePoint     (0.05 0.05 0.05);
inside          automatic;
box
{
    min             (0 0 0);
    max             (1 1 1);
    patches         (sides sides sides lid sides sides);
}
patches
{
    "(ball|patch0)"
    {
        type            wall;
    }
    lid
    {
        type            wall;
    }
}
'''


def makeBox(lab, folder):
    makeSurfaceCase(lab, folder, boxEntries)
    lab.tool(['lbmVoxelize'], folder)
    for name, cls, dims, value, lid, wall in (
            ('U', 'volVectorField', '[0 1 -1 0 0 0 0]', '(0 0 0)', 'type fixedValue; value uniform (1 0 0);', 'type noSlip;'),
            ('p', 'volScalarField', '[0 2 -2 0 0 0 0]', '0', 'type zeroGradient;', 'type zeroGradient;')):
        dictionary(folder, f'0/{name}', f'''dimensions {dims};
internalField uniform {value};
boundaryField
{{
    lid {{ {lid} }}
    sides {{ {wall} }}
    ball {{ {wall} }}
}}
''', cls)
    dictionary(folder, 'constant/transportProperties', 'nu              0.05;\n')
    dictionary(folder, 'system/lbmDict', 'threads 1;\n')
    control = os.path.join(folder, 'system', 'controlDict')
    for key, value in (('endTime', 0.4), ('deltaT', 0.04)):
        setEntry(control, key, value)


def box(lab):
    """Fields of the box."""
    def make(folder):
        makeBox(lab, folder)
        return finish(lab, folder)
    return lab.once('box', make)
