import { ShelflistError } from '../../../../catalogue/errors.ts';
import { JsonArrayParser, type Line, LineSplitter } from '../../../../lib/json.ts';
import { fieldNames, type FieldName } from '../../../../catalogue/fields.ts';
import { findColumns, type Mapping } from '../../../../catalogue/import/columns.ts';
import { isCslItem, readCslItem } from '../../../../formats/csl.ts';
import { keyColumns, mapColumns } from '../columns.ts';
import { hasId, type RowKey } from '../../../../import/match.ts';
import { countBadBytes, describeBadByte, findBadField } from './encoding/bad-bytes.ts';
import { mappingOf } from './parsed-rows.ts';
import { readRecord } from './read-record.ts';
import { cutOff, maxRowLength, rowTooLong, type Row, type RowsOptions } from './row.ts';

/** Reads a JSON array of objects in constant memory. */
export async function* readJsonRows(text: AsyncGenerator<string>, options: RowsOptions): AsyncGenerator<Row> {
  const read = createValueReader(options);
  const parser = new JsonArrayParser<Row>({
    read(element, line) {
      const original: unknown = JSON.parse(element);
      return { line, unit: 'book', original, ...read(original, element) };
    },
    fail: (cause): Error => broken(parser.count, cause),
  });
  for await (const piece of text) {
    yield* parser.push(piece);
    if (parser.pendingLength > maxRowLength) throw rowTooLong(`book ${parser.count + 1}`);
  }
  if (parser.rest === undefined) throw cutOff(`its array does not end after book ${parser.count}`);
  parser.end();
}

function broken(count: number, cause?: SyntaxError): ShelflistError {
  return new ShelflistError('failed', {
    message: `the file is not valid JSON after book ${count}; the rest of it was not read`,
    cause,
  });
}

/** Reads one JSON object per line (https://github.com/ndjson/ndjson-spec). Empty lines are ignored. */
export async function* readNdjsonRows(
  text: AsyncGenerator<string>,
  options: RowsOptions,
): AsyncGenerator<Row> {
  const read = createValueReader(options);
  for await (const { line, text: content, ended } of readLines(text)) {
    if (content.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(content);
    } catch {
      if (!ended) throw cutOff(`line ${line} ends in the middle`);
      if (/^\s*\{\s*$|,\s*$/.test(content)) throw notByLines(line);
      yield { line, unit: 'line', original: content, reason: 'it is not JSON' };
      continue;
    }
    yield { line, unit: 'line', original: value, ...read(value, content, line) };
  }
}

function notByLines(line: number): ShelflistError {
  return new ShelflistError('failed', {
    message: `an object continues after line ${line}: write each object on one line, or all of them in an array`,
  });
}

/** Every line, and whether a line feed ends it. */
async function* readLines(text: AsyncGenerator<string>): AsyncGenerator<Line & { ended: boolean }> {
  const splitter = new LineSplitter();
  for await (const chunk of text) {
    for (const line of splitter.push(chunk)) yield { ...line, ended: true };
    if (splitter.pendingLength > maxRowLength) throw rowTooLong(`line ${splitter.line}`);
  }
  yield { ...splitter.rest(), ended: false };
}

/** Finds the members that hold the fields anew for each object, in any order, or missing; CSL-JSON has its own. */
function createValueReader({ chosen, isMatched = false, needsYear, onStart, format }: RowsOptions) {
  const mayBeCsl = Object.keys(chosen).length === 0 && !isMatched;
  let isCsl = format === 'csl-json';
  let isStarted = false;
  const mappings = new Map<string, Mapping>();
  return (value: unknown, raw: string, line?: number) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { reason: 'it is not an object' };
    isCsl ||= mayBeCsl && isCslItem(value);
    const isFirst = !isStarted;
    isStarted = true;
    if (isCsl) {
      if (isFirst) onStart({ mapping: mappingOf('csl-json') });
      const item = readCslItem(value as Record<string, unknown>);
      const bad = 'fields' in item ? findBadField(item.fields) : undefined;
      return bad === undefined ? item : { reason: bad };
    }
    const names = Object.keys(value);
    const key = names.join('\u0000');
    const find = () =>
      isFirst ? mapColumns(names, chosen, { first: 'object', isMatched }) : findColumns(names, chosen);
    const mapping = mappings.get(key) ?? find();
    if (isFirst) onStart({ mapping });
    if (mappings.size < maxShapes) mappings.set(key, mapping);
    const member = (name: FieldName) => {
      const found = mapping[name];
      return found && (value as Record<string, unknown>)[found.name];
    };
    const bad = raw.isWellFormed() ? undefined : fieldNames.find((name) => hasBadByte(member(name)));
    // Of several bytes, it is not known which one is in this member.
    const place = countBadBytes(raw) === 1 ? line : undefined;
    if (bad !== undefined) return { reason: `its ${bad} has ${describeBadByte(raw, 0, place)}` };
    if (!isMatched) return readRecord(member, true, needsYear);
    const rowKey = keyOf(value as Record<string, unknown>, mapping);
    const orEmpty = (name: FieldName) => (hasId(rowKey) && !rowKey.given.includes(name) ? '' : member(name));
    return { key: rowKey, ...readRecord(orEmpty, true, needsYear) };
  };
}

/** Whether a text, or one in a list, has a byte that is not text in the encoding of the file. */
function hasBadByte(value: unknown): boolean {
  return Array.isArray(value)
    ? value.some(hasBadByte)
    : typeof value === 'string' && countBadBytes(value) > 0;
}

function keyOf(value: Readonly<Record<string, unknown>>, mapping: Mapping): RowKey {
  const given = fieldNames.filter((name) => mapping[name] !== undefined);
  return { id: value[keyColumns[0]], revision: value[keyColumns[1]], given };
}

/** The number of different lists of members whose columns are cached. */
const maxShapes = 100;
