import type { FieldName } from '../catalogue/fields.ts';

/** What a number counts in a file without lines, too. */
export type Unit = 'line' | 'row' | 'book' | 'record';

/** Why a row is left out, by code, with what its message is made of. */
interface RowProblems {
  missing: { field: FieldName };
  notUnderstood: { field: FieldName; shown: string };
  notText: { field: FieldName; shown: string };
  /** A byte is not text in the encoding of the file. Line and column count from 1; a column is a character. */
  badByte: { field: FieldName; byte?: number | undefined; line?: number; column?: number };
  cells: { cells: number; columns: number };
  /** An unclosed quote takes the lines after it, up to `lastLine`. */
  quotes: { line: number; lastLine: number };
  badIsbn: { shown: string };
  unknownIsbn: { isbn: string };
  /** The last row of a table: `Total books: 250`. */
  total: object;
  notJson: object;
  notObject: object;
  // MARC21
  deletedRecord: object;
  noTitleField: object;
  recordTooLong: { maxBytes: number };
  noLeader: object;
  recordLength: { stated: number; found: number };
  notUtf8: object;
  /** It is in Chinese, Japanese or Korean characters of MARC-8. */
  eastAsian: { field: FieldName };
  directory: object;
  directoryMismatch: object;
  // BibTeX
  braces: object;
  entryFields: { at: string };
  macro: { field: string; macro: string };
  macrosTooLong: { maxKib: number };
  crossref: { key: string };
  // Comparison with the catalogue
  badId: { shown: string };
  badRevision: { shown: string };
  unknownId: { id: number };
  repeatedId: { unit: Unit; line: number; file?: string | undefined };
  /** Somebody has changed the book since the export. `now`: its fields that differ from the row. */
  conflict: { id: number; now: readonly { field: FieldName; shown: string }[] };
  /** Question marks replace characters of a text. */
  lostCharacters: { field: FieldName };
  deletedMeanwhile: { id: number };
  /** `message` is that of the service, in English. */
  refused: { message: string };
}

/** What somebody should know of a row that is a book, by code. */
interface RowNotes {
  /** The year is not understood: the book has none. */
  yearLeftOut: { shown: string };
  /** The year is more than ten years ahead. */
  farYear: { year: number };
  /** The year has two digits, and can be short for one of another century. */
  shortYear: { year: number };
  /** A title or name is not read in the script of the book. */
  transcription: object;
  /** The cell is merged with others, and each of their rows has its value. */
  mergedCell: { field: FieldName };
}

/** Why a file, or the rest of it, cannot be read. */
interface FileProblems {
  empty: object;
  /** Nobody looks up the books of a list of ISBNs. */
  noLookup: object;
  /** It is of a kind that is not read. */
  otherKind: { kind: OtherKind };
  // Workbooks
  workbook: { part: string };
  workbookTooLarge: object;
  sheets: { names: readonly string[] };
  noSheet: { name: string; names: readonly string[] };
  mixedEncodings: object;
  encoding: { label: string };
  /** It is not certain which one the file has. `sample`: a line that differs. */
  severalEncodings: { readings: readonly { readonly encoding: string; readonly sample: string }[] };
  compression: { detail: string };
  /** It ends early: everything before that place was read. */
  cutOff: Cut;
  header: object;
  whiteSpace: object;
  /** A quote or bracket is not closed. */
  tooManyColumns: { max: number };
  rowTooLong: { unit: 'row' | 'line' | 'book'; number: number };
  invalidJson: { book: number };
  invalidXml: { record: number; detail: string };
  tagTooLong: { record: number };
  fileRecordTooLong: { format: 'bibtex' | 'ris' | 'other'; record: number };
  otherFormat: { format: 'html' | 'marc' | 'marcxml' | 'ris' };
}

