import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Outcome } from '../state/import-file.ts';
import { useStore } from '../state/hooks.ts';
import { startOver, type Job } from '../state/import.ts';
import type { RunState } from '../state/import-run.ts';
import { home } from '../state/navigation.ts';
import { texts } from '../texts/current.ts';
import { Button, Link } from '../ui/controls.tsx';
import { announce } from '../ui/messages.tsx';
import { saveFile } from '../state/save-file.ts';
import { Callout, ListedRows, StepHeading } from './import-parts.tsx';

const { importing } = texts;

type Props = Extract<Job, { step: 'run' }>;
type StepProps = Pick<Props, 'preview' | 'run'> & { readonly state: RunState };

/** An import that runs, or what it did. */
export function RunStep({ preview, run }: Props): JSX.Element {
  const state = useStore(run.state);
  const isOver = state.phase === 'done' || state.phase === 'undoing';
  const Step = isOver ? ResultStep : RunningStep;
  return <Step preview={preview} run={run} state={state} />;
}

/** How far the import is; after a failure, how to go on. */
function RunningStep({ preview, run, state }: StepProps): JSX.Element {
  const { phase, outcome, error } = state;
  const isPaused = phase === 'paused';
  const heading = isPaused ? importing.paused : phase === 'stopping' ? importing.stopping : importing.sending;
  const [done, total] = [outcome?.done ?? 0, preview.found.done];
  useEffect(() => {
    announce(heading);
  }, [heading]);
  return (
    <section class="step">
      <StepHeading>{heading}</StepHeading>
      <div class="progress-line">
        <progress max={total} value={done} aria-label={importing.progress(done, total)} />
        <p>{importing.progress(done, total)}</p>
      </div>
      <Counts outcome={outcome} />
      {isPaused && (
        <Callout>
          {error} {importing.pausedHint}
        </Callout>
      )}
      <div class="buttons start">
        {isPaused && (
          <Button
            look="primary"
            onClick={() => {
              run.goOn();
            }}
          >
            {importing.goOn}
          </Button>
        )}
        <Button
          aria-disabled={phase === 'stopping'}
          onClick={() => {
            run.stop();
          }}
        >
          {isPaused ? importing.stop : texts.cancel}
        </Button>
      </div>
    </section>
  );
}

/** What the import did, what it left out, and how to take it back. */
function ResultStep({ preview, run, state }: StepProps): JSX.Element {
  const { outcome, undone, error, phase, isUnsure = false } = state;
  const { added = 0, updated = 0, skipped = 0, rejected = 0 } = outcome ?? {};
  const isWhole = outcome?.done === preview.found.done;
  const isNothingNew = isWhole && skipped > 0 && added + updated + rejected === 0;
  const isUndoing = phase === 'undoing';
  const heading = isWhole ? importing.done : importing.stopped;
  const figures = figuresOf(outcome).map(([name, figure]) => `${name} ${figure}`);
  useEffect(() => {
    announce(`${heading}. ${figures.join(', ')}`);
  }, []);
  // What the service carries out late can be undone later.
  const canUndo = isUnsure || (added + updated > 0 && undone === undefined);
  return (
    <section class="step">
      <StepHeading>{heading}</StepHeading>
      <Counts outcome={outcome} />
      {outcome?.problem !== undefined && <Callout title={importing.readInPart}>{outcome.problem}</Callout>}
      {isNothingNew && <p>{importing.nothingNew}</p>}
      {isUnsure && <Callout>{importing.unsure}</Callout>}
      <p class="undone" role="status">
        {isUndoing && importing.undoing}
        {undone !== undefined && !isUndoing && importing.undone(undone.undone, undone.left.length)}
      </p>
      <p class="problem" role="alert">
        {error}
      </p>
      <div class="buttons start">
        <Link class="button primary" to={home}>
          {importing.show}
        </Link>
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
        <Button icon="upload" onClick={startOver}>
          {importing.again}
        </Button>
      </div>
      {outcome !== undefined && rejected > 0 && (
        <section class="rejected-rows" aria-labelledby="rejected-rows">
          <div class="rejected-head">
            <h3 id="rejected-rows">{importing.rejectedRows}</h3>
            <Button
              icon="download"
              onClick={() => {
                const { name, parts } = outcome.rejectsFile;
                saveFile(name, parts, 'text/plain;charset=utf-8');
              }}
            >
              {importing.download}
            </Button>
          </div>
          <ListedRows all={rejected} rows={outcome.rejects} />
        </section>
      )}
      {outcome !== undefined && outcome.noted > 0 && (
        <section class="noted-rows" aria-labelledby="noted-rows">
          <h3 id="noted-rows">{importing.toCheck(outcome.noted)}</h3>
          <ListedRows all={outcome.noted} rows={outcome.notes} />
        </section>
      )}
    </section>
  );
}

/** What an import did, in figures with their names. What did not happen is left out, except the books that were added. */
function figuresOf(outcome: Outcome | undefined): [name: string, figure: string][] {
  const { added = 0, updated = 0, skipped = 0, rejected = 0 } = outcome ?? {};
  const figures = { added, updated, skipped, rejected };
  const names = Object.keys(figures) as (keyof typeof figures)[];
  return names
    .filter((name) => figures[name] > 0 || name === 'added')
    .map((name) => [importing[name], texts.number(figures[name])]);
}

function Counts({ outcome }: { outcome: Outcome | undefined }): JSX.Element {
  return (
    <dl class="figures">
      {figuresOf(outcome).map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
