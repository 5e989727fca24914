import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'dotenv';
import fc from 'fast-check';
import { findCutVariables, parseDotenv, replaceVariable } from '../../src/config/environment.ts';

describe('a value that dotenv cuts at its #', () => {
  const table: [line: string, isCut: boolean][] = [
    ['A=abc#def', true],
    ['A=#abc', true],
    ['export A=abc#', true],
    ['A: abc#def', true],
    ["A='abc#def", true],
    ['A=abc', false],
    ['A=abc # a comment', false],
    ['A=abc # a comment with x#y', false],
    ['A= # nothing', false],
    ['# A=abc#def', false],
    ["A='abc#def'", false],
    ['A="abc#def"', false],
    ['A=`abc#def` # a comment', false],
    ["A='a\nB=c#d'", false],
  ];
  for (const [line, isCut] of table) {
    test(JSON.stringify(line), () => {
      assert.deepEqual(findCutVariables(`${line}\n`), isCut ? ['A'] : []);
      assert.deepEqual(findCutVariables(`X=1\r\n${line}\r\nY=2`), isCut ? ['A'] : []);
    });
  }
});

describe('a variable is replaced, and all other lines stay', () => {
  const table: [text: string, changed: string][] = [
    ['', "P='new'\n"],
    ['A=1', "A=1\nP='new'\n"],
    ['# P\nP=old # why\n\nA=1\n', "# P\nP='new'\n\nA=1\n"],
    ['P=first\nP="old\nlines"\nA=1', "P=first\nP='new'\nA=1"],
    ['  export P=old\r\nA=1\r\n', "  export P='new'\r\nA=1\r\n"],
  ];
  for (const [text, changed] of table) {
    test(JSON.stringify(text), async () => {
      assert.equal(await replaceVariable(text, 'P', 'new'), changed);
    });
  }

  test('any value is read back, or refused', async () => {
    const value = fc.string({
      unit: fc.constantFrom('a', ' ', '#', "'", '"', '`', '\\', '$', 'n', '=', 'é'),
    });
    await fc.assert(
      fc.asyncProperty(value, async (password) => {
        const text = await replaceVariable("A='1'\nP=x#y\nB=2 # it's\n", 'P', password);
        if (text !== undefined) assert.deepEqual({ ...parse(text) }, { A: '1', P: password, B: '2' });
        else assert.match(password, /['\\]/);
      }),
    );
  });

  test('a value with each kind of quotes is refused', async () => {
    assert.equal(await replaceVariable('P=x', 'P', '\'"`'), undefined);
  });
});

describe('a .env that would take dotenv minutes is refused', () => {
  const table: [what: string, text: string, message: RegExp][] = [
    ['a million empty lines', '\n'.repeat(1_000_000), /longer than 64 KiB/],
    ['a thousand empty lines', `A=1\n${'\n'.repeat(1000)}B=2\n`, /1,000 spaces or empty lines/],
  ];
  for (const [what, text, message] of table)
    test(what, async () => {
      await assert.rejects(parseDotenv(text), { code: 'config', message });
      await assert.rejects(replaceVariable(text, 'A', 'b'), { code: 'config', message });
    });
});
