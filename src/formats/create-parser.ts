import type { ParsedFormat } from './file-formats.ts';
import type { DecodeField } from './iso2709.ts';
import type { BookParser } from './record.ts';

/**
 * Creates the parser of a format: of bytes for MARC21, else of text. Its code is loaded when a file needs it.
 *
 * @param decode Of records of MARC21 that are not UTF-8.
 */
export async function createBookParser(
  format: ParsedFormat,
  decode?: DecodeField,
): Promise<BookParser<Uint8Array> | BookParser<string>> {
  switch (format) {
    case 'ris':
    case 'endnote':
      return new (await import('./ris.ts')).RisParser(format);
    case 'bibtex':
      return new (await import('./bibtex.ts')).BibtexParser();
    case 'marcxml':
      return new (await import('./marcxml.ts')).MarcXmlParser();
    case 'mods':
    case 'endnote-xml':
      return new (await import('./xml-records.ts')).XmlRecordParser(format);
    case 'marc':
      return new (await import('./iso2709.ts')).Iso2709Parser(decode);
    case 'mrk':
      return new (await import('./mrk.ts')).MrkParser();
  }
}
