/**
 * What a field means to the parts of the program that are about one field. `name`: it names the book; views begin with it, an
 * import needs it, and the order by it ignores leading articles. `author`: names of people; the order by it begins with the
 * family name. `year`: the year of publication, of which charts are made.
 */
type Role = 'name' | 'author' | 'year';

/** A field of a book, as the table below describes it. */
interface Field {
  /** `text`: any Unicode string. `integer`: from -(2^53-1) to 2^53-1. */
  readonly type: 'text' | 'integer';
  /** Whether searches (`q`) include it. Text only. */
  readonly isSearched: boolean;
  /** Whether listings can be sorted by it and filtered by its value; integers also by a range. */
  readonly isIndexed: boolean;
  /** Of one field each. */
  readonly role?: Role;
  /** For documents and messages. */
  readonly example: string | number;
}

/**
 * The fields of a book, in the order in which they are written everywhere. Validation, storage, `ETag`, queries, the OpenAPI
 * document, command-line options, and the columns of imports and exports derive from this table. Browsers load it: what only a
 * part of the program needs of each field is in that part (`import/columns.ts`, `cli/arguments.ts`).
 */
export const fields = {
  /** Any Unicode text. */
  title: { type: 'text', isSearched: true, isIndexed: true, role: 'name', example: 'Emma' },
  /** Any Unicode text. */
  author: { type: 'text', isSearched: true, isIndexed: true, role: 'author', example: 'Jane Austen' },
  /** Any integer from -(2^53-1) to 2^53-1; negative before the common era. */
  year: { type: 'integer', isSearched: false, isIndexed: true, role: 'year', example: 1815 },
} as const satisfies Readonly<Record<string, Field>>;

/** The name of a field of a book. */
export type FieldName = keyof typeof fields;

/** The names of the fields with these properties. */
export type FieldWith<Properties> = {
  [Name in FieldName]: (typeof fields)[Name] extends Properties ? Name : never;
}[FieldName];

export type TextField = FieldWith<{ type: 'text' }>;
/** A field whose words a query finds. */
export type SearchedField = FieldWith<{ isSearched: true }>;
/** A text that a query can ask for, and sort by. */
export type IndexedText = FieldWith<{ type: 'text'; isIndexed: true }>;
/** An integer that a query can limit, and sort by. */
export type IndexedInteger = FieldWith<{ type: 'integer'; isIndexed: true }>;
/** The fields whose values are suggested: their words and their whole texts are indexed. */
export type SuggestedField = SearchedField & IndexedText;
/** The parameters of queries for words of one field. */
export type WordsParameter = `${SearchedField}Words`;
/** The parameters of queries for integers: exact value, minimum and maximum. */
export type RangeParameter = IndexedInteger | `${IndexedInteger}From` | `${IndexedInteger}To`;

/** The contents of a book, without its id. */
export type BookFields = {
  -readonly [Name in FieldName]: (typeof fields)[Name] extends { type: 'text' } ? string : number;
};

export const fieldNames = Object.keys(fields) as FieldName[];

const fieldOf = <Wanted extends Role>(wanted: Wanted) =>
  fieldNames.find((name) => (fields[name] as Field).role === wanted) as FieldWith<{ role: Wanted }>;

export const nameField = /* @__PURE__ */ fieldOf('name');
export const authorField = /* @__PURE__ */ fieldOf('author');
export const yearField = /* @__PURE__ */ fieldOf('year');

const namesOf = (predicate: (field: Field) => boolean) =>
  fieldNames.filter((name) => predicate(fields[name]));

export const textFields = /* @__PURE__ */ namesOf(({ type }) => type === 'text') as readonly TextField[];
export const searchedFields = namesOf(({ isSearched }) => isSearched) as readonly SearchedField[];
/** An import compares these fields to find duplicates. */
export const indexedFields = namesOf(({ isIndexed }) => isIndexed) as readonly (
  IndexedText | IndexedInteger
)[];
export const indexedTexts = indexedFields.filter(
  (name) => fields[name].type === 'text',
) as readonly IndexedText[];
export const suggestedFields = searchedFields.filter((name) =>
  indexedTexts.some((each) => each === name),
) as readonly SuggestedField[];
export const indexedIntegers = indexedFields.filter(
  (name) => fields[name].type === 'integer',
) as readonly IndexedInteger[];

/** The members of a query that contain words. */
export const wordMembers: readonly ('q' | WordsParameter)[] = [
  'q',
  ...searchedFields.map((name) => `${name}Words` as const),
];

/** A record with a value for each of some fields. */
export function mapFields<Name extends FieldName, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}

/** The names of fields in a sentence: `title, author and year`. */
export function listFields(names: readonly string[] = fieldNames): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
}
