#!/usr/bin/env python3
"""What a step moves, by the counters of a GPU, beside the model: transactions.py LBMBENCH CASE:STORAGE,... [...]

CASE is a case of suite seed000 (as in `lbmBench --suite seed000 --only CASE`), run with BGK, quasi-compressible, in double
precision. Each storage is run once under NVIDIA's ncu (in PATH, with the right to read counters), which counts bytes of
the device's memory and sectors of 32 bytes of its second-level cache over the kernels of one step. Prints a line each,
a fluid node: bytes measured and predicted, sectors, the fewest possible sectors. Python alone.
Part of lbmFoam, GPL-3.0-or-later.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

DRAM = ("dram__bytes_read.sum", "dram__bytes_write.sum")
SECTORS = ("lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum")
TWO_KERNELS = ("fluidIndex",)
SECTOR = 32


def counted(bench, case, storage, file):
    """{metric: sum over the kernels of one step} of one row; its JSON lies in file."""
    kernels = 2 if storage in TWO_KERNELS else 1
    command = ["ncu", "--csv", "--print-units", "base", "--metrics", ",".join(DRAM + SECTORS), "-k",
               "regex:^(step|moveNodes|collideNodes)$", "--launch-skip", str(2*kernels), "--launch-count", str(kernels),
               bench, "--suite", "seed000", "--only", case, "--device", "cuda", "--storage", storage, "--collision", "bgk",
               "--equilibrium", "quasiCompressible", "--precision", "double", "--steps", "4", "--repeats", "1",
               "--json", file]
    run = subprocess.run(command, capture_output=True, text=True)
    lines = run.stdout.splitlines()
    begin = [i for i, line in enumerate(lines) if line.startswith('"ID"')]
    if run.returncode or not begin:
        sys.exit(f"{case} {storage}: ncu found nothing:\n{run.stdout[-1000:]}{run.stderr[-1000:]}")
    sums = {}
    for row in csv.DictReader(lines[begin[0]:]):
        name = row["Metric Name"]
        sums[name] = sums.get(name, 0) + float(row["Metric Value"].replace(",", ""))
    return sums


def line(bench, case, storage):
    handle, file = tempfile.mkstemp(suffix=".json")
    os.close(handle)
    try:
        sums = counted(bench, case, storage, file)
        with open(file) as content:
            cases = json.load(content)["cases"]
    finally:
        os.remove(file)
    if len(cases) != 1:
        sys.exit(f"{case}: names {len(cases)} cases of the suite, not one")
    row = cases[0]["rows"][0]
    nodes = row["fluidNodes"]
    measured = sum(sums[m] for m in DRAM)/nodes
    predicted = row.get("predicted", {}).get("trafficPerFluidNode")
    told = f"{predicted:9.1f} {measured/predicted:6.3f}" if predicted else f"{'-':>9} {'-':>6}"
    sectors = sum(sums[m] for m in SECTORS)/nodes
    return f"{case:22} {storage:14} {measured:9.1f} {told} {sectors:8.2f} {row['bytesPerNode']/SECTOR:8.2f}"


def main(arguments):
    if len(arguments) < 2 or any(":" not in a for a in arguments[1:]):
        sys.exit(__doc__)
    print(f"{'case':22} {'storage':14} {'bytes':>9} {'model':>9} {'ratio':>6} {'sectors':>8} {'fewest':>8}")
    for argument in arguments[1:]:
        case, storages = argument.split(":")
        for storage in storages.split(","):
            print(line(arguments[0], case, storage), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
