import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { createPlainDecoder } from '../../src/import/encodings.ts';
import { judgeEncoding } from '../../src/import/judge-encoding.ts';
import { sized } from '../support/size.ts';
import { shelves, type Shelf } from './shelves.ts';

/** The bytes of each character in an encoding, from its decoder. */
function encoderOf(encoding: string): (text: string) => Buffer {
  const bytesOf = new Map<string, readonly number[]>();
  const decode = (...bytes: number[]) => createPlainDecoder(encoding)(Uint8Array.from(bytes), true);
  const add = (...bytes: number[]) => {
    const character = decode(...bytes);
    if (Array.from(character).length === 1 && character !== '\ufffd' && !bytesOf.has(character))
      bytesOf.set(character, bytes);
  };
  for (let byte = 0; byte < 0x100; byte++) add(byte);
  if (/^(?:shift_jis|euc-|gb|big5)/.test(encoding))
    for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add(lead, trail);
  // A program that cannot write a character writes a question mark.
  return (text) => Buffer.from(Array.from(text).flatMap((each) => bytesOf.get(each) ?? [0x3f]));
}

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = createRandom(46);
const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? '';
const rowCounts = [3, 5, 10, 30, 100, 300];

/** A table of books of a language; a quarter of the tables has mostly English ones. */
function makeTable(shelf: Shelf, rows: number): string {
  const english = shelves.en ?? shelf;
  const isMixed = random() < 0.25;
  const lines = Array.from({ length: rows }, () => {
    const { titles, authors } = isMixed && random() < 0.6 ? english : shelf;
    return `"${pick(titles)}","${pick(authors)}",${1900 + Math.floor(random() * 120)}\r\n`;
  });
  return `Title,Author,Year\r\n${lines.join('')}`;
}

test('the encoding of a table of books is found or asked for; at most one of 500 tables is read in a wrong one', (t) => {
  const rounds = sized({ short: 1, long: 8 });
  const counts = sized({ short: rowCounts.filter((_, i) => i % 2 === 0), long: rowCounts });
  const asked: string[] = [];
  const lost: string[] = [];
  const wrong: string[] = [];
  let all = 0;
  for (const [language, shelf] of Object.entries(shelves))
    for (const encoding of shelf.encodings) {
      const encode = encoderOf(encoding);
      const decode = (name: string, bytes: Uint8Array) => createPlainDecoder(name)(bytes, true);
      for (const rows of counts.flatMap((count) => Array<number>(rounds).fill(count))) {
        const bytes = encode(makeTable(shelf, rows));
        if (bytes.every((byte) => byte < 0x80)) continue;
        all++;
        const right = decode(encoding, bytes);
        const texts = judgeEncoding(bytes, true).map((reading) => decode(reading.encoding, bytes));
        const file = `${language} ${encoding} ${rows}`;
        if (texts.length > 1) asked.push(file);
        if (texts.length > 1 && !texts.includes(right)) lost.push(file);
        if (texts.length === 1 && texts[0] !== right) wrong.push(file);
      }
    }
  t.diagnostic(
    `${all} files: ${asked.length} asked for, ${lost.length} of them without the right answer, ${wrong.length} wrong`,
  );
  assert.ok(wrong.length <= all / 500, `wrong: ${wrong.join(', ')}`);
  assert.ok(asked.length < all / 20, `asked for: ${asked.join(', ')}`);
});
