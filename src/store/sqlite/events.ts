// Events: the changes after a position, from the change log.
import { isChangeKind, type ChangeEvent } from '../../catalogue/changes.ts';
import { maxEvents, type ChangeEvents } from '../contract/events.ts';
import type { QueryContext } from './reading.ts';

/** A version or position: the epoch of the file, and the sequence number of a change. */
export interface LogPlace {
  readonly epoch: string;
  readonly seq: number;
}

/** Reads a position; `undefined` if it is not one of any file. */
export function parsePlace(text: string): LogPlace | undefined {
  const [, epoch, seq] = /^([A-Za-z0-9-]+)\.([0-9]{1,15})$/.exec(text) ?? [];
  return epoch === undefined || seq === undefined ? undefined : { epoch, seq: Number(seq) };
}

/** The changes after a place. */
export function eventsSince({ statements }: QueryContext, { epoch, seq }: LogPlace): ChangeEvents {
  const sql = `SELECT epoch, (SELECT seq FROM sqlite_sequence WHERE name = 'changes'), changes.seq, CAST(book AS REAL), kind, user
    FROM meta LEFT JOIN changes ON changes.seq > ? ORDER BY changes.seq LIMIT ?`;
  const rows = statements.rows(sql, seq, maxEvents);
  const [ownEpoch, last] = [String(rows[0]?.[0]), Number(rows[0]?.[1] ?? 0)];
  const now = { position: `${ownEpoch}.${last}`, isCurrent: true };
  if (epoch !== ownEpoch || seq > last) return { ...now, events: undefined };
  if (seq === last) return { ...now, events: [] };
  const events: ChangeEvent[] = [];
  for (const [, , each, book, kind, user] of rows) {
    // Sequence numbers have no gaps, unless the log has dropped changes.
    if (each !== seq + events.length + 1) return { ...now, events: undefined };
    const change = isChangeKind(kind) ? kind : 'updated';
    events.push({
      position: `${epoch}.${each}`,
      id: Number(book),
      change,
      ...(typeof user === 'string' && { user }),
    });
  }
  const position = `${epoch}.${seq + events.length}`;
  return { events, position, isCurrent: position === now.position };
}
