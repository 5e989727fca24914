// Copies a catalogue between stores: books, ids, counter, history, trash and batches.
import { createHash } from 'node:crypto';
import type { BookFields } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import type { ChangeKind } from './history.ts';

/** A change of a book after its creation. */
export interface RecordedChange {
  readonly kind: Exclude<ChangeKind, 'created'>;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly batch: string | undefined;
  /** The state before; `undefined` if there was no book, or the state is lost. */
  readonly before: BookFields | undefined;
}

/** A book with its log. */
export interface BookRecord {
  readonly id: number;
  /** `undefined`: it is in the trash. */
  readonly fields: BookFields | undefined;
  /** The batch that created it, if one did. */
  readonly creation: { readonly batch: string; readonly at: number } | undefined;
  /** As far as they are kept, oldest first. */
  readonly changes: readonly RecordedChange[];
}

/** What a catalogue has besides its books. */
export interface CopyHead {
  /** The last id that was given. */
  readonly lastId: number;
  /** The time of the history's clock, in milliseconds since 1970. */
  readonly clock: number;
  /** The batches, in the order of their first changes. */
  readonly batches: readonly string[];
}

/** A catalogue as of one moment. */
export interface CopySource {
  readonly head: CopyHead;
  /** About how many books it has. */
  readonly count: number;
  /** All records by id, ascending, some at a time. */
  records(): AsyncIterable<readonly BookRecord[]>;
  close(): Promise<void>;
}

/** An empty store, or one with the beginning of a copy that was stopped. */
export interface CopyTarget {
  /** The last id that it has already. */
  readonly after: number;
  /** What it keeps of a record. */
  limit(record: BookRecord): BookRecord;
  write(records: readonly BookRecord[]): Promise<void>;
  /** Completes the copy; no service starts on it yet. May be repeated after an interruption. */
  finish(head: CopyHead): Promise<void>;
  /** Reads the complete copy back. */
  read(): Promise<CopySource>;
  /** Makes the copy usable. */
  release(): Promise<void>;
  /** Ends a copy, whether it is finished or not. */
  close(): Promise<void>;
}

/** What was copied. */
export interface CopyReport {
  readonly books: number;
  readonly deleted: number;
  /** The changes that the target does not keep. */
  readonly omitted: number;
  readonly lastId: number;
  /** SHA-256 over all records as the target keeps them, in hexadecimal. */
  readonly digest: string;
}

/**
 * Copies all records, reads them back, and makes the copy usable.
 *
 * @throws {ShelflistError} `store_unusable`: the copy differs from its source.
 */
export async function copyAll(
  source: CopySource,
  target: CopyTarget,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<CopyReport> {
  const digest = new CopyDigest();
  const counts = { books: 0, deleted: 0, omitted: 0 };
  for await (const records of source.records()) {
    signal.throwIfAborted();
    const kept = records.map((record) => target.limit(record));
    for (const [i, record] of kept.entries()) {
      digest.add(record);
      if (record.fields === undefined) counts.deleted++;
      else counts.books++;
      counts.omitted += (records[i]?.changes.length ?? 0) - record.changes.length;
    }
    const left = kept.filter(({ id }) => id > target.after);
    if (left.length > 0) await target.write(left);
    onProgress(counts.books + counts.deleted);
  }
  signal.throwIfAborted();
  const head = { ...source.head, batches: digest.order(source.head) };
  await target.finish(head);
  const expected = digest.end(head);
  const copied = await target.read();
  const found = await digestOf(copied, signal).finally(() => copied.close());
  if (found !== expected)
    throw new ShelflistError('store_unusable', {
      message:
        `the copy differs from its source (digest ${found}, not ${expected}), which changed after an interruption, perhaps; ` +
        'empty the target, and copy again',
    });
  await target.release();
  return { ...counts, lastId: head.lastId, digest: expected };
}

/** The digest of all records of a catalogue, and of the order of its batches. */
async function digestOf(source: CopySource, signal: AbortSignal): Promise<string> {
  const digest = new CopyDigest();
  for await (const records of source.records()) {
    signal.throwIfAborted();
    for (const record of records) digest.add(record);
  }
  return digest.end(source.head);
}

class CopyDigest {
  readonly #hash = createHash('sha256');
  /** The batches of which a change is kept. */
  readonly #batches = new Set<string>();

  add(record: BookRecord): void {
    this.#hash.update(lineOf(record));
    for (const { batch } of [...record.changes, { batch: record.creation?.batch }])
      if (batch !== undefined) this.#batches.add(batch);
  }

  /** These batches in their order; first those that nobody has noted. */
  order({ batches }: CopyHead): string[] {
    const noted = new Set(batches);
    const others = [...this.#batches].filter((batch) => !noted.has(batch));
    return [...others, ...batches.filter((batch) => this.#batches.has(batch))];
  }

  end(head: CopyHead): string {
    return this.#hash.update(JSON.stringify(this.order(head))).digest('hex');
  }
}

function lineOf({ id, fields, creation, changes }: BookRecord): string {
  const valuesOf = (state: BookFields | undefined) => state && fieldNames.map((name) => state[name]);
  const log = changes.map(({ kind, at, batch, before }) => [
    kind,
    at,
    batch ?? null,
    valuesOf(before) ?? null,
  ]);
  return `${JSON.stringify([id, valuesOf(fields) ?? null, creation?.batch ?? null, creation?.at ?? null, log])}\n`;
}
