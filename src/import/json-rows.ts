// Text to rows: JSON and NDJSON.
import { fieldNames, nameField, type FieldName } from '../catalogue/fields.ts';
import { foldText } from '../catalogue/fold.ts';
import { isCslItem, isObject, type Json, readCslItem } from '../formats/csl.ts';
import { isMarcJson, readMarcJson } from '../formats/marc-json.ts';
import { exportColumns } from '../formats/csv.ts';
import { FileError } from '../formats/problems.ts';
import { withoutSortMarks } from '../formats/text.ts';
import { maxRecordLength } from '../formats/record.ts';
import { LineSplitter, type Line } from '../lib/json.ts';
import { badByteOf, countBadBytes } from './bad-bytes.ts';
import type { ColumnOverrides } from './column-parts.ts';
import { findColumns, keyColumns, readColumn, type Mapping } from './columns.ts';
import { certain, completed, judgeLists, ListReader, titled, type ScoreOf } from './json-lists.ts';
import { hasId, isBlank, yearRuleOf } from './match.ts';
import { peek } from './peek.ts';
import { authorOf, readFields, type ReadFields } from './read-fields.ts';
import { checkRecord, fixedMapping } from './record-rows.ts';
import type { BookRow, ReadOptions, RowKey, FileHeader } from './row.ts';

/** Reads a JSON array of objects in constant memory. */
export async function* readJsonRows(
  text: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  yield* readLists(text, createValueReader(options), titled, true);
}

