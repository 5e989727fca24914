import { isObject, type Json } from './csl.ts';
import { type DataField, readMarcRecord } from './marc.ts';
import type { ReadRecord } from './record.ts';

/** Whether a JSON value is a record of MARC-in-JSON (https://github.com/marc4j/marc4j/wiki/MARC-in-JSON-Description). */
export function isMarcJson(value: Json): boolean {
  return typeof value.leader === 'string' && Array.isArray(value.fields);
}

/** Reads a record of MARC-in-JSON: its fields are objects with one member, the tag. */
export function readMarcJson({ leader, fields }: Json): ReadRecord {
  const control = new Map<string, string>();
  const data: DataField[] = [];
  for (const [tag, field] of entriesOf(fields)) {
    if (typeof field === 'string') control.set(tag, field);
    else if (isObject(field)) {
      const subfields = entriesOf(field.subfields).flatMap(([code, value]) =>
        typeof value === 'string' ? [[code, value] as const] : [],
      );
      const [first, second] = [field.ind1, field.ind2].map((each) => (typeof each === 'string' ? each : ''));
      data.push({ tag, indicators: (first ?? '').padEnd(1) + (second ?? '').padEnd(1), subfields });
    }
  }
  return readMarcRecord({ leader: String(leader), control, data });
}

/** The members of the objects in an array. */
function entriesOf(value: unknown): [string, unknown][] {
  return Array.isArray(value) ? value.flatMap((each) => (isObject(each) ? Object.entries(each) : [])) : [];
}
