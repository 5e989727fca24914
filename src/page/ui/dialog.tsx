import type { ComponentChildren, JSX, TargetedMouseEvent } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/current.ts';
import { IconButton } from './controls.tsx';
import { Messages, openDialogs } from './messages.tsx';

interface Props {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  /** `sheet`: beside the page, over its whole height. */
  readonly look?: 'box' | 'sheet' | 'wide';
  /** Whether the page around it cannot be used meanwhile. Default true. */
  readonly isModal?: boolean;
  readonly children: ComponentChildren;
}

/** What gets the focus when the element that had it is gone: the cell of the table that Tab leads to, else the view. */
const successors = ['[data-cell] [tabindex="0"], [data-cell][tabindex="0"]', 'main'];

/**
 * A dialog. It is open as long as it is rendered; then the focus returns to where it was. Both happen together with the
 * change of the document: an effect after it might come when another change has moved the focus.
 */
export function Dialog({ title, onClose, look = 'box', isModal = true, children }: Props): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const isPressedOutside = useRef(false);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    if (isModal) {
      element?.showModal();
      openDialogs.set([...openDialogs.value, heading]);
    } else element?.show();
    return () => {
      element?.close();
      openDialogs.set(openDialogs.value.filter((each) => each !== heading));
      // If nothing had it, a cell of the table would take the next key for its text.
      const others = before === document.body ? ['main'] : successors;
      const places = [before, ...others.map((each) => document.querySelector(each))];
      for (const place of places) {
        if (!(place instanceof HTMLElement) || place === document.body) continue;
        place.focus({ preventScroll: true });
        if (document.activeElement === place) break;
      }
    };
  }, [isModal]);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${look}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return; // A file picker cancels too.
        event.preventDefault();
        onClose();
      }}
      onClose={({ currentTarget: { open, isConnected } }) => {
        if (isConnected && !open) onClose(); // A browser closes it at a second Escape, whatever was answered to the first one.
      }}
      onKeyDown={(event) => {
        if (isModal || event.key !== 'Escape' || event.defaultPrevented) return; // A modal dialog is cancelled.
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        isPressedOutside.current = isOutside(event);
      }}
      onClick={(event) => {
        const hasForm = event.currentTarget.querySelector('form') !== null; // What was typed would be lost.
        // On release, not on press: moving the pointer into the dialog before the release cancels it (WCAG 2.5.2).
        if (isPressedOutside.current && isOutside(event) && !hasForm) onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
        <IconButton icon="close" label={texts.close} onClick={onClose} />
      </div>
      {children}
      <Messages of={heading} />
    </dialog>
  );
}

function isOutside({ target, currentTarget, clientX, clientY }: TargetedMouseEvent<Element>): boolean {
  if (target !== currentTarget) return false;
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
