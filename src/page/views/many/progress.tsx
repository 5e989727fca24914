import type { JSX } from 'preact';
import { texts } from '../../texts/current.ts';
import type { Many } from './use-many.ts';

/** How far it is, or why it stopped. */
export function ManyProgress({ progress, problem }: Pick<Many, 'progress' | 'problem'>): JSX.Element {
  return (
    <>
      {progress !== undefined && (
        <progress
          max={Math.max(1, progress.total)}
          value={progress.done}
          aria-label={texts.many.progress(progress.done, progress.total)}
        />
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
    </>
  );
}
