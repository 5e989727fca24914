import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../../support/packed.ts';

const css = readFileSync(join(root, 'src/page/styles/tokens.css'), 'utf8');
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);

/** The relative luminance of a colour such as `#17594f` (WCAG 2.2). */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [one, other].map(luminanceOf).sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const grounds = ['paper', 'surface', 'sunken', 'tint'];

describe('the colours of the page, light and dark', () => {
  for (const [what, least, fronts, backs] of [
    ['texts have a contrast of 4.5 to 1', 4.5, ['ink', 'soft', 'accent', 'accent-strong'], grounds],
    ['problems have a contrast of 4.5 to 1', 4.5, ['danger'], [...grounds.slice(0, 2), 'danger-tint']],
    ['warnings have a contrast of 4.5 to 1', 4.5, ['warn'], [...grounds.slice(0, 2), 'warn-tint']],
    [
      'texts on buttons and marks have a contrast of 4.5 to 1',
      4.5,
      ['on-accent'],
      ['accent', 'accent-strong'],
    ],
    ['marked letters have a contrast of 4.5 to 1', 4.5, ['ink'], ['mark']],
    ['borders of controls, icons and the focus have a contrast of 3 to 1', 3, ['edge', 'accent'], grounds],
  ] as const)
    test(what, () => {
      for (const front of fronts)
        for (const back of backs)
          for (const scheme of ['light', 'dark'] as const) {
            const [one = '', other = ''] = [front, back].map((name) => colours.get(name)?.[scheme]);
            const contrast = contrastOf(one, other);
            assert.ok(contrast >= least, `${front} on ${back}, ${scheme}: ${contrast.toFixed(2)}`);
          }
    });
});
