import type { JSX } from 'preact';
import type { Table } from '../../../state/importing/reading/table.ts';
import type { Rejected } from '../../../state/importing/rows.ts';
import { texts } from '../../../texts/current.ts';
import { describeReason, shown } from '../describe.ts';

const { importing } = texts;

/** A longer list would make the page slow; the file has all. */
const maxShown = 50;

/** Rows that are not imported, each with its place and the reason. */
export function RejectedRows({
  rejected,
  unit,
}: {
  rejected: readonly Rejected[];
  unit: Table['unit'];
}): JSX.Element {
  const isCut = rejected.length > maxShown;
  return (
    <>
      {isCut && <p class="hint">{importing.firstOf(maxShown, rejected.length)}</p>}
      <ul class="rows rejects">
        {rejected.slice(0, maxShown).map(({ row, reason }) => (
          <li key={row.line} class="reject">
            <span class="reject-line">{importing[unit](row.line)}</span>
            <span class="reject-reason">{describeReason(reason)}</span>
            <bdi class="reject-cells" dir="auto">
              {row.cells.map(shown).filter(Boolean).join(' · ')}
            </bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
