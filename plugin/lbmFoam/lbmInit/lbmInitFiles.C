// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmInitFiles.H"

namespace
{

const char* const UText = R"~(
dimensions      [0 1 -1 0 0 0 0];

internalField   uniform @{U};

boundaryField
{
    inlet
    {
        type            fixedValue;
        value           uniform @{U};
    }
    outlet
    {
        type            zeroGradient;
    }
@{sliding}    wall        // the group of all patches that are walls: the body
    {
        type            noSlip;
    }
}
)~";

const char* const pText = R"~(
dimensions      [0 2 -2 0 0 0 0];

internalField   uniform 0;

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
@{sliding}    wall
    {
        type            zeroGradient;
    }
}
)~";

const char* const nutText = R"~(
dimensions      [0 2 -1 0 0 0 0];

internalField   uniform 0;

boundaryField
{
    "(inlet|outlet)"
    {
        type            calculated;
        value           uniform 0;
    }
@{sliding}    wall
    {
        type            calculated;     // none of a wall function: the fluid sticks to the body, where few nodes
                                        // make drags too large. nutUSpaldingWallFunction: Spalding's law acts
        value           uniform 0;
    }
}
)~";

const char* const transportText = R"~(
transportModel  Newtonian;

nu              @{nu};      // m2/s; air 1.5e-05, water 1e-06. Re @{Re} with @{ReLength}
)~";

const char* const turbulenceText = R"~(
// @{whyModel}
simulationType  @{simulationType};

LES
{
    LESModel        Smagorinsky;
    turbulence      on;
    printCoeffs     off;
    delta           cubeRootVol;
    cubeRootVolCoeffs
    {
        deltaCoeff      1;
    }
}
)~";

// Of both kinds of case: until functions
const std::string timeControl = R"~(
application     lbmFoam;

startFrom       latestTime;     // goes on where a run ended, bit for bit
startTime       0;
stopAt          endTime;
endTime         @{endTime};     // @{passing} @{passages} times
deltaT          @{deltaT};      // between calls of function objects; divided into lattice steps

writeControl    adjustableRunTime;
writeInterval   @{writeInterval};
purgeWrite      0;
writeFormat     binary;
writePrecision  8;
timeFormat      general;
timePrecision   8;
runTimeModifiable true;

)~";

const std::string controlText = timeControl + R"~(functions
{
    forceCoeffs     // postProcessing/forceCoeffs/0/coefficient.dat
    {
        type            lbmForceCoeffs;     // of the lattice's links; entries as for forceCoeffs
        libs            (lbmFunctionObjects);
        patches         (wall);
        rho             rhoInf;
        rhoInf          1;
        magUInf         @{magU};
        Aref            @{Aref};            // m2: the body's shadow along the flow
        lRef            @{lRef};            // m: its extent along the flow
        CofR            @{CofR};            // its middle
        dragDir         @{dragDir};
        liftDir         @{liftDir};
        pitchAxis       @{pitchAxis};
        average         yes;                // the mean since the last write
        writeControl    timeStep;
        writeInterval   2;
        log             no;
    }
@{insitu}}
)~";

const char* const voxelizeText = R"~(
surfaces        ( "@{surface}" );   // in constant/triSurface

scale           @{scale};           // of the file's coordinates: metres. The body extends over @{extents} m

cellSize        @{cellSize};        // m: about @{cells} million cells, @{cellsOver} over the body's longest extent
                                    // (entry outputMesh: other cells for fields than for the flow)

box                                 // around it
{
    min             @{boxMin};
    max             @{boxMax};
    patches         ( @{sides} );   // low and high side of x, y, z
}

insidePoint     @{insidePoint};     // the fluid's side of the surface

patches                             // regions of the surface are walls
{
    inlet           { type patch; }
    outlet          { type patch; }
@{slidingPatch}}
)~";

const char* const lbmText = R"~(
// Everything has a default: lbmFoam -help-dict prints all entries. lbmFoam -dry-run tells what a run will take.

openings        { "(inlet|outlet)" { type nonReflecting; } }    // let sound out

@{collision}// device       cuda;
// precision    float;
)~";

