"""internalField.py ONE OTHER: are the internal fields of two binary OpenFOAM files the same, bit for bit? Status 1 if not.
Part of lbmFoam, GPL-3.0-or-later."""
import sys


def internal(path):
    data = open(path, "rb").read()
    begin = data.index(b"internalField")
    end = data.index(b"boundaryField")
    if end - begin < 1000:
        sys.exit(f"{path}: the internal field is too short to tell anything")
    return data[begin:end]


sys.exit(internal(sys.argv[1]) != internal(sys.argv[2]))
