#!/usr/bin/env python3
"""sideBySide.py A B OUTPUT [TITLE_A TITLE_B]: pictures of the same name in folders A and B next to each other (wide ones one
below the other) in folder OUTPUT, and all of them one after the other as OUTPUT/NAME.gif for each NAME_NUMBER.png. The nth
picture of A belongs to the nth of B, for the two solvers count their steps differently. Plain Python, not a script for ParaView.

Part of lbmFoam, GPL-3.0-or-later."""
import pathlib
import re
import sys

from PIL import Image, ImageDraw, ImageFont

MARGIN = 30             # pixels for the titles
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
    width, height = [max(sizes) for sizes in zip(*(picture.size for picture in pictures))]
    height += MARGIN
    below = width > 1.5*height
    result = Image.new('RGB', (width, 2*height) if below else (2*width, height), 'white')
    for number, (picture, title) in enumerate(zip(pictures, titles)):
        left, top = (0, number*height) if below else (number*width, 0)
        result.paste(picture, (left, top + MARGIN))
        ImageDraw.Draw(result).text((left + 20, top + 6), title, fill='black', font=title_font())
    return result


def title_font():
    """As large as the labels in the pictures, where matplotlib's and the desktop's font is"""
    try:
        return ImageFont.truetype('DejaVuSans.ttf', 18)
    except OSError:
        return ImageFont.load_default()


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
