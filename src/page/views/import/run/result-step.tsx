import type { JSX } from 'preact';
import { startOver } from '../../../state/importing/job.ts';
import { countDone } from '../../../state/importing/outcome.ts';
import { home } from '../../../state/navigation.ts';
import { describeError, texts } from '../../../texts/current.ts';
import { Button, Icon, Link } from '../../../ui/controls.tsx';
import { saveRejected } from '../rejected/rejected-csv.ts';
import { RejectedRows } from '../rejected/rejected-rows.tsx';
import { StepHeading } from '../step-heading.tsx';
import { Counts } from './counts.tsx';
import type { RunProps } from './running-step.tsx';

const { importing } = texts;

/** What the import did, what it rejected, and how to take it back. */
export function ResultStep({ preview, run, state }: RunProps): JSX.Element {
  const { outcome, undone, error, phase, uncertain = 0 } = state;
  const { table } = preview;
  const { added, updated, skipped, rejected } = outcome;
  const isNothingNew = skipped > 0 && added + updated + rejected.length + uncertain === 0;
  const isWhole = countDone(outcome) === table.rows.length;
  const isUndoing = phase === 'undoing';
  const canUndo = run.hasSent && undone === undefined;
  return (
    <section class="step">
      <StepHeading>{isWhole ? importing.done : importing.stopped}</StepHeading>
      <Counts outcome={outcome} />
      {isNothingNew && <p>{importing.nothingNew}</p>}
      {uncertain > 0 && undone === undefined && (
        <div class="callout" role="alert">
          <Icon name="warning" />
          <p>{importing.uncertain(uncertain)}</p>
        </div>
      )}
      <p class="undone" role="status">
        {isUndoing && importing.undoing}
        {undone !== undefined && !isUndoing && importing.undone(undone.undone, undone.left.length)}
      </p>
      <p class="problem" role="alert">
        {error === undefined ? '' : describeError(error)}
      </p>
      <div class="buttons start">
        <Button look="primary" icon="upload" onClick={startOver}>
          {importing.again}
        </Button>
        {canUndo && (
          <Button
            icon="undo"
            aria-disabled={isUndoing}
            onClick={() => {
              if (!isUndoing) void run.undo();
            }}
          >
            {importing.undo}
          </Button>
        )}
        <Link class="button" to={home}>
          {importing.show}
        </Link>
      </div>
      {rejected.length > 0 && (
        <section class="rejected-rows" aria-labelledby="rejected-rows">
          <div class="rejected-head">
            <h3 id="rejected-rows">{importing.rejectedRows}</h3>
            <Button
              icon="download"
              onClick={() => {
                saveRejected(table, rejected);
              }}
            >
              {importing.download}
            </Button>
          </div>
          <RejectedRows rejected={rejected} unit={table.unit} />
        </section>
      )}
    </section>
  );
}
