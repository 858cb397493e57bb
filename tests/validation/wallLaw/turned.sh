# usage: turned.sh BUILD ANGLE N(half height cells) RETAU MODEL NAME: what a channel loses that its walls should take. Needs numpy; WORK: a folder
BUILD=$1 angle=$2 n=$3 retau=$4 model=$5 out=$6
. "$(dirname "$0")/common.sh"
cd "$WORK"
ref=ref.$model.$retau.$n
if [ ! -d $ref/40 ]; then
  rm -rf $ref
  turbulentChannel $ref $model $retau
  sed -i "s/(20 20 1)/(2 $((2*n)) 1)/; s/(2 0 0) (2 2 0)/(0.2 0 0) (0.2 2 0)/; s/(2 0 .1) (2 2 .1)/(0.2 0 .1) (0.2 2 .1)/" $ref/system/blockMeshDict
  (cd $ref; blockMesh > log.blockMesh; foamDictionary system/controlDict -entry deltaT -set 0.005 >/dev/null; pimpleFoam > log.pimpleFoam)
fi
rm -rf $out; cp -r $ref $out; rm -rf $out/[1-9]* $out/0.* $out/postProcessing $out/constant/polyMesh $out/system/fvOptions
python3 - $out $ref $angle $n $model <<'PY'
import sys,re,math
out,ref,angle,n,model=sys.argv[1:]; n=int(n); a=math.radians(float(angle)); N=2*n
def lst(name):
    t=open(f'{ref}/40/{name}').read(); m=re.search(r'nonuniform List<\w+>\s*\d+\s*\((.*?)\n\)',t,re.S)
    L=[l for l in m.group(1).split('\n') if l.strip()]
    return L[0::2]
L=16; nx=L*n
H='FoamFile { version 2.0; format ascii; class dictionary; object any; }\n'
open(f'{out}/system/blockMeshDict','w').write(H+f'''vertices ((0 0 0) ({L} 0 0) ({L} 2 0) (0 2 0) (0 0 .1) ({L} 0 .1) ({L} 2 .1) (0 2 .1));
blocks (hex (0 1 2 3 4 5 6 7) ({nx} {N} 1) simpleGrading (1 1 1));
boundary (walls {{ type wall; faces ((0 1 5 4) (3 7 6 2)); }} left {{ type patch; faces ((0 4 7 3)); }} right {{ type patch; faces ((1 2 6 5)); }}
frontAndBack {{ type empty; faces ((0 3 2 1) (4 5 6 7)); }} );''')
c,s=math.cos(a),math.sin(a)
u=[float(x.strip('()').split()[0]) for x in lst('U')]
U=[f'({x*c:.8g} {x*s:.8g} 0)' for x in u]
def field(name,cls,dim,vals,wall,fixed=True):
    col='('+'\n'.join(vals)+')' if vals else None
    typ='vector' if cls=='volVectorField' else 'scalar'
    internal=f'nonuniform List<{typ}> {nx*N}\n('+'\n'.join('\n'.join([v]*nx) for v in vals)+'\n)' if vals else 'uniform 0'
    left=f'type fixedValue; value nonuniform List<{typ}> {N}\n{col};' if fixed else 'type zeroGradient;'
    right='type zeroGradient;' if fixed else 'type fixedValue; value uniform 0;'
    open(f'{out}/0/{name}','w').write(f'FoamFile {{ version 2.0; format ascii; class {cls}; object {name}; }}\ndimensions {dim};\ninternalField {internal};\nboundaryField {{ walls {{ {wall} }} left {{ {left} }} right {{ {right} }} frontAndBack {{ type empty; }} }}\n')
