"""relativeL2.py FIELD REFERENCE LIMIT: relative L2 difference of two fields on one mesh, in ascii.
Exit status 1 beyond the limit. Part of lbmFoam, GPL-3.0-or-later."""
import re
import sys


def internal(name):
    text = open(name).read()
    start = re.search(r"internalField\s+nonuniform\s+List<\w+>\s*(\d+)\s*\(", text)
    body = text[start.end():text.index("boundaryField")]
    values = [float(x) for x in body.replace("(", " ").replace(")", " ").replace(";", " ").split()]
    return values, int(start.group(1))


(a, n), (b, m) = internal(sys.argv[1]), internal(sys.argv[2])
if n != m or len(a) != len(b):
    sys.exit(f"{n} and {m} cells")
difference = sum((x - y)**2 for x, y in zip(a, b))**0.5
norm = sum(y*y for y in b)**0.5
print(f"relative L2 {difference/norm:.3e}, limit {sys.argv[3]}")
sys.exit(difference > float(sys.argv[3])*norm)
