"""internalField.py ONE OTHER [TOLERANCE]: are the internal fields of two binary OpenFOAM files the same, bit for bit or to TOLERANCE
times the largest value? Status 1 if not. Part of lbmFoam, GPL-3.0-or-later."""
import array
import sys


def internal(path):
    data = open(path, "rb").read()
    begin = data.index(b"(", data.index(b"internalField")) + 1
    end = data.rindex(b")", begin, data.index(b"boundaryField"))
    if end - begin < 1000 or (end - begin) % 8:
        sys.exit(f"{path}: no internal field of doubles")
    return array.array("d", data[begin:end])


one, other = internal(sys.argv[1]), internal(sys.argv[2])
tolerance = float(sys.argv[3])*max(map(abs, one)) if len(sys.argv) > 3 else 0
if len(one) != len(other) or max(abs(a - b) for a, b in zip(one, other)) > tolerance:
    sys.exit("the fields differ")
