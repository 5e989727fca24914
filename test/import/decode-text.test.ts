import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { decodeText, type EncodingOptions } from '../../src/import/decode-text.ts';

async function decode(chunks: readonly Uint8Array[], options?: EncodingOptions): Promise<string> {
  async function* source() {
    for (const chunk of chunks) yield await Promise.resolve(chunk);
  }
  let text = '';
  for await (const part of decodeText(source(), options)) text += part;
  return text;
}

/** The bytes at once, one by one, and in two at every place: nothing may depend on where the chunks end. */
function splits(bytes: Buffer): Uint8Array[][] {
  const inTwo = [...bytes.keys()].map((at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [[bytes], [...bytes].map((byte) => Buffer.of(byte)), ...inTwo];
}

const utf8 = (text: string) => Buffer.from(text);
const utf16le = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();
/** Text before U+0100, without the characters that Windows-1252 has in place of its control characters. */
const latin1 = (text: string) => Buffer.from(text, 'latin1');

const every = 'aé書😀\u0000\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}z';

describe('a file is decoded, wherever its chunks end', () => {
  const table: [what: string, file: Buffer, text: string][] = [
    ['nothing', utf8(''), ''],
    ['one byte', utf8('a'), 'a'],
    ['ASCII', utf8('title\nEmma\n'), 'title\nEmma\n'],
    ['UTF-8', utf8(every), every],
    [
      'UTF-8 whose only other characters are the marks around an article',
      utf8('title\n\u0098Der\u009c Zauberberg\n'),
      'title\n\u0098Der\u009c Zauberberg\n',
    ],
    ['UTF-8 shorter than a signature', utf8('é'), 'é'],
    ['UTF-8 with a byte order mark', utf8(`\uFEFF${every}`), every],
    ['a second mark is text', utf8('\uFEFF\uFEFFa'), '\uFEFFa'],
    ['a mark that is not in front is text', utf8('a\uFEFFb'), 'a\uFEFFb'],
    ['UTF-8 with its mark and nothing else', utf8('\uFEFF'), ''],
    ['UTF-16, little end first', utf16le(every), every],
    ['UTF-16, big end first', utf16be(every), every],
    ['UTF-16 of one character', utf16be('a'), 'a'],
    ['UTF-16 with its mark and nothing else', utf16le(''), ''],
    ['UTF-16 without a mark', utf16le('title\né書😀').subarray(2), 'title\né書😀'],
    ['UTF-16 without a mark, big end first', utf16be('title\n書é').subarray(2), 'title\n書é'],
    ['Windows-1252', latin1('title\nGrandpré, Señor\n'), 'title\nGrandpré, Señor\n'],
    [
      'Windows-1252 that ends like a cut off UTF-8',
      latin1('title\nCafé des Parisiens, L\xe9'),
      'title\nCafé des Parisiens, Lé',
    ],
    [
      'Mac Roman',
      latin1('title\rLes Mis\x8erables\rLe P\x8fre Goriot'),
      'title\rLes Misérables\rLe Père Goriot',
    ],
    [
      'ISO-2022-JP, which has no byte beyond ASCII',
      latin1('title,author\n\x1b$B$3$3$m\x1b(B,\x1b$B2FL\\\x1b(B\n'),
      'title,author\nこころ,夏目\n',
    ],
    [
      'MARC-8',
      latin1('title\nLes mis\xe2erables\nLe p\xe1ere Goriot\n'),
      'title\nLes misérables\nLe père Goriot\n',
    ],
    ['an escape character that designates no character set', utf8('a\x1b[1mb\n'), 'a\x1b[1mb\n'],
    [
      'XML in the encoding that it declares',
      latin1('<?xml version="1.0" encoding="iso-8859-2"?>\n<a>\xb1\xbe</a>'),
      '<?xml version="1.0" encoding="iso-8859-2"?>\n<a>ąž</a>',
    ],
    [
      'XML in UTF-8 that declares another encoding',
      utf8(
        '<?xml version="1.0" encoding="iso-8859-1"?>\n<a>Les Misérables, père Goriot, été, forêt, là, où</a>',
      ),
      '<?xml version="1.0" encoding="iso-8859-1"?>\n<a>Les Misérables, père Goriot, été, forêt, là, où</a>',
    ],
  ];
  for (const [what, file, text] of table) {
    test(what, async () => {
      for (const chunks of splits(file)) assert.equal(await decode(chunks), text);
    });
  }
});

describe('every byte of Windows-1252 is decoded to its character', () => {
  const meanings =
    '80€ 82‚ 83ƒ 84„ 85… 86† 87‡ 88ˆ 89‰ 8aŠ 8b‹ 8cŒ 8eŽ 91‘ 92’ 93“ 94” 95• 96– 97— 98˜ 99™ 9aš 9b› 9cœ 9ež 9fŸ';
  const table = meanings.split(' ').map((each): [byte: number, character: string] => {
    return [Number.parseInt(each.slice(0, 2), 16), each.slice(2, 3)];
  });
  for (let byte = 0xa0; byte <= 0xff; byte++) table.push([byte, String.fromCharCode(byte)]);
  // Five bytes have no meaning there: they stay control characters.
  for (const byte of [0x81, 0x8d, 0x8f, 0x90, 0x9d]) table.push([byte, String.fromCharCode(byte)]);

  test('there are 128', () => {
    assert.equal(new Set(table.map(([byte]) => byte)).size, 128);
  });
  for (const [byte, character] of table) {
    test(`${byte.toString(16)} is ${JSON.stringify(character)}`, async () => {
      const file = Buffer.from([0x61, byte, 0x62, 0x0a, byte, 0x0a]);
      for (const chunks of splits(file))
        assert.equal(await decode(chunks, { encoding: 'windows-1252' }), `a${character}b\n${character}\n`);
    });
  }
});

describe('the first byte that is not ASCII may come late', () => {
  const long = 'a'.repeat(70_000);
  const table: [what: string, chunks: Buffer[], text: string][] = [
    ['Windows-1252, in the same chunk', [latin1(`${long} Café\n`)], `${long} Café\n`],
    ['Windows-1252, in a chunk of its own', [utf8(`${long} Caf`), latin1('é'), utf8('\n')], `${long} Café\n`],
    [
      'Windows-1252, at the end of a chunk',
      [utf8(long), latin1(`${long} Café`), utf8(`\n${long}`)],
      `${long + long} Café\n${long}`,
    ],
    ['Windows-1252, the last byte', [utf8(long), latin1(' Café')], `${long} Café`],
    ['UTF-8, at the end of a chunk', [utf8(long), Buffer.of(0xc3), Buffer.of(0xa9)], `${long}é`],
    [
      'an empty chunk in between',
      [utf8(`${long} Caf`), Buffer.alloc(0), latin1('é'), Buffer.alloc(0)],
      `${long} Café`,
    ],
  ];
  for (const [what, chunks, text] of table) {
    test(what, async () => {
      assert.equal(await decode(chunks), text);
    });
  }
});

describe('binary data is refused, wherever its chunks end', () => {
  const mixture = 'the file mixes UTF-8 and Windows-1252; save it as "CSV UTF-8", or name its --encoding';
  const spreadsheet =
    'this is an Excel file of the format before 2007 (.xls), or one with a password; open it, and save it as .xlsx without a password, or as CSV in UTF-8';
  const cutOff =
    'the file is cut off: its last character is incomplete; import the whole file with --on-duplicate skip to add the rest';
  const half = (text: string) => utf8(text).subarray(0, -1);
  const table: [what: string, file: Buffer, message: string][] = [
    ['an .xls', latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), spreadsheet],
    ['cut off in a character of two bytes', half('title\né\né'), cutOff],
    ['cut off in a character of three bytes', half('title\né\n書'), cutOff],
    ['cut off in a character of four bytes', half('title\né\n😀'), cutOff],
    ['cut off after the first byte of four', utf8('title\né\n😀').subarray(0, -3), cutOff],
    ['UTF-16 cut off in a unit', utf16le('title').subarray(0, -1), cutOff],
    ['UTF-16, big end first, cut off in a unit', utf16be('title').subarray(0, -1), cutOff],
    ['UTF-16 cut off in a pair', utf16le('title😀').subarray(0, -2), cutOff],
  ];
  for (const [what, file, message] of table) {
    test(what, async () => {
      for (const chunks of splits(file)) await assert.rejects(decode(chunks), { name: 'FileError', message });
    });
  }

  test('Windows-1252, then UTF-8', async () => {
    // What follows the bytes by which the encoding was judged.
    const judged = latin1('Señor\n'.repeat(200_000));
    await assert.rejects(decode([judged, utf8('é\né\n')]), { name: 'FileError', message: mixture });
  });
});

describe('invalid bytes are marked, wherever the chunks end', () => {
  const table: [what: string, file: Buffer, text: string][] = [
    ['UTF-8, then Windows-1252', Buffer.concat([utf8('title\né\n'), latin1('é\nb')]), 'title\né\n\udce9\nb'],
    ['the mark of UTF-8, then Windows-1252', Buffer.concat([utf8('\uFEFFé'), latin1('é\n')]), 'é\udce9\n'],
    ['a lone continuation byte after UTF-8', Buffer.concat([utf8('é'), Buffer.of(0x80, 0x0a)]), 'é\udc80\n'],
    ['an overlong character', Buffer.concat([utf8('éé'), Buffer.of(0xc0, 0xaf, 0x0a)]), 'éé\udcc0\udcaf\n'],
    ['half a surrogate pair of UTF-16', utf16le('a\ud800b'), 'a\ud800b'],
    ['half a surrogate pair of UTF-16, big end first', utf16be('a\udc00b'), 'a\udc00b'],
  ];
  for (const [what, file, text] of table) {
    test(what, async () => {
      for (const chunks of splits(file)) assert.equal(await decode(chunks), text);
    });
  }
});

describe('a named encoding is used', () => {
  const table: [encoding: string, bytes: number[], text: string][] = [
    ['windows-1251', [0xcc, 0xee, 0x41], 'МоA'],
    ['windows-1250', [0x8a, 0xb3], 'Šł'],
    ['cp850', [0x82, 0x9b], 'éø'],
    ['IBM437', [0x82, 0xe1], 'éß'],
    ['koi8-r', [0xed, 0xcf], 'Мо'],
    ['ibm866', [0x8c, 0xae], 'Мо'],
    ['Latin1', [0x80, 0xe9], '€é'],
    ['windows-1252', [0xc3, 0xa9, 0x80], 'Ã©€'],
    ['utf8', [0xe9, 0x41], '\udce9A'],
    ['shift_jis', [0x8f, 0x91], '書'],
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x3d, 0x71, 0x1b, 0x28, 0x42, 0x41], '書A'],
    ['marc8', [0xe2, 0x65, 0x1b, 0x28, 0x4e, 0x6b, 0x1b, 0x28, 0x42, 0x41], 'éКA'],
    ['shift_jis', [0x41, 0xff, 0x42], 'A\udc00B'],
    ['utf-16be', [0x66, 0xf8], '書'],
    ['utf-16', [0xff, 0xfe, 0xf8, 0x66], '書'],
  ];
  for (const [encoding, bytes, text] of table) {
    test(`${encoding}: ${JSON.stringify(text)}`, async () => {
      for (const chunks of splits(Buffer.from(bytes))) assert.equal(await decode(chunks, { encoding }), text);
    });
  }

  test('an unknown one is an error that names others', async () => {
    await assert.rejects(decode([utf8('a')], { encoding: 'cp037' }), {
      name: 'FileError',
      message: /cp037.+ibm866/,
    });
  });
});

