// MARC-8 (https://www.loc.gov/marc/specifications/speccharmarc8.html): the encoding of the older records of MARC21.
import { textOfCodes } from '../lib/byte-arrays.ts';

/**
 * The character sets, by the last byte of the sequence that designates them, as the code tables of the Library of Congress have
 * them. The codes from 0x21, in hexadecimal: `660+10` stands for ten characters in a row, `.3` for three codes without one.
 */
const tables: Readonly<Record<string, string>> = {
  // Latin: ASCII; ANSEL, whose second halves of marks over two letters (`0`) are in the first ones.
  B: '21+94',
  E: '141 d8 110 de c6 152 2b9 b7 266d ae b1 1a0 1af 2bc . 2bb 142 f8 111 fe e6 153 2ba 131 a3 f0 . 1a1 1b0 .2 b0 2113 2117 a9 266f bf a1 df 20ac .23 309 300+5 306+3 30c 30a 361 0 315 30b 310 327 328 323+3 333 332 326 31c 32e 360 0 .2 313',
  // Arabic, basic and extended.
  3: '21+4 66a 26+4 66d 2b 60c 2d+3 660+10 3a 61b 3c+3 61f . 621+26 5b . 5d .2 640+19 671 670 .3 66c 201d 201c',
  4: '6fd 672 673 679+14 6bf 687+22 6fa 69d 69e 6fb 69f 6a0 6fc 6a1+24 6ba+4 6b9 6be 6c0 6c4+3 6ca 6cb 6cd 6ce 6d0 6d2 6d3 .4 306 30c',
  // Hebrew.
  2: '21 5f4 23+4 5f3 28+5 5be 2e+18 5b7 5b8 5b6 5b5 5b4 5b9 5bb 5b0 5b2 5b3 5b1 5bc 5bf 5c1 fb1e .12 5b . 5d .2 5d0+27 5f0+3',
  // Cyrillic, basic and extended.
  N: '21+31 44e 430 431 446 434 435 444 433 445 438+8 44f 440+4 436 432 44c 44b 437 448 44d 449 447 44a 42e 410 411 426 414 415 424 413 425 418+8 42f 420+4 416 412 42c 42b 417 428 42d 429 427',
  Q: '.31 491 452+3 451 455+8 45e 45f . 463 473 475 46b .7 5b . 5d . 5f 490 402+3 401 405+8 40e 40f 42a 462 472 474 46a',
  // Greek.
  S: '300 301 308 342 313 314 345 .8 ab bb 201c 201d 374 375 .5 387 .3 37e . 391 392 . 393+3 3da 3dc 396+11 3de 3a1 3a3 . 3a4+6 3e0 .2 3b1 3b2 3d0 3b3+3 3db 3dd 3b6+11 3df 3c1 3c3 3c2 3c4+6 3e1',
  // Greek symbols, subscripts and superscripts.
  g: '.64 3b1+3',
  b: '.7 208d 208e . 208a . 208b .2 2080+10',
  p: '.7 207d 207e . 207a . 207b .2 2070 b9 b2 b3 2074+6',
};

/** The characters of a set from code 0x21; `undefined` for a code without one. */
type CharacterSet = readonly (string | undefined)[];

function readTable(table: string): CharacterSet {
  return table.split(' ').flatMap((part) => {
    const [first = '', count = '1'] = part.split('+');
    if (first.startsWith('.')) return Array<undefined>(Number(first.slice(1) || 1)).fill(undefined);
    const code = parseInt(first, 16);
    return Array.from({ length: Number(count) }, (_, i) => (code === 0 ? '' : String.fromCharCode(code + i)));
  });
}

const sets = new Map(Object.entries(tables).map(([name, table]) => [name, readTable(table)]));
const [ascii, ansel] = [sets.get('B'), sets.get('E')];

/** EACC: Chinese, Japanese and Korean, three bytes a character. Its 15,739 are not read. */
const eastAsian = 'eacc';

