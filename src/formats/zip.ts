// ZIP archives, read: their directory, and the XML of their entries piece by piece.
import { Inflate, ZipPassThrough } from 'fflate';
import { createPauses } from '../lib/pauses.ts';
import { FileError } from './problems.ts';
import { maxTagLength, XmlReader, type XmlTag } from './xml.ts';

/** In bytes. An archive is read in memory: its directory is its end. */
export const maxArchiveBytes = 128 * 1024 * 1024;
/** In bytes, of all entries. An export of as many books as a sheet has rows has half of it, unless its texts are long. */
export const maxUnpackedBytes = 1024 * 1024 * 1024;
/** In bytes, of an entry other than a sheet: the texts that cells share are kept in memory. */
const maxKeptBytes = 64 * 1024 * 1024;
/** The bytes unpacked at a time: each may become a thousand. */
const maxPiece = 4096;

interface Entry {
  readonly isPacked: boolean;
  readonly at: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly crc: number;
}

/** What XML has: the start of an element, its end, or text. Names are without prefixes, because programs choose different ones. */
export type XmlEvent =
  | { readonly open: string; readonly get: (attribute: string) => string | undefined }
  | { readonly close: string }
  | { readonly text: string };

/** A ZIP archive of documents, such as a workbook. */
export class ZipArchive {
  readonly #file: Uint8Array;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** Lets other work run. */
  readonly #pause: () => Promise<void>;

  /**
   * @param signal When it is aborted, all reading ends with its reason.
   * @throws {FileError} It is damaged or too large.
   */
  constructor(file: Uint8Array, signal?: AbortSignal) {
    this.#file = file;
    this.#entries = readDirectory(file);
    this.#pause = createPauses(signal);
  }

  /** The names of the entries. */
  get names(): string[] {
    return [...this.#entries.keys()];
  }

  /** The text of a short entry; nothing if there is none, or it is long. @throws {FileError} It is damaged. */
  async text(name: string, maxBytes: number): Promise<string> {
    if ((this.#entries.get(name)?.bytes ?? Infinity) > maxBytes) return '';
    let whole = '';
    for await (const piece of this.texts(name)) whole += piece;
    return whole;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The text of an entry piece by piece; nothing if there is none. @throws {FileError} It is damaged. */
  async *texts(name: string): AsyncGenerator<string> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    for (const text of decode(unpack(this.#file, entry, name), name)) {
      await this.#pause();
      yield text;
    }
  }

  /** Parses an entry piece by piece, into the events of each; nothing if there is none. */
  async *events(name: string, maxBytes = maxKeptBytes): AsyncGenerator<XmlEvent[]> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    if (entry.bytes > maxBytes) throw new FileError({ code: 'workbookTooLarge' });
    const events: XmlEvent[] = [];
    const state = { isDamaged: false };
    const xml = new XmlReader({
      start: ({ local, attributes }) => events.push({ open: local, get: getterOf(attributes) }),
      end: (local) => events.push({ close: local }),
      text: (text) => events.push({ text }),
      fail: () => {
        state.isDamaged = true;
      },
    });
    for (const text of decode(unpack(this.#file, entry, name), name))
      for (let at = 0; at < text.length; at += maxTagLength) {
        await this.#pause(); // Pause before the events, because a reader may want only the first row.
        xml.write(text.slice(at, at + maxTagLength));
        yield events.splice(0);
        if (state.isDamaged) throw new FileError({ code: 'workbook', part: name });
      }
    if (!xml.isComplete) throw new FileError({ code: 'workbook', part: name });
  }
}

/** Reads attributes by their names without a prefix. */
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
