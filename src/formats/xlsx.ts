// Excel workbooks, read: a ZIP archive of XML (ECMA-376), unpacked and parsed piece by piece.
import { Inflate, ZipPassThrough } from 'fflate';
import { createPauses } from '../lib/pauses.ts';
import { FileError } from './problems.ts';
import { maxRecordLength } from './record.ts';
import { maxTagLength, XmlReader, type XmlTag } from './xml.ts';

/** In bytes. A workbook is read in memory: its last part may be the first one that is needed. */
export const maxWorkbookBytes = 128 * 1024 * 1024;
/** In bytes, of all parts. An export of as many books as a sheet has rows has half of it, unless its texts are long. */
const maxUnpackedBytes = 1024 * 1024 * 1024;
/** In bytes, of a part other than a sheet: the texts that cells share are kept in memory. */
const maxKeptBytes = 64 * 1024 * 1024;
/** The bytes unpacked at a time: each may become a thousand. */
const maxPiece = 4096;
/** Of Excel. */
const maxRows = 1_048_576;
/** No table of books has more. Cells in those after them would make each row long. */
const maxColumns = 256;

/** A row with at least one value. */
export interface SheetRow {
  /** Counted from 1, as Excel shows it. */
  readonly number: number;
  /** The values as texts; `undefined` where there is no cell. */
  readonly cells: readonly (string | undefined)[];
  /** The places of the cells without a value: an error such as `#REF!`, a formula that no program has computed, or damage. */
  readonly failed: readonly number[];
}

interface Entry {
  readonly isPacked: boolean;
  readonly at: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly crc: number;
}

type Event =
  | { readonly open: string; readonly get: (name: string) => string | undefined }
  | { readonly close: string }
  | { readonly text: string };

/** A workbook, whose visible sheets can be read row by row. */
export class Workbook {
  readonly #file: Uint8Array;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** Lets other work run. */
  readonly #pause: () => Promise<void>;
  /** The parts of the sheets, by their names. */
  readonly #parts = new Map<string, string>();
  /** Whether dates count from 1904, as early Macintosh programs did. */
  #isFrom1904 = false;
  #sharedPart = '';
  #stylesPart = '';
  #shared: readonly string[] | undefined;
  #dateStyles: ReadonlySet<number> | undefined;

  private constructor(file: Uint8Array, signal?: AbortSignal) {
    this.#file = file;
    this.#entries = readDirectory(file);
    this.#pause = createPauses(signal);
  }

  /**
   * @param signal When it is aborted, this and all reading ends with its reason.
   * @throws {FileError} It is another file, damaged or too large.
   */
  static async open(file: Uint8Array, signal?: AbortSignal): Promise<Workbook> {
    const workbook = new Workbook(file, signal);
    await workbook.#open();
    return workbook;
  }

