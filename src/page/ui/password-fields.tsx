import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { texts } from '../texts/current.ts';

/** Fields of passwords, which can show what is typed, and the problem of the last attempt. */
export function PasswordFields({
  fields,
  problem,
}: {
  fields: readonly (readonly [
    name: string,
    label: string,
    autocomplete: 'current-password' | 'new-password',
  ])[];
  problem: string | undefined;
}): JSX.Element {
  const [isShown, setShown] = useState(false);
  const id = useId();
  return (
    <>
      {fields.map(([name, label, autocomplete]) => (
        <div key={name} class="field">
          <label for={`${id}-${name}`}>{label}</label>
          <input
            id={`${id}-${name}`}
            name={name}
            {...(isShown ? { type: 'text' as const } : { type: 'password' as const })}
            autocapitalize="none"
            spellcheck={false}
            autocomplete={autocomplete}
            required
            aria-describedby={problem === undefined ? undefined : `${id}-problem`}
            aria-invalid={problem !== undefined}
          />
        </div>
      ))}
      <label class="choice-line">
        <input
          type="checkbox"
          checked={isShown}
          onChange={(event) => {
            setShown(event.currentTarget.checked);
          }}
        />
        {texts.login.show}
      </label>
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
    </>
  );
}
