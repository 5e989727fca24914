import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Preview } from '../../../state/importing/job.ts';
import { countDone } from '../../../state/importing/outcome.ts';
import type { Run, RunState } from '../../../state/importing/run.ts';
import { describeError, texts } from '../../../texts/current.ts';
import { Button, Icon } from '../../../ui/controls.tsx';
import { announce } from '../../../ui/messages.tsx';
import { StepHeading } from '../step-heading.tsx';
import { Counts } from './counts.tsx';

const { importing } = texts;

export interface RunProps {
  readonly preview: Preview;
  readonly run: Run;
  readonly state: RunState;
}

/** How far the import is; after a failure, how to go on. */
export function RunningStep({ preview, run, state }: RunProps): JSX.Element {
  const { phase, outcome, error } = state;
  const total = preview.table.rows.length;
  const done = countDone(outcome);
  const isPaused = phase === 'paused';
  const headings: Partial<Record<RunState['phase'], string>> = {
    comparing: importing.comparing,
    stopping: importing.stopping,
    paused: importing.paused,
  };
  const heading = headings[phase] ?? importing.sending;
  useEffect(() => {
    announce(heading);
  }, [heading]);
  const stop = () => {
    run.stop();
  };
  return (
    <section class="step">
      <StepHeading>{heading}</StepHeading>
      <div class="progress-line">
        <progress max={total} value={done} aria-label={importing.progress(done, total)} />
        <p>{importing.progress(done, total)}</p>
      </div>
      <Counts outcome={outcome} />
      {isPaused && error !== undefined && (
        <div class="callout" role="alert">
          <Icon name="warning" />
          <p>
            {describeError(error)} {importing.pausedHint}
          </p>
        </div>
      )}
      <div class="buttons start">
        {isPaused && (
          <Button look="primary" onClick={() => void run.go()}>
            {importing.goOn}
          </Button>
        )}
        <Button aria-disabled={phase === 'stopping'} onClick={stop}>
          {isPaused ? importing.stop : texts.cancel}
        </Button>
      </div>
    </section>
  );
}
