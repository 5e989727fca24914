import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Outcome } from '../state/import-file.ts';
import { texts } from '../texts/current.ts';
import { Icon } from '../ui/controls.tsx';

const { importing } = texts;

/** The heading of a step. It gets the focus: the button that led here is gone. */
export function StepHeading({ children }: { children: ComponentChildren }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h2 ref={heading} class="step-heading" tabIndex={-1}>
      {children}
    </h2>
  );
}

/** Why something did not work, in a box. */
export function Callout({ title, children }: { title?: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="callout" role="alert">
      <Icon name="warning" />
      <div>
        {title !== undefined && <h2>{title}</h2>}
        <p>{children}</p>
      </div>
    </div>
  );
}

/** The first rows that are left out, each with its place and the reason. */
export function RejectedRows({ rejected, rejects }: Outcome): JSX.Element {
  return (
    <>
      {rejected > rejects.length && <p class="hint">{importing.firstOf(rejects.length, rejected)}</p>}
      <ul class="rows rejects">
        {rejects.map(({ unit, line, reason, content }) => (
          <li key={line} class="reject">
            <span class="reject-line">{importing.units[unit](line)}</span>
            <span class="reject-reason">{reason}</span>
            <bdi class="reject-cells" dir="auto">
              {content}
            </bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
