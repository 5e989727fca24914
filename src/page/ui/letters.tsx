import type { JSX } from 'preact';
import { digits, letters } from '../state/letters.ts';
import { texts } from '../texts/current.ts';
import { Button } from './controls.tsx';

interface Props {
  /** Whether it is still unknown if they are of use. They keep their space, so that nothing moves when they appear. */
  readonly isHidden?: boolean;
  /** Whether titles that begin with a digit can be chosen, too. */
  readonly hasDigits?: boolean;
  /** `undefined`: none. */
  readonly chosen: string | undefined;
  /** Receives `undefined` if the chosen one is pressed again. */
  readonly onChoose: (letter: string | undefined) => void;
  /** The label of a letter. */
  readonly labelOf: (letter: string) => string;
}

/** The letters from A to Z, of which one may be chosen. */
export function Letters({
  isHidden = false,
  hasDigits = false,
  chosen,
  onChoose,
  labelOf,
}: Props): JSX.Element {
  return (
    <nav class={isHidden ? 'letters unused' : 'letters'} aria-label={texts.authors.letters}>
      {[...(hasDigits ? [digits] : []), ...letters].map((letter) => (
        <Button
          key={letter}
          look="quiet"
          aria-label={labelOf(letter)}
          aria-pressed={chosen === letter}
          onClick={() => {
            onChoose(chosen === letter ? undefined : letter);
          }}
        >
          {letter}
        </Button>
      ))}
    </nav>
  );
}
