import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { nameField } from '../../../../catalogue/fields.ts';
import { startOver, type Preview } from '../../../state/importing/job.ts';
import { findRejected, type Rejected } from '../../../state/importing/rows.ts';
import { startImport } from '../../../state/importing/run.ts';
import { texts } from '../../../texts/current.ts';
import { Button } from '../../../ui/controls.tsx';
import { RejectedRows } from '../rejected/rejected-rows.tsx';
import { StepHeading } from '../step-heading.tsx';
import { DuplicateChoice } from './duplicate-choice.tsx';
import { MappingFields } from './mapping-fields.tsx';
import { SampleTable } from './sample-table.tsx';

const { importing } = texts;

/** Shows what will be imported, before anything is. */
export function PreviewStep(preview: Preview): JSX.Element {
  const { name, table, mapping, onDuplicate } = preview;
  const rejected = useRejected(preview);
  const hasTitle = mapping[nameField] !== undefined;
  const count = table.rows.length - rejected.length;
  const canStart = hasTitle && count > 0;
  return (
    <section class="step">
      <StepHeading>{importing.preview}</StepHeading>
      <p class="hint">
        <bdi dir="auto">{importing.source(name, table.rows.length)}</bdi>
      </p>
      <MappingFields columns={table.columns} mapping={mapping} />
      <p class="problem" role="alert">
        {hasTitle ? '' : importing.noTitle}
      </p>
      {hasTitle && <SampleTable table={table} mapping={mapping} />}
      {hasTitle && rejected.length > 0 && (
        <details class="rejected-rows">
          <summary>{importing.notBooks(rejected.length)}</summary>
          <RejectedRows rejected={rejected} unit={table.unit} />
        </details>
      )}
      {hasTitle && <DuplicateChoice chosen={onDuplicate} />}
      <div class="buttons start">
        <Button look="primary" aria-disabled={!canStart} onClick={canStart ? startImport : undefined}>
          {importing.start(hasTitle ? count : table.rows.length)}
        </Button>
        <Button onClick={startOver}>{importing.discard}</Button>
      </div>
    </section>
  );
}

/** The rows that are not books with these columns. */
function useRejected({ table, mapping }: Preview): readonly Rejected[] {
  const [rejected, setRejected] = useState<readonly Rejected[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    void findRejected(table, mapping, abort.signal).then((found) => {
      if (!abort.signal.aborted) setRejected(found);
    });
    return () => {
      abort.abort();
    };
  }, [table, mapping]);
  return rejected;
}