field('U','volVectorField','[0 1 -1 0 0 0 0]',U,'type noSlip;')
field('p','volScalarField','[0 2 -2 0 0 0 0]',None,'type zeroGradient;',False)
field('k','volScalarField','[0 2 -2 0 0 0 0]',lst('k'),'type kqRWallFunction; value uniform 2;')
if model=='kEpsilon': field('epsilon','volScalarField','[0 2 -3 0 0 0 0]',lst('epsilon'),'type epsilonWallFunction; value uniform 4;')
else: field('omega','volScalarField','[0 0 -1 0 0 0 0]',lst('omega'),'type omegaWallFunction; value uniform 20;')
nut=lst('nut')
t=f'''FoamFile {{ version 2.0; format ascii; class volScalarField; object nut; }}
dimensions [0 2 -1 0 0 0 0]; internalField nonuniform List<scalar> {nx*N}
('''+'\n'.join('\n'.join([v]*nx) for v in nut)+''');
boundaryField { walls { type nutkWallFunction; value uniform 0; } "(left|right)" { type calculated; value uniform 0; } frontAndBack { type empty; } }
'''
open(f'{out}/0/nut','w').write(t)
open(f'{out}/system/controlDict','w').write(H+f'''startFrom startTime; startTime 0; stopAt endTime; endTime {2.4}; deltaT {0.2/n}; writeControl runTime; writeInterval 1.2; writeFormat ascii; writePrecision 10; timePrecision 8;
functions {{ mean {{ type volFieldValue; libs (fieldFunctionObjects); fields (U); operation volAverage; regionType all; writeFields no; writeControl writeTime; log no; }}
 forces {{ type lbmForces; libs (lbmFunctionObjects); patches (walls); rho rhoInf; rhoInf 1; CofR (0 0 0); log no; writeControl writeTime; }} }}''')
open(f'{out}/rot','w').write(f'{c} {s}\n')
PY
(cd $out; blockMesh > log.blockMesh; read c s < rot; transformPoints -rotate "((1 0 0) ($c $s 0))" > log.rot)
lbmDict $out "threads 1; cellSize $(awk -v n=$n 'BEGIN{print 1/n}'); ${EXTRA:-}"
s=$(date +%s)
timeout 250 $BUILD/bin/lbmFoam -case $out > $out/log.lbm 2>&1 || { echo "$out FAILED"; tail -5 $out/log.lbm; exit 1; }
python3 - $out $n $s <<'PY'
import sys,re,time,numpy as np
out,n,s=sys.argv[1:]; n=int(n); N=2*n; nx=16*n
def lst(name):
    t=open(f'{out}/2.4/{name}').read(); m=re.search(r'nonuniform List<\w+>\s*\d+\s*\((.*?)\n\)',t,re.S)
    return np.array([[float(v) for v in l.strip('()').split()] for l in m.group(1).split('\n') if l.strip()])
p=lst('p').reshape(N,nx); U=lst('U').reshape(N,nx,3); c,sn=map(float,open(f'{out}/rot').read().split())
x=(np.arange(nx)+.5)/n; pm=p.mean(0); sel=(x>4)&(x<14)
g=np.polyfit(x[sel],pm[sel],1)[0]
u=U[...,0]*c+U[...,1]*sn; v=-U[...,0]*sn+U[...,1]*c
q=u.mean(0)
prof0=u[:,0]; prof=u[:,sel].mean(1)
# momentum flux change: d/dx of mean(u^2)
m=np.polyfit(x[sel],(u**2).mean(0)[sel],1)[0]
log=open(f'{out}/log.lbm').read(); d=re.findall(r'mass drift: *(\S+)',log)
print(f'{out}: -dp/ds {-g:.3f} -d<u2> {-m:.3f} friction {-g-m:.3f}; flow in {q[0]:.3f} mid {q[sel].mean():.3f} out {q[-1]:.3f}; wall u {prof[0]:.2f} {prof[1]:.2f} in {prof0[0]:.2f} {prof0[1]:.2f} centre {prof[n]:.2f} in {prof0[n]:.2f}; v rms {np.sqrt((v[:,sel]**2).mean()):.3f}; {time.time()-int(s):.0f} s; drift {d[-1:]}')
PY
