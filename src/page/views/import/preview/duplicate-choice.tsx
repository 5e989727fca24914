import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { chooseDuplicates } from '../../../state/importing/job.ts';
import { duplicateChoices, type OnDuplicate } from '../../../state/importing/outcome.ts';
import { texts } from '../../../texts/current.ts';

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
      {duplicateChoices.map((choice) => {
        const [name, hint] = importing.choices[choice];
        return (
          <label key={choice} class="choice-line">
            <input
              type="radio"
              name={id}
              checked={choice === chosen}
              onChange={() => {
                chooseDuplicates(choice);
              }}
            />
            <span>
              {name}
              <span class="hint">{hint}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
