import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MarcXmlParser } from '../../src/formats/marcxml.ts';
import { createSerializer } from '../../src/formats/serializer.ts';
import { storedBook } from '../support/books.ts';
import { parsePieces, singleBytes } from '../support/chunks.ts';
import { marcExamples } from '../support/marc-file.ts';
import { placesOf, sized } from '../support/size.ts';

/** Decodes pieces of bytes as a reader of files does. */
function parse(...pieces: Uint8Array[]) {
  const decoder = new TextDecoder();
  const texts = pieces.map((piece) => decoder.decode(piece, { stream: true }));
  return parsePieces(new MarcXmlParser(), texts);
}

const parseText = (text: string) => parse(Buffer.from(text));
const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

function xmlRecord(fields: readonly string[], prefix = ''): string {
  const lines = fields.map((field) => {
    const tag = field.slice(0, 3);
    const content = field.slice(4);
    if (tag.startsWith('00')) return `<${prefix}controlfield tag="${tag}">${content}</${prefix}controlfield>`;
    const [indicators = '', ...parts] = content.split('$');
    const subfields = parts.map(
      (part) => `<${prefix}subfield code="${part[0]}">${escape(part.slice(1))}</${prefix}subfield>`,
    );
    return `<${prefix}datafield tag="${tag}" ind1="${indicators[0]}" ind2="${indicators[1]}">\n${subfields.join('\n')}</${prefix}datafield>`;
  });
  return `<${prefix}record>\n<${prefix}leader>01142cam  2200301 a 4500</${prefix}leader>\n${lines.join('\n')}\n</${prefix}record>\n`;
}

