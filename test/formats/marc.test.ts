import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Iso2709Parser } from '../../src/formats/iso2709.ts';
import { parsePieces, singleBytes } from '../support/chunks.ts';
import { marc8Record, marcExamples, marcRecord } from '../support/marc-file.ts';
import { placesOf, sized } from '../support/size.ts';

const parse = (...pieces: Uint8Array[]) => parsePieces(new Iso2709Parser(), pieces);

describe('a record of MARC21', () => {
  for (const { name, fields, ...book } of marcExamples)
    test(name, () => {
      assert.deepEqual(parse(marcRecord(fields)), {
        books: [book],
        cut: undefined,
        failure: undefined,
      });
    });

  const table: [what: string, record: Buffer, reason: RegExp][] = [
    [
      'a title in Chinese in MARC-8',
      marc8Record(['245 10$a\x1b$$1!0A!0B\x1b(B']),
      /title is in Chinese, Japanese or Korean characters of MARC-8; convert the file to UTF-8/,
    ],
    ['a byte that MARC-8 lacks', marc8Record(['245 10$aEmma \xff']), /title has a byte that is not text/],
    [
      'invalid UTF-8',
      Buffer.from(marcRecord(['245 10$aEmma?']).map((byte) => (byte === 0x3f ? 0xe9 : byte))),
      /not valid UTF-8/,
    ],
    ['no title', marcRecord(['100 1 $aAusten, Jane']), /no title \(field 245\)/],
    ['a deleted record', marcRecord(['245 10$aEmma'], 'dam a'), /deleted/],
    [
      'a terminator that is missing: its length tells that another record follows',
      Buffer.concat([marcRecord(['245 10$aEmma']).subarray(0, -1), marcRecord(['245 10$aEmma'])]),
      /says that it has 47 bytes, but it has 93/,
    ],
  ];
  for (const [what, record, reason] of table)
    test(`is left out for ${what}, and the others are read`, () => {
      const emma = marcRecord(['245 10$aEmma']);
      const { books, cut, failure } = parse(Buffer.concat([emma, record, emma]));
      assert.equal(books.length, 3);
      assert.match(String(books[1]), reason);
      assert.deepEqual([books[0], cut, failure], [books[2], undefined, undefined]);
    });

  test('is read by its terminators where a length or an address counts characters', () => {
    const record = marcRecord(['100 1 $aČapek, Karel.', '245 10$aBílá nemoc /', '260   $c1937.']);
    const book = { title: 'Bílá nemoc', author: 'Karel Čapek', year: 1937 };
    for (const length of ['00030', '00099', '99999']) {
      const wrong = Buffer.concat([Buffer.from(length), record.subarray(5)]);
      assert.deepEqual(parse(wrong).books, [book], length);
    }
    const shifted = record.toString('latin1').replace('245001900019', '245001700018');
    assert.notEqual(shifted, record.toString('latin1'));
    assert.deepEqual(parse(Buffer.from(shifted, 'latin1')).books, [book]);
  });

  const inMarc8: [what: string, record: Buffer, title: string, author: string][] = [
    ['ASCII', marcRecord(['245 10$aEmma /$cJane Austen.'], 'nam  '), 'Emma', ''],
    [
      'MARC-8',
      marc8Record(['100 1 $a\xe9Capek, Karel.', '245 10$aB\xe2il\xe2a nemoc /']),
      'Bílá nemoc',
      'Karel Čapek',
    ],
    ['MARC-8 in Cyrillic', marc8Record(['245 10$a\x1b(NwOJNA I MIR\x1b(B /']), 'Война и мир', ''],
    ['UTF-8 in spite of that', marcRecord(['245 10$aBílá nemoc'], 'nam  '), 'Bílá nemoc', ''],
  ];
  for (const [what, record, title, author] of inMarc8)
    test(`whose leader means MARC-8 is read: ${what}`, () => {
      assert.deepEqual(parse(record).books, [{ title, author, year: 0 }]);
    });

  test('is read in transcription, with a note, where its original script in MARC-8 is not read', () => {
    const record = marc8Record(['245 10$6880-01$aHong lou meng', '880 10$6245-01/$$1$a\x1b$$1!0A!0B\x1b(B']);
    const [book] = [...new Iso2709Parser().push(record)];
    assert.ok(book !== undefined && 'fields' in book);
    assert.equal(book.fields.title, 'Hong lou meng');
    assert.deepEqual(book.notes, [{ code: 'transcription' }]);
  });

  test('that is longer than its format allows is left out, in constant memory', () => {
    function* pieces() {
      yield marcRecord(['245 10$aEmma']);
      yield Buffer.from('99999');
      for (let i = 0; i < sized({ short: 257, long: 16_384 }); i++) yield Buffer.alloc(65_536, 'x');
      yield Buffer.from('\x1d');
      yield marcRecord(['245 10$aEmma']);
    }
    const { books } = parsePieces(new Iso2709Parser(), pieces());
    assert.equal(books.length, 3);
    assert.equal(books[1], 'it is longer than 99999 bytes');
  });
});

describe('a file of MARC21', () => {
  const records = marcExamples.map(({ fields }) => marcRecord(fields));
  const file = Buffer.concat(records.flatMap((record) => [record, Buffer.from('\r\n')]));
  const whole = parse(file);

  test('may be split anywhere', () => {
    assert.equal(whole.books.length, records.length);
    assert.deepEqual(parse(...singleBytes(file)), whole);
    for (const at of placesOf(file.length))
      assert.deepEqual(parse(file.subarray(0, at), file.subarray(at)), whole, String(at));
  });

  test('may be cut off anywhere: the records before are right, and the file is said to be cut off', () => {
    let at = 0;
    for (const [index, record] of records.entries()) {
      for (const cut of placesOf(record.length - 1).slice(1)) {
        const parsed = parse(file.subarray(0, at + cut));
        assert.deepEqual(parsed.books, whole.books.slice(0, index), String(cut));
        assert.equal(parsed.cut, `record ${index + 1} ends in the middle`);
      }
      at += record.length + 2;
    }
  });

  test('may be damaged anywhere: never a crash', () => {
    const [record = Buffer.alloc(0)] = records;
    for (const at of placesOf(record.length - 1))
      for (const byte of [0x00, 0x1d, 0x1e, 0x1f, 0x39, 0x41, 0xff]) {
        const damaged = Buffer.from(record);
        damaged[at] = byte;
        parse(damaged);
      }
  });

  test('of another format is refused', () => {
    assert.match(parse(Buffer.from('title,author\nEmma,Jane Austen\n')).failure ?? '', /not MARC21/);
    assert.match(parse(Buffer.from('{"a":\x1d')).failure ?? '', /not MARC21/);
  });
});