  async #open(): Promise<void> {
    const main = (await this.#relations('')).find(({ type }) => type === 'officeDocument')?.part;
    if (main === undefined || main.endsWith('.bin')) throw new FileError({ code: 'spreadsheet' });
    const relations = await this.#relations(main);
    const partOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.part ?? '';
    this.#sharedPart = partOf('sharedStrings');
    this.#stylesPart = partOf('styles');
    const byId = new Map(relations.map((relation) => [relation.id, relation]));
    let sheets = 0;
    for await (const events of this.#events(main))
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
          if (type === undefined || !this.#entries.has(part)) throw new FileError({ code: 'workbook', part });
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

  /** Unpacks a sheet without reading it. @throws {FileError} It is damaged. */
  async check(sheet: string): Promise<void> {
    const part = this.#parts.get(sheet) ?? '';
    const entry = this.#entries.get(part);
    if (entry === undefined) return;
    const pieces = unpack(this.#file, entry, part);
    while (pieces.next().done !== true) await this.#pause();
  }

  /** The rows of a sheet with at least one value. The table is as wide as the first one; cells beside it do not count. */
  async *rows(sheet: string): AsyncGenerator<SheetRow> {
    const part = this.#parts.get(sheet) ?? '';
    const shared = (this.#shared ??= await this.#readSharedTexts());
    const dates = (this.#dateStyles ??= await this.#readDateStyles());
    let columns: number | undefined;
    let count = 0;
    let number = 0;
    let cells: (string | undefined)[] = [];
    let failed: number[] = [];
    let length = 0;
    let at = -1;
    let cell = { type: 'n', style: 0 };
    let texts: { v?: string; t?: string; f?: string } = {};
    let target: 'v' | 't' | 'f' | undefined;
    let isPhonetic = false;
    for await (const events of this.#events(part, maxUnpackedBytes))
      for (const event of events) {
        length += 'text' in event ? event.text.length : 1;
        if ('text' in event) {
          if (target !== undefined) texts[target] += event.text;
        } else if ('open' in event) {
          const { open, get } = event;
          if (open === 'row') {
            if (++count > maxRows) throw new FileError({ code: 'workbook', part });
            number = Number(get('r')) || number + 1;
            [cells, failed, length, at] = [[], [], 0, -1];
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
          if (at >= (columns ?? maxColumns)) continue;
          const raw = texts.v ?? texts.t;
          const isBlank = raw === undefined || (raw.trim() === '' && !/^(?:str|inlineStr)$/.test(cell.type));
          if (isBlank && texts.f === undefined && cell.type !== 'e') continue;
          const value = isBlank || cell.type === 'e' ? undefined : this.#valueOf(cell, raw, shared, dates);
          cells[at] = value ?? (raw?.trim() || `=${texts.f ?? ''}`);
          if (value === undefined) failed.push(at);
          if (cell.type === 's') length += value?.length ?? 0; // The file has it once, for many cells.
        } else if (event.close === 'row') {
          const width = cells.findLastIndex((value = '') => value.trim() !== '') + 1;
          if (width === 0) continue;
          columns ??= width;
          yield { number, cells: Array.from(cells).slice(0, columns), failed };
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

  async #readSharedTexts(): Promise<readonly string[]> {
    const texts: string[] = [];
    let text = '';
    let isText = false;
    let isPhonetic = false;
    for await (const events of this.#events(this.#sharedPart))
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
    const dates = new Set<number>();
    let count = -1; // The cell formats so far; -1 outside their list.
    for await (const events of this.#events(this.#stylesPart))
      for (const event of events)
        if ('close' in event) {
          if (event.close === 'cellXfs') count = -1;
        } else if ('open' in event) {
          const format = Number(event.get('numFmtId') ?? 0);
          if (event.open === 'numFmt') formats.set(format, isDateCode(event.get('formatCode') ?? ''));
          else if (event.open === 'cellXfs') count = 0;
          else if (event.open === 'xf' && count >= 0) {
            if (formats.get(format) ?? isDateFormat(format)) dates.add(count);
            count++;
          }
        }
    return dates;
  }

  /** The parts of the file that a part refers to. @param from Empty: the file itself. */
  async #relations(from: string): Promise<{ id: string; type: string; part: string }[]> {
    const found = [];
    const part = from.replace(/[^/]*$/, (name) => `_rels/${name}.rels`);
    for await (const events of this.#events(part))
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

  /** Parses a part piece by piece, into the events of each; nothing if the file lacks it. */
  async *#events(part: string, maxBytes = maxKeptBytes): AsyncGenerator<Event[]> {
    const entry = this.#entries.get(part);
    if (entry === undefined) return;
    if (entry.bytes > maxBytes) throw new FileError({ code: 'workbookTooLarge' });
    const events: Event[] = [];
    const state = { isDamaged: false };
    const xml = new XmlReader({
      start: ({ local, attributes }) => events.push({ open: local, get: getterOf(attributes) }),
      end: (local) => events.push({ close: local }),
      text: (text) => events.push({ text }),
      fail: () => {
        state.isDamaged = true;
      },
    });
    for (const text of decode(unpack(this.#file, entry, part), part))
      for (let at = 0; at < text.length; at += maxTagLength) {
        await this.#pause(); // Pause before the events, because a reader may want only the first row.
        xml.write(text.slice(at, at + maxTagLength));
        yield events.splice(0);
        if (state.isDamaged) throw new FileError({ code: 'workbook', part });
      }
    if (!xml.isComplete) throw new FileError({ code: 'workbook', part });
  }
}

/** Reads attributes by their names without a prefix: programs choose different ones. */
function getterOf(attributes: XmlTag['attributes']) {
  return (name: string) =>
    (attributes[name] ?? Object.values(attributes).find(({ local }) => local === name))?.value;
}

/** Reads where the parts of a ZIP archive are, and their stated sizes. */
function readDirectory(file: Uint8Array): Map<string, Entry> {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const entries = new Map<string, Entry>();
  try {
    let end = file.length - 22; // A comment of up to 64 KiB may follow.
    while (view.getUint32(end, true) !== 0x06054b50) end--;
    let at = view.getUint32(end + 16, true);
    let total = 0;
    for (let left = view.getUint16(end + 10, true); left > 0; left--) {
      if (view.getUint32(at, true) !== 0x02014b50) throw new RangeError('no entry');
      const nameLength = view.getUint16(at + 28, true);
      const name = new TextDecoder().decode(file.subarray(at + 46, at + 46 + nameLength));
      const local = view.getUint32(at + 42, true);
      const bytes = view.getUint32(at + 24, true);
      entries.set(name.replaceAll('\\', '/').replace(/^\//, ''), {
        isPacked: view.getUint16(at + 10, true) === 8,
        at: local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true),
        packedBytes: view.getUint32(at + 20, true),
        bytes,
        crc: view.getUint32(at + 16, true),
      });
      total += bytes;
      at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    if (total > maxUnpackedBytes) throw new FileError({ code: 'workbookTooLarge' });
    // Reading a small file whose entries share bytes could take hours.
    let free = 0;
    for (const { at, packedBytes } of [...entries.values()].sort((a, b) => a.at - b.at)) {
      if (at < free) throw new RangeError('entries overlap');
      free = at + packedBytes;
    }
    return entries;
  } catch (error) {
    if (error instanceof RangeError) throw new FileError({ code: 'workbook', part: 'zip' });
    throw error;
  }
}

/** Unpacks a part piece by piece. Throws once the part has more bytes than the archive states. */
function* unpack(file: Uint8Array, { isPacked, at, packedBytes, bytes, crc }: Entry, part: string) {
  const ready: Uint8Array[] = [];
  const inflate = new Inflate((piece) => ready.push(piece));
  const sum = new ZipPassThrough(part);
  sum.ondata = () => undefined;
  for (let from = at; from < at + packedBytes; from += maxPiece) {
    const to = Math.min(from + maxPiece, at + packedBytes);
    try {
      if (isPacked) inflate.push(file.subarray(from, to), to === at + packedBytes);
      else ready.push(file.subarray(from, to));
    } catch {
      throw new FileError({ code: 'workbook', part });
    }
    for (const piece of ready.splice(0)) {
      sum.push(piece);
      if (sum.size > bytes) throw new FileError({ code: 'workbook', part });
      yield piece;
    }
  }
  sum.push(new Uint8Array(0), true);
  if (sum.size !== bytes || sum.crc >>> 0 !== crc) throw new FileError({ code: 'workbook', part });
}

/** Decodes a part piece by piece. */
function* decode(pieces: Iterable<Uint8Array>, part: string) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const next = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new FileError({ code: 'workbook', part });
    }
  };
  for (const piece of pieces) yield next(piece);
  yield next();
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
  return /[dy]/.test(bare) || (bare.includes('m') && !/[hs]/.test(bare));
}

/** The date of a number of days, as `1813-01-28`; `undefined` if Excel has none. It takes 1900 for a leap year. */
function dateOf(number: number, isFrom1904: boolean): string | undefined {
  const days = number + (isFrom1904 ? 1462 : 0);
  if (days < (isFrom1904 ? 1462 : 1) || days >= 2_958_466) return undefined;
  const milliseconds = Math.round((days + (days < 60 ? 1 : 0) - 25_569) * 86_400) * 1000;
  return new Date(milliseconds).toISOString().replace(/T00:00:00\.000Z$|\.000Z$/, '');
}
