/** The length of a text that may be a number: a longer one is a sentence. */
const maxLength = 60;

/** The digits, after what people and programs write before them. */
const pattern = /^(?:ISBN(?:1[03])?:?)?(97[89]\d{10}|\d{9}[\dX])$/;

/** The digits of a text that looks like an ISBN, whatever its check digit; `undefined` for any other text. */
export function isbnDigits(text: string): string | undefined {
  if (text.length > maxLength) return undefined;
  const plain = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '');
  return pattern.exec(plain)?.[1];
}

/**
 * Reads an ISBN of 13 or 10 digits, with or without hyphens and spaces: `978-0-14-143958-7`, `ISBN 0141439580`.
 *
 * @returns Its 13 digits; `undefined` if it is none, or its check digit is wrong.
 */
export function parseIsbn(text: string): string | undefined {
  const digits = isbnDigits(text);
  if (digits === undefined) return undefined;
  if (digits.length === 13) return sum13(digits) % 10 === 0 ? digits : undefined;
  return sum10(digits) % 11 === 0 ? toIsbn13(digits) : undefined;
}

function toIsbn13(isbn10: string): string {
  const start = `978${isbn10.slice(0, 9)}`;
  return `${start}${(10 - (sum13(start) % 10)) % 10}`;
}

/** The digits of ISBN-13 have the weights 1, 3, 1, 3, … */
const sum13 = (digits: string) => sumOf(digits, (at) => (at % 2 === 0 ? 1 : 3));

/** The digits of ISBN-10 have the weights 10 to 1; X is 10. */
const sum10 = (digits: string) => sumOf(digits, (at) => 10 - at);

function sumOf(digits: string, weightOf: (at: number) => number): number {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) sum += '0123456789X'.indexOf(digits.charAt(at)) * weightOf(at);
  return sum;
}
