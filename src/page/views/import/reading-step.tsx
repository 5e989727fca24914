import type { JSX } from 'preact';
import { startOver, type Job } from '../../state/importing/job.ts';
import { texts } from '../../texts/current.ts';
import { Button } from '../../ui/controls.tsx';
import { StepHeading } from './step-heading.tsx';

type Props = Extract<Job, { step: 'reading' }>;

/** Shows how far a file is read. */
export function ReadingStep({ name, done, total }: Props): JSX.Element {
  const text = texts.importing.reading(name);
  return (
    <section class="step">
      <StepHeading>{text}</StepHeading>
      <progress max={Math.max(1, total)} value={done} aria-label={text} />
      <div class="buttons start">
        <Button onClick={startOver}>{texts.cancel}</Button>
      </div>
    </section>
  );
}
