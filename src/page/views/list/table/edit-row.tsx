import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { fieldNames, fields } from '../../../../catalogue/fields.ts';
import { saveEditing, stopEditing, typeInto, type Editing } from '../../../state/editing/editing.ts';
import { describeError, texts } from '../../../texts/current.ts';
import { IconButton } from '../../../ui/button.tsx';
import { showSaved } from '../../../ui/undo.ts';
import { isField, type Column } from './columns.ts';

interface Props {
  readonly now: Editing;
  readonly row: number;
  readonly columns: readonly Column[];
  /** The field that gets the focus when the editing begins. */
  readonly focus: { column: Column | undefined };
}

/** A row that is edited in its place: Enter saves, Escape cancels, Tab moves. */
export function EditRow({ now, row, columns, focus }: Props): JSX.Element {
  const element = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => {
    if (focus.column === undefined) return; // It was scrolled back into view.
    element.current?.querySelector<HTMLInputElement>(`input[name=${focus.column}]`)?.select();
    focus.column = undefined;
  }, []);
  const save = () => {
    showSaved(saveEditing());
  };
  const problem =
    now.wrong !== undefined ? texts.changing.wholeNumber : now.error && describeError(now.error);
  return (
    <tr
      ref={element}
      role="row"
      aria-rowindex={row + 2}
      class="editing"
      aria-busy={now.isSaving}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) save();
        else if (event.key === 'Escape') stopEditing();
        else return;
        event.preventDefault();
      }}
    >
      {columns.map((column) => (
        <td
          key={column}
          role="gridcell"
          class={`cell ${column} ${isField(column) ? fields[column].type : 'control'}`}
        >
          {isField(column) && (
            <input
              name={column}
              dir="auto"
              autocomplete="off"
              aria-label={texts.fields[column]}
              aria-invalid={now.wrong === column}
              aria-describedby={problem === undefined ? undefined : 'edit-problem'}
              inputmode={fields[column].type === 'integer' ? 'numeric' : 'text'}
              value={now.draft[column]}
              readOnly={now.isSaving}
              onInput={(event) => {
                typeInto(column, event.currentTarget.value);
              }}
            />
          )}
          {column === fieldNames[0] && problem !== undefined && (
            <p id="edit-problem" class="problem row-problem" role="alert">
              {problem}
            </p>
          )}
          {column === 'edit' && <IconButton icon="check" label={texts.save} onClick={save} />}
          {column === 'delete' && <IconButton icon="close" label={texts.cancel} onClick={stopEditing} />}
        </td>
      ))}
    </tr>
  );
}
