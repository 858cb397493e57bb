# usage: body.sh BUILD square|cylinder N OUT [fv]: half a body on a plane of symmetry, D = 1, U = 1, Re 1e5; MODEL: kEpsilon or kOmegaSST. Needs numpy; WORK: a folder
BUILD=$1 body=$2 n=$3 out=$4 how=${5:-lbm}; model=${MODEL:-kEpsilon}
. "$(dirname "$0")/common.sh"
cd "$WORK"
rm -rf $out; mkdir -p $out/0 $out/system $out/constant
python3 - $out $body $n $model $how <<'PY'
import sys,math
out,body,n,model,how=sys.argv[1:]; n=int(n)
H='FoamFile { version 2.0; format ascii; class dictionary; object any; }\n'
x0,x1,x2,x3=-3,-.5,.5,6.5; h,top=.5,3
c=lambda a: max(1,round(a*n))
if body=='square':
    # vertices on a grid
    xs=[x0,x1,x2,x3]; ys=[0,h,top]
    V=[f'({x} {y} {z})' for z in (0,.1) for y in ys for x in xs]
    id=lambda i,j,k: k*12+j*4+i
    B=[]
    for i in range(3):
        for j in range(2):
            if (i,j)==(1,0): continue
            a=[id(i,j,0),id(i+1,j,0),id(i+1,j+1,0),id(i,j+1,0),id(i,j,1),id(i+1,j,1),id(i+1,j+1,1),id(i,j+1,1)]
            B.append(f'hex ({" ".join(map(str,a))}) ({c(xs[i+1]-xs[i])} {c(ys[j+1]-ys[j])} 1) simpleGrading (1 1 1)')
    q=lambda a,b: f'({id(*a,0)} {id(*a,1)} {id(*b,1)} {id(*b,0)})'
    bd=dict(inlet=('patch',[q((0,0),(0,1)),q((0,1),(0,2))]),outlet=('patch',[q((3,0),(3,1)),q((3,1),(3,2))]),
      top=('patch',[q((i,2),(i+1,2)) for i in range(3)]),middle=('symmetryPlane',[q((0,0),(1,0)),q((2,0),(3,0))]),
      body=('wall',[q((1,0),(1,1)),q((1,1),(2,1)),q((2,1),(2,0))]))
    edges=''
else:
    # half cylinder: ring of R=.5 to a box |x|<1, y<1 then boxes around
    b=1.0; s=math.sqrt(.5)
    pts=[(-.5,0),(-b,0),(-.5*s,.5*s),(-b,b),(.5*s,.5*s),(b,b),(.5,0),(b,0),(x0,0),(x0,b),(x0,top),(-b,top),(b,top),(x3,0),(x3,b),(x3,top)]
    P=len(pts); V=[f'({x} {y} {z})' for z in (0,.1) for x,y in pts]
    nr=c(.6); na=c(.9)
    na_side=c(1.0); na_top=c(2.0)
    def hexb(a,cells): return f'hex ({" ".join(map(str,a+[i+P for i in a]))}) ({cells[0]} {cells[1]} 1) simpleGrading (1 1 1)'
    B=[hexb([1,0,2,3],(nr,na_side)),hexb([2,4,5,3],(na_top,nr)),hexb([6,7,5,4],(nr,na_side)),
       hexb([8,1,3,9],(c(2),na_side)),hexb([9,3,11,10],(c(2),c(2))),hexb([3,5,12,11],(na_top,c(2))),hexb([5,14,15,12],(c(5.5),c(2))),hexb([7,13,14,5],(c(5.5),na_side))]
    q=lambda a,b: f'({a} {a+P} {b+P} {b})'
    bd=dict(inlet=('patch',[q(8,9),q(9,10)]),outlet=('patch',[q(13,14),q(14,15)]),top=('patch',[q(10,11),q(11,12),q(12,15)]),
      middle=('symmetryPlane',[q(8,1),q(1,0),q(6,7),q(7,13)]),body=('wall',[q(0,2),q(2,4),q(4,6)]))
    t=math.radians(22.5); E=[]
    for z,o in ((0,0),(.1,P)):
        E+= [f'arc {0+o} {2+o} ({-.5*math.cos(t)} {.5*math.sin(t)} {z})',f'arc {2+o} {4+o} (0 .5 {z})',f'arc {4+o} {6+o} ({.5*math.cos(t)} {.5*math.sin(t)} {z})']
    edges='edges ('+' '.join(E)+');'
bt=''.join(f'{k} {{ type {t}; faces ({" ".join(f)}); }}\n' for k,(t,f) in bd.items())
open(f'{out}/system/blockMeshDict','w').write(H+f'vertices ({" ".join(V)});\n{edges}\nblocks ({" ".join(B)});\nboundary (\n{bt});\ndefaultPatch {{ name frontAndBack; type empty; }}\n')
k0=0.0006; e0=0.09*k0**1.5/0.1*0.6; w0=e0/(.09*k0)
def F(name,cls,dim,v,inlet,outlet,wall):
    open(f'{out}/0/{name}','w').write(f'FoamFile {{ version 2.0; format ascii; class {cls}; object {name}; }}\ndimensions {dim}; internalField uniform {v};\nboundaryField {{ inlet {{ {inlet} }} outlet {{ {outlet} }} top {{ type slip; }} middle {{ type symmetryPlane; }} body {{ {wall} }} ".*" {{ type empty; }} }}\n')
