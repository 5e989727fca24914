import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ShelflistError } from '../../src/catalogue/errors.ts';
import { BrokenRule, check, processorMs } from './rules.ts';
import type { Target } from './targets.ts';

const bytes = Buffer.from('one input');

/** Less than the limit of real parsers, so that the test is quick. */
const limitMs = 100;

type Read = Target['read'];

const broken: { what: string; read: () => Read; message: RegExp }[] = [
  {
    what: 'an error of the engine',
    read: () => () => {
      throw new TypeError('no such member');
    },
    message: /it throws TypeError: no such member/,
  },
  {
    what: 'an error of another type',
    read: () => () => Promise.reject(new RangeError('too long')),
    message: /it throws RangeError: too long/,
  },
  {
    what: 'another result the second time',
    read() {
      let count = 0;
      return () => count++;
    },
    message: /^\[0\] becomes \[1\] /,
  },
  {
    what: 'a result that depends on the pieces in which it arrives',
    read: () => async (all, inPieces) => {
      let pieces = 0;
      for await (const { length } of inPieces(all)) pieces += Math.sign(length);
      return pieces;
    },
    message: /^\[1\] becomes \[9\] in pieces of \d+ bytes/,
  },
  {
    what: 'a source that stays open',
    read: () => async (all, inPieces) => {
      await inPieces(all)[Symbol.asyncIterator]().next();
    },
    message: /it leaves its source open/,
  },
  {
    what: 'too much processor time',
    read: () => () => {
      const end = processorMs() + 2 * limitMs;
      while (processorMs() < end);
    },
    message: /it takes \d+ ms/,
  },
];

describe('the rules of fuzzing', () => {
  for (const { what, read, message } of broken)
    test(`refuse ${what}`, async () => {
      const target: Target = { read: read(), seeds: [], tokens: [] };
      await assert.rejects(check(target, bytes, limitMs), (error) => {
        assert.ok(error instanceof BrokenRule);
        assert.match(error.message, message);
        return true;
      });
    });

  test('accept a result, and an error of the type ShelflistError', async () => {
    const accepted: Read[] = [
      (all) => all.length,
      () => {
        throw new ShelflistError('invalid_input');
      },
    ];
    for (const read of accepted) await check({ read, seeds: [], tokens: [] }, bytes);
  });
});