/** In characters: the first list of books in a longer object begins before this. */
const maxStart = 64 * 1024;
/** Whether an object continues after a line. */
const continues = (line: string) => /[{[,]/.test(line.trimEnd().slice(-1));

/** Reads a text that begins with an object: one per line, or a single one with lists of books. */
export async function* readObjectRows(
  text: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const reader = createValueReader(options);
  let start = '';
  const { found, whole } = await peek(
    text,
    (some) => {
      start += some.at(-1) ?? '';
      const [line, next] = firstLines(start);
      return start.length >= maxStart || (next !== '' && !continues(line));
    },
    () => {
      const [line, next] = firstLines(start);
      const isLine = !continues(line);
      return judgeStart(isLine ? line : start, reader.scoreOf, !isLine || next === '');
    },
  );
  if (found.score === 0) yield* readNdjsonRows(whole, options);
  else yield* readLists(whole, reader, Math.min(found.score, titled), found.direct >= titled);
}

/** The first line with a text, and the start of what follows. */
function firstLines(start: string): [line: string, next: string] {
  const [line = '', next = ''] = start.trimStart().split(/\n\s*/, 2);
  return [line, next];
}

/** Judges the lists of books in the start of an object. @param isAlone Else an object that is a book is one, even with a list. */
function judgeStart(start: string, scoreOf: ScoreOf, isAlone: boolean) {
  const value = parseObject(completed(start.slice(0, maxStart)));
  return judgeLists(isAlone || scoreOf(value) < 2 ? value : undefined, scoreOf);
}

/** @param least The least score of a list. @param isList Whether the elements of the outermost value are books. */
async function* readLists(
  text: AsyncIterable<string>,
  { read, scoreOf }: ReturnType<typeof createValueReader>,
  least: number,
  isList: boolean,
): AsyncGenerator<BookRow> {
  const lists = new ListReader<BookRow>(
    {
      scoreOf,
      least,
      read: (original, raw, line) => ({ line, unit: 'book', original, ...read(original, raw) }),
    },
    isList,
  );
  for await (const piece of text) yield* lists.push(piece);
  yield* lists.end();
}

/** What precedes the object in a line of a dump of Open Library: type, key, revision and date. */
const dumpColumns = /^\/type\/\w+\t[^\t]*\t\d+\t[^\t]*\t/;

/**
 * Reads one JSON object per line (https://github.com/ndjson/ndjson-spec), also with commas between them, or laid out in several
 * lines, as `jq` writes them. Empty lines are ignored.
 */
export async function* readNdjsonRows(
  text: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const { read } = createValueReader(options);
  for await (const { line, text: whole, ended } of readObjects(text)) {
    const content = whole.replace(dumpColumns, '');
    const value = parseObject(content);
    if (value !== undefined) yield { line, unit: 'line', original: value, ...read(value, content, line) };
    else if (!ended) throw new FileError({ code: 'cutOff', at: 'line', number: line });
    else yield { line, unit: 'line', original: content, problem: { code: 'notJson' } };
  }
}

/** The value of a JSON text, after which a comma may stand; `undefined` if it is not JSON. */
function parseObject(text: string): unknown {
  const json = text.trimEnd();
  try {
    return JSON.parse(json.endsWith('},') ? json.slice(0, -1) : text);
  } catch {
    return undefined;
  }
}

/** The texts of objects. One that continues after its first line ends at a line that begins with its closing bracket. */
async function* readObjects(text: AsyncIterable<string>): AsyncGenerator<ReadLine> {
  /** Of an object that continues. */
  let held: string[] = [];
  let length = 0;
  let first = 0;
  const take = (ended: boolean): ReadLine => {
    const whole = held.join('\n');
    held = [];
    return { line: first, text: whole, ended };
  };
  for await (const each of readLines(text)) {
    // Another object begins: a line of the one before is damaged.
    if (held.length > 0 && each.text.startsWith('{')) yield take(true);
    if (held.length === 0) {
      if (each.text.trim() === '') continue;
      if (!continues(each.text) || parseObject(each.text) !== undefined) {
        yield each;
        continue;
      }
      first = each.line;
      length = 0;
    }
    held.push(each.text);
    length += each.text.length;
    if (each.text.startsWith('}')) yield take(each.ended);
    else if (length > maxRecordLength)
      throw new FileError({ code: 'rowTooLong', unit: 'line', number: first });
  }
  if (held.length > 0) yield take(false);
}

type ReadLine = Line & { readonly ended: boolean };

/** Every line, and whether a line feed ends it. */
async function* readLines(text: AsyncIterable<string>): AsyncGenerator<ReadLine> {
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

/** Where programs have fields that their members do not tell by a usual name, by a member that they write. */
const dialects: readonly (readonly [member: string, columns: ColumnOverrides])[] = [
  ['books_id', { title: 'title', author: 'primaryauthor', year: 'date' }], // LibraryThing
  ['itemType', { title: 'title', author: 'creators', year: 'date' }], // Zotero
  ['datePublished', { year: 'datePublished' }], // schema.org
  ['first_publish_date', { year: 'first_publish_date' }], // Open Library
  ['publicationYear', { title: 'titles', author: 'creators', year: 'publicationYear' }], // DataCite
];

/** The members that have the book in an object about it: Google Books, Zotero, Open Library, FOLIO, Elasticsearch and others. */
const envelopes = [
  'volumeInfo',
  'data',
  'book',
  'edition',
  'work',
  'item',
  'parsedRecord',
  'content',
  '_source',
];
const maxEnvelopes = 3;

/** Each object may have other members, so its columns are found again; CSL-JSON and MARC have their own. */
function createValueReader({ chosen = {}, isMatched = false, needsYear, onStart, format }: ReadOptions) {
  const mayBeOther = Object.keys(chosen).length === 0 && !isMatched;
  let isCsl = format === 'csl-json';
  let isStarted = false;
  const start = (found: FileHeader) => {
    if (!isStarted) onStart(found);
    isStarted = true;
  };
  const shapes = new Map<string, Shape>();
  const shapeOf = (names: readonly string[]): Shape => {
    const key = names.join('\u0000');
    const found = shapes.get(key);
    if (found !== undefined) return found;
    const [id, revision] = keyColumns.map((name) => names.find((each) => foldText(each) === name));
    const dialect = dialects.find(([member]) => names.includes(member))?.[1];
    const shape = { mapping: findColumns(names, { ...dialect, ...chosen }), id, revision };
    if (shapes.size < maxShapes) shapes.set(key, shape);
    return shape;
  };
  /** The object that has the book. */
  const unpack = (value: Json, depth = 0): Json => {
    if (shapeOf(Object.keys(value)).mapping.title !== undefined || depth === maxEnvelopes) return value;
    const inner = envelopes.map((name) => value[name]).find(isObject);
    return inner === undefined ? value : unpack(inner, depth + 1);
  };
  /** How well a value tells a book: a title more than a name, which anything may have, and an author more than a year. */
  const scoreOf = (value: unknown): number => {
    if (!isObject(value)) return 0;
    const inner = unpack(value);
    if (isMarcJson(inner) || isCslItem(inner)) return certain;
    const names = Object.keys(inner);
    const { title, author, year } = shapeOf(names).mapping;
    if (title === undefined) return 0;
    const isName = chosen.title === undefined && foldText(names[title.at] ?? '') === 'name';
    return (isName ? 1 : titled) + (author !== undefined ? 2 : year !== undefined ? 1 : 0);
  };
  const read = (whole: unknown, raw: string, line?: number): ReadFields & { key?: RowKey } => {
    if (!isObject(whole)) return { problem: { code: 'notObject' } };
    const value = mayBeOther ? unpack(whole) : whole;
    if (mayBeOther && isMarcJson(value)) {
      start({ format: 'marc', mapping: fixedMapping('marc') });
      return checkRecord(readMarcJson(value), needsYear);
    }
    isCsl ||= mayBeOther && isCslItem(value);
    if (isCsl && (format === 'csl-json' || typeof value.type === 'string')) {
      start({ format: 'csl-json', mapping: fixedMapping('csl-json') });
      return checkRecord(readCslItem(value), needsYear);
    }
    const names = Object.keys(value);
    const { mapping, id, revision } = shapeOf(names);
    start({ mapping, members: names });
    const valueAt = (each: string | undefined) => (each === undefined ? undefined : value[each]);
    const textAt = (at: number) => {
      const text = valueAt(names[at]);
      return typeof text === 'string' ? text : '';
    };
    const member = (name: FieldName) => {
      const column = mapping[name];
      const { at = -1, instead = -1 } = column ?? {};
      const own = valueAt(names[at]);
      const found = isBlank(own) ? (valueAt(names[instead]) ?? own) : own;
      if (typeof found !== 'string') return name === nameField ? firstTitle(found) : found;
      const text = readColumn(column, textAt);
      return name !== nameField || isMatched || isExport(names) ? text : withoutSortMarks(text);
    };
    const bad = raw.isWellFormed() ? undefined : fieldNames.find((name) => hasBadByte(member(name)));
    // Of several bytes, it is not known which one is in this member.
    const place = countBadBytes(raw) === 1 ? line : undefined;
    if (bad !== undefined) return { problem: badByteOf(bad, raw, 0, place) };
    if (!isMatched) return readFields(member, true, yearRuleOf(needsYear, undefined));
    const given = fieldNames.filter((name) => mapping[name] !== undefined);
    const key = { id: valueAt(id), revision: valueAt(revision), given };
    const orEmpty = (name: FieldName) => (hasId(key) && !given.includes(name) ? '' : member(name));
    return { key, ...readFields(orEmpty, true, yearRuleOf(needsYear, key)) };
  };
  return { read, scoreOf };
}

/** The first title in a list of objects with one. */
function firstTitle(value: unknown): unknown {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isObject(first) ? first.title : value;
}

/** Whether an object has the members of an export, whose texts stay as they are. */
const isExport = (names: readonly string[]) =>
  [true, false].some((withIds) => names.join() === exportColumns(withIds, false).join());

/** Whether a text, or a name in a list, has a byte that is not text in the encoding of the file. */
function hasBadByte(value: unknown): boolean {
  const text = typeof value === 'object' && value !== null ? authorOf(value) : value;
  return typeof text === 'string' && countBadBytes(text) > 0;
}

/** The number of different lists of members whose columns are cached. */
const maxShapes = 100;
