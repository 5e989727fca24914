import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { fieldNames } from '../../../../catalogue/fields.ts';
import type { Mapping } from '../../../../import/columns.ts';
import { mapField } from '../../../state/importing/job.ts';
import { texts } from '../../../texts/current.ts';

interface Props {
  readonly columns: readonly string[];
  readonly mapping: Mapping;
}

/** For each field, the column that it is taken from. */
export function MappingFields({ columns, mapping }: Props): JSX.Element {
  const id = useId();
  return (
    <fieldset class="mapping">
      <legend>{texts.importing.columns}</legend>
      {fieldNames.map((name) => (
        <div class="field" key={name}>
          <label for={`${id}-${name}`}>{texts.fields[name]}</label>
          <select
            id={`${id}-${name}`}
            value={String(mapping[name]?.at ?? '')}
            onChange={(event) => {
              const { value } = event.currentTarget;
              mapField(name, value === '' ? undefined : Number(value));
            }}
          >
            <option value="">{texts.importing.none}</option>
            {columns.map((column, at) => (
              <option key={at} value={String(at)}>
                {column.trim() === '' ? texts.importing.column(at + 1) : column}
              </option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  );
}
