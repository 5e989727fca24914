import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { fieldNames, nameField } from '../../catalogue/fields.ts';
import type { Mapping } from '../../import/columns.ts';
import { duplicateChoices } from '../../import/write-chunk.ts';
import {
  chooseColumn,
  chooseDuplicates,
  chooseHeadless,
  chooseMatch,
  chooseSheet,
  startImport,
  startOver,
  type Preview,
} from '../state/import.ts';
import type { Outcome } from '../state/import-file.ts';
import { texts } from '../texts/current.ts';
import { BookList, Button, Choice } from '../ui/controls.tsx';
import { Callout, RejectedRows, StepHeading } from './import-parts.tsx';

const { importing } = texts;

/** Shows what will be imported, before anything is. */
export function PreviewStep({ source, found, isMatched, isReading, onDuplicate }: Preview): JSX.Element {
  const { done, added, updated, rejected, columns, mapping, samples, problem, unused } = found;
  const hasTitle = isMatched || columns === undefined || mapping[nameField] !== undefined;
  const canStart = hasTitle && !isReading && added + updated > 0;
  return (
    <section class="step" aria-busy={isReading}>
      <StepHeading>{importing.preview}</StepHeading>
      <p class="hint">
        <bdi dir="auto">{importing.source(source.name, done)}</bdi>
      </p>
      {problem !== undefined && <Callout title={importing.readInPart}>{problem}</Callout>}
      {found.sheets.length > 1 && <SheetChoice {...found} />}
      {found.isExport && (
        <Choice
          legend={importing.match}
          names={['change', 'add']}
          texts={importing.matches}
          chosen={isMatched ? 'change' : 'add'}
          onChoose={(name) => {
            chooseMatch(name === 'change');
          }}
        />
      )}
      {found.looksHeadless && (
        <Choice
          legend={importing.headless}
          names={['book', 'names']}
          texts={importing.firstRow}
          chosen={source.isHeadless === true ? 'book' : 'names'}
          onChoose={(name) => {
            chooseHeadless(name === 'book');
          }}
        />
      )}
      {columns !== undefined && (
        <MappingFields columns={columns} mapping={mapping} isHeadless={source.isHeadless} />
      )}
      {hasTitle && unused.length > 0 && source.isHeadless !== true && (
        <p class="hint">{importing.unused(unused)}</p>
      )}
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
      {isMatched && <p role="status">{isReading ? importing.comparing : importing.matched(found)}</p>}
      {hasTitle && !isMatched && (
        <Choice
          legend={importing.duplicates}
          hint={importing.same}
          names={duplicateChoices}
          texts={importing.choices}
          chosen={onDuplicate}
          onChoose={chooseDuplicates}
        />
      )}
      <div class="buttons start">
        <Button look="primary" aria-disabled={!canStart} onClick={canStart ? startImport : undefined}>
          {!isMatched
            ? importing.start(hasTitle ? added : done)
            : isReading
              ? texts.many.change
              : importing.startMatched(updated + added)}
        </Button>
        <Button onClick={startOver}>{importing.discard}</Button>
      </div>
    </section>
  );
}

interface Props {
  readonly columns: readonly string[];
  readonly mapping: Mapping;
  readonly isHeadless: boolean | undefined;
}

/** For each field, the column that it is taken from. */
function MappingFields({ columns, mapping, isHeadless }: Props): JSX.Element {
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
                {column.trim() === '' || isHeadless ? importing.column(at + 1) : column}
              </option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  );
}

/** Which sheet of a workbook is imported. */
function SheetChoice({ sheets, sheet }: Outcome): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{importing.sheet}</label>
      <select
        id={id}
        value={sheet}
        onChange={(event) => {
          chooseSheet(event.currentTarget.value);
        }}
      >
        {sheets.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
