import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { chooseDuplicates } from '../../../state/importing/job.ts';
import { duplicateChoices, type OnDuplicate } from '../../../state/importing/outcome.ts';
import { texts } from '../../../texts/current.ts';
import { ChoiceLines } from '../../../ui/controls.tsx';

const { importing } = texts;

/** What to do with books that the catalogue has already. */
export function DuplicateChoice({ chosen }: { chosen: OnDuplicate }): JSX.Element {
  const id = useId();
  return (
    <fieldset class="choice" aria-describedby={`${id}-hint`}>
      <legend>{importing.duplicates}</legend>
      <p id={`${id}-hint`} class="hint">
        {importing.same}
      </p>
      <ChoiceLines
        names={duplicateChoices}
        texts={importing.choices}
        chosen={chosen}
        onChoose={chooseDuplicates}
      />
    </fieldset>
  );
}
