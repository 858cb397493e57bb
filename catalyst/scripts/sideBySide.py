#!/usr/bin/env python3
"""sideBySide.py A B OUTPUT [TITLE_A TITLE_B]: pictures of the same name in folders A and B next to each other in folder
OUTPUT, and all of them one after the other as OUTPUT/NAME.gif for each NAME_NUMBER.png. The nth picture of A belongs to
the nth of B, for the two solvers count their steps differently. Plain Python, not a script for ParaView.

Part of lbmFoam, GPL-3.0-or-later."""
import pathlib
import re
import sys

from PIL import Image, ImageDraw

MARGIN = 20             # pixels for the titles
FRAME_TIME = 200        # ms


def series(folder):
    """{name: [pictures in the order of their numbers]}"""
    found = {}
    for path in sorted(pathlib.Path(folder).glob('*.png')):
        match = re.fullmatch(r'(.+)_(\d+)\.png', path.name)
        if match:
            found.setdefault(match[1], []).append(path)
    return found


def join(paths, titles):
    pictures = [Image.open(path).convert('RGB') for path in paths]
    height = max(picture.height for picture in pictures) + MARGIN
    result = Image.new('RGB', (sum(picture.width for picture in pictures), height), 'white')
    left = 0
    for picture, title in zip(pictures, titles):
        result.paste(picture, (left, MARGIN))
        ImageDraw.Draw(result).text((left + MARGIN, 4), title, fill='black')
        left += picture.width
    return result


def main(a, b, output, *titles):
    ours, theirs = series(a), series(b)
    if not ours or ours.keys() != theirs.keys():
        sys.exit(f'sideBySide.py: {a} has pictures of {sorted(ours)}, {b} of {sorted(theirs)}')
    folder = pathlib.Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    for name, paths in ours.items():
        if len(paths) != len(theirs[name]):
            sys.exit(f'sideBySide.py: {len(paths)} pictures {name} in {a}, {len(theirs[name])} in {b}')
        frames = [join(pair, titles or (a, b)) for pair in zip(paths, theirs[name])]
        for number, frame in enumerate(frames, 1):
            frame.save(folder/f'{name}_{number:03d}.png')
        frames[0].save(folder/f'{name}.gif', save_all=True, append_images=frames[1:], duration=FRAME_TIME, loop=0)
        print(f'{len(frames)} pictures {name} and {name}.gif in {folder}')


if len(sys.argv) not in (4, 6):
    sys.exit(__doc__)
main(*sys.argv[1:])
