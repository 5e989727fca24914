import { fieldNames, type FieldName } from '../catalogue/fields.ts';
import { isCslItem, readCslItem } from '../formats/csl.ts';
import { FileError } from '../formats/problems.ts';
import { maxRecordLength } from '../formats/record.ts';
import { JsonArrayParser, LineSplitter, type Line } from '../lib/json.ts';
import { badByteOf, countBadBytes, findBadField } from './bad-bytes.ts';
import { findColumns, keyColumns, type Mapping } from './columns.ts';
import { hasId } from './match.ts';
import { readFields, type ReadFields } from './read-fields.ts';
import { fixedMapping } from './record-rows.ts';
import type { BookRow, ReadOptions, RowKey } from './row.ts';

/** Reads a JSON array of objects in constant memory. */
export async function* readJsonRows(
  text: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const read = createValueReader(options);
  const parser = new JsonArrayParser<BookRow>({
    read(element, line) {
      const original: unknown = JSON.parse(element);
      return { line, unit: 'book', original, ...read(original, element) };
    },
    fail: (cause): Error => new FileError({ code: 'invalidJson', book: parser.count }, { cause }),
  });
  for await (const piece of text) {
    yield* parser.push(piece);
    if (parser.pendingLength > maxRecordLength)
      throw new FileError({ code: 'rowTooLong', unit: 'book', number: parser.count + 1 });
  }
  if (parser.rest === undefined) throw new FileError({ code: 'cutOff', at: 'json', number: parser.count });
  parser.end();
}

/** Reads one JSON object per line (https://github.com/ndjson/ndjson-spec). Empty lines are ignored. */
export async function* readNdjsonRows(
  text: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const read = createValueReader(options);
  for await (const { line, text: content, ended } of readLines(text)) {
    if (content.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(content);
    } catch {
      if (!ended) throw new FileError({ code: 'cutOff', at: 'line', number: line });
      if (/^\s*\{\s*$|,\s*$/.test(content)) throw new FileError({ code: 'linesOfObject', line });
      yield { line, unit: 'line', original: content, problem: { code: 'notJson' } };
      continue;
    }
    yield { line, unit: 'line', original: value, ...read(value, content, line) };
  }
}

/** Every line, and whether a line feed ends it. */
async function* readLines(text: AsyncIterable<string>): AsyncGenerator<Line & { ended: boolean }> {
  const splitter = new LineSplitter();
  for await (const chunk of text) {
    for (const line of splitter.push(chunk)) yield { ...line, ended: true };
    if (splitter.pendingLength > maxRecordLength)
      throw new FileError({ code: 'rowTooLong', unit: 'line', number: splitter.line });
  }
  yield { ...splitter.rest(), ended: false };
}

/** Finds the members that hold the fields anew for each object, in any order, or missing; CSL-JSON has its own. */
function createValueReader({ chosen = {}, isMatched = false, needsYear, onStart, format }: ReadOptions) {
  const mayBeCsl = Object.keys(chosen).length === 0 && !isMatched;
  let isCsl = format === 'csl-json';
  let isStarted = false;
  const mappings = new Map<string, Mapping>();
  return (value: unknown, raw: string, line?: number): ReadFields & { key?: RowKey } => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { problem: { code: 'notObject' } };
    isCsl ||= mayBeCsl && isCslItem(value);
    const isFirst = !isStarted;
    isStarted = true;
    if (isCsl) {
      if (isFirst) onStart({ mapping: fixedMapping('csl-json') });
      const item = readCslItem(value as Record<string, unknown>);
      const bad = 'fields' in item ? findBadField(item.fields) : undefined;
      return bad === undefined ? item : { problem: bad };
    }
    const names = Object.keys(value);
    const key = names.join('\u0000');
    const mapping = mappings.get(key) ?? findColumns(names, chosen);
    if (isFirst) onStart({ mapping, members: names });
    if (mappings.size < maxShapes) mappings.set(key, mapping);
    const member = (name: FieldName) => {
      const found = mapping[name];
      return found && (value as Record<string, unknown>)[found.name];
    };
    const bad = raw.isWellFormed() ? undefined : fieldNames.find((name) => hasBadByte(member(name)));
    // Of several bytes, it is not known which one is in this member.
    const place = countBadBytes(raw) === 1 ? line : undefined;
    if (bad !== undefined) return { problem: badByteOf(bad, raw, 0, place) };
    if (!isMatched) return readFields(member, true, needsYear);
    const rowKey = keyOf(value as Record<string, unknown>, mapping);
    const orEmpty = (name: FieldName) => (hasId(rowKey) && !rowKey.given.includes(name) ? '' : member(name));
    return { key: rowKey, ...readFields(orEmpty, true, needsYear) };
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
