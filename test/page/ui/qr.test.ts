import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import jsQR from 'jsqr';
import { drawQr } from '../../../src/page/ui/qr.tsx';

/** Paints the path as a picture, with some pixels a module. */
function paint({ size, path }: ReturnType<typeof drawQr>, scale = 4) {
  const width = size * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
      const start = (row * width + Number(x) * scale) * 4;
      for (let i = start; i < start + Number(length) * scale * 4; i++) if (i % 4 < 3) pixels[i] = 0;
    }
  return { pixels, width };
}

describe('a QR code', () => {
  for (const text of [
    'http://192.168.1.20:3000/?book=7',
    'https://bücher.example/Bibliothek/?q=Ærø%20日本語&sort=-year',
    `https://catalogue.example/?q=${'x'.repeat(500)}`,
  ])
    test(`of ${text.slice(0, 40)} is read as this text, and not as a mirrored one`, () => {
      const { pixels, width } = paint(drawQr(text));
      assert.equal(jsQR(pixels, width, width, { inversionAttempts: 'dontInvert' })?.data, text);
      assert.equal(drawQr(text).path.replace(/M\d+ \d+h(\d+)v1h-\1z/g, ''), '');
    });

  test('has a light margin of four modules on each side', () => {
    const { size, path } = drawQr('http://localhost:3000/');
    const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map((run) => run.slice(1).map(Number));
    assert.equal(Math.min(...runs.map(([x = 0]) => x)), 4);
    assert.equal(Math.max(...runs.map(([x = 0, , width = 0]) => x + width)), size - 4);
    assert.deepEqual([runs[0]?.[1], runs.at(-1)?.[1]], [4, size - 5]);
  });
});