F('U','volVectorField','[0 1 -1 0 0 0 0]','(1 0 0)','type fixedValue; value uniform (1 0 0);','type inletOutlet; inletValue uniform (0 0 0); value uniform (1 0 0);','type noSlip;')
F('p','volScalarField','[0 2 -2 0 0 0 0]','0','type zeroGradient;','type fixedValue; value uniform 0;','type zeroGradient;')
for name,dim,v,w in (('k','[0 2 -2 0 0 0 0]',k0,'kqRWallFunction'),('epsilon','[0 2 -3 0 0 0 0]',e0,'epsilonWallFunction'),('omega','[0 0 -1 0 0 0 0]',w0,'omegaWallFunction')):
    F(name,'volScalarField',dim,v,f'type fixedValue; value uniform {v};',f'type inletOutlet; inletValue uniform {v}; value uniform {v};',f'type {w}; value uniform {v};')
F('nut','volScalarField','[0 2 -1 0 0 0 0]',k0*k0/e0*.09,'type calculated; value uniform 0;','type calculated; value uniform 0;','type nutkWallFunction; value uniform 0;')
open(f'{out}/constant/transportProperties','w').write(H+'transportModel Newtonian; nu 1e-5;')
open(f'{out}/constant/turbulenceProperties','w').write(H+f'simulationType RAS; RAS {{ RASModel {model}; turbulence on; printCoeffs off; }}')
iters={'lbm':500,'fv':1500}[how]
open(f'{out}/system/controlDict','w').write(H+f'''startFrom startTime; startTime 0; stopAt endTime; endTime {iters}; deltaT 1; writeControl timeStep; writeInterval {iters}; writeFormat ascii; writePrecision 8; timePrecision 8;
functions {{ faces {{ type forceCoeffs; libs (forces); patches (body); rho rhoInf; rhoInf 1; CofR (0 0 0); liftDir (0 1 0); dragDir (1 0 0); pitchAxis (0 0 1); magUInf 1; lRef 1; Aref .05; log no; writeControl timeStep; writeInterval 10; }}
{"" if how=="fv" else "links { type lbmForceCoeffs; libs (lbmFunctionObjects); patches (body); rho rhoInf; rhoInf 1; CofR (0 0 0); liftDir (0 1 0); dragDir (1 0 0); pitchAxis (0 0 1); magUInf 1; lRef 1; Aref .05; log no; writeControl timeStep; writeInterval 10; }"} }}''')
open(f'{out}/system/fvSchemes','w').write(H+'''ddtSchemes { default steadyState; } gradSchemes { default Gauss linear; }
divSchemes { default none; div(phi,U) bounded Gauss linearUpwind grad(U); "div\\(phi,(k|epsilon|omega)\\)" bounded Gauss limitedLinear 1; div((nuEff*dev2(T(grad(U))))) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; } interpolationSchemes { default linear; } snGradSchemes { default corrected; } wallDist { method meshWave; }''')
open(f'{out}/system/fvSolution','w').write(H+'''solvers { "p.*" { solver GAMG; smoother GaussSeidel; tolerance 1e-8; relTol 0.05; } "(U|k|epsilon|omega).*" { solver PBiCGStab; preconditioner DILU; tolerance 1e-9; relTol 0.05; } }
SIMPLE { nNonOrthogonalCorrectors 0; consistent yes; } relaxationFactors { equations { U 0.9; "(k|epsilon|omega)" 0.7; } }''')
PY
(cd $out; blockMesh > log.blockMesh)
lbmDict $out "threads 1; cellSize $(awk -v n=$n 'BEGIN{print 1/n}'); ${EXTRA:-}"
s=$(date +%s)
if [ $how = fv ]; then (cd $out; timeout 6500 simpleFoam > log.lbm 2>&1) || true; else timeout 200 $BUILD/bin/lbmFoam -case $out > $out/log.lbm 2>&1 || { echo "$out FAILED"; tail -5 $out/log.lbm; }; fi
python3 - $out $s <<'PY'
import sys,time,glob,numpy as np
out,s=sys.argv[1:]
r=[f'{out}:']
for o in ('faces','links'):
    for f in glob.glob(f'{out}/postProcessing/{o}/*/coefficient.dat'):
        d=np.loadtxt(f); k=max(1,len(d)//5)
        head=[l for l in open(f) if l.startswith('#')][-1].split()[1:]
        i=head.index('Cd'); j=head.index('Cl')
        r.append(f'{o} Cd {d[-k:,i].mean():.4f} (rms {d[-k:,i].std():.4f}) Cl {d[-k:,j].mean():.3f} at {d[-1,0]:.0f};')
import re
log=open(f'{out}/log.lbm').read(); d=re.findall(r'mass drift: *(\S+)',log); g=re.findall(r'guard: in .*',log)
print(*r,f'{time.time()-int(s):.0f} s; drift {d[-1:]} {g[-1:]}')
PY
