import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { readBooks } from '../../src/import/read-books.ts';
import { marcRecord } from '../support/marc-file.ts';

async function read(file: string | Uint8Array, size: number, byName?: 'csv' | 'ris'): Promise<string[]> {
  async function* pieces() {
    const bytes = Buffer.from(file);
    for (let at = 0; at < bytes.length; at += size)
      yield await Promise.resolve(bytes.subarray(at, at + size));
  }
  const rows: string[] = [];
  for await (const row of readBooks(pieces(), { byName, onStart: () => undefined }))
    rows.push('fields' in row ? Object.values(row.fields).join('|') : row.problem.code);
  return rows;
}

const persuasion = 'Persuasion|Jane Austen|1818';
const marcJson = {
  leader: '00000nam a2200000 a 4500',
  fields: [
    { '008': '020805s1818    enk' },
    { 100: { ind1: '1', ind2: ' ', subfields: [{ a: 'Austen, Jane.' }] } },
    { 245: { ind1: '1', ind2: '0', subfields: [{ a: 'Persuasion /' }] } },
  ],
};
const zotero = {
  itemType: 'book',
  title: 'Persuasion',
  creators: [
    { creatorType: 'editor', firstName: 'Ann', lastName: 'Lee' },
    { creatorType: 'author', firstName: 'Jane', lastName: 'Austen' },
  ],
  date: '1818',
};
const modsName =
  '<name type="personal"><namePart type="given">Jane</namePart><namePart type="family">Austen</namePart><role><roleTerm>author</roleTerm></role></name>';

/** The same book as many programs write it. */
const files: readonly (readonly [what: string, file: string | Uint8Array])[] = [
  ['RIS', 'TY  - BOOK\nTI  - Persuasion\nAU  - Austen, Jane\nPY  - 1818\nER  - \n'],
  ['RIS below a line of a database', 'Provider: X\n\nTY  - BOOK\nTI  - Persuasion\nAU  - Austen, Jane\nPY  - 1818\nER  - \n'],
  ['EndNote', '%0 Book\n%T Persuasion\n%A Austen, Jane\n%D 1818\n'],
  [
    'EndNote XML',
    '<xml><records><record><contributors><authors><author><style>Austen, Jane</style></author></authors></contributors><titles><title>Persuasion</title></titles><dates><year>1818</year></dates></record></records></xml>',
  ],
  ['BibTeX below a comment', '% of JabRef\n\n@book{a, title={Persuasion}, author={Austen, Jane}, year=1818}'],
  ['MARC21', marcRecord(['008 020805s1818    ', '100 1 $aAusten, Jane.', '245 10$aPersuasion /'])],
  ['the text of MarcEdit', '=LDR  00000nam\n=008  020805s1818\\\\\\\\\n=100  1\\$aAusten, Jane.\n=245  10$aPersuasion /\n'],
  [
    'MODS',
    `<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>Persuasion</title></titleInfo>${modsName}<originInfo><dateIssued>1818</dateIssued></originInfo><relatedItem><titleInfo><title>X</title></titleInfo></relatedItem></mods>`,
  ],
  [
    'a table of HTML',
    '<html><style>td{}</style><table><tr><th>Title<th colspan=1>Author<th>Year<tr><td>Persuasion<td>Jane&nbsp;Austen<td>1818</table>',
  ],
  ['an array of Zotero', JSON.stringify([zotero])],
  ['Better BibTeX', JSON.stringify({ config: { id: 'x' }, items: [zotero] }, null, 2)],
  ['the API of Zotero', JSON.stringify([{ key: 'K', version: 1, data: zotero }])],
  ['LibraryThing', JSON.stringify({ 7: { books_id: '7', title: 'Persuasion', primaryauthor: 'Jane Austen', date: '1818' } })],
  ['Google Books', JSON.stringify({ kind: 'k', items: [{ volumeInfo: { title: 'Persuasion', authors: ['Jane Austen'], publishedDate: '1818-01' } }] })],
  ['schema.org', JSON.stringify([{ '@type': 'Book', name: 'Persuasion', author: { '@type': 'Person', name: 'Jane Austen' }, datePublished: '1818' }])],
  ['MARC-in-JSON', JSON.stringify([marcJson])],
  ['a list within a list with a name', JSON.stringify({ name: 'Shelf', data: { books: [{ title: 'Persuasion', author: 'Jane Austen', year: 1818 }] } })],
  ['a dump of Open Library', '/type/edition\t/books/OL1M\t3\t2010\t{"title":"Persuasion","by":"x","author_name":["Jane Austen"],"publish_date":"1818"}\n'],
]; // prettier-ignore

describe('the content of a file tells its format, whatever its name and its pieces', () => {
  for (const [what, file] of files)
    test(what, async () => {
      for (const size of [1, 65_536])
        assert.deepEqual(await read(file, size, 'csv'), [persuasion], String(size));
    });
});

test('a text that looks like no format has that of its name', async () => {
  await assert.rejects(read('title\nEmma\n', 65_536, 'ris'), /not RIS/);
});

describe('a file of another kind is named', () => {
  const zip = (name: string) => zipSync({ [name]: strToU8('x') });
  const table: [what: string, file: string | Uint8Array, message: RegExp][] = [
    ['Word', zip('word/document.xml'), /this is a Word document, not a table/],
    ['EPUB', zip('META-INF/container.xml'), /an e-book/],
    ['Numbers', zip('Index/Document.iwa'), /Numbers/],
    ['OpenDocument without a sheet', zip('content.xml'), /damaged.*save it again as \.xlsx/],
    ['a packed CSV', zip('books.csv'), /a ZIP archive; unpack it/],
    ['PDF', '%PDF-1.7\n', /a PDF/],
    ['an old Excel file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /\.xls/],
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), /a picture/],
    [
      'Excel of 2003',
      '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>',
      /XML format of 2003/,
    ],
    ['XML of PubMed', '<?xml version="1.0"?><PubmedArticleSet/>', /a list of PubMed; export it as RIS/],
    ['a web page', '<html><p>Emma</p></html>', /a web page without a table/],
  ];
  for (const [what, file, message] of table)
    test(what, async () => {
      await assert.rejects(read(file, 65_536), message);
    });
});