/** Kinds of files that are not read, with what helps (`advice` of the texts). */
const otherKinds = {
  xls: 'save',
  xlsb: 'save',
  locked: 'save',
  excelXml: 'save',
  numbers: 'save',
  word: 'table',
  openDocument: 'table',
  slides: 'table',
  pdf: 'table',
  picture: 'table',
  binary: 'table',
  epub: 'one',
  zip: 'unpack',
  archive: 'unpack',
  database: 'export',
  onix: 'export',
  pubmed: 'ris',
  webOfScience: 'ris',
} as const;
export type OtherKind = keyof typeof otherKinds;

export function isOtherKind(kind: string): kind is OtherKind {
  return Object.hasOwn(otherKinds, kind);
}

/** What kinds of files are, and how a sentence goes on with what helps. */
export interface OtherKindTexts {
  readonly names: Readonly<Record<OtherKind, string>>;
  readonly advice: Readonly<Record<(typeof otherKinds)[OtherKind], string>>;
}

/** Says what a file is, and what to do. */
export function describeKind(kind: OtherKind, { names, advice }: OtherKindTexts): string {
  return names[kind] + advice[otherKinds[kind]];
}

/** Where a file is cut off. `number`: of the line, or of the last whole record or book. */
export interface Cut {
  readonly at:
    | 'bibtex'
    | 'character'
    | 'compression'
    | 'header'
    | 'json'
    | 'line'
    | 'marc'
    | 'ris'
    | 'xml'
    | 'xmlRecord';
  readonly number?: number;
}

type Problems = RowProblems & RowNotes & FileProblems;
type Coded<Code extends keyof Problems> = {
  [Each in Code]: { readonly code: Each } & Readonly<Problems[Each]>;
}[Code];
export type RowProblem = Coded<keyof RowProblems>;
export type RowNote = Coded<keyof RowNotes>;
/** Why a value is not that of a field. */
export type FieldProblem = Coded<'missing' | 'notUnderstood' | 'notText'>;
type FileProblem = Coded<keyof FileProblems>;

/** The messages of all problems, in one language. */
export type ProblemTexts = { readonly [Code in keyof Problems]: (problem: Coded<Code>) => string };

const otherKindTexts: OtherKindTexts = {
  names: {
    xls: 'an Excel file of the format before 2007 (.xls), or one with a password',
    xlsb: 'a binary Excel workbook (.xlsb)',
    locked: 'a document of LibreOffice with a password',
    excelXml: 'an Excel file of the XML format of 2003',
    numbers: 'a document of Apple Numbers, Pages or Keynote',
    word: 'a Word document',
    openDocument: 'a document of LibreOffice that is no spreadsheet, such as .odt',
    slides: 'a PowerPoint presentation',
    pdf: 'a PDF',
    picture: 'a picture',
    binary: 'a binary file',
    epub: 'an e-book (EPUB)',
    zip: 'a ZIP archive',
    archive: 'an archive (RAR, 7z, bzip2 or xz)',
    database: 'a database (SQLite or Access)',
    onix: 'ONIX',
    pubmed: 'a list of PubMed',
    webOfScience: 'a list of Web of Science',
  },
  advice: {
    save: '; open it, and save it as .xlsx without a password, or as CSV in UTF-8',
    table: ', not a table of books; save your spreadsheet as .xlsx, or as CSV in UTF-8',
    one: '; it is one book, not a list of books',
    unpack: '; unpack it, and import the file that it contains',
    export: '; export its books as CSV in UTF-8, or as .xlsx',
    ris: '; export it as RIS or BibTeX',
  },
};

const notRead = 'it and all that follows was not read';

