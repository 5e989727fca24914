import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { writeCatalogueFile, type CatalogueData } from '../../src/formats/catalogue-file.ts';
import { viewerCode } from '../../src/formats/viewer-code.ts';
import { storedBook } from '../support/books.ts';
import { textOf, type Element } from '../support/page.ts';

const options = {
  name: 'Bücherei',
  language: 'de',
  madeAt: new Date('2026-11-29T23:30:00Z'),
  needsScript: 'Dieser Katalog braucht JavaScript.',
  viewer: viewerCode(),
};

/** The elements of a file, as a browser parses it. */
function elementsOf(text: string): Element[] {
  const errors: string[] = [];
  const document = parse(text, { onParseError: ({ code }) => errors.push(code) });
  assert.deepEqual(errors, []);
  const below = (node: DefaultTreeAdapterTypes.ParentNode): Element[] =>
    node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...below(child)] : []));
  return below(document);
}

const scriptsOf = (text: string) => elementsOf(text).filter(({ tagName }) => tagName === 'script');
function dataOf(text: string): CatalogueData {
  const [data] = scriptsOf(text);
  assert.ok(data !== undefined);
  return JSON.parse(textOf(data)) as CatalogueData;
}

describe('a catalogue in one HTML file', () => {
  test('has its books, its name, its language and its day', () => {
    const text = writeCatalogueFile(
      [storedBook(7, { title: 'Emma', author: 'Jane Austen', year: 1815 })],
      options,
    );
    assert.deepEqual(dataOf(text), {
      name: 'Bücherei',
      language: 'de',
      day: '2026-11-29',
      books: [[7, 'Emma', 'Jane Austen', 1815]],
    });
    assert.match(text, /^<!doctype html>\n<html lang="de">/);
  });

  test('is closed to what texts of books and of the library contain', () => {
    const hostile = [
      '</script><script>alert(1)</script>',
      '<!-- <script> -->',
      ']]>\u2028\u2029',
      '\0😀"\'&amp;<b>',
      '\\u003c/script>',
    ];
    const books = hostile.map((title, i) => storedBook(i + 1, { title, author: title, year: 0 }));
    const text = writeCatalogueFile(books, { ...options, name: hostile.join(' ') });
    assert.equal(scriptsOf(text).length, 2, 'the data, and the program');
    assert.deepEqual(
      dataOf(text).books.map(([, title]) => title),
      hostile,
    );
    assert.equal(dataOf(text).name, hostile.join(' '));
  });

  test('allows its own program alone, by its hash, and loads nothing', () => {
    const text = writeCatalogueFile([], options);
    const [, program] = scriptsOf(text);
    const code = program?.childNodes.map((child) => ('value' in child ? child.value : '')).join('') ?? '';
    assert.equal(code, options.viewer);
    const hash = createHash('sha256').update(code).digest('base64');
    assert.ok(text.includes(`default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'`));
    for (const { attrs } of elementsOf(text))
      assert.deepEqual(
        attrs.filter(({ name }) => ['src', 'href'].includes(name)),
        [],
      );
  });

  test('its program ends no script, also if its texts change', () => {
    assert.doesNotMatch(options.viewer, /<\/script|<!--/i);
  });

  test('holds 10,000 books and no more', () => {
    const books = Array.from({ length: 10_001 }, (_, i) => storedBook(i + 1, { title: `Book ${i + 1}` }));
    assert.equal(dataOf(writeCatalogueFile(books.slice(1), options)).books.length, 10_000);
    assert.throws(() => writeCatalogueFile(books, options), RangeError);
  });
});
