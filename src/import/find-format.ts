// What a file is, by its content: its first bytes, the entries of an archive, or the first lines of a text.
import type { FormatName } from '../formats/file-formats.ts';
import { isIsbnList } from './isbn-rows.ts';
import { FileError, isOtherKind, type OtherKind } from '../formats/problems.ts';
import type { ZipArchive } from '../formats/zip.ts';

/** A format, a kind of file that is not read, or `zip`, whose entries tell what it is. */
type Kind = FormatName | OtherKind;
type Table<Found extends Kind> = readonly (readonly [RegExp, Found])[];

/** Suffices for the bytes that tell a format. */
export const maxSignature = 48;
export const gzipStart = '\u001f\u008b';

/** By the first bytes, each of them a character. */
/* eslint-disable no-control-regex -- Bytes of binary files. */
const signatures: Table<Kind> = [
  [/^PK\x03\x04/, 'zip'],
  [/^%PDF-/, 'pdf'],
  [/^\xd0\xcf\x11\xe0/, 'xls'],
  // A leader, and the first entry of a directory.
  [/^(?:\xef\xbb\xbf)?\s*[0-9]{5}[ -~]{7}[0-9]{5}[ -~]{7}[0-9A-Za-z]{3}[0-9]{9}/, 'marc'],
  [/^(?:SQLite format 3|[^]{4}Standard (?:Jet|ACE) DB)/, 'database'],
  [/^(?:Rar!|7z\xbc\xaf|BZh[1-9]|\xfd7zXZ)/, 'archive'],
  [/^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP|[^]{4}ftyp(?:heic|heif|mif1|avif))/, 'picture'],
];
/* eslint-enable no-control-regex */

/** The kind of a file by its first bytes; `undefined` for text. */
export function kindOfBytes(start: string): Kind | undefined {
  return kindOf(start, signatures);
}

/** By the name of an entry. */
const entries: Table<Kind> = [
  [/^xl\/workbook\.bin$/, 'xlsb'],
  [/^word\//, 'word'],
  [/^ppt\//, 'slides'],
  [/^Index(?:\/.*\.iwa|\.zip)$/, 'numbers'],
  [/^META-INF\/container\.xml$/, 'epub'],
  [/^(?:content\.xml|encrypted-package)$/, 'ods'],
  [/^_rels\/\.rels$/, 'xlsx'],
];

/** By the media type of a document of OpenDocument. */
const openDocuments: Table<Kind> = [
  [/^$|opendocument\.spreadsheet/, 'ods'],
  [/\.(?:base|database)/, 'database'],
  [/^/, 'openDocument'],
];
/** In bytes, of a media type, and of the list of the entries of a document. */
const [maxType, maxManifest] = [200, 2 ** 20];

/** The format of an archive by its entries. @throws {FileError} It is of another kind. */
export async function formatOfArchive(archive: ZipArchive): Promise<FormatName> {
  const { names } = archive;
  const found = entries.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1] ?? 'zip';
  if (found !== 'ods') return formatOf(found);
  if ((await archive.text('META-INF/manifest.xml', maxManifest)).includes('encryption-data'))
    return formatOf('locked');
  return formatOf(kindOf(await archive.text('mimetype', maxType), openDocuments) ?? found);
}

/** By the first line that is not empty. */
const firstLines: Table<Kind> = [
  [/^TY {0,2}- /, 'ris'],
  [/^@[ \t]*[A-Za-z]+[ \t]*(?:[{(]|$)/, 'bibtex'],
  [/^%[0-9A-Z] \S/, 'endnote'],
  [/^=(?:LDR|00[1-9]) {2}/, 'mrk'],
  [/^\/type\/\w+\t\/\w+\/OL\w+\t\d+\t/, 'openlibrary'],
  [/^PMID- \d/, 'pubmed'],
  [/^FN (?:Thomson|Clarivate|ISI)/, 'webOfScience'],
];

/** By a longer start, of XML. What no other row describes may have records of MARC deeper. */
const xmlStarts: Table<Kind> = [
  [/<(?:\w+:)?mods(?:Collection)?[\s>]/, 'mods'],
  [
    /<records>\s*<record>\s*<(?:database|source-app|rec-number|foreign-keys|contributors|titles)[\s>]|<ref-type[\s>]/,
    'endnote-xml',
  ],
  [/<\?mso-application|<(?:\w+:)?Workbook[\s>]/, 'excelXml'],
  [/<ONIXMessage/i, 'onix'],
  [/<Pubmed(?:Book)?Article/, 'pubmed'],
  [/<(?:!doctype\s+html|html|head|body|table|tr)[\s>]/i, 'html'],
  [/^<[?!A-Za-z]/, 'marcxml'],
];

/** A comment of BibTeX, or what databases write above RIS: a later line tells the format. */
const preamble = /^(?:%|Provider:|Database:|Content:)/;
const laterLines: Table<Kind> = [
  [/^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]/m, 'bibtex'],
  [/^TY {0,2}- /m, 'ris'],
];

/** A start that may be that of a list of ISBNs: its first two lines tell. */
const mayBeIsbns = /^[\dISBN"\s:X\p{Pd}]+$/iu;
/** In characters. */
const maxIsbns = 200;

/** In characters. What a longer start does not tell, is not told. */
const maxStart = 4096;

/**
 * The format of a text by its start; `more` if a longer start may tell it; `undefined` if it looks like no format but a table.
 *
 * @param start Begins with a character that is not white space.
 * @param isWhole Whether nothing follows.
 * @throws {FileError} It is of a kind that is not read.
 */
export function formatOfText(start: string, isWhole: boolean): FormatName | 'more' | undefined {
  if (/^[[{]/.test(start)) return start.startsWith('[') ? 'json' : 'ndjson';
  const [line = '', ...rest] = start.split(/[\r\n]/, 2);
  const isShort = !isWhole && start.length < maxStart;
  if (isShort && rest.length === 0) return 'more';
  if (mayBeIsbns.test(start) && !isWhole && start.length < maxIsbns) return 'more';
  if (isIsbnList(start)) return 'isbn';
  const byLine = kindOf(line, firstLines);
  const needsMore = byLine === undefined && (start.startsWith('<') || preamble.test(line));
  if (isShort && needsMore) return 'more';
  const found = needsMore ? kindOf(start, start.startsWith('<') ? xmlStarts : laterLines) : byLine;
  return found && formatOf(found);
}

function kindOf(text: string, table: Table<Kind>): Kind | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}

/** @throws {FileError} It is of a kind that is not read. */
export function formatOf(kind: Kind): FormatName {
  if (isOtherKind(kind)) throw new FileError({ code: 'otherKind', kind });
  return kind;
}
