import type { JSX } from 'preact';
import type { Outcome } from '../../../state/importing/outcome.ts';
import { texts } from '../../../texts/current.ts';

const { importing } = texts;

/** What an import did, in figures. What did not happen is left out, except the books that were added. */
export function Counts({ outcome }: { outcome: Outcome }): JSX.Element {
  const { added, updated, skipped, rejected } = outcome;
  const figures = [
    [importing.added, added],
    [importing.updated, updated],
    [importing.skipped, skipped],
    [importing.rejected, rejected.length],
  ] as const;
  return (
    <dl class="figures">
      {figures.map(
        ([name, value], i) =>
          (value > 0 || i === 0) && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{texts.number(value)}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
