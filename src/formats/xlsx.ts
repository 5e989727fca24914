// Excel workbooks, read: a ZIP archive of XML (ECMA-376), unpacked and parsed piece by piece.
import { MergedCells } from './merged-cells.ts';
import { builtInFormats, formatNumber } from './number-format.ts';
import { FileError } from './problems.ts';
import { maxRecordLength } from './record.ts';
import { maxColumns, maxRows, type SheetRow, type Sheets } from './sheets.ts';
import { maxUnpackedBytes, type ZipArchive } from './zip.ts';

/** A range of merged cells: the column of its first cell, and its rows. */
const mergedRange =
  /<(?:\w+:)?mergeCell\s[^<>]{0,100}?\bref\s*=\s*["']([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})["']/g;
/** In characters, of a tag with one. */
const maxRangeTag = 200;

/** A workbook, whose visible sheets can be read row by row. */
export class Workbook implements Sheets {
  readonly #archive: ZipArchive;
  /** The parts of the sheets, by their names. */
  readonly #parts = new Map<string, string>();
  /** Whether dates count from 1904, as early Macintosh programs did. */
  #isFrom1904 = false;
  #sharedPart = '';
  #stylesPart = '';
  #shared: readonly string[] | undefined;
  #dateStyles: ReadonlySet<number> | undefined;
  /** The formats of numbers, by the styles of cells. */
  readonly #formats = new Map<number, string>();

  private constructor(archive: ZipArchive) {
    this.#archive = archive;
  }

  /** @throws {FileError} It is damaged. */
  static async open(archive: ZipArchive): Promise<Workbook> {
    const workbook = new Workbook(archive);
    await workbook.#open();
    return workbook;
  }

  async #open(): Promise<void> {
    const main = (await this.#relations('')).find(({ type }) => type === 'officeDocument')?.part;
    if (main === undefined) throw new FileError({ code: 'workbook', part: '_rels/.rels' });
    const relations = await this.#relations(main);
    const partOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.part ?? '';
    this.#sharedPart = partOf('sharedStrings');
    this.#stylesPart = partOf('styles');
    const byId = new Map(relations.map((relation) => [relation.id, relation]));
    let sheets = 0;
    for await (const events of this.#archive.events(main))
      for (const event of events)
        if ('open' in event && event.open === 'workbookPr')
          this.#isFrom1904 = /^(?:1|true|on)$/.test(event.get('date1904') ?? '');
        else if (
          'open' in event &&
          event.open === 'sheet' &&
          (event.get('state') ?? 'visible') === 'visible'
        ) {
          const { type, part = main } = byId.get(event.get('id') ?? '') ?? {};
          if (type !== undefined && type !== 'worksheet') continue; // It is a chart.
          if (type === undefined || !this.#archive.has(part)) throw new FileError({ code: 'workbook', part });
          this.#parts.set(event.get('name') ?? '', part);
          sheets++;
        }
    // Reading one part for many sheets would take hours.
    if (new Set(this.#parts.values()).size < sheets) throw new FileError({ code: 'workbook', part: main });
  }

  /** The names of the visible sheets. */
  get sheets(): string[] {
    return [...this.#parts.keys()];
  }

  async filled(): Promise<string[]> {
    const found: string[] = [];
    for (const sheet of this.sheets)
      if ((await this.#read(sheet, new MergedCells()).next()).done !== true) found.push(sheet);
    return found;
  }

  /** The rows of a sheet. One that is damaged is refused before its first row. */
  async *rows(sheet: string): AsyncGenerator<SheetRow> {
    yield* this.#read(sheet, await this.#check(sheet));
  }

  /** Unpacks a sheet without reading it, and finds its merged cells, which follow its rows. @throws {FileError} It is damaged. */
  async #check(sheet: string): Promise<MergedCells> {
    const merged = new MergedCells();
    let text = '';
    for await (const piece of this.#archive.texts(this.#parts.get(sheet) ?? '')) {
      text += piece;
      if (text.includes('mergeCell'))
        for (const [, letters, first, last] of text.matchAll(mergedRange))
          merged.add(columnOf(letters) ?? -1, Number(first), Number(last));
      const open = text.lastIndexOf('<'); // A piece may end within a tag.
      text = text.includes('>', open) || text.length - open > maxRangeTag ? '' : text.slice(open);
    }
    return merged;
  }

  async *#read(sheet: string, ranges: MergedCells): AsyncGenerator<SheetRow> {
    const part = this.#parts.get(sheet) ?? '';
    const shared = (this.#shared ??= await this.#readSharedTexts());
    const dates = (this.#dateStyles ??= await this.#readDateStyles());
    let count = 0;
    let number = 0;
    let cells: (string | undefined)[] = [];
    let shown: (string | undefined)[] = [];
    let failed: number[] = [];
    let length = 0;
    let at = -1;
    let cell = { type: 'n', style: 0 };
    let texts: { v?: string; t?: string; f?: string } = {};
    let target: 'v' | 't' | 'f' | undefined;
    let isPhonetic = false;
    for await (const events of this.#archive.events(part, maxUnpackedBytes))
      for (const event of events) {
        length += 'text' in event ? event.text.length : 1;
        if ('text' in event) {
          if (target !== undefined) texts[target] += event.text;
        } else if ('open' in event) {
          const { open, get } = event;
          if (open === 'row') {
            if (++count > maxRows) throw new FileError({ code: 'workbook', part });
            number = Number(get('r')) || number + 1;
            [cells, shown, failed, length, at] = [[], [], [], 0, -1];
          } else if (open === 'c') {
            at = columnOf(get('r')) ?? at + 1;
            cell = { type: get('t') ?? 'n', style: Number(get('s') ?? 0) };
            texts = {};
          } else if (open === 'rPh') isPhonetic = true;
          else if (open === 'v' || open === 'f' || (open === 't' && !isPhonetic)) {
            target = open;
            texts[target] ??= '';
          }
        } else if (event.close === 'c') {
          if (at >= maxColumns) continue;
          const raw = texts.v ?? texts.t;
          const isBlank = raw === undefined || (raw.trim() === '' && !/^(?:str|inlineStr)$/.test(cell.type));
          if (isBlank && texts.f === undefined && cell.type !== 'e') continue;
          const value = isBlank || cell.type === 'e' ? undefined : this.#valueOf(cell, raw, shared, dates);
          cells[at] = value ?? (raw?.trim() || `=${texts.f ?? ''}`);
          if (value === undefined) failed.push(at);
          else if (cell.type === 'n') shown[at] = this.#shownOf(Number(raw), cell.style);
          if (cell.type === 's') length += value?.length ?? 0; // The file has it once, for many cells.
        } else if (event.close === 'row') {
          const used = cells.findLastIndex((value = '') => value.trim() !== '') + 1;
          if (used === 0) continue;
          const row = { number, cells: Array.from(cells).slice(0, used), shown, failed };
          yield { ...row, merged: ranges.take(row) };
        } else if (event.close === 'rPh') isPhonetic = false;
        else target = undefined;
        if (length > maxRecordLength) throw new FileError({ code: 'workbookTooLarge' });
      }
  }

  /** The value of a cell as a text; `undefined` if it is not understood. */
  #valueOf(
    { type, style }: { type: string; style: number },
    raw: string,
    shared: readonly string[],
    dates: ReadonlySet<number>,
  ): string | undefined {
    if (type === 's') return shared[Number(raw)];
    if (type === 'inlineStr' || type === 'str') return unescape(raw);
    if (type === 'b') return raw === '1' ? 'TRUE' : 'FALSE';
    if (type === 'd') return raw.replace(/T00:00:00(?:\.0+)?Z?$/, '');
    const number = /^[-+.\deE\s]+$/.test(raw) ? Number(raw) : NaN;
    if (!Number.isFinite(number)) return undefined;
    if (dates.has(style)) return dateOf(number, this.#isFrom1904);
    // Excel shows 15 digits: 0.1 + 0.2 is kept as 0.30000000000000004. Whole numbers may have more.
    return /^-?\d+$/.test(raw) ? raw : String(Number(number.toPrecision(15)));
  }

  /** What a number shows in its format; `undefined` if that is its value. */
  #shownOf(number: number, style: number): string | undefined {
    const format = this.#formats.get(style);
    if (format === undefined) return undefined;
    const days = number + (this.#isFrom1904 ? 1462 : 0);
    const isMoment = days >= 0 && days < 2_958_466;
    return formatNumber(number, format, isMoment ? momentOf(days) : undefined);
  }

  async #readSharedTexts(): Promise<readonly string[]> {
    const texts: string[] = [];
    let text = '';
    let isText = false;
    let isPhonetic = false;
    for await (const events of this.#archive.events(this.#sharedPart))
      for (const event of events)
        if ('text' in event) {
          if (isText) text += event.text;
        } else if ('open' in event) {
          if (event.open === 'si') text = '';
          isPhonetic ||= event.open === 'rPh';
          isText = event.open === 't' && !isPhonetic;
        } else {
          isText = false;
          if (event.close === 'rPh') isPhonetic = false;
          if (event.close === 'si') texts.push(unescape(text));
        }
    return texts;
  }

  /** The styles of cells that show a number as a date. */
  async #readDateStyles(): Promise<ReadonlySet<number>> {
    /** Whether formats by their numbers are those of dates. */
    const formats = new Map<number, boolean>();
    const codes = new Map(Object.entries(builtInFormats).map(([number, code]) => [Number(number), code]));
    const dates = new Set<number>();
    let count = -1; // The cell formats so far; -1 outside their list.
    for await (const events of this.#archive.events(this.#stylesPart))
      for (const event of events)
        if ('close' in event) {
          if (event.close === 'cellXfs') count = -1;
        } else if ('open' in event) {
          const format = Number(event.get('numFmtId') ?? 0);
          if (event.open === 'numFmt') {
            const code = event.get('formatCode') ?? '';
            formats.set(format, isDateCode(code));
            codes.set(format, code);
          }
          if (event.open === 'cellXfs') count = 0;
          else if (event.open === 'xf' && count >= 0) {
            if (formats.get(format) ?? isDateFormat(format)) dates.add(count);
            const code = codes.get(format);
            if (code !== undefined) this.#formats.set(count, code);
            count++;
          }
        }
    return dates;
  }

  /** The parts of the file that a part refers to. @param from Empty: the file itself. */
  async #relations(from: string): Promise<{ id: string; type: string; part: string }[]> {
    const found = [];
    const part = from.replace(/[^/]*$/, (name) => `_rels/${name}.rels`);
    for await (const events of this.#archive.events(part))
      for (const event of events) {
        if (!('open' in event) || event.open !== 'Relationship' || event.get('TargetMode') === 'External')
          continue;
        const type = event.get('Type')?.split('/').at(-1) ?? '';
        try {
          const target = new URL(event.get('Target') ?? '', `file:///${from}`).pathname.slice(1);
          found.push({ id: event.get('Id') ?? '', type, part: decodeURIComponent(target) });
        } catch {
          throw new FileError({ code: 'workbook', part });
        }
      }
    return found;
  }
}

/** The place of a column, from 0, in an address such as `C7`. */
function columnOf(address: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(address ?? '') ?? [];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Characters that XML cannot contain are written as `_x000D_`. */
function unescape(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;
}

/** Whether one of the formats that Excel knows by number is that of a date (ECMA-376, 18.8.30). */
function isDateFormat(format: number): boolean {
  const isBetween = (first: number, last: number) => format >= first && format <= last;
  return isBetween(14, 17) || format === 22 || isBetween(27, 36) || isBetween(50, 58);
}

/** Whether a format has a day, a month or a year outside quotes, colours and conditions. A time of day alone is not a date. */
function isDateCode(code: string): boolean {
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^[\]]*\]/gi, '').toLowerCase();
  return /[dy]|g+e/.test(bare.replace('general', '')) || (bare.includes('m') && !/[hs]/.test(bare));
}

/** The date of a number of days, as `1813-01-28`; `undefined` if Excel has none. It takes 1900 for a leap year. */
function dateOf(number: number, isFrom1904: boolean): string | undefined {
  const days = number + (isFrom1904 ? 1462 : 0);
  if (days < (isFrom1904 ? 1462 : 1) || days >= 2_958_466) return undefined;
  return momentOf(days)
    .toISOString()
    .replace(/T00:00:00\.000Z$|\.000Z$/, '');
}

/** The moment of a number of days from 1900, to the second. */
function momentOf(days: number): Date {
  return new Date(Math.round((days + (days < 60 ? 1 : 0) - 25_569) * 86_400) * 1000);
}
