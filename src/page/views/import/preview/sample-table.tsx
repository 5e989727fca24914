import type { JSX } from 'preact';
import { fieldNames, fields } from '../../../../catalogue/fields.ts';
import type { Mapping } from '../../../../import/columns.ts';
import { cellOf, readRow } from '../../../state/importing/rows.ts';
import type { Table, TableRow } from '../../../state/importing/reading/table.ts';
import { texts } from '../../../texts/current.ts';
import { FieldText } from '../../../ui/controls.tsx';
import { describeReason, shown } from '../describe.ts';

/** The number of rows that are shown. */
const maxRows = 6;

/** The first rows as the books that they will be. */
export function SampleTable({ table, mapping }: { table: Table; mapping: Mapping }): JSX.Element {
  const rows = table.rows.slice(0, maxRows);
  return (
    <table class="sample">
      <caption>{texts.importing.first(rows.length)}</caption>
      <thead>
        <tr>
          {fieldNames.map((name) => (
            <th key={name} scope="col" class={fields[name].type}>
              {texts.fields[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <SampleRow key={row.line} row={row} mapping={mapping} />
        ))}
      </tbody>
    </table>
  );
}

function SampleRow({ row, mapping }: { row: TableRow; mapping: Mapping }): JSX.Element {
  const read = readRow(row, mapping);
  if ('reason' in read)
    return (
      <tr class="refused">
        <td colSpan={fieldNames.length}>
          <bdi dir="auto">{shown(cellOf(row, mapping, 'title'))}</bdi>
          <span class="problem">{describeReason(read.reason)}</span>
        </td>
      </tr>
    );
  return (
    <tr>
      {fieldNames.map((name) => (
        <td key={name} class={fields[name].type}>
          <FieldText name={name} book={read.fields} />
        </td>
      ))}
    </tr>
  );
}
