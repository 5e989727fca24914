import type { FieldName } from '../catalogue/fields.ts';

interface FileFormat {
  readonly name: string;
  /** The extensions of its files; the first one is that of new files. */
  readonly extensions: readonly string[];
  /** Whether it can be written. Default true. */
  readonly isReadOnly?: true;
}

/** The formats of files with books. Options, help and the choice by extension derive from this table. */
export const fileFormats = {
  csv: { name: 'CSV', extensions: ['csv'] },
  xlsx: { name: 'Excel', extensions: ['xlsx'] },
  ods: { name: 'OpenDocument', extensions: ['ods'], isReadOnly: true },
  tsv: { name: 'TSV', extensions: ['tsv'] },
  html: { name: 'HTML table', extensions: ['html', 'htm'], isReadOnly: true },
  json: { name: 'JSON', extensions: ['json'] },
  ndjson: { name: 'NDJSON', extensions: ['ndjson', 'jsonl'] },
  'csl-json': { name: 'CSL-JSON', extensions: [] },
  openlibrary: { name: 'Open Library dump', extensions: [], isReadOnly: true },
  ris: { name: 'RIS', extensions: ['ris'] },
  endnote: { name: 'EndNote', extensions: ['enw'], isReadOnly: true },
  'endnote-xml': { name: 'EndNote XML', extensions: [], isReadOnly: true },
  bibtex: { name: 'BibTeX', extensions: ['bib'] },
  marcxml: { name: 'MARCXML', extensions: ['xml'] },
  mods: { name: 'MODS', extensions: ['mods'], isReadOnly: true },
  marc: { name: 'MARC21', extensions: ['mrc', 'marc', 'iso', 'dat'], isReadOnly: true },
  mrk: { name: 'MarcEdit text', extensions: ['mrk'], isReadOnly: true },
  isbn: { name: 'a list of ISBNs', extensions: [], isReadOnly: true },
} as const satisfies Readonly<Record<string, FileFormat>>;

/** The name of a format of files with books. */
export type FormatName = keyof typeof fileFormats;

export const formatNames = Object.keys(fileFormats) as FormatName[];

/** The formats that an export writes. */
export type ExportFormat = {
  [Name in FormatName]: (typeof fileFormats)[Name] extends { isReadOnly: true } ? never : Name;
}[FormatName];

const isWritable = (name: FormatName): name is ExportFormat => !('isReadOnly' in fileFormats[name]);
export const exportFormats = formatNames.filter(isWritable);

/** The format that the extension of a file tells, before `.gz`; `undefined` for another extension. */
export function formatOfFile(file: string): FormatName | undefined {
  const [, extension = ''] = /\.([a-z]+)(?:\.gz)?$/i.exec(file) ?? [];
  return formatNames.find((name) =>
    (fileFormats[name].extensions as readonly string[]).includes(extension.toLowerCase()),
  );
}

/** Whether the name of a file says that it is compressed. */
export function isGzipName(file: string): boolean {
  return /\.gz$/i.test(file);
}

/** The formats that consist of records with fields of their own. The others have columns or members that a user may choose. */
const parsedFormats = ['ris', 'endnote', 'endnote-xml', 'bibtex', 'marcxml', 'mods', 'marc', 'mrk'] as const;
export type ParsedFormat = (typeof parsedFormats)[number];

export function isParsedFormat(format: FormatName | undefined): format is ParsedFormat {
  return parsedFormats.some((each) => each === format);
}

const marcFields = { title: '245', author: '1xx and 7xx', year: '008 or 264' };

/** Where each format has the fields of a book, for a message; `undefined` if it does not carry one. */
export const sources: Readonly<
  Record<ParsedFormat | 'csl-json', Readonly<Record<FieldName, string | undefined>>>
> = {
  'csl-json': { title: 'title', author: 'author', year: 'issued' },
  ris: { title: 'TI', author: 'AU', year: 'PY' },
  endnote: { title: '%T', author: '%A', year: '%D' },
  'endnote-xml': { title: 'title', author: 'author', year: 'year' },
  bibtex: { title: 'title', author: 'author', year: 'year' },
  marcxml: marcFields,
  mods: { title: 'titleInfo', author: 'name', year: 'dateIssued' },
  marc: marcFields,
  mrk: marcFields,
};
