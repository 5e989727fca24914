import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ArraySplitter } from '../src/json-array.ts';

/** The values of an array whose text comes in pieces of some length, and what stands behind it. */
function read(text: string, length: number): { values: unknown[]; rest: string | undefined } {
  const splitter = new ArraySplitter();
  const values: unknown[] = [];
  const behind = text.slice(text.indexOf('[') + 1);
  for (let at = 0; at < behind.length; at += length) {
    for (const element of splitter.push(behind.slice(at, at + length))) values.push(JSON.parse(element));
  }
  return { values, rest: splitter.rest };
}

test('every array is read as JSON.parse reads it, however it is laid out and cut', () => {
  const layout = fc.constantFrom('', ' ', '\t', '\n');
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), layout, fc.integer({ min: 1, max: 40 }), (array, space, length) => {
      const text = JSON.stringify(array, undefined, space);
      assert.deepEqual(read(`${text}\n}`, length), { values: JSON.parse(text) as unknown[], rest: '\n}' });
    }),
    { seed: 1, numRuns: 2000 },
  );
});

test('a text that comes character by character is looked at once, and held once', () => {
  const splitter = new ArraySplitter();
  const element = JSON.stringify({ title: '\\"[{,'.repeat(200_000) });
  for (const character of element.slice(0, -1)) {
    const found = [...splitter.push(character)];
    assert.equal(found.length, 0);
  }
  assert.equal(splitter.pendingLength, element.length - 1);
  assert.deepEqual([...splitter.push('}')], [element]);
  assert.equal(splitter.pendingLength, 0);
});

test('U+FEFF stays where it is', () => {
  assert.deepEqual(read('["\uFEFFa\uFEFF","\\ufeff"]', 3).values, ['\uFEFFa\uFEFF', '\uFEFF']);
});

test('an element that brackets end is given with the last of them', () => {
  assert.deepEqual(read('[{"a":1}', 100), { values: [{ a: 1 }], rest: undefined });
  assert.deepEqual(read('[1', 100), { values: [], rest: undefined });
});

describe('what is no array is refused, however it is cut', () => {
  for (const text of [
    '[,]',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[{}{}]',
    '[{}1]',
    '[1{}]',
    '[}',
    '[{]',
    '["a\nb"]',
    '[01]',
    '[\u00a0]',
    '[{}\u00a0]',
    '[{}\ufeff,1]',
    '[\v1]',
  ]) {
    test(JSON.stringify(text), () => {
      for (const length of [1, 2, 100]) assert.throws(() => read(text, length), SyntaxError);
    });
  }

  test('what is nested deeper than 100', () => {
    assert.deepEqual(read(`[${'['.repeat(100)}${']'.repeat(100)}]`, 7).values.length, 1);
    assert.throws(() => read(`[${'['.repeat(101)}`, 7), SyntaxError);
  });
});
