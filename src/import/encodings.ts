// The encodings of a text: their names, and their decoders.
import { createMarc8Decoder } from '../formats/marc8.ts';
import { FileError } from '../formats/problems.ts';
import { textOfCodes } from '../lib/byte-arrays.ts';

/** The characters of the bytes from 0x80 in encodings that a `TextDecoder` lacks, or reads differently in some releases of Node. */
const codePages: Readonly<Record<string, string>> = {
  'windows-1252':
    '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ' +
    textOfCodes(Uint8Array.from({ length: 96 }, (_, i) => 0xa0 + i)),
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
};

/** The encoding of older records of MARC21. */
export const marc8 = 'marc-8';

/**
 * The encodings that a file may have without a mark, and how much less usual each is than the first, in bits. The others can be
 * named.
 */
export const usualEncodings: Readonly<Record<string, number>> = {
  'utf-8': 0,
  'windows-1252': 0,
  'windows-1250': 3,
  'windows-1251': 3,
  'windows-1253': 3,
  'windows-1254': 3,
  'windows-1255': 3,
  'windows-1256': 3,
  'iso-8859-15': 3,
  shift_jis: 3,
  gb18030: 3,
  big5: 3,
  'euc-kr': 3,
  macintosh: 5,
  'koi8-r': 5,
  'windows-874': 6,
  'iso-8859-2': 6,
  'iso-8859-6': 6,
  'iso-8859-7': 6,
  'iso-8859-8': 6,
  'euc-jp': 6,
  ibm866: 6,
  'koi8-u': 7,
  cp850: 8,
  'iso-8859-5': 8,
  cp437: 10,
  'windows-1257': 13,
  cp852: 14,
  'windows-1258': 14,
  'iso-8859-3': 14,
  'iso-8859-4': 14,
  'iso-8859-10': 14,
  'iso-8859-13': 14,
  'iso-8859-14': 14,
  'x-mac-cyrillic': 14,
  [marc8]: 14,
  'iso-2022-jp': 14,
};

/** The encodings of seven bits: a text has no other bytes, and escape sequences. */
export const sevenBit: readonly string[] = ['iso-2022-jp'];

/** Other names of the code pages. */
const aliases: Readonly<Record<string, string>> = {
  'mac-roman': 'macintosh',
  macroman: 'macintosh',
  utf8: 'utf-8',
  marc8,
  ansel: marc8,
  ...Object.fromEntries(
    ['437', '850', '852'].flatMap((page) =>
      [`ibm${page}`, `ibm-${page}`, page].map((name) => [name, `cp${page}`]),
    ),
  ),
};

/** What designates a character set in the encodings of seven bits (ISO 2022), and in MARC-8. */
// eslint-disable-next-line no-control-regex -- It begins with the escape character.
export const escapeSequence = /\x1b(?:[gbps]|[$(,)-]+!?[0-9@A-Z])/;

/** The name of an encoding. @param label That of the Encoding Standard, of a code page, or MARC-8. @throws {FileError} It is unknown. */
export function encodingOf(label: string): string {
  const lower = label.trim().toLowerCase();
  const name = aliases[lower] ?? lower;
  if (name === marc8 || Object.hasOwn(codePages, name)) return name;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new FileError({ code: 'encoding', label });
  }
}

/** Creates the decoder of an encoding: invalid bytes become U+FFFD. */
export function createPlainDecoder(name: string): (bytes: Uint8Array, isLast: boolean) => string {
  if (name === marc8) return createMarc8Decoder();
  const page = codePages[name];
  if (page !== undefined)
    return (bytes) =>
      textOfCodes(bytes).replace(/[\u0080-\u00ff]/g, (each) => page.charAt(each.charCodeAt(0) - 0x80));
  const decoder = new TextDecoder(name);
  return (bytes, isLast) => decoder.decode(bytes, { stream: !isLast });
}
