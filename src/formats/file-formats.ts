import type { FieldName } from '../catalogue/fields.ts';
import type { BookParser } from './record.ts';

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
  tsv: { name: 'TSV', extensions: ['tsv'] },
  json: { name: 'JSON', extensions: ['json'] },
  ndjson: { name: 'NDJSON', extensions: ['ndjson', 'jsonl'] },
  'csl-json': { name: 'CSL-JSON', extensions: [] },
  ris: { name: 'RIS', extensions: ['ris'] },
  bibtex: { name: 'BibTeX', extensions: ['bib'] },
  marcxml: { name: 'MARCXML', extensions: ['xml'] },
  marc: { name: 'MARC21', extensions: ['mrc', 'marc'], isReadOnly: true },
} as const satisfies Readonly<Record<string, FileFormat>>;

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

/** The formats that a {@link BookParser} reads. The others have columns or members that a user may choose. */
const parsedFormats = ['ris', 'bibtex', 'marcxml', 'marc'] as const;
export type ParsedFormat = (typeof parsedFormats)[number];

export function isParsedFormat(format: FormatName | undefined): format is ParsedFormat {
  return parsedFormats.some((each) => each === format);
}

/** A parser, of bytes or of text. Its code is loaded when a file needs it. */
type AnyParser = { bytes: BookParser<Uint8Array> } | { text: BookParser<string> };

export async function createBookParser(format: ParsedFormat): Promise<AnyParser> {
  switch (format) {
    case 'ris':
      return { text: new (await import('./ris.ts')).RisParser() };
    case 'bibtex':
      return { text: new (await import('./bibtex.ts')).BibtexParser() };
    case 'marcxml':
      return { text: new (await import('./marcxml.ts')).MarcXmlParser() };
    case 'marc':
      return { bytes: new (await import('./iso2709.ts')).Iso2709Parser() };
  }
}

/** Where each format has the fields of a book, for a message; `undefined` if it does not carry one. */
export const sources: Readonly<
  Record<ParsedFormat | 'csl-json', Readonly<Record<FieldName, string | undefined>>>
> = {
  'csl-json': { title: 'title', author: 'author', year: 'issued' },
  ris: { title: 'TI', author: 'AU', year: 'PY' },
  bibtex: { title: 'title', author: 'author', year: 'year' },
  marcxml: { title: '245', author: '1xx and 7xx', year: '008 or 264' },
  marc: { title: '245', author: '1xx and 7xx', year: '008 or 264' },
};
