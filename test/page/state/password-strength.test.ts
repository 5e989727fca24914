import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { strengthOf } from '../../../src/page/state/password-strength.ts';

describe('the strength of a password', () => {
  for (const [password, expected] of [
    ['', 'weak'],
    ['a', 'weak'],
    ['Xk7#pQ2v', 'weak'],
    ['aaaaaaaaaaaaaaaaaaaaaaaa', 'weak'],
    ['abcdefghijklmnopqrstuvwxyz', 'weak'],
    ['abaabaabaabaabaaba', 'weak'],
    ['0123456789', 'weak'],
    ['librarybook', 'weak'],
    ['librarybooks7', 'fair'],
    ['lantern copper meadow', 'strong'],
    ['图书馆的书都在这里等你来看', 'fair'],
  ] as const)
    test(`${JSON.stringify(password)} is ${expected}`, () => {
      assert.equal(strengthOf(password), expected);
    });
});
