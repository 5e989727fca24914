import { ShelflistError } from '../../errors.ts';
import { markName, MarkWatch } from '../export/mark.ts';
import { findColumns, mapColumns, type Field, type Mapping } from './columns.ts';
import { parseRecord } from './record.ts';
import { cutOff, type Row, type RowsOptions } from './row.ts';

/** Reads a JSON array of objects, however long. */
export async function* readJsonRows(text: AsyncGenerator<string>, options: RowsOptions): AsyncGenerator<Row> {
  const { JSONParser } = await import('@streamparser/json');
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  const read = createValueReader(options, 'book');
  let values: unknown[] = [];
  let count = 0;
  let unread = 0; // Characters that have become no book yet.
  parser.onValue = ({ value }) => {
    values.push(value);
    unread = 0;
  };
  for await (const chunk of text) {
    let failure: unknown;
    unread += chunk.length;
    try {
      if (!parser.isEnded || chunk.trim() !== '') parser.write(chunk);
    } catch (error) {
      failure = error;
    }
    for (const value of values) yield { line: ++count, original: value, ...read(value) };
    values = [];
    if (unread > longestBook) throw tooLong(`book ${count + 1}`);
    if (failure !== undefined) {
      throw new ShelflistError('failed', {
        message: `the file is no JSON after book ${count}: nothing behind it can be read`,
        cause: failure,
      });
    }
  }
  if (!parser.isEnded) throw cutOff(`its array does not end after book ${count}`);
}

/** Reads a JSON object a line (https://github.com/ndjson/ndjson-spec). Empty lines are passed over. */
export async function* readNdjsonRows(
  text: AsyncGenerator<string>,
  options: RowsOptions,
): AsyncGenerator<Row> {
  const read = createValueReader(options, 'line');
  const marks = new MarkWatch();
  for await (const { line, content, ended } of splitLines(text)) {
    if (content.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(content);
    } catch {
      if (!ended) throw cutOff(`line ${line} ends in the middle`);
      yield { line, original: content, reason: 'it is no JSON' };
      continue;
    }
    const { [markName]: mark, ...rest } = typeof value === 'object' ? (value as Record<string, unknown>) : {};
    marks.see(mark);
    if (mark === 'whole' && Object.keys(rest).length === 0) continue; // The export of nothing.
    yield { line, original: value, ...read(value) };
  }
  if (marks.isCutOff) throw cutOff('it is an export, and its last book is missing');
}

/** Longer than any book that a service takes, in characters. */
const longestBook = 16 * 1024 * 1024;

function tooLong(place: string): ShelflistError {
  return new ShelflistError('failed', {
    message: `${place} is longer than 16 MiB; nothing from it on is read`,
  });
}

/** Lines as NDJSON has them: only a line feed ends one. */
async function* splitLines(text: AsyncGenerator<string>) {
  let line = 1;
  let rest = '';
  for await (const chunk of text) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const content of parts) yield { line: line++, content, ended: true };
    if (rest.length > longestBook) throw tooLong(`line ${line}`);
  }
  if (rest !== '') yield { line, content: rest, ended: false };
}

/** The members that hold title, author and year are found in each object: they may stand in any order, and lack. */
function createValueReader({ chosen, onStart }: RowsOptions, unit: 'line' | 'book') {
  const mappings = new Map<string, Mapping>();
  return (value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { reason: 'it is no object' };
    const names = Object.keys(value);
    const key = names.join('\u0000');
    const isFirst = mappings.size === 0;
    const mapping = mappings.get(key) ?? (isFirst ? mapColumns : findColumns)(names, chosen);
    if (isFirst) onStart({ mapping, unit });
    if (mappings.size < maxShapes) mappings.set(key, mapping);
    const member = (field: Field) => (value as Record<string, unknown>)[mapping[field]?.name ?? ''];
    return parseRecord({ title: member('title'), author: member('author'), year: member('year') }, true);
  };
}

/** Objects with so many different lists of members are remembered; what comes after is found anew each time. */
const maxShapes = 100;