/** A sequence that designates a set: `ESC p`; `ESC ( N` as the lower half (G0), `ESC ) N` as the upper one, `ESC $ 1` for EACC. */
// eslint-disable-next-line no-control-regex -- They begin with the escape character.
const designation = /\x1b(?:([gbps])|([(,)-])!?([0-9A-Z])|(\$)([,)-]?)1)/y;
/** A character by its number, where MARC-8 has none. */
const reference = /&#x(?!0*[01]?[0-9A-F];)([0-9A-F]{4,6});/iy;
/** The start of one of both. */
// eslint-disable-next-line no-control-regex -- As above.
const unfinished = /(?:\x1b[$(,)!-]*|&(?:#(?:x[0-9A-F]{0,6})?)?)$/i;
/** The codes for which a set has no say: the marks of articles that sorting ignores, and the joiners. */
const controls: Readonly<Record<string, string>> = {
  '\x88': '\x98',
  '\x89': '\x9c',
  '\x8d': '\u200d',
  '\x8e': '\u200c',
};

/** The Arabic letter above another one: a mark of Unicode, but no mark of MARC-8. */
const isMark = (character: string) => /^\p{M}$/u.test(character) && character !== '\u0670';

/** More marks than a letter of any writing has (UAX #15): the time to compose them is quadratic. */
const maxMarks = 30;

/**
 * Creates a decoder of MARC-8 to composed Unicode. A mark precedes its letter. Each subfield and line begins with the Latin sets.
 * What is not read becomes U+FFFD; a sequence that designates something else stays.
 */
export function createMarc8Decoder(): (bytes: Uint8Array, isLast: boolean) => string {
  let [g0, g1]: (CharacterSet | typeof eastAsian | undefined)[] = [ascii, ansel];
  let marks = '';
  /** Whether the second half of a mark over two letters follows. */
  let isHalf = false;
  let held = '';

  const designate = ([, symbols, half, name = '', isWide, wideHalf]: readonly (string | undefined)[]) => {
    const set = isWide !== undefined ? eastAsian : sets.get(symbols === 's' ? 'B' : (symbols ?? name));
    if (/[)-]/.test(half ?? wideHalf ?? '')) g1 = set;
    else g0 = set;
  };
  const withMarks = (character: string): string => {
    const whole = character + marks;
    const text = marks === '' || marks.length > maxMarks ? whole : whole.normalize('NFC');
    marks = '';
    return text;
  };
  /** Ends a subfield or a line. */
  const reset = (): string => {
    [g0, g1, isHalf] = [ascii, ansel, false];
    return withMarks('');
  };

  return (bytes, isLast) => {
    const source = held + textOfCodes(bytes);
    held = isLast ? '' : (unfinished.exec(source)?.[0] ?? '');
    const end = source.length - held.length;
    let text = '';
    for (let at = 0; at < end; at++) {
      const character = source.charAt(at);
      const code = character.charCodeAt(0);
      const pattern =
        character === '\x1b' ? designation : character === '&' && g0 === ascii ? reference : undefined;
      if (pattern !== undefined) pattern.lastIndex = at;
      const found = pattern?.exec(source);
      if (found) {
        at += found[0].length - 1;
        if (pattern === designation) designate(found);
        else text += withMarks(String.fromCodePoint(Math.min(parseInt(found[1] ?? '', 16), 0x10ffff)));
      } else if (code < 0x20) text += code === 0x1b ? character : reset() + character;
      else if (code === 0x20 || code === 0xa0) text += withMarks(' ');
      else if (code >= 0x7f && code < 0xa0) text += controls[character] ?? '\ufffd';
      else {
        const set = code < 0x80 ? g0 : g1;
        if (set === eastAsian && at + 2 >= end && !isLast) {
          held = source.slice(at);
          break;
        }
        if (set === eastAsian) at += 2;
        const letter = set === eastAsian ? undefined : set?.[(code & 0x7f) - 0x21];
        if (letter === undefined || (letter === '' && !isHalf)) text += withMarks('\ufffd');
        else if (letter === '') isHalf = false;
        else if (isMark(letter)) {
          marks += letter;
          isHalf ||= /[\u0360\u0361]/.test(letter);
        } else text += withMarks(letter);
      }
    }
    return isLast ? text + reset() : text;
  };
}
