// Text to rows: JSON and NDJSON.
import { fieldNames, type FieldName } from '../catalogue/fields.ts';
import { foldText } from '../catalogue/fold.ts';
import { isCslItem, isObject, readCslItem } from '../formats/csl.ts';
import { FileError } from '../formats/problems.ts';
import { maxRecordLength } from '../formats/record.ts';
import { JsonArrayParser, LineSplitter, type Line } from '../lib/json.ts';
import { badByteOf, countBadBytes } from './bad-bytes.ts';
import { cellOf, findColumns, keyColumns, type Mapping } from './columns.ts';
import { hasId, isBlank, mustHaveYear } from './match.ts';
import { isNamed, readFields, type ReadFields } from './read-fields.ts';
import { checkRecord, fixedMapping } from './record-rows.ts';
import type { BookRow, ReadOptions, RowKey, Start } from './row.ts';

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

/** Where objects with the same members have the fields of a book, and what tells the book. */
interface Shape {
  readonly mapping: Mapping;
  readonly id: string | undefined;
  readonly revision: string | undefined;
}

/** Each object may have other members, so its columns are found again; CSL-JSON has its own. */
function createValueReader({ chosen = {}, isMatched = false, needsYear, onStart, format }: ReadOptions) {
  const mayBeCsl = Object.keys(chosen).length === 0 && !isMatched;
  let isCsl = format === 'csl-json';
  let isStarted = false;
  const start = (found: Start) => {
    if (!isStarted) onStart(found);
    isStarted = true;
  };
  const shapes = new Map<string, Shape>();
  const shapeOf = (names: readonly string[]): Shape => {
    const key = names.join('\u0000');
    const found = shapes.get(key);
    if (found !== undefined) return found;
    const [id, revision] = keyColumns.map((name) => names.find((each) => foldText(each) === name));
    const shape = { mapping: findColumns(names, chosen), id, revision };
    if (shapes.size < maxShapes) shapes.set(key, shape);
    return shape;
  };
  return (value: unknown, raw: string, line?: number): ReadFields & { key?: RowKey } => {
    if (!isObject(value)) return { problem: { code: 'notObject' } };
    isCsl ||= mayBeCsl && isCslItem(value);
    if (isCsl && (format === 'csl-json' || typeof value.type === 'string')) {
      start({ mapping: fixedMapping('csl-json') });
      return checkRecord(readCslItem(value), needsYear);
    }
    const names = Object.keys(value);
    const { mapping, id, revision } = shapeOf(names);
    start({ mapping, members: names });
    const valueAt = (each: string | undefined) => (each === undefined ? undefined : value[each]);
    const member = (name: FieldName) => {
      const column = mapping[name];
      const { at = -1, instead = -1 } = column ?? {};
      const own = valueAt(names[at]);
      const other = isBlank(own) ? valueAt(names[instead]) : undefined;
      const found = other ?? own;
      return typeof found === 'string' ? cellOf(found, column) : found;
    };
    const bad = raw.isWellFormed() ? undefined : fieldNames.find((name) => hasBadByte(member(name)));
    // Of several bytes, it is not known which one is in this member.
    const place = countBadBytes(raw) === 1 ? line : undefined;
    if (bad !== undefined) return { problem: badByteOf(bad, raw, 0, place) };
    if (!isMatched) return readFields(member, true, needsYear);
    const given = fieldNames.filter((name) => mapping[name] !== undefined);
    const key = { id: valueAt(id), revision: valueAt(revision), given };
    const orEmpty = (name: FieldName) => (hasId(key) && !given.includes(name) ? '' : member(name));
    return { key, ...readFields(orEmpty, true, mustHaveYear(needsYear, key)) };
  };
}

/** Whether a text, or the name of somebody in a list, has a byte that is not text in the encoding of the file. */
function hasBadByte(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => hasBadByte(isNamed(item) ? item.name : item));
  return typeof value === 'string' && countBadBytes(value) > 0;
}

/** The number of different lists of members whose columns are cached. */
const maxShapes = 100;
