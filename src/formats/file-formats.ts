/** A format of files. */
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