describe('a file of which two encodings are plausible', () => {
  const file = latin1('\xe9\n'); // A word of one letter.

  test('is an error that names them', async () => {
    const message =
      'the encoding of the file is uncertain: windows-1252 ("é"), macintosh ("È"); choose one with --encoding';
    for (const chunks of splits(file)) await assert.rejects(decode(chunks), { name: 'FileError', message });
  });

  test('is read in the one that is chosen', async () => {
    const chosen: string[] = [];
    const text = await decode([file], {
      askEncoding: (readings) => readings.at(1)?.encoding,
      onEncoding: (encoding) => chosen.push(encoding),
    });
    assert.deepEqual([text, chosen], ['È\n', ['macintosh']]);
  });
});

test('who stops reading early ends the source too', async () => {
  let ended = false;
  async function* source() {
    try {
      for (;;) yield await Promise.resolve(utf8('aaaa'));
    } finally {
      ended = true;
    }
  }
  for await (const part of decodeText(source())) if (part !== '') break;
  assert.ok(ended);
});

test('a source that fails, fails the decoding', async () => {
  async function* source() {
    yield await Promise.resolve(utf8('aaaa'));
    throw new Error('the disk');
  }
  await assert.rejects(
    async () => {
      for await (const part of decodeText(source())) assert.equal(part, 'aaaa');
    },
    { message: 'the disk' },
  );
});
