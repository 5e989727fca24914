import type { JSX } from 'preact';
import type { Job } from '../../../state/importing/job.ts';
import { useStore } from '../../../state/hooks.ts';
import { ResultStep } from './result-step.tsx';
import { RunningStep } from './running-step.tsx';

type Props = Extract<Job, { step: 'run' }>;

/** An import that runs, or what it did. */
export function RunStep({ preview, run }: Props): JSX.Element {
  const state = useStore(run.state);
  const isOver = state.phase === 'done' || state.phase === 'undoing';
  const Step = isOver ? ResultStep : RunningStep;
  return <Step preview={preview} run={run} state={state} />;
}
