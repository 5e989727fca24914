import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describe as say } from '../../../src/formats/problems.ts';
import { laterTexts } from '../../../src/texts/later-texts.ts';
import { problemTexts } from '../../../src/texts/problems.ts';
import { readerTexts } from '../../../src/texts/readers.ts';
import { startTexts } from '../../../src/texts/start-texts.ts';
import { serverLanguages } from '../../../src/texts/server-texts.ts';
import { type Language, languageNames, languages } from '../../../src/texts/texts.ts';

/** The values of functions, as text: names and numbers alike. */
const counts = { updated: '1007', added: '2008', unchanged: '3009' };
const valuesOf: Readonly<Record<string, unknown[]>> = {
  'importing.matched': [counts],
  'importing.unused': [['a', 'b']],
  'cells.notYears': [['a', 'b']],
};

/** All texts of a table by their paths. */
function textsBelow(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function')
    return [[path, (value as (...values: unknown[]) => string)(...(valuesOf[path] ?? ['1007', '2008']))]];
  return Object.entries(value as object).flatMap(([key, each]) =>
    textsBelow(each, path === '' ? key : `${path}.${key}`),
  );
}

const places = [
  ...['bibtex', 'character', 'compression', 'header', 'json'],
  ...['line', 'marc', 'ris', 'xml', 'xmlRecord'],
];
const sample = {
  ...{ field: 'title', shown: 'x', byte: 255, line: 3, lastLine: 5, column: 2, cells: 3, columns: 2 },
  ...{
    maxBytes: 99_999,
    stated: 10,
    found: 12,
    macro: 'abc',
    maxKib: 64,
    key: 'k',
    id: 7,
    isbn: '9780141439587',
  },
  ...{
    max: 16_384,
    now: [{ field: 'year', shown: '1999' }],
    message: 'Bad',
    label: 'x-y',
    detail: 'z',
    number: 4,
  },
  ...{
    record: 8,
    book: 9,
    encoding: 'x',
    unit: 'line',
    part: 'x',
    name: 'x',
    names: ['x'],
    at: 'marc',
    format: 'ris',
    kind: 'xls',
    isbn: '9780141439587',
    year: 9999,
    readings: [{ encoding: 'utf-8', sample: 'x' }],
  },
};

/** The messages of all problems, with each place and format that has a text of its own. */
function problemsIn(language: Language): [path: string, text: string][] {
  const texts = problemTexts[language];
  const variants: Record<string, object[]> = {
    cutOff: places.map((at) => ({ at })),
    rowTooLong: ['line', 'row', 'book'].map((unit) => ({ unit })),
    repeatedId: [
      ...['line', 'row', 'book', 'record'].map((unit) => ({ unit })),
      { unit: 'line', file: 'a.csv' },
    ],
    fileRecordTooLong: ['bibtex', 'ris', 'other'].map((format) => ({ format })),
    otherKind: ['xls', 'pdf', 'epub', 'zip', 'database', 'pubmed'].map((kind) => ({ kind })),
    otherFormat: ['html', 'marc', 'marcxml', 'ris'].map((format) => ({ format })),
  };
  return Object.keys(texts).flatMap((code) =>
    (variants[code] ?? [{}]).map((variant): [string, string] => [
      `${code} ${Object.values(variant).join()}`.trim(),
      say({ ...sample, ...variant, code } as unknown as Parameters<typeof say>[0], texts),
    ]),
  );
}

const all = (language: Language) => [
  ...textsBelow(serverLanguages[language]),
  ...textsBelow(readerTexts[language], 'readers'),
  ...textsBelow(laterTexts[language]),
  ...textsBelow(startTexts[language], 'start'),
  ...problemsIn(language),
];
const english = new Map(all('en'));

/** The texts that are as in English on purpose: numbers, keys, and words that both languages have. */
const equal = /^(year|books\.(decade|range)|stats\.span|help\.keys\.\d+\.0)$/;
const equals: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  de: ['navigation.import', 'activity.named', 'importing.title', 'importing.format'],
  fr: ['navigation.menu', 'books.actions', 'importing.format', 'list.pages'],
  es: ['activity.named'],
};

for (const language of languages) {
  describe(languageNames[language], () => {
    test('each text has what it is made of', () => {
      for (const [path, text] of all(language)) {
        assert.notEqual(text.trim(), '', path);
        assert.doesNotMatch(text, /undefined|NaN|\[object|\$\{/, path);
        assert.equal(text, text.trim(), path);
      }
    });

    if (language === 'en') return;
    test('has the same parts as English, and no text of it by mistake', () => {
      const own = all(language);
      assert.deepEqual(own.map(([path]) => path).sort(), [...english.keys()].sort());
      const same = own.filter(([path, text]) => text === english.get(path) && !equal.test(path));
      assert.deepEqual(
        same.map(([path]) => path),
        equals[language],
      );
    });
  });
}

test('each language has its own quotation marks, and French its narrow no-break spaces', () => {
  const wrong: Readonly<Record<Exclude<Language, 'en'>, RegExp>> = {
    de: /["'”«»]/,
    fr: /(?<!\u202f)[;!?»]|(?<!\u202f):(?=\s|$)|«(?!\u202f)|["'“”„]/,
    es: /["'“”„]/,
  };
  for (const language of languages)
    for (const [path, text] of language === 'en' ? [] : all(language))
      // A key of the keyboard, and what a file has there, are as they are.
      if (text !== '?') assert.doesNotMatch(text.replace(/"\w+"/g, ''), wrong[language as 'de'], path);
});

test('in French, 0 and 1 are singular; in the other languages, only 1', () => {
  const counts = languages.map((language) => [0, 1, 2].map(serverLanguages[language].books.books));
  assert.deepEqual(counts, [
    ['0 books', '1 book', '2 books'],
    ['0 Bücher', '1 Buch', '2 Bücher'],
    ['0 livre', '1 livre', '2 livres'],
    ['0 libros', '1 libro', '2 libros'],
  ]);
});