export const englishProblems: ProblemTexts = {
  missing: ({ field }) => `it has no ${field}`,
  notUnderstood: ({ field, shown }) => `its ${field} is not understood: ${shown}`,
  notText: ({ field, shown }) => `its ${field} is not text: ${shown}`,
  badByte: ({ field, byte, line, column }) =>
    `its ${field} has a byte that is not text in the encoding of the file${
      byte === undefined ? '' : ` (0x${byte.toString(16)})`
    }${line === undefined ? '' : `: line ${line}, column ${column}`}`,
  cells: ({ cells, columns }) =>
    `it has ${cells} ${cells === 1 ? 'cell' : 'cells'} for ${columns} ${columns === 1 ? 'column' : 'columns'}`,
  quotes: ({ line, lastLine }) =>
    `its quotes do not match${lastLine > line ? ` (up to line ${lastLine})` : ''}`,
  badIsbn: ({ shown }) => `it is not an ISBN, or its check digit is wrong: ${shown}`,
  unknownIsbn: ({ isbn }) => `no book is known with the ISBN ${isbn}`,
  total: () => 'it is a total, not a book',
  notJson: () => 'it is not JSON',
  notObject: () => 'it is not an object',
  deletedRecord: () => 'it is marked as deleted',
  noTitleField: () => 'it has no title (field 245)',
  recordTooLong: ({ maxBytes }) => `it is longer than ${maxBytes} bytes`,
  noLeader: () => 'it has no leader',
  recordLength: ({ stated, found }) => `its leader says that it has ${stated} bytes, but it has ${found}`,
  notUtf8: () => 'its text is not valid UTF-8',
  eastAsian: ({ field }) =>
    `its ${field} is in Chinese, Japanese or Korean characters of MARC-8; convert the file to UTF-8, for example with MarcEdit or yaz-marcdump -t utf-8`,
  directory: () => 'its directory is damaged',
  directoryMismatch: () => 'its directory does not match its fields',
  braces: () => 'its braces do not match',
  entryFields: ({ at }) => `its fields cannot be read at ${JSON.stringify(at)}`,
  macro: ({ field, macro }) => `its ${field} names ${macro}, which no @string defines`,
  macrosTooLong: ({ maxKib }) => `its macros are longer than ${maxKib} KiB`,
  crossref: ({ key }) => `its crossref names ${key}, which the file does not have`,
  badId: ({ shown }) => `its id is not the id of a book: ${shown}`,
  badRevision: ({ shown }) => `its revision is damaged: ${shown}; empty it to change the book as it is now`,
  unknownId: ({ id }) => `no book has the id ${id}; to add the row as a new book, clear its id`,
  repeatedId: ({ unit, line, file }) =>
    `${unit} ${line}${file === undefined ? '' : ` of ${file}`} has the same id`,
  conflict: ({ id, now }) =>
    `book ${id} has changed since the export: ${now.map(({ field, shown }) => `its ${field} is now ${shown}`).join(', ')}`,
  lostCharacters: ({ field }) => `its ${field} has lost characters; save the file as "CSV UTF-8"`,
  deletedMeanwhile: ({ id }) => `book ${id} was deleted meanwhile; import the row again to add it`,
  refused: ({ message }) => `the service rejects it: ${message}`,

  yearLeftOut: ({ shown }) => `its year is not understood, and stays empty: ${shown}`,
  farYear: ({ year }) => `its year is far ahead: ${year}`,
  shortYear: ({ year }) => `its year has two digits, and is taken as the year ${year}`,
  transcription: () => 'it is read in transcription: its original script, in MARC-8, is not read',
  mergedCell: ({ field }) => `its ${field} is that of a merged cell`,

  empty: () => 'the file is empty',
  noLookup: () =>
    'this is a list of ISBNs, and the service does not look books up; set BOOK_LOOKUP in its settings',
  otherKind: ({ kind }) => `this is ${describeKind(kind, otherKindTexts)}`,
  workbook: ({ part }) =>
    `the workbook is damaged (${part}); open it in a spreadsheet program, and save it again as .xlsx`,
  workbookTooLarge: () =>
    'the workbook is larger than 128 MiB, or than 1 GiB unpacked, or has a row larger than 16 MiB; save its sheet as "CSV UTF-8", and import that',
  sheets: ({ names }) => `the file has several sheets: ${listNames(names)}; choose one with --sheet`,
  noSheet: ({ name, names }) =>
    `the file has no sheet ${JSON.stringify(name)} with rows; it has: ${listNames(names)}`,
  mixedEncodings: () =>
    'the file mixes UTF-8 and Windows-1252; save it as "CSV UTF-8", or name its --encoding',
  encoding: ({ label }) => `unknown encoding ${label}; known are ${commonEncodings}, and more`,
  severalEncodings: ({ readings }) =>
    `the encoding of the file is uncertain: ${listReadings(readings)}; choose one with --encoding`,
  compression: ({ detail }) => `the compressed file is damaged (${detail}); the rest of it was not read`,
  cutOff: (cut) =>
    `the file is cut off: ${describeCut(cut)}; import the whole file with --on-duplicate skip to add the rest`,
  header: () => 'the quotes of the first line do not match',
  whiteSpace: () => 'the file begins with more than 16 MiB of white space; it was not read',
  tooManyColumns: ({ max }) =>
    `the first row has more than ${max} columns: its delimiter may be another one, or the line ends may be missing`,
  rowTooLong: ({ unit, number }) =>
    `${unit === 'row' ? 'the row in line' : unit} ${number} is longer than 16 MiB: a quote or bracket may be unclosed there; ${notRead}`,
  invalidJson: ({ book }) => `the file is not valid JSON after book ${book}; the rest of it was not read`,
  invalidXml: ({ record, detail }) =>
    `the file is not valid XML after record ${record} (${detail}); the rest of it was not read`,
  tagTooLong: ({ record }) => `record ${record} has a tag longer than 8 KiB; ${notRead}`,
  fileRecordTooLong: ({ format, record }) =>
    ({
      bibtex: `the entry after record ${record} is longer than 16 MiB: a brace may be unclosed there; ${notRead}`,
      other: `record ${record} is longer than 16 MiB; ${notRead}`,
      ris: `record ${record} is longer than 16 MiB: its ER line may be missing; ${notRead}`,
    })[format],
  otherFormat: ({ format }) =>
    ({
      html: 'the file is a web page without a table',
      marc: 'the file is not MARC21: it does not begin with a leader',
      marcxml: 'the file is not MARCXML: it has no record',
      ris: 'the file is not RIS: no line begins a record (TY  - BOOK)',
    })[format],
};

