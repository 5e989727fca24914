// Finds which column of a file has which field of a book, by its header or the choice of the user.
import { fieldNames, type FieldName } from '../catalogue/fields.ts';
import { foldText } from '../catalogue/fold.ts';
import { revisionColumn } from '../formats/csv.ts';
import { FileError } from '../formats/problems.ts';
import type { Start } from './row.ts';

/** The columns that say which book a row stands for. */
export const keyColumns = ['id', revisionColumn] as const;

/** The columns that a user chose, by field: by name, or in CSV by place; `null`: none. */
export type Chosen = Partial<Record<FieldName, string | number | null>>;

/** Where a field is found in a file. */
export interface Column {
  /** The name as the file spells it. */
  name: string;
  /** The place in a CSV row, counted from 0. */
  at: number;
  /** The place of the column that fills empty cells. */
  instead?: number;
  /** What separates the elements of its cells, if they are lists. */
  separator?: string;
}

export type Mapping = Partial<Record<FieldName, Column>>;

/** The maximum number of columns of a sheet. */
export const maxColumns = 16_384;

/**
 * Finds the columns that are present: those that the user chose, else those with known headers.
 *
 * @throws {FileError} There are too many: reading their names would take minutes.
 */
export function findColumns(header: readonly string[], chosen: Chosen): Mapping {
  if (header.length > maxColumns) throw new FileError({ code: 'tooManyColumns', max: maxColumns });
  const folded = header.map(foldText);
  const mapping: Mapping = {};
  for (const name of fieldNames) {
    const at = findColumn(header, folded, name, chosen[name]);
    if (at < 0) continue;
    const { fallbackHeaders, separators } = importHeaders[name];
    const key = folded[at] ?? '';
    const instead = folded.indexOf(fallbackHeaders?.[key] ?? '\0');
    const separator = separators?.[key];
    mapping[name] = {
      name: header[at] ?? '',
      at,
      ...(instead >= 0 && { instead }),
      ...(separator !== undefined && { separator }),
    };
  }
  return mapping;
}

/** The columns of a table that no field comes from. Those without a name do not count. */
export function unusedColumns({ mapping, header = [] }: Pick<Start, 'mapping' | 'header'>): string[] {
  const used = fieldNames.flatMap((field) =>
    [mapping[field]?.at ?? [], mapping[field]?.instead ?? []].flat(),
  );
  return header.filter((name, at) => !used.includes(at) && name.trim() !== '');
}

/** The text of a cell. The elements of a list are joined by semicolons: names such as `Austen, Jane` have commas. */
export function cellOf(text: string, column: Column | undefined): string {
  if (column?.separator === undefined) return text;
  const elements = text.split(column.separator).map((element) => element.trim());
  return elements.filter((element) => element !== '').join('; ');
}

function findColumn(
  header: readonly string[],
  folded: readonly string[],
  name: FieldName,
  wanted: string | number | null | undefined,
): number {
  if (wanted === undefined) {
    const { headers } = importHeaders[name];
    return folded.indexOf(headers.find((each) => folded.includes(each)) ?? '\0');
  }
  if (typeof wanted !== 'string') return wanted === null || wanted >= header.length ? -1 : wanted;
  // Prefers the exact spelling; else ignores case, accents and punctuation.
  return header.includes(wanted) ? header.indexOf(wanted) : folded.indexOf(foldText(wanted) || '\0');
}

/** Where an import finds a field. */
interface Headers {
  /** The column headers, best first, in lower case without accents and punctuation. */
  readonly headers: readonly string[];
  /** Headers whose empty cells are filled from the column with another header, if both are present. */
  readonly fallbackHeaders?: Readonly<Record<string, string>>;
  /** Headers whose cells are lists, with what separates their elements. */
  readonly separators?: Readonly<Record<string, string>>;
}

/**
 * The column headers of imports.
 *
 * They are those of spreadsheets in English, German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Polish, Czech,
 * Russian, Ukrainian, Romanian, Hungarian, Turkish and Greek, and of the exports of Goodreads, LibraryThing, calibre, goodbooks,
 * BookWyrm, Openreads, StoryGraph, Hardcover, Libib, Book Catalogue, Jelu, Koha and Open Library.
 */
const titleHeaders = (
  'title, book title, full title, original title, name, book name, titel, buchtitel, titre, titulo, ' +
  'titolo, tytul, titlu, название, заглавие, назва, заголовок, nazev, cim, baslik, kitap adi, τιτλοσ'
).split(', ');

const authorHeaders = (
  'authors, author, author text, author name, author names, author details, book author, primary ' +
  'author, main author, author s, author first last, author last first, writer, writers, creators, ' +
  'creator, autor, autoren, autor in, autor innen, verfasser, verfasser in, auteur, auteurs, auteur s, ' +
  'autores, autor es, autore, autori, autorzy, автор, авторы, автор ы, автори, schrijver, forfattare, ' +
  'szerzo, szerzok, yazar, yazarlar, συγγραφεασ, author l f, author sort'
).split(', ');

const yearHeaders = (
  'year, original publication year, first publish year, year first published, original year, ' +
  'publication year, publicationyear, year published, copyrightdate, copyright, copyright year, ' +
  'copyright date, published, year of publication, publish year, release year, publisheddate, published ' +
  'date, publish date, date published, publicationdate, pubdate, pub date, publication date, date of ' +
  'publication, release date, date, jahr, erscheinungsjahr, erscheinungsdatum, veroffentlichungsjahr, ' +
  'annee, annee de publication, annee de parution, date de publication, date de parution, ano, ano de ' +
  'publicacion, ano de edicion, ano de publicacao, ano de edicao, fecha de publicacion, data de ' +
  'publicacao, anno, anno di pubblicazione, data di pubblicazione, rok, rok wydania, rok vydani, год, ' +
  'год издания, год публикации, дата издания, рік, рік видання, an, anul, anul aparitiei, an aparitie, ' +
  'anul publicarii, jaar, jaar van uitgave, publicatiejaar, verschijningsjaar, ar, utgivningsar, ev, ' +
  'kiadas eve, megjelenes eve, yil, yayin yili, basim yili, ετοσ, ετοσ εκδοσησ'
).split(', ');

/** The column headers of each field. */
export const importHeaders: Readonly<Record<FieldName, Headers>> = {
  title: { headers: titleHeaders },
  author: { headers: authorHeaders, separators: { 'author details': '|' } },
  // Goodreads leaves the first empty where it does not know it; the second is the year of the edition.
  year: { headers: yearHeaders, fallbackHeaders: { 'original publication year': 'year published' } },
};
