import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { baseLetters } from '../../../src/catalogue/words/base-letters.ts';
import { foldingVersion } from '../../../src/catalogue/words/folding-version.ts';
import {
  indexKey,
  maxIndexedForms,
  maxIndexedLength,
  maxIndexedWords,
  maxUnspacedLength,
  maxWordLength,
  searchTerms,
} from '../../../src/catalogue/words/index-terms.ts';

/** Texts that each rule of folding changes. */
const samples = [
  'ÅNGSTRÖM Grandpré Straße ſind ΟΔΥΣΣΕΥΣ οδυσσεύς İstanbul ﬁne ①② Ⅳ 1984 ٣',
  "O'Brien O’Brien ‘t d`Artagnan l·l ʻOkina don´t rock 'n' roll C++ C# x_y a-b",
  'ガンダム ｶﾞﾝﾀﾞﾑ 村上春樹の本 ノルウェイの森 สันติภาพ 전쟁과 평화 Война и мир',
  'והספר בבית ולכשיבוא والكتاب بالكتاب للكتاب فكتب',
  'a\u0301\u0323 \u0958 \u1ebf \ud83d\udcda \u{1d400}bc',
  `${'long'.repeat(40)} ${'長'.repeat(40)}`,
];

test('the version of folding changes when its rules do', () => {
  const limits = [maxIndexedForms, maxIndexedLength, maxIndexedWords, maxUnspacedLength, maxWordLength];
  const words = [...samples, [...baseLetters.keys()].join(' ')].map((text) =>
    searchTerms(text).map(indexKey),
  );
  const hash = createHash('sha256')
    .update(JSON.stringify([limits, words]))
    .digest('hex');
  assert.equal(
    foldingVersion,
    hash.slice(0, 12),
    'the rules of folding have changed: put the actual value into folding-version.ts',
  );
});