/** Names in a message, in quotes. */
export function listNames(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}

/** What a line is in each encoding. */
export function listReadings(
  readings: readonly { readonly encoding: string; readonly sample: string }[],
): string {
  return readings.map(({ encoding, sample }) => `${encoding} (${JSON.stringify(sample)})`).join(', ');
}

const commonEncodings =
  'utf-8, utf-16le, windows-1250 to windows-1258, iso-8859-2, koi8-r, ibm866, cp850, macintosh, shift_jis, gb18030, big5 and euc-kr';

/** Where a file is cut off, in English. */
export function describeCut({ at, number = 0 }: Cut): string {
  const texts: Readonly<Record<Cut['at'], string>> = {
    bibtex: `the entry after record ${number} does not end`,
    character: 'its last character is incomplete',
    compression: 'its compressed data ends in the middle',
    header: 'its first line ends in the middle, and no row follows',
    json: `its array does not end after book ${number}`,
    line: `line ${number} ends in the middle`,
    marc: `record ${number + 1} ends in the middle`,
    ris: `record ${number} has no ER line`,
    xml: `it ends after record ${number}`,
    xmlRecord: `record ${number + 1} does not end`,
  };
  return texts[at];
}

/** Formats a problem as a message. @param texts Default: in English. */
export function describe<Code extends keyof Problems>(
  problem: Coded<Code>,
  texts: ProblemTexts = englishProblems,
): string {
  const say: (problem: Coded<Code>) => string = texts[problem.code];
  return say(problem);
}

/** A file cannot be read, or not to its end. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly problem: FileProblem;

  constructor(problem: FileProblem, options: { readonly cause?: unknown } = {}) {
    super(describe(problem), options);
    this.problem = problem;
  }
}

/** A row or record cannot be read; the others can. */
export class RowError extends Error {
  readonly problem: RowProblem;

  constructor(problem: RowProblem) {
    super(problem.code);
    this.problem = problem;
  }
}
