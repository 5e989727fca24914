import { ShelflistError } from '../../../../catalogue/errors.ts';
import { fieldNames } from '../../../../catalogue/fields.ts';
import type { Client } from '../../../../client/client.ts';
import { changeAll } from '../../../batches.ts';
import { digestOf } from '../../../../formats/revision.ts';
import { rejection, type BookSink, type Result } from '../book-sink.ts';
import type { Row } from '../reading/row.ts';
import { compare, describeChange, type MatchedRow } from './compare.ts';
import { parseKey } from './row-key.ts';

export interface MatchOptions {
  client: Client;
  /** The digests of the books, by their ids. */
  digests: ReadonlyMap<number, string>;
  batch: string;
  dryRun: boolean;
  /** Called with each change of a dry run. */
  onChange: (row: Row, change: string) => void;
}

/**
 * Creates the sink of `--match id`: a row with an id changes its book, by compare-and-set against what the row was when it
 * was exported; without a revision, against the book as it was when the import began. Another sink adds rows without an id.
 * Repeating it changes nothing.
 */
export function createMatchSink(added: BookSink, options: MatchOptions): BookSink {
  const { digests } = options;
  const lines = new Map<number, number>();

  /** Decides without the service, if possible. */
  function decide(row: Row): Result | 'new' | MatchedRow {
    if ('reason' in row) return { reason: row.reason };
    const key = row.key === undefined ? { id: undefined } : parseKey(row.key);
    if ('reason' in key) return key;
    if (key.id === undefined) return 'new';
    const { id, given } = key;
    const known = digests.get(id);
    if (known === undefined) return { reason: unknownId(id) };
    const line = lines.get(id);
    if (line !== undefined) return { reason: `${row.unit} ${line} has the same id` };
    lines.set(id, row.line);
    const own = digestOf(row.fields);
    const isWhole = given.length === fieldNames.length;
    if (isWhole && (own === known || own === key.digest)) return 'unchanged';
    return { id, digest: key.digest ?? known, given, fields: row.fields };
  }

  return {
    ids: added.ids,
    async write(rows) {
      const decided = rows.map(decide);
      const fresh = rows.filter((_, i) => decided[i] === 'new');
      const results = (await added.write(fresh)).values();
      const settled = decided.map((each) => (each === 'new' ? (results.next().value ?? 'added') : each));
      const matched = settled.flatMap((each, i) => (isMatched(each) ? [{ row: each, at: i }] : []));
      const written = new Map<number, Result>();
      await changeAll(matched, async ({ row, at }) => {
        const source = rows[at];
        const onChange = (text: string) => {
          if (source !== undefined) options.onChange(source, text);
        };
        written.set(at, await change(row, options, onChange));
      });
      return settled.map((each, i) => (isMatched(each) ? (written.get(i) ?? 'unchanged') : each));
    },
  };
}

function isMatched(value: Result | MatchedRow): value is MatchedRow {
  return typeof value === 'object' && 'id' in value;
}

/** Changes the book of a row, if it is still as the row says. */
async function change(
  row: MatchedRow,
  options: Pick<MatchOptions, 'client' | 'batch' | 'dryRun'>,
  onChange: (change: string) => void,
): Promise<Result> {
  const { client, batch, dryRun } = options;
  const { id } = row;
  try {
    const { book, tag } = await client.getTagged(id);
    const comparison = compare(row, book);
    if (comparison === 'unchanged' || 'reason' in comparison) return comparison;
    if (dryRun) onChange(`book ${id}: ${describeChange(book, comparison.patch)}`);
    else await client.update(id, comparison.patch, { ifMatch: tag, batch });
    return 'updated';
  } catch (error) {
    const code = error instanceof ShelflistError ? error.code : undefined;
    if (code === 'book_not_found') return { reason: unknownId(id) };
    // Somebody has changed the book after it was read: it is compared again.
    if (code === 'precondition_failed') return change(row, options, onChange);
    return { reason: rejection(error) };
  }
}

function unknownId(id: number): string {
  return `no book has the id ${id}; without an id, the row is added`;
}
