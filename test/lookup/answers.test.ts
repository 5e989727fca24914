import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readOpenLibrary, readSru } from '../../src/lookup/answers.ts';

const openLibrary = (book: object) => readOpenLibrary(JSON.stringify({ 'ISBN:9780141439587': book }));

describe('an answer of Open Library', () => {
  test('is a book: its title and subtitle, its authors, and the year of its date', () => {
    const authors = [
      { url: 'https://openlibrary.org/authors/OL1A', name: 'Neil Gaiman' },
      { name: 'Terry  Pratchett' },
    ];
    const book = { title: 'Good Omens', subtitle: 'A Narrative', authors, publish_date: 'May 1, 1990' };
    assert.deepEqual(openLibrary(book), {
      title: 'Good Omens: A Narrative',
      author: 'Neil Gaiman, Terry Pratchett',
      year: 1990,
    });
  });

  test('may lack all but the title', () => {
    assert.deepEqual(openLibrary({ title: 'Emma' }), { title: 'Emma', author: '', year: 0 });
  });

  for (const [what, text] of [
    ['no number', '{}'],
    ['a book without a title', '{"ISBN:9780141439587":{"authors":[{"name":"Jane Austen"}]}}'],
    ['a title that is no text', '{"ISBN:9780141439587":{"title":{"value":"Emma"}}}'],
    ['a book that is null', '{"ISBN:9780141439587":null}'],
  ] as const)
    test(`has no book: ${what}`, () => {
      assert.equal(readOpenLibrary(text), undefined);
    });

  test('may contain anything: other types are ignored, half a surrogate pair is replaced', () => {
    const book = { title: 'Em\ud800ma', subtitle: 7, authors: [null, 7, { name: [] }], publish_date: 1815 };
    assert.deepEqual(openLibrary(book), { title: 'Em\ufffdma', author: '', year: 0 });
    assert.deepEqual(openLibrary({ title: 'Emma', authors: 'Jane Austen' })?.author, '');
  });

  for (const text of ['[]', 'null', '7', 'Not found', '', '{"error":"busy"}', '{"error":{"title":"Emma"}}'])
    test(`is none: ${JSON.stringify(text)}`, () => {
      assert.throws(() => readOpenLibrary(text), /its answer (?:is|has "error")/);
    });
});

const field = (tag: string, subfields: Record<string, string>) =>
  `<datafield tag="${tag}" ind1="1" ind2="0">${Object.entries(subfields)
    .map(([code, value]) => `<subfield code="${code}">${value}</subfield>`)
    .join('')}</datafield>`;
const record = (...fields: string[]) =>
  `<record><recordSchema>marcxml</recordSchema><recordPacking>xml</recordPacking><recordData>
    <record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 c 4500</leader>${fields.join('')}</record>
  </recordData></record>`;
const answer = (count: number, ...records: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>
  <searchRetrieveResponse xmlns="http://www.loc.gov/zing/srw/"><version>1.1</version>
    <numberOfRecords>${count}</numberOfRecords><records>${records.join('')}</records>
  </searchRetrieveResponse>`;

describe('an answer of SRU', () => {
  const emma = record(
    field('100', { a: 'Austen, Jane' }),
    field('245', { a: 'Emma', b: 'a novel' }),
    field('264', { c: '2003' }),
  );

  /** The same answer, with a prefix for the namespace of SRU. */
  const prefixed = (text: string) =>
    text
      .replaceAll(/<(\/?)(searchRetrieveResponse|version|numberOfRecords|records)/g, '<$1zs:$2')
      .replace(' xmlns=', ' xmlns:zs=');

  test('is the first record that is a book', async () => {
    const found = { title: 'Emma: a novel', author: 'Jane Austen', year: 2003 };
    assert.deepEqual(await readSru(answer(1, emma)), found);
    assert.deepEqual(await readSru(answer(2, record(field('020', { a: '1' })), emma)), found);
    assert.deepEqual(await readSru(prefixed(answer(1, emma))), found);
  });

  test('has no book: no record, or none with a title', async () => {
    assert.equal(await readSru(answer(0)), undefined);
    assert.equal(await readSru(prefixed(answer(0))), undefined);
    assert.equal(await readSru(answer(1, record(field('020', { a: '1' })))), undefined);
  });

  for (const [what, text, message] of [
    ['a page in HTML', '<!doctype html><html><p>Sign in</p></html>', /MARCXML|XML/],
    [
      'a diagnostic',
      '<searchRetrieveResponse xmlns="http://www.loc.gov/zing/srw/"><diagnostics><m>Unsupported index</m></diagnostics></searchRetrieveResponse>',
      /MARCXML/,
    ],
    ['it is cut off', answer(1, emma).slice(0, 500), /cut off|XML/],
  ] as const)
    test(`is none: ${what}`, async () => {
      await assert.rejects(readSru(text), message);
    });
});
