# A flow eight times as fast as its case tells, from rest, on two ranks: its time step is followed, or it goes back, with the bits of
# one process. usage: caution.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
throatCase followed
binary followed
cp -r followed back
lbmDict followed 'startFlow given;'
lbmDict back 'startFlow given; checkEvery 100000;'
for case in followed back; do
    cp -r $case $case.two
    runIn $case "$lbmFoam"
    shared $case.two 2 "2 1 1"
    same $case $case.two
done
expect followed.two.log.2 'the lattice time step follows the flow'
expect back.two.log.2 'The flow diverged: once more from'
echo passed
