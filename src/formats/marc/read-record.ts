import { fillFields } from '../../catalogue/book.ts';
import { noTitle, type ReadRecord } from '../parsed-book.ts';
import { readAuthors } from './authors.ts';
import { subfield, type DataField, type MarcRecord } from './marc-record.ts';
import { readTitle } from './title.ts';
import { readYear } from './year.ts';

/** Reads a record of MARC21. */
export function readMarcRecord(record: MarcRecord): ReadRecord {
  if (record.leader[5] === 'd') return { reason: 'it is marked as deleted' };
  const field = findTitle(record.data);
  const title = field === undefined ? '' : readTitle(field, record.leader);
  if (title !== '')
    return { fields: fillFields({ title, author: readAuthors(record), year: readYear(record) }) };
  const isUnimarc =
    field === undefined && record.data.some((each) => each.tag === '200' && subfield(each, 'a'));
  return {
    reason: isUnimarc ? `${noTitle} in field 245; UNIMARC is not supported` : `${noTitle} (field 245)`,
  };
}

/** The title; where it is only in the script of the book, the field that is linked to 245. */
function findTitle(data: readonly DataField[]): DataField | undefined {
  return (
    data.find(({ tag }) => tag === '245') ??
    data.find((field) => field.tag === '880' && subfield(field, '6').startsWith('245'))
  );
}
