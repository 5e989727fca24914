import { ShelflistError } from '../../errors.ts';
import { ArraySplitter } from '../../json-array.ts';
import { LineSplitter, type Line } from '../../json-lines.ts';
import { markName, MarkWatch } from '../export/mark.ts';
import { findColumns, mapColumns, type Field, type Mapping } from './columns.ts';
import { parseRecord } from './record.ts';
import { cutOff, exportCutOff, longestRow, rowTooLong, type Row, type RowsOptions } from './row.ts';

/** Reads a JSON array of objects, however long. */
export async function* readJsonRows(text: AsyncGenerator<string>, options: RowsOptions): AsyncGenerator<Row> {
  const splitter = new ArraySplitter();
  const read = createValueReader(options);
  let count = 0;
  let isOpen = false;
  for await (const chunk of text) {
    const piece = isOpen ? chunk : chunk.trimStart().slice(1); // The bracket by which it was recognised.
    isOpen ||= chunk.trim() !== '';
    try {
      for (const element of splitter.push(piece)) {
        const original: unknown = JSON.parse(element);
        yield { line: ++count, unit: 'book', original, ...read(original) };
      }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw broken(count, error);
    }
    if (splitter.pendingLength > longestRow) throw rowTooLong(`book ${count + 1}`);
  }
  if (splitter.rest === undefined) throw cutOff(`its array does not end after book ${count}`);
  if (splitter.rest.trim() !== '') throw broken(count);
}

function broken(count: number, cause?: SyntaxError): ShelflistError {
  return new ShelflistError('failed', {
    message: `the file is no JSON after book ${count}: nothing behind it can be read`,
    cause,
  });
}

/** Reads a JSON object a line (https://github.com/ndjson/ndjson-spec). Empty lines are passed over. */
export async function* readNdjsonRows(
  text: AsyncGenerator<string>,
  options: RowsOptions,
): AsyncGenerator<Row> {
  const read = createValueReader(options);
  const marks = new MarkWatch();
  for await (const { line, text: content, ended } of readLines(text)) {
    if (content.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(content);
    } catch {
      if (!ended) throw cutOff(`line ${line} ends in the middle`);
      if (/^\s*\{\s*$|,\s*$/.test(content)) throw notByLines(line);
      yield { line, unit: 'line', original: content, reason: 'it is no JSON' };
      continue;
    }
    const { [markName]: mark, ...rest } = (Object(value) === value ? value : {}) as Record<string, unknown>;
    marks.see(mark);
    if (mark === 'whole' && Object.keys(rest).length === 0) continue; // The export of nothing.
    yield { line, unit: 'line', original: value, ...read(value) };
  }
  if (marks.isCutOff) throw exportCutOff();
}

function notByLines(line: number): ShelflistError {
  return new ShelflistError('failed', {
    message: `an object goes on behind line ${line}: write each on one line, or all of them in an array`,
  });
}

/** Every line, and whether a line feed stands behind it. */
async function* readLines(text: AsyncGenerator<string>): AsyncGenerator<Line & { ended: boolean }> {
  const splitter = new LineSplitter();
  for await (const chunk of text) {
    for (const line of splitter.push(chunk)) yield { ...line, ended: true };
    if (splitter.pendingLength > longestRow) throw rowTooLong(`line ${splitter.line}`);
  }
  yield { ...splitter.rest(), ended: false };
}

/** The members that hold title, author and year are found in each object: they may stand in any order, and lack. */
function createValueReader({ chosen, onStart }: RowsOptions) {
  const mappings = new Map<string, Mapping>();
  return (value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { reason: 'it is no object' };
    const names = Object.keys(value);
    const key = names.join('\u0000');
    const isFirst = mappings.size === 0;
    const find = () => (isFirst ? mapColumns(names, chosen, 'object') : findColumns(names, chosen));
    const mapping = mappings.get(key) ?? find();
    if (isFirst) onStart({ mapping });
    if (mappings.size < maxShapes) mappings.set(key, mapping);
    const member = (field: Field) => {
      const found = mapping[field];
      return found && (value as Record<string, unknown>)[found.name];
    };
    return parseRecord({ title: member('title'), author: member('author'), year: member('year') }, true);
  };
}

/** Objects with so many different lists of members are remembered; what comes after is found anew each time. */
const maxShapes = 100;
