import { FileError } from './problems.ts';
import type { ParsedBook } from './record.ts';
import { type DataField, describeRecord, readMarcRecord } from './marc.ts';
import type { Book } from '../catalogue/book.ts';
import { type FieldName, fieldNames } from '../catalogue/fields.ts';
import { type Name, splitAuthors } from './author-names.ts';
import { oneLine } from './text.ts';
import { escapeXml, type XmlTag } from './xml.ts';
import { XmlParser, type XmlRecord } from './xml-parser.ts';

/** The namespace of MARCXML; some systems write none. */
const namespaces = ['http://www.loc.gov/MARC21/slim', ''];

interface OpenRecord {
  leader: string;
  control: Map<string, string>;
  data: DataField[];
}

/** Parses MARCXML (https://www.loc.gov/standards/marcxml/), also within the answers of other protocols. */
export class MarcXmlParser extends XmlParser {
  /** The open elements; those that are not of MARCXML without a name. */
  readonly #path: string[] = [];
  #isMarc = false;
  #open: OpenRecord | undefined;
  #field: { tag: string; indicators: string; subfields: [code: string, value: string][] } | undefined;
  /** The tag or code of the element whose text is collected. */
  #name = '';
  #text: string | undefined;

  override end(): readonly ParsedBook[] {
    if (this.cut !== undefined || this.#isMarc) return [];
    throw new FileError({ code: 'otherFormat', format: 'marcxml' });
  }

  protected get isInRecord(): boolean {
    return this.#open !== undefined;
  }

  protected startElement({ local, uri, attributes }: XmlTag): void {
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

  protected addText(text: string): void {
    if (this.#text !== undefined) this.#text += text;
  }

  protected endElement(): XmlRecord | undefined {
    const local = this.#path.pop();
    const [text, record] = [this.#text ?? '', this.#open];
    this.#text = undefined;
    if (local === 'leader' && record) record.leader = text;
    else if (local === 'controlfield') record?.control.set(this.#name, text);
    else if (local === 'subfield') this.#field?.subfields.push([this.#name, text]);
    else if (local === 'datafield' && this.#field) {
      record?.data.push(this.#field);
      this.#field = undefined;
    } else if (local === 'record' && record) {
      this.#open = undefined;
      return { ...readMarcRecord(record), original: describeRecord(record) };
    }
    return undefined;
  }
}

export const marcXmlHead =
  '<?xml version="1.0" encoding="UTF-8"?>\n<collection xmlns="http://www.loc.gov/MARC21/slim">\n';
export const marcXmlFoot = '</collection>\n';

/** A new record of a printed book (`nam`) in UTF-8 (`a`), without the punctuation of ISBD (`c`). */
const leader = '     nam a22     uc 4500';

/** A title with a subtitle. An import would remove another mark before the colon, or put no colon after it. */
const subtitled = /^(.*?[^\s?!.:;,…/=]): (.+)$/;

type Subfields = readonly (readonly [code: string, value: string])[];
/** The tag; the text of a control field, or the indicators and subfields of a data field. */
type MarcField = readonly [tag: string, content: string, subfields?: Subfields];

/** The fields of a record that have a field of a book. @param day Today as `yymmdd`. */
const marcFields: Readonly<Record<FieldName, (book: Book, day: string) => MarcField[]>> = {
  title({ title, author }) {
    const [, main = '', rest = ''] = subtitled.exec(oneLine(title)) ?? ['', oneLine(title)];
    const indicators = splitAuthors(author).length > 0 ? '10' : '00';
    return [['245', indicators, Object.entries({ a: main, b: rest })]];
  },
  author: ({ author }) => splitAuthors(author).map((name, i) => nameField(i === 0 ? '100' : '700', name)),
  year({ year }, day) {
    const fixed: MarcField = ['008', `${day}${fixedDate(year)}xx            000 0 und d`];
    if (year === 0) return [fixed];
    const published: MarcField = ['264', ' 1', [['c', dateText(year)]]];
    if (year > 0) return [fixed, published];
    return [fixed, ['046', '  ', Object.entries({ a: 'b', b: String(-year) })], published];
  },
};

/** A book as a record, its fields in the order of their tags. @param day Today as `yymmdd`, for the date of the record. */
export function writeMarcXmlRecord(book: Book, day: string): string {
  const fields = fieldNames
    .flatMap((name) => marcFields[name](book, day))
    .sort(([a], [b]) => Number(a) - Number(b));
  const text = [['001', String(book.id)] as const, ...fields].map(writeField).join('');
  return `<record>\n<leader>${leader}</leader>\n${text}</record>\n`;
}

function nameField(tag: string, name: Name): MarcField {
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

function writeField([tag, content, parts]: MarcField): string {
  if (parts === undefined) return `<controlfield tag="${tag}">${escapeXml(content)}</controlfield>\n`;
  const [first, second] = content;
  const texts = parts
    .filter(([code, value], at) => at === 0 || (value !== '' && code !== ''))
    .map(([code, value]) => `<subfield code="${code}">${escapeXml(value)}</subfield>`);
  return `<datafield tag="${tag}" ind1="${first}" ind2="${second}">${texts.join('')}</datafield>\n`;
}
