import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { job, openFile, type Job } from '../../state/importing/job.ts';
import { texts } from '../../texts/current.ts';
import { useStore } from '../../state/hooks.ts';
import { ChooseStep } from './choose-step.tsx';
import { PreviewStep } from './preview/preview-step.tsx';
import { ReadingStep } from './reading-step.tsx';
import { RunStep } from './run/run-step.tsx';
import { useDrop } from './use-drop.ts';

/** Imports a file, or what is pasted: choose, look at the preview, import, take it back. */
export function ImportView(): JSX.Element {
  const current = useStore(job);
  const heading = useFocusAtStart(current.step);
  const isOver = useDrop((file) => {
    const { step } = job.value;
    if (step === 'choose' || step === 'preview') void openFile(file, file.name);
  });
  return (
    <div class="view import">
      <h1 ref={heading} class="step-heading" tabIndex={-1}>
        {texts.importing.title}
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
