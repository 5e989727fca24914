import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { fieldNames, fields, nameField } from '../../catalogue/fields.ts';
import type { ColumnPart } from '../../import/column-parts.ts';
import { duplicateChoices } from '../../import/write-chunk.ts';
import {
  chooseColumn,
  chooseDuplicates,
  chooseEncoding,
  chooseHeadless,
  chooseMatch,
  chooseSheet,
  chooseTotal,
  startImport,
  startOver,
  type Preview,
} from '../state/import.ts';
import type { Outcome } from '../state/import-file.ts';
import { texts } from '../texts/current.ts';
import { BookList, Button, Choice, FieldHeads, FieldText } from '../ui/controls.tsx';
import { Callout, FormatChoice, ListedRows, SelectField, StepHeading } from './import-parts.tsx';

const { importing } = texts;

/** Shows what will be imported, before anything is. */
export function PreviewStep({ source, found, isMatched, isReading, onDuplicate }: Preview): JSX.Element {
  const { done, added, updated, rejected, noted, columns, places, samples, changes, problem, unused } = found;
  const hasTitle = isMatched || columns === undefined || places[nameField].length > 0;
  const canStart = hasTitle && !isReading && found.readings.length === 0 && added + updated > 0;
  return (
    <section class="step" aria-busy={isReading}>
      <StepHeading>{importing.preview}</StepHeading>
      <p class="hint">
        <bdi dir="auto">{importing.source(source.name, done)}</bdi>
      </p>
      {problem !== undefined && <Callout title={importing.readInPart}>{problem}</Callout>}
      <div class="readings">
        <FormatChoice source={source} />
        {found.sheets.length > 1 && <SheetChoice {...found} />}
        {found.encoding !== undefined && <EncodingChoice {...found} encoding={found.encoding} />}
      </div>
      {found.isExport && (
        <Choice
          legend={importing.match}
          {...(!found.hasRevisions && { hint: importing.noRevisions })}
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
      {(found.hasTotal || source.keepsTotal === true) && (
        <Choice
          legend={importing.total}
          names={['total', 'book']}
          texts={importing.totals}
          chosen={source.keepsTotal === true ? 'book' : 'total'}
          onChoose={(name) => {
            chooseTotal(name === 'book');
          }}
        />
      )}
      {found.headerLine !== undefined && <p class="hint">{importing.headerLine(found.headerLine)}</p>}
      {columns !== undefined && (
        <MappingFields columns={columns} places={places} isHeadless={source.isHeadless} />
      )}
      {hasTitle && unused.length > 0 && source.isHeadless !== true && (
        <p class="hint">{importing.unused(unused)}</p>
      )}
      <p class="problem" role="alert">
        {hasTitle ? '' : importing.noTitle}
      </p>
      {hasTitle && changes.length > 0 && <ChangeList changes={changes} />}
      {hasTitle && changes.length === 0 && samples.length > 0 && (
        <BookList class="sample" caption={importing.first(samples.length)} books={samples} />
      )}
      {hasTitle && rejected > 0 && (
        <details class="rejected-rows">
          <summary>{importing.notBooks(rejected)}</summary>
          <ListedRows all={rejected} rows={found.rejects} />
        </details>
      )}
      {hasTitle && noted > 0 && (
        <details class="noted-rows">
          <summary>{importing.toCheck(noted)}</summary>
          <ListedRows all={noted} rows={found.notes} />
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
              : importing.startMatched(updated, added)}
        </Button>
        <Button onClick={startOver}>{importing.discard}</Button>
      </div>
    </section>
  );
}

/** The first books that would change, with the old and the new value of each cell. */
function ChangeList({ changes }: Pick<Outcome, 'changes'>): JSX.Element {
  return (
    <table class="sample">
      <caption>{importing.firstChanges(changes.length)}</caption>
      <FieldHeads />
      <tbody>
        {changes.map(({ now, patch }) => (
          <tr key={now.id}>
            {fieldNames.map((name) => (
              <td key={name} class={`${fields[name].type} ${name in patch ? 'changed' : ''}`}>
                {name in patch && (
                  <>
                    <del>
                      <span class="visually-hidden">{importing.before} </span>
                      <FieldText name={name} book={now} />
                    </del>{' '}
                    <span class="visually-hidden">{importing.after} </span>
                  </>
                )}
                <FieldText name={name} book={{ ...now, ...patch }} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Props = Pick<Outcome, 'places'> & {
  readonly columns: readonly string[];
  readonly isHeadless: boolean | undefined;
};

/** A column that can be chosen: of a part of a book, the one at an index. */
type Slot = readonly [part: ColumnPart, index: number, label: string];

/** `Author 2` */
const nth = (name: string, n: number) => (n === 1 ? name : `${name} ${n}`);

/** Each of many lists of more columns would make the page slow. */
const maxColumnsOfMany = 500;

/** For each field, the column that it is taken from, or the columns. */
function MappingFields({ columns, places, isHeadless }: Props): JSX.Element {
  const main = fieldNames.map((name): Slot => [name, 0, texts.fields[name]]);
  const { author, firstName, lastName } = places;
  const ofParts = (part: 'lastName' | 'firstName', count: number) =>
    Array.from({ length: count }, (_, i): Slot => [part, i, nth(importing.parts[part], i + 1)]);
  const persons = Math.max(1, firstName.length, lastName.length);
  const more: Slot[] = [
    ['subtitle', 0, importing.parts.subtitle],
    ['volume', 0, importing.parts.volume],
    ...author.map((_, i): Slot => ['author', i + 1, nth(texts.fields.author, i + 2)]),
    ...ofParts('lastName', persons),
    ...ofParts('firstName', persons),
  ];
  const isUsed = more.some(([part, index]) => places[part][index] !== undefined);
  const fieldOf = ([part, index, label]: Slot) => (
    <ColumnField key={label} {...{ columns, isHeadless, part, index, label }} at={places[part][index]} />
  );
  return (
    <fieldset class="mapping">
      <legend>{importing.columns}</legend>
      {main.map(fieldOf)}
      {columns.length <= maxColumnsOfMany && (
        <details class="more-columns" open={isUsed}>
          <summary>{importing.moreColumns}</summary>
          <div class="mapping">{more.map(fieldOf)}</div>
        </details>
      )}
    </fieldset>
  );
}

interface FieldProps {
  readonly columns: readonly string[];
  readonly isHeadless: boolean | undefined;
  readonly part: ColumnPart;
  readonly index: number;
  readonly label: string;
  readonly at: number | undefined;
}

function ColumnField({ columns, isHeadless, part, index, label, at }: FieldProps): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={String(at ?? '')}
        onChange={(event) => {
          const { value } = event.currentTarget;
          chooseColumn(part, index, value === '' ? undefined : Number(value));
        }}
      >
        <option value="">{importing.none}</option>
        {columns.map((column, place) => (
          <option key={place} value={String(place)}>
            {column.trim() === '' || isHeadless ? importing.column(place + 1) : column}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Which sheet of a workbook is imported. */
function SheetChoice({ sheets, sheet }: Outcome): JSX.Element {
  return (
    <SelectField
      label={importing.sheet}
      value={sheet}
      options={sheets.map((name) => [name, name] as const)}
      onChoose={chooseSheet}
    />
  );
}

interface EncodingProps extends Pick<Outcome, 'readings' | 'encodings'> {
  readonly encoding: string;
}

/** Which encoding a text has. Where several are plausible, each shows a line, and one must be chosen. */
function EncodingChoice({ encoding, readings, encodings }: EncodingProps): JSX.Element {
  const named = new Set(readings.map((reading) => reading.encoding));
  const others = [...new Set([encoding, ...encodings])].filter((name) => !named.has(name));
  const isUncertain = readings.length > 0;
  return (
    <SelectField
      label={importing.encoding}
      value={isUncertain ? '' : encoding}
      options={[
        ...(isUncertain ? [['', importing.chooseEncoding] as const] : []),
        ...readings.map((each) => [each.encoding, `${each.sample} (${each.encoding})`] as const),
        ...others.map((name) => [name, name] as const),
      ]}
      onChoose={(value) => {
        if (value !== '') chooseEncoding(value);
      }}
    >
      {isUncertain && <p class="hint">{importing.uncertainEncoding}</p>}
    </SelectField>
  );
}