// fvMesh reads them; lbmFoam solves no equation of them here
const char* const schemesText = R"~(
ddtSchemes              { default Euler; }
gradSchemes             { default Gauss linear; }
divSchemes              { default Gauss linear; }
laplacianSchemes        { default Gauss linear corrected; }
interpolationSchemes    { default linear; }
snGradSchemes           { default corrected; }
wallDist                { method meshWave; }
)~";

const char* const solutionText = R"~(
solvers
{
}
)~";

const char* const insideUText = R"~(
dimensions      [0 1 -1 0 0 0 0];

internalField   uniform (0 0 0);    // lbmFoam begins with the flow that fits the ends (startFlow of system/lbmDict)

boundaryField
{
    @{inletName}
    {
        type            fixedValue;
        value           uniform @{U};   // m/s: @{flowRate} m3/s, mean speed @{meanSpeed}
    }
@{UOutlets}    wall        // the group of all patches that are walls
    {
        type            noSlip;
    }
}
)~";

const char* const insidePText = R"~(
dimensions      [0 2 -2 0 0 0 0];

internalField   uniform 0;

boundaryField
{
    @{inletName}
    {
        type            zeroGradient;
    }
@{pOutlets}    wall
    {
        type            zeroGradient;
    }
}
)~";

const char* const insideNutText = R"~(
dimensions      [0 2 -1 0 0 0 0];

internalField   uniform 0;

boundaryField
{
    "(@{endNames})"
    {
        type            calculated;
        value           uniform 0;
    }
    wall        // the group of all patches that are walls
    {
        type            calculated;
        value           uniform 0;
    }
}
)~";

const std::string insideControlText = timeControl + R"~(functions           // flow rates through all ends stand in the log
{
    wallShearStress // in the times that are written
    {
        type            lbmWallShearStress;
        libs            (lbmFunctionObjects);
        writeControl    writeTime;
        log             no;
    }
@{insitu}}
)~";

const char* const insideVoxelizeText = R"~(
surfaces        ( "@{surface}" );   // in constant/triSurface

scale           @{scale};           // of the file's coordinates: metres. The surface extends over @{extents} m

cellSize        @{cellSize};        // m: about @{cells} thousand cells, @{cellsAcross} across the inlet

@{ends}
patches                             // all others are walls
{
@{endTypes}}
)~";

const char* const insideLbmText = R"~(
// Everything has a default: lbmFoam -help-dict prints all entries. lbmFoam -dry-run tells what a run will take.

referenceSpeed  @{referenceSpeed};      // m/s: twice the mean at the narrower of inlet and all outlets

@{steady}
// device       cuda;
// precision    float;
)~";

} // End anonymous namespace


const std::vector<Foam::lbmInitFile>& Foam::lbmInitFiles()
{
    static const std::vector<lbmInitFile> files
    {
        {"0/U", "volVectorField", UText},
        {"0/p", "volScalarField", pText},
        {"0/nut", "volScalarField", nutText},
        {"constant/transportProperties", "dictionary", transportText},
        {"constant/turbulenceProperties", "dictionary", turbulenceText},
        {"system/controlDict", "dictionary", controlText},
        {"system/lbmVoxelizeDict", "dictionary", voxelizeText},
        {"system/lbmDict", "dictionary", lbmText},
        {"system/fvSchemes", "dictionary", schemesText},
        {"system/fvSolution", "dictionary", solutionText}
    };
    return files;
}


const std::vector<Foam::lbmInitFile>& Foam::lbmInitInsideFiles()
{
    static const std::vector<lbmInitFile> files
    {
        {"0/U", "volVectorField", insideUText},
        {"0/p", "volScalarField", insidePText},
        {"0/nut", "volScalarField", insideNutText},
        {"constant/transportProperties", "dictionary", transportText},
        {"constant/turbulenceProperties", "dictionary", turbulenceText},
        {"system/controlDict", "dictionary", insideControlText},
        {"system/lbmVoxelizeDict", "dictionary", insideVoxelizeText},
        {"system/lbmDict", "dictionary", insideLbmText},
        {"system/fvSchemes", "dictionary", schemesText},
        {"system/fvSolution", "dictionary", solutionText}
    };
    return files;
}
