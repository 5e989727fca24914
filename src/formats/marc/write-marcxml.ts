import type { Book } from '../../catalogue/book.ts';
import { splitAuthors, type Name } from '../text/names.ts';
import { oneLine } from '../text/title.ts';

export const marcXmlHead =
  '<?xml version="1.0" encoding="UTF-8"?>\n<collection xmlns="http://www.loc.gov/MARC21/slim">\n';
export const marcXmlFoot = '</collection>\n';

/** A new record of a printed book (`nam`) in UTF-8 (`a`), without the punctuation of ISBD (`c`). */
const leader = '     nam a22     uc 4500';

/** A title with a subtitle. An import would remove another mark before the colon, or put no colon after it. */
const subtitled = /^(.*?[^\s?!.:;,…/=]): (.+)$/;

/** A book as a record. @param day Today as `yymmdd`, for the date of the record. */
export function writeMarcXmlRecord(book: Book, day: string): string {
  const { id, title, author, year } = book;
  const [, main = '', rest = ''] = subtitled.exec(oneLine(title)) ?? ['', oneLine(title)];
  const [first, ...others] = splitAuthors(author);
  const fields = [
    ['001', String(id)],
    ['008', `${day}${fixedDate(year)}xx            000 0 und d`],
    ...(year < 0
      ? [
          [
            '046',
            '  ',
            [
              ['a', 'b'],
              ['b', String(-year)],
            ],
          ] as const,
        ]
      : []),
    ...(first ? [nameField('100', first)] : []),
    [
      '245',
      first ? '10' : '00',
      [
        ['a', main],
        ['b', rest],
      ],
    ] as const,
    ...(year === 0 ? [] : [['264', ' 1', [['c', dateText(year)]]] as const]),
    ...others.map((name) => nameField('700', name)),
  ] as const;
  return `<record>\n<leader>${leader}</leader>\n${fields.map(writeField).join('')}</record>\n`;
}

type Subfields = readonly (readonly [code: string, value: string])[];

function nameField(tag: string, name: Name): readonly [string, string, Subfields] {
  if ('literal' in name) return [tag, '0 ', [['a', name.literal]]];
  const { family, given = '', suffix = '' } = name;
  return [
    tag,
    '1 ',
    [
      ['a', `${family}, ${given}${suffix === '' ? '' : ','}`],
      ['c', suffix],
    ],
  ];
}

/** Positions 06 to 14 of field 008: the kind of date, and both dates. */
function fixedDate(year: number): string {
  if (year > 0 && year <= 9999) return `s${String(year).padStart(4, '0')}    `;
  return year < 0 ? 'b        ' : 'nuuuuuuuu';
}

function dateText(year: number): string {
  return year < 0 ? `${-year} B.C.` : String(year);
}

function writeField([tag, content, parts]: readonly [string, string, Subfields?]): string {
  if (parts === undefined) return `<controlfield tag="${tag}">${escapeXml(content)}</controlfield>\n`;
  const [first, second] = content;
  const texts = parts
    .filter(([code, value], at) => at === 0 || (value !== '' && code !== ''))
    .map(([code, value]) => `<subfield code="${code}">${escapeXml(value)}</subfield>`);
  return `<datafield tag="${tag}" ind1="${first}" ind2="${second}">${texts.join('')}</datafield>\n`;
}

/** Characters that XML 1.0 cannot contain, even escaped. */
// eslint-disable-next-line no-control-regex -- These are what it looks for.
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeXml(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>]/g, (character) => entities[character] ?? '');
}
