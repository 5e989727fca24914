import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ArraySplitter, JsonArrayParser } from '../../src/lib/json.ts';
import { sized } from '../support/size.ts';

/** The values of an array whose text arrives in pieces, and the text after it. */
function read(text: string, length: number): { values: unknown[]; rest: string | undefined } {
  const splitter = new ArraySplitter();
  const values: unknown[] = [];
  const behind = text.slice(text.indexOf('[') + 1);
  for (let at = 0; at < behind.length; at += length) {
    for (const element of splitter.push(behind.slice(at, at + length))) values.push(JSON.parse(element));
  }
  return { values, rest: splitter.rest };
}

test('every array is read as by JSON.parse, however it is formatted and split', () => {
  const layout = fc.constantFrom('', ' ', '\t', '\n');
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), layout, fc.integer({ min: 1, max: 40 }), (array, space, length) => {
      const text = JSON.stringify(array, undefined, space);
      assert.deepEqual(read(`${text}\n}`, length), { values: JSON.parse(text) as unknown[], rest: '\n}' });
    }),
    { seed: 1, numRuns: sized({ short: 400, long: 2000 }) },
  );
});

test('text that arrives character by character is examined once, and held once', () => {
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

test('U+FEFF is preserved', () => {
  assert.deepEqual(read('["\uFEFFa\uFEFF","\\ufeff"]', 3).values, ['\uFEFFa\uFEFF', '\uFEFF']);
});

test('an object or array is yielded at its closing bracket', () => {
  assert.deepEqual(read('[{"a":1}', 100), { values: [{ a: 1 }], rest: undefined });
  assert.deepEqual(read('[1', 100), { values: [], rest: undefined });
});

describe('text that is not an array is refused, however it is split', () => {
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

  test('nesting deeper than 100 is refused', () => {
    assert.deepEqual(read(`[${'['.repeat(100)}${']'.repeat(100)}]`, 7).values.length, 1);
    assert.throws(() => read(`[${'['.repeat(101)}`, 7), SyntaxError);
  });
});

describe('JsonArrayParser', () => {
  const fail = () => new Error('not an array');
  const parse = (pieces: readonly string[]) => {
    const parser = new JsonArrayParser({
      read: (text, position) => [position, JSON.parse(text) as unknown] as const,
      fail,
    });
    const elements = pieces.flatMap((piece) => [...parser.push(piece)]);
    parser.end();
    return elements;
  };

  test('reads the elements of an array with their positions', () => {
    const elements = [
      [1, 7],
      [2, { a: '[' }],
    ];
    assert.deepEqual(parse([' ', '\n[7, {"a"', ':"["}', '] ']), elements);
  });

  for (const pieces of [[], [' '], ['{}'], ['x['], ['[1'], ['[x]'], ['[1] 2'], ['[1,]']])
    test(`fails for ${JSON.stringify(pieces)}`, () => {
      assert.throws(() => parse(pieces), { message: 'not an array' });
    });
});