const namespace = 'http://www.loc.gov/MARC21/slim';
const records = marcExamples.map(({ fields }) => xmlRecord(fields));
const books = marcExamples.map(({ title, author, year }) => ({ title, author, year }));
const complete = { books, cut: undefined, failure: undefined };
const fileOf = (some: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- c --><collection xmlns="${namespace}">\n${some.join('')}</collection>\n`;
const file = fileOf(records);
/** The records in files of their own, and two in one: a file is read once for each of its bytes, so the whole takes long. */
const parts = [[0, 2] as const, ...records.map((_, at) => [at, at + 1] as const)].map(([from, to]) => ({
  bytes: Buffer.from(fileOf(records.slice(from, to))),
  books: books.slice(from, to),
}));

describe('a file of MARCXML', () => {
  test('is read', () => {
    assert.deepEqual(parseText(file), complete);
  });

  test('may have a prefix, no namespace, or be within the answer of OAI-PMH', () => {
    const prefixed = marcExamples.map(({ fields }) => xmlRecord(fields, 'marc:')).join('');
    assert.deepEqual(
      parseText(`<marc:collection xmlns:marc="${namespace}">${prefixed}</marc:collection>`),
      complete,
    );
    assert.deepEqual(parseText(`<collection>${records.join('')}</collection>`), complete);
    const answers = records.map(
      (record) =>
        `<record><metadata>${record.replace('<record>', `<record xmlns="${namespace}">`)}</metadata></record>`,
    );
    const oai = `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>${answers.join('')}</ListRecords></OAI-PMH>`;
    assert.deepEqual(parseText(oai), complete);
  });

  test('may be split anywhere', () => {
    assert.deepEqual(parse(...singleBytes(Buffer.from(file))), complete);
    for (const { bytes, books } of parts)
      for (const at of placesOf(bytes.length))
        assert.deepEqual(
          parse(bytes.subarray(0, at), bytes.subarray(at)),
          { ...complete, books },
          String(at),
        );
  });

  test('may be cut off anywhere: the records before are right, and the file is said to be cut off', () => {
    for (const { bytes, books } of parts)
      for (const at of placesOf(bytes.lastIndexOf('>') - 1).slice(1)) {
        const { books: read, cut, failure } = parse(bytes.subarray(0, at));
        assert.deepEqual(read, books.slice(0, read.length), String(at));
        assert.equal(failure, undefined);
        assert.ok(cut, String(at));
      }
  });

  test('may have characters as CDATA and as references, and no record', () => {
    const text = '<![CDATA[<Emma> &]]> &#233;&#x5B57;&amp;';
    const record = `<record><datafield tag="245" ind1="0" ind2="0"><subfield code="a">${text}</subfield></datafield></record>`;
    assert.deepEqual(parseText(record).books, [{ title: '<Emma> & é字&', author: '', year: 0 }]);
    assert.deepEqual(parseText(`<collection xmlns="${namespace}"/>`), { ...complete, books: [] });
  });
});

describe('XML that is not MARCXML, or hostile, is refused', () => {
  const table: [what: string, xml: string, failure: RegExp][] = [
    ['another document', '<html><body/></html>', /not MARCXML: it has no record/],
    [
      'a mismatch of tags',
      `<collection>${records[0] ?? ''}</record></collection>`,
      /not valid XML after record 1 \(Unexpected close tag/,
    ],
    [
      'an unknown entity',
      '<collection><record><leader>&lol;</leader></record></collection>',
      /not valid XML after record 0/,
    ],
    [
      'entities that expand to a billion',
      '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;">]><collection><record>&lol2;</record></collection>',
      /document type declaration/,
    ],
    [
      'an external entity',
      '<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><collection>&x;</collection>',
      /document type declaration/,
    ],
    ['deep nesting', `<collection>${'<a>'.repeat(200_000)}`, /nested too deeply/],
  ];
  for (const [what, xml, failure] of table)
    test(what, () => {
      assert.match(parseText(xml).failure ?? '', failure);
    });

  test('many attributes in one tag', () => {
    const attributes = Array.from(
      { length: sized({ short: 20_000, long: 700_000 }) },
      (_, at) => ` a${at}="1"`,
    ).join('');
    for (const end of ['', '/></collection>'])
      assert.equal(
        parseText(`<collection>${records[0] ?? ''}<record${attributes}${end}`).failure,
        'record 2 has a tag longer than 8 KiB; it and all that follows was not read',
      );
  });

  test('a tag that is a little longer than 8 KiB', () => {
    for (const [length, failure] of [
      [8_000, undefined],
      [9_000, 'record 1 has a tag longer than 8 KiB; it and all that follows was not read'],
    ] as const)
      assert.equal(parseText(`<collection><record${' '.repeat(length)}/></collection>`).failure, failure);
  });

  for (const start of ['<collection><record><leader>', '<collection><record a="', '<!-- ', '<!DOCTYPE x ['])
    test(`what does not end after ${start}`, () => {
      function* pieces() {
        yield start;
        for (let i = 0; i < sized({ short: 512, long: 16_384 }); i++) yield 'x'.repeat(65_536);
      }
      const { failure } = parsePieces(new MarcXmlParser(), pieces());
      assert.match(failure ?? '', /longer than 16 MiB|longer than 8 KiB|not valid XML/);
    });
});

describe('a title that is written as MARCXML is read back exactly', () => {
  for (const title of [
    'City of Bones / City of Ashes',
    'Ulysses = Ulises',
    'Emma : a novel',
    'Emma ; Persuasion',
    'Who?: a novel: in parts',
    'Either/or',
    'To be continued /',
    'The end.',
    'And/: or',
    'Emma: a novel: in three volumes',
  ])
    test(title, async () => {
      const { head, part, foot } = await createSerializer('marcxml', { withIds: false });
      const text = head + part([storedBook(1, { title, author: '', year: 0 })]) + foot(false);
      assert.deepEqual(parseText(text).books, [{ title, author: '', year: 0 }]);
    });
});

test('a record that omits the marks of ISBD has none within a subfield, and perhaps one before the next', () => {
  const record = xmlRecord(['245 10$aCity / Town :$ba novel = Roman /$cA. Author.']);
  const omitted = record.replace('2200301 a', '2200301 c');
  assert.deepEqual(parseText(fileOf([record, omitted])).books, [
    { title: 'City: a novel: Roman', author: '', year: 0 },
    { title: 'City / Town: a novel = Roman', author: '', year: 0 },
  ]);
});

test('books are written as MARCXML, and read back where their authors have names of two parts', async () => {
  const some = [
    storedBook(1, {
      title: 'The pragmatic programmer: from journeyman to master',
      author: 'Andrew Hunt, David Thomas',
      year: 1999,
    }),
    storedBook(2, { title: 'Iliad', author: 'Homer', year: -750 }),
    storedBook(3, { title: 'Q & A <b>', author: '', year: 0 }),
    storedBook(4, { title: 'Letters', author: 'Martin Luther King Jr., Charles de Gaulle', year: 12_345 }),
    storedBook(5, { title: 'Hop on pop', author: 'Dr. Seuss, St. Jerome', year: 1963 }),
  ];
  const { head, part, foot } = await createSerializer('marcxml', { withIds: false });
  const text = head + part(some) + foot(false);
  assert.deepEqual(
    parseText(text).books,
    some.map(({ id: _, ...fields }) => fields),
  );
  assert.match(text, /<controlfield tag="008">\d{6}s1999 {4}xx {12}000 0 und d<\/controlfield>/);
  assert.match(text, /<subfield code="b">from journeyman to master<\/subfield>/);
});
