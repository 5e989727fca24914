import { yearOf } from '../text/year.ts';
import { cleanText } from './isbd.ts';
import { subfield, type MarcRecord } from './marc-record.ts';

/** Reads the year of publication: date 1 of field 008; where it has none or not all digits, 046, 264 or 260. */
export function readYear({ control, data }: MarcRecord): number {
  const fixed = control.get('008')?.slice(7, 11) ?? '';
  if (/^[0-9]{4}$/.test(fixed) && fixed !== '9999' && fixed !== '0000') return Number(fixed);
  const special = data.find(({ tag }) => tag === '046');
  const beforeChrist = /^[0-9]{1,4}$/.exec(subfield(special, 'b').trim())?.[0];
  if (beforeChrist !== undefined) return -Number(beforeChrist);
  const publications = data.filter(({ tag }) => tag === '264' || tag === '260');
  // The second indicator of 264 tells a publication (1) from a production, a manufacture and a copyright.
  const ranked = publications.toSorted((a, b) => rank(a.tag + a.indicators) - rank(b.tag + b.indicators));
  return (
    ranked
      .map((field) => yearOf(cleanText(subfield(field, 'c')).replace(/[.,;]$/, '')))
      .find((year) => year !== 0) ?? 0
  );
}

function rank(field: string): number {
  return /^264.1/.test(field) ? 0 : field.startsWith('260') ? 1 : 2;
}
