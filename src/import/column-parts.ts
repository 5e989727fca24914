/** What a column may have: a field of a book, or a part of one. */
export const columnParts = [
  'title',
  'subtitle',
  'volume',
  'author',
  'firstName',
  'lastName',
  'year',
] as const;
/** The name of a part that a column may have. */
export type ColumnPart = (typeof columnParts)[number];

/** A column by its name, or in a table by its place. */
export type ColumnChoice = string | number;

/** The columns that a user chose, by what they have; `null`: none. */
export type ColumnOverrides = Partial<Record<ColumnPart, ColumnChoice | readonly ColumnChoice[] | null>>;

/** The places of the columns of each part. */
export type PartPlaces = Readonly<Record<ColumnPart, readonly number[]>>;
