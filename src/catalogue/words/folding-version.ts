import { createHash } from 'node:crypto';
import { baseLetters } from './base-letters.ts';
import {
  indexKey,
  maxIndexedForms,
  maxIndexedLength,
  maxIndexedWords,
  maxUnspacedLength,
  maxWordLength,
  searchTerms,
} from './index-terms.ts';

/** Texts that each rule of folding changes. */
const samples = [
  'ÅNGSTRÖM Grandpré Straße ſind ΟΔΥΣΣΕΥΣ οδυσσεύς İstanbul ﬁne ①② Ⅳ 1984 ٣',
  "O'Brien O’Brien ‘t d`Artagnan l·l ʻOkina don´t rock 'n' roll C++ C# x_y a-b",
  'ガンダム ｶﾞﾝﾀﾞﾑ 村上春樹の本 ノルウェイの森 สันติภาพ 전쟁과 평화 Война и мир',
  'והספר בבית ולכשיבוא والكتاب بالكتاب للكتاب فكتب',
  'a\u0301\u0323 \u0958 \u1ebf \ud83d\udcda \u{1d400}bc',
  `${'long'.repeat(40)} ${'長'.repeat(40)}`,
];

/**
 * Identifies the rules by which texts become indexed words and sort keys: 12 characters that change with what the rules make of
 * sample texts. A store whose index was made with another version indexes its books again.
 */
export function foldingVersion(): string {
  const limits = [maxIndexedForms, maxIndexedLength, maxIndexedWords, maxUnspacedLength, maxWordLength];
  const words = [...samples, [...baseLetters.keys()].join(' ')].map((text) =>
    searchTerms(text).map(indexKey),
  );
  return createHash('sha256')
    .update(JSON.stringify([limits, words]))
    .digest('hex')
    .slice(0, 12);
}
