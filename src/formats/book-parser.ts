import type { FieldName } from '../catalogue/fields.ts';
import type { FormatName } from './file-formats.ts';
import type { BookParser } from './parsed-book.ts';

/** The formats that a {@link BookParser} reads. The others have columns or members that a user may choose. */
const parsedFormats = ['ris', 'bibtex', 'marcxml', 'marc'] as const;
export type ParsedFormat = (typeof parsedFormats)[number];

export function isParsedFormat(format: FormatName | undefined): format is ParsedFormat {
  return parsedFormats.some((each) => each === format);
}

/** A parser, of bytes or of text. Its code is loaded when a file needs it. */
export type AnyParser = { bytes: BookParser<Uint8Array> } | { text: BookParser<string> };

export async function createBookParser(format: ParsedFormat): Promise<AnyParser> {
  switch (format) {
    case 'ris':
      return { text: new (await import('./ris/ris-parser.ts')).RisParser() };
    case 'bibtex':
      return { text: new (await import('./bibtex/bibtex-parser.ts')).BibtexParser() };
    case 'marcxml':
      return { text: new (await import('./marc/marcxml-parser.ts')).MarcXmlParser() };
    case 'marc':
      return { bytes: new (await import('./marc/iso2709-parser.ts')).Iso2709Parser() };
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
