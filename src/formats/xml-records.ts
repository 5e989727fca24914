import { noTitle } from './record.ts';
import { joinAuthors, toNatural } from './author-names.ts';
import { withoutEnd } from './marc.ts';
import { joinTitle, oneLine, withoutSortMarks, yearOf } from './text.ts';
import type { XmlTag } from './xml.ts';
import { XmlParser, type XmlRecord } from './xml-parser.ts';

/** An element with what it contains. */
interface Element {
  readonly name: string;
  readonly get: (attribute: string) => string;
  readonly children: Element[];
  /** Its text, and that of the elements in it. */
  text: string;
}

/** The elements at a path below an element. */
function at(element: Element, ...path: readonly string[]): Element[] {
  return path.reduce<Element[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((each) => each.name === name)),
    [element],
  );
}

const textsAt = (element: Element, ...path: readonly string[]) =>
  at(element, ...path)
    .map(({ text }) => oneLine(text))
    .filter((text) => text !== '');

/** How the records of a format are read. */
interface XmlFormat {
  /** The element of a record. */
  readonly record: string;
  readonly read: (record: Element) => { title: string; authors: readonly string[]; date: string };
}

const formats: Readonly<Record<'mods' | 'endnote-xml', XmlFormat>> = {
  /** https://www.loc.gov/standards/mods/ */
  mods: {
    record: 'mods',
    read(record) {
      const [main] = at(record, 'titleInfo').filter((each) => each.get('type') === '');
      const part = (name: string) => (main === undefined ? '' : textsAt(main, name).join(' '));
      const subtitle = part('subTitle').replace(/^[:;]\s*/, '');
      const title = joinTitle(oneLine(`${part('nonSort')} ${part('title')}`), subtitle);
      const parts = [part('partNumber'), part('partName')].filter((each) => each !== '').join(', ');
      const names = at(record, 'name').map((name) => ({
        name: readModsName(name),
        roles: textsAt(name, 'role', 'roleTerm').join(' '),
      }));
      const chosen = [/\b(?:aut|author|creator|cre|verfasser\w*|auteur)\b/i, /^$/, /\b(?:edt|editor)\b/i]
        .map((role) => names.filter(({ roles }) => role.test(roles)))
        .find(({ length }) => length > 0);
      const dates = ['dateIssued', 'copyrightDate', 'dateCreated'].flatMap((name) =>
        at(record, 'originInfo', name)
          .filter((date) => date.get('point') !== 'end')
          .toSorted((a, b) => Number(a.get('encoding') === '') - Number(b.get('encoding') === '')),
      );
      return {
        title: parts === '' ? title : `${title}. ${parts}`,
        authors: [...new Set((chosen ?? []).map(({ name }) => name))],
        date: dates.map(({ text }) => oneLine(text)).find((date) => date !== '') ?? '',
      };
    },
  },
  'endnote-xml': {
    record: 'record',
    read(record) {
      const [title = ''] = textsAt(record, 'titles', 'title');
      const names = ['authors', 'secondary-authors']
        .map((list) => textsAt(record, 'contributors', list, 'author').map(toNatural))
        .find(({ length }) => length > 0);
      const [date = ''] = [
        ...textsAt(record, 'dates', 'year'),
        ...textsAt(record, 'dates', 'pub-dates', 'date'),
      ];
      return { title, authors: names ?? [], date };
    },
  },
};

/** A name in natural order: its parts, or a text that may be inverted, as a library writes it. */
function readModsName(name: Element): string {
  const parts = (type: string) =>
    at(name, 'namePart')
      .filter((each) => each.get('type') === type)
      .map(({ text }) => oneLine(text));
  const [given, family] = ['given', 'family'].map((type) => parts(type).join(' '));
  if (family !== '') return oneLine(`${given ?? ''} ${family ?? ''}`);
  const whole = parts('').map((part) => withoutEnd(part.replace(lifeDates, '')));
  return name.get('type') === 'personal' ? toNatural(whole.join(' ')) : whole.join('. ');
}

/** Life dates after a name, as some libraries write them. */
const lifeDates = /\s?\[[-–\d\s?]+\]$/;

/** Parses XML whose records have few fields: MODS, and the XML of EndNote. */
export class XmlRecordParser extends XmlParser {
  readonly #format: XmlFormat;
  /** The open elements of the current record. */
  readonly #open: Element[] = [];

  constructor(format: keyof typeof formats) {
    super();
    this.#format = formats[format];
  }

  protected get isInRecord(): boolean {
    return this.#open.length > 0;
  }

  protected startElement({ local, attributes }: XmlTag): void {
    if (!this.isInRecord && local !== this.#format.record) return;
    const get = (name: string) => attributes[name]?.value ?? '';
    const element: Element = { name: local, get, children: [], text: '' };
    this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  protected addText(text: string): void {
    const element = this.#open.at(-1);
    if (element !== undefined) element.text += text;
  }

  protected endElement(): XmlRecord | undefined {
    const element = this.#open.pop();
    if (element === undefined) return undefined;
    const parent = this.#open.at(-1);
    if (parent === undefined) return this.#read(element);
    parent.text += element.text;
    return undefined;
  }

  #read(element: Element): XmlRecord {
    const original = this.#format.read(element);
    const { title, authors, date } = original;
    if (title === '') return { problem: noTitle, original };
    const fields = { title: withoutSortMarks(title), author: joinAuthors(authors), year: yearOf(date) };
    return { fields, original };
  }
}
