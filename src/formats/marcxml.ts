import { type Cut, FileError } from './problems.ts';
import { type BookParser, maxRecordLength, type ParsedBook } from './record.ts';
import { type DataField, describeRecord, readMarcRecord } from './marc.ts';
import type { Book } from '../catalogue/book.ts';
import { type Name, oneLine, splitAuthors } from './text.ts';
import { escapeXml, maxTagLength, XmlReader, type XmlTag } from './xml.ts';

/** The namespace of MARCXML; some systems write none. */
const namespaces = ['http://www.loc.gov/MARC21/slim', ''];
/** The encodings that the reader of text recognizes. */
const encodings = ['utf-8', 'utf-16', 'us-ascii', 'iso-8859-1', 'windows-1252'];

interface OpenRecord {
  leader: string;
  control: Map<string, string>;
  data: DataField[];
}

/** Parses MARCXML (https://www.loc.gov/standards/marcxml/), also within the answers of other protocols. */
export class MarcXmlParser implements BookParser<string> {
  readonly #xml = new XmlReader({
    start: (tag) => {
      if (this.#failure === undefined) this.#start(tag);
    },
    text: (text) => {
      if (this.#text !== undefined) this.#text += text;
    },
    end: () => {
      if (this.#failure === undefined) this.#end();
    },
    encoding: (encoding) => {
      if (!encodings.includes(encoding.toLowerCase()))
        this.#failure ??= new FileError({ code: 'xmlEncoding', encoding });
    },
    fail: (detail) => {
      const record = this.#record;
      this.#failure ??= new FileError(
        detail === undefined
          ? { code: 'tagTooLong', record: record + 1 }
          : { code: 'invalidXml', record, detail },
      );
    },
  });
  readonly #done: ParsedBook[] = [];
  #record = 0;
  /** The open elements; those that are not of MARCXML without a name. */
  readonly #path: string[] = [];
  #isMarc = false;
  #open: OpenRecord | undefined;
  #field: { tag: string; indicators: string; subfields: [code: string, value: string][] } | undefined;
  /** The tag or code of the element whose text is collected. */
  #name = '';
  #text: string | undefined;
  #length = 0;
  #failure: FileError | undefined;

  get cut(): Cut | undefined {
    if (this.#xml.isComplete) return undefined;
    return { at: this.#open ? 'xmlRecord' : 'xml', number: this.#record };
  }

  *push(piece: string): Generator<ParsedBook> {
    for (let at = 0; at < piece.length; at += maxTagLength)
      yield* this.#write(piece.slice(at, at + maxTagLength));
  }

  end(): readonly ParsedBook[] {
    if (this.cut !== undefined || this.#isMarc) return [];
    throw new FileError({ code: 'otherFormat', format: 'marcxml' });
  }

  *#write(piece: string): Generator<ParsedBook> {
    this.#length += piece.length;
    this.#xml.write(piece);
    yield* this.#done.splice(0);
    if (this.#failure) throw this.#failure;
    if (this.#length > maxRecordLength)
      throw new FileError({ code: 'fileRecordTooLong', format: 'marcxml', record: this.#record + 1 });
  }

  #start({ local, uri, attributes }: XmlTag): void {
    const isMarc = namespaces.includes(uri);
    this.#path.push(isMarc ? local : '');
    if (!isMarc) return;
    const attribute = (name: string) => attributes[name]?.value ?? '';
    if (local === 'collection' || local === 'record') this.#isMarc = true;
    if (local === 'record') this.#open = { leader: '', control: new Map(), data: [] };
    else if (local === 'datafield')
      this.#field = {
        tag: attribute('tag'),
        indicators: attribute('ind1').padEnd(1) + attribute('ind2').padEnd(1),
        subfields: [],
      };
    else if (['leader', 'controlfield', 'subfield'].includes(local)) {
      this.#name = local === 'leader' ? local : attribute(local === 'subfield' ? 'code' : 'tag');
      this.#text = '';
    }
  }

  #end(): void {
    const local = this.#path.pop();
    const text = this.#text ?? '';
    if (local === 'leader' && this.#open) this.#open.leader = text;
    else if (local === 'controlfield') this.#open?.control.set(this.#name, text);
    else if (local === 'subfield') this.#field?.subfields.push([this.#name, text]);
    else if (local === 'datafield' && this.#field) {
      this.#open?.data.push(this.#field);
      this.#field = undefined;
    } else if (local === 'record' && this.#open) {
      const original = describeRecord(this.#open);
      this.#done.push({ ...readMarcRecord(this.#open), record: ++this.#record, original });
      this.#open = undefined;
      this.#length = 0;
    }
    this.#text = undefined;
  }
}

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
