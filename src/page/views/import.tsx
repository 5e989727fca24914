import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fileFormats } from '../../formats/file-formats.ts';
import { useDraft, useStore } from '../state/hooks.ts';
import { isDropping } from '../state/dropping.ts';
import { job, openFile, pasteDraft, startOver, type Job } from '../state/import.ts';
import { texts } from '../texts/current.ts';
import { Button, Icon } from '../ui/controls.tsx';
import { Callout, FormatChoice, StepHeading } from './import-parts.tsx';
import { PreviewStep } from './import-preview.tsx';
import { RunStep } from './import-run.tsx';

const { importing } = texts;

/** Imports a file, or what is pasted: choose, look at the preview, import, take it back. */
export function ImportView(): JSX.Element {
  const current = useStore(job);
  const heading = useFocusAtStart(current.step);
  const isOver = useStore(isDropping);
  return (
    <div class="view import">
      <h1 ref={heading} class="step-heading" tabIndex={-1}>
        {importing.title}
      </h1>
      <Step current={current} isOver={isOver} />
    </div>
  );
}

/** Moves the focus to the heading when the view goes back to its start: the button that led there is gone. */
function useFocusAtStart(step: Job['step']) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (step === 'choose' && !isFirst.current) heading.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [step]);
  return heading;
}

function Step({ current, isOver }: { current: Job; isOver: boolean }): JSX.Element {
  switch (current.step) {
    case 'choose':
      return <ChooseStep {...current} isOver={isOver} />;
    case 'reading':
      return <ReadingStep {...current} />;
    case 'preview':
      return <PreviewStep {...current} />;
    case 'run':
      return <RunStep {...current} />;
  }
}

/** What the picker of files offers. */
const accepted = [...Object.values(fileFormats).flatMap(({ extensions }) => extensions), 'txt', 'gz']
  .map((extension) => `.${extension}`)
  .join();

const isText = (kept: unknown) => typeof kept === 'string';

interface Props extends Extract<Job, { step: 'choose' }> {
  /** Whether a file is held over the page. */
  readonly isOver: boolean;
}

/** Asks for a file or for pasted rows. */
function ChooseStep({ source, problem, isOver }: Props): JSX.Element {
  const [pasted, setPasted] = useDraft(pasteDraft, () => '', isText);
  const [isEmpty, setEmpty] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <>
      {problem !== undefined && (
        <Callout title={importing.cannotRead(source?.name ?? importing.pasted)}>
          {problem} {importing.nothingChanged}
        </Callout>
      )}
      {source !== undefined && (
        <div class="readings">
          <FormatChoice source={source} />
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
            if (file !== undefined) void openFile(file, file.name, file.name);
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

/** Shows how far a file is read. */
function ReadingStep({ name, done, total }: Extract<Job, { step: 'reading' }>): JSX.Element {
  const text = importing.reading(name);
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
