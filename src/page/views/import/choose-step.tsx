import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { openFile, pasteDraft, type Job } from '../../state/importing/job.ts';
import { texts } from '../../texts/current.ts';
import { Button, Icon } from '../../ui/controls.tsx';
import { useDraft } from '../../state/hooks.ts';
import { describeProblem } from './describe.ts';

const { importing } = texts;
const accepted = '.csv,.tsv,.txt,.json,.ndjson,.jsonl,text/csv,text/tab-separated-values,application/json';

const isText = (kept: unknown) => typeof kept === 'string';

interface Props extends Extract<Job, { step: 'choose' }> {
  /** Whether a file is held over the page. */
  readonly isOver: boolean;
}

/** Asks for a file or for pasted rows. */
export function ChooseStep({ name = importing.pasted, problem, isOver }: Props): JSX.Element {
  const [pasted, setPasted] = useDraft(pasteDraft, () => '', isText);
  const [isEmpty, setEmpty] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <>
      {problem !== undefined && (
        <div class="callout" role="alert">
          <Icon name="warning" />
          <div>
            <h2>{importing.cannotRead(name)}</h2>
            <p>
              {describeProblem(problem)} {importing.nothingChanged}
            </p>
          </div>
        </div>
      )}
      <div class={`drop-zone ${isOver ? 'over' : ''}`}>
        <Icon name="upload" />
        <p class="drop-text">{isOver ? importing.dropNow : importing.drop}</p>
        <Button look="primary" onClick={() => input.current?.click()}>
          {importing.choose}
        </Button>
        <input
          ref={input}
          type="file"
          accept={accepted}
          hidden
          aria-label={importing.choose}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            event.currentTarget.value = ''; // The same file can be chosen again, once it is corrected.
            if (file !== undefined) void openFile(file, file.name);
          }}
        />
        <p class="hint">{importing.intro}</p>
      </div>
      <form
        class="form paste"
        onSubmit={(event) => {
          event.preventDefault();
          setEmpty(pasted.trim() === '');
          if (pasted.trim() !== '') void openFile(new Blob([pasted]), importing.pasted);
          else event.currentTarget.querySelector('textarea')?.focus();
        }}
      >
        <div class="field">
          <label for={id}>{importing.paste}</label>
          <textarea
            id={id}
            rows={6}
            spellcheck={false}
            dir="auto"
            value={pasted}
            aria-invalid={isEmpty}
            aria-describedby={`${id}-hint`}
            onInput={(event) => {
              setPasted(event.currentTarget.value);
              setEmpty(false);
            }}
          />
          <p id={`${id}-hint`} class="hint">
            {importing.pasteHint}
          </p>
          <p class="problem" role="alert">
            {isEmpty && importing.nothingPasted}
          </p>
        </div>
        <div class="buttons start">
          <Button type="submit">{importing.read}</Button>
        </div>
      </form>
    </>
  );
}
