import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

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
