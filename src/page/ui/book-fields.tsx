import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { authorField, type FieldName, fieldNames, fields, suggestedFields } from '../../catalogue/fields.ts';
import type { Draft } from '../state/editing.ts';
import { client } from '../state/service.ts';
import { texts } from '../texts/current.ts';
import { Combobox, type Option } from './combobox.tsx';

/** Suggests authors, each with the number of its books. */
export async function findAuthors(typed: string, signal: AbortSignal): Promise<readonly Option[]> {
  const found = await client.suggest(authorField, typed, { signal });
  return found.map(({ value, count }) => ({ value, note: texts.number(count) }));
}

interface Props {
  readonly draft: Draft;
  /** The field whose text is not a value, or is missing. */
  readonly wrong: FieldName | undefined;
  /** The field that has the focus at first. */
  readonly first?: FieldName | undefined;
  readonly onType: (name: FieldName, text: string) => void;
}

/** The fields of a book as a form has them, in the order of the table of fields. */
export function BookFieldInputs({ draft, wrong, first = fieldNames[0], onType }: Props): JSX.Element {
  const id = useId();
  return (
    <>
      {fieldNames.map((name) => {
        const label = texts.fields[name];
        const type = (text: string) => {
          onType(name, text);
        };
        if (name === authorField && suggestedFields.includes(name))
          return (
            <Combobox
              key={name}
              name={name}
              autofocus={name === first}
              label={label}
              value={draft[name]}
              onInput={type}
              onChoose={type}
              find={findAuthors}
            />
          );
        const isInteger = fields[name].type === 'integer';
        return (
          <div class={`field ${name}`} key={name}>
            <label for={`${id}-${name}`}>{label}</label>
            <input
              id={`${id}-${name}`}
              name={name}
              dir="auto"
              autocomplete="off"
              autofocus={name === first}
              inputmode={isInteger ? 'numeric' : 'text'}
              value={draft[name]}
              aria-invalid={wrong === name}
              aria-describedby={wrong === name ? `${id}-wrong` : undefined}
              onInput={(event) => {
                type(event.currentTarget.value);
              }}
            />
            {wrong === name && (
              <p class="problem" id={`${id}-wrong`} role="alert">
                {isInteger ? texts.changing.wholeNumber : texts.changing.enterTitle}
              </p>
            )}
          </div>
        );
      })}
    </>
  );
}
