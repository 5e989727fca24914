import { type Book, type BookFields, isId } from './book.ts';
import { ShelflistError } from './errors.ts';

/** The kinds of changes. A book that is reverted gets an earlier state; a deleted one is brought back. */
export const changeKinds = ['created', 'updated', 'deleted', 'reverted'] as const;
/** A kind of change. */
export type ChangeKind = (typeof changeKinds)[number];

/** A change of a book. */
export interface ChangeEvent {
  /** Follows every earlier position of the catalogue: 1 to 1000 letters, digits and `-._`. */
  readonly position: string;
  /** The book. */
  readonly id: number;
  /** The kind of change. */
  readonly change: ChangeKind;
  /** The name of the user who made it, if the writer told the store. `GET /changes` does not tell it. */
  readonly user?: string;
}

export function isChangeKind(value: unknown): value is ChangeKind {
  return changeKinds.some((kind) => kind === value);
}

/** Whether a text may be a position of a change. Only the store knows whether it is one. */
export function isPosition(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,1000}$/.test(text);
}

/** A state of a book before a change. */
export interface EarlierState extends Readonly<BookFields> {
  /** Names this state, for a revert. */
  readonly version: string;
  /** The time of the change that replaced it. */
  readonly at: Date;
  /** The kind of that change. */
  readonly change: Exclude<ChangeKind, 'created'>;
  /** The batch that the change belongs to, if it belongs to one. */
  readonly batch?: string;
  /** The name of the user who made it, if the store keeps it. MongoDB keeps that of the newest change of a book. */
  readonly user?: string;
}

/** A deleted book that can be brought back. */
export interface DeletedBook extends Readonly<Book> {
  /** The time of the delete. */
  readonly deletedAt: Date;
  /** The batch that the delete belongs to, if it belongs to one. */
  readonly batch?: string;
}

/** A book that a batch has changed, as the batch left it, or as it was before the batch deleted it. Long texts are cut. */
export interface BatchBook extends Readonly<Book> {
  /** The kind of the last change of the batch. */
  readonly change: ChangeKind;
  /** As that of {@link EarlierState}. */
  readonly user?: string;
}

/** What a batch has done: the numbers of its changes by kind, as far as they are kept. */
export interface BatchSummary extends Readonly<Record<ChangeKind, number>> {
  /** Names the batch. */
  readonly batch: string;
  /** The time of its first change. */
  readonly at: Date;
  /** `false`: an undo would change no book, because each is undone already, or was changed since. Missing: unknown. */
  readonly undoable?: boolean;
  /** Some of its books, by descending id, if they were asked for, and there was time to read them. */
  readonly books?: readonly BatchBook[];
  /** The batch of the undo that has begun to take it back: all of it, unless it is `undoable`. It comes with `books`. */
  readonly undoneBy?: string;
}

/** Changes are missing: read the books again. */
export interface WatchReset {
  /** The position to continue after. */
  readonly position: string;
  /** Distinguishes it from a change. */
  readonly reset: true;
}

/** A change of a book, or the news that some are missing. */
export type WatchEvent = ChangeEvent | WatchReset;

/** The maximum length of a line, in characters. */
const maxLine = 10_000;

/** A block of the stream: a position to continue from, and an event, if there is one. */
interface Frame {
  readonly position: string | undefined;
  readonly event: WatchEvent | undefined;
}

/** The fields of an event that are used. */
const countedFields: readonly string[] = ['id', 'event', 'data'];

/** Reads server-sent events (HTML standard, section 9.2). Yields a frame for each event, and for each other block. */
export async function* readFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  const decoder = new TextDecoder();
  let position: string | undefined;
  let fields: Record<string, string> = {};
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?=[^])/);
    if (lines.some((line) => line.length > maxLine)) throw notAStream('a line is too long');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') {
        const [, name = '', value = ''] = /^([^:]*):? ?([^]*)$/.exec(line) ?? [];
        if (countedFields.includes(name)) fields[name] = value; // A block could have any number of others.
        continue;
      }
      if (fields.id !== undefined && isPosition(fields.id)) position = fields.id;
      yield { position, event: readEvent(fields, position) };
      fields = {};
    }
  }
}

/** The event of a block; `undefined` for a heartbeat, and for an event that this client does not know. */
function readEvent(
  { event: name, data }: Record<string, string>,
  position: string | undefined,
): WatchEvent | undefined {
  if (data === undefined || (name !== 'change' && name !== 'reset')) return undefined;
  if (position === undefined) throw notAStream('an event has no position');
  if (name === 'reset') return { position, reset: true };
  const { id, change } = parseObject(data);
  if (!isId(id) || !isChangeKind(change)) throw notAStream('an event is not a change');
  return { position, id, change };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The error for a response that is not a stream of changes. */
export function notAStream(reason: string): ShelflistError {
  return new ShelflistError('bad_response', {
    message: `the server's response is not a stream of changes: ${reason}`,
  });
}
