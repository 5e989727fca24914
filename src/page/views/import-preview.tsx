import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { fieldNames, nameField } from '../../catalogue/fields.ts';
import type { Mapping } from '../../import/columns.ts';
import { duplicateChoices, type OnDuplicate } from '../../import/write-chunk.ts';
import { chooseColumn, chooseDuplicates, startImport, startOver, type Preview } from '../state/import.ts';
import { texts } from '../texts/current.ts';
import { BookList, Button, ChoiceLines } from '../ui/controls.tsx';
import { Callout, RejectedRows, StepHeading } from './import-parts.tsx';

const { importing } = texts;

/** Shows what will be imported, before anything is. */
export function PreviewStep({ source, found, isReading, onDuplicate }: Preview): JSX.Element {
  const { done, added, rejected, columns, mapping, samples, problem } = found;
  const hasTitle = columns === undefined || mapping[nameField] !== undefined;
  const canStart = hasTitle && !isReading && added > 0;
  return (
    <section class="step" aria-busy={isReading}>
      <StepHeading>{importing.preview}</StepHeading>
      <p class="hint">
        <bdi dir="auto">{importing.source(source.name, done)}</bdi>
      </p>
      {problem !== undefined && <Callout title={importing.readInPart}>{problem}</Callout>}
      {columns !== undefined && <MappingFields columns={columns} mapping={mapping} />}
      <p class="problem" role="alert">
        {hasTitle ? '' : importing.noTitle}
      </p>
      {hasTitle && samples.length > 0 && (
        <BookList class="sample" caption={importing.first(samples.length)} books={samples} />
      )}
      {hasTitle && rejected > 0 && (
        <details class="rejected-rows">
          <summary>{importing.notBooks(rejected)}</summary>
          <RejectedRows {...found} />
        </details>
      )}
      {hasTitle && <DuplicateChoice chosen={onDuplicate} />}
      <div class="buttons start">
        <Button look="primary" aria-disabled={!canStart} onClick={canStart ? startImport : undefined}>
          {importing.start(hasTitle ? added : done)}
        </Button>
        <Button onClick={startOver}>{importing.discard}</Button>
      </div>
    </section>
  );
}

interface Props {
  readonly columns: readonly string[];
  readonly mapping: Mapping;
}

/** For each field, the column that it is taken from. */
function MappingFields({ columns, mapping }: Props): JSX.Element {
  const id = useId();
  return (
    <fieldset class="mapping">
      <legend>{importing.columns}</legend>
      {fieldNames.map((name) => (
        <div class="field" key={name}>
          <label for={`${id}-${name}`}>{texts.fields[name]}</label>
          <select
            id={`${id}-${name}`}
            value={String(mapping[name]?.at ?? '')}
            onChange={(event) => {
              const { value } = event.currentTarget;
              chooseColumn(name, value === '' ? undefined : Number(value));
            }}
          >
            <option value="">{importing.none}</option>
            {columns.map((column, at) => (
              <option key={at} value={String(at)}>
                {column.trim() === '' ? importing.column(at + 1) : column}
              </option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  );
}

/** What to do with books that the catalogue has already. */
function DuplicateChoice({ chosen }: { chosen: OnDuplicate }): JSX.Element {
  const id = useId();
  return (
    <fieldset class="choice" aria-describedby={`${id}-hint`}>
      <legend>{importing.duplicates}</legend>
      <p id={`${id}-hint`} class="hint">
        {importing.same}
      </p>
      <ChoiceLines
        names={duplicateChoices}
        texts={importing.choices}
        chosen={chosen}
        onChoose={chooseDuplicates}
      />
    </fieldset>
  );
}
