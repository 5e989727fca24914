import type { JSX } from 'preact';
import { letters } from '../state/letters.ts';
import { texts } from '../texts/current.ts';
import { Button } from './controls.tsx';

interface Props {
  /** Whether they are of no use in this list. They keep their space, so that nothing moves under the pointer. */
  readonly isHidden?: boolean;
  /** `undefined`: none. */
  readonly chosen: string | undefined;
  /** Receives `undefined` if the chosen one is pressed again. */
  readonly onChoose: (letter: string | undefined) => void;
  /** The label of a letter. */
  readonly labelOf: (letter: string) => string;
}

/** The letters from A to Z, of which one may be chosen. */
export function Letters({ isHidden = false, chosen, onChoose, labelOf }: Props): JSX.Element {
  return (
    <nav class={isHidden ? 'letters unused' : 'letters'} aria-label={texts.authors.letters}>
      {letters.map((letter) => (
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
