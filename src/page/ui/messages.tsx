import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ShelflistError } from '../../catalogue/errors.ts';
import { useStore } from '../state/hooks.ts';
import { createSignal } from '../state/signal.ts';
import { describeError, texts } from '../texts/current.ts';
import { Button, Icon, IconButton, type IconName } from './controls.tsx';

export interface ToastAction {
  readonly label: string;
  readonly icon?: IconName;
  readonly run: () => void;
}

interface Toast {
  readonly text: string;
  readonly look?: 'plain' | 'failed';
  /** Its buttons, such as an undo. */
  readonly actions?: readonly ToastAction[];
}

const current = createSignal<Toast | undefined>(undefined);

/** Shows a short message at the edge of the page, instead of the one before. */
export function showToast(toast: Toast): void {
  current.set(toast);
}

export function hideToast(): void {
  current.set(undefined);
}

/**
 * How long a message stays, in milliseconds, while neither the pointer nor the focus is in it. What it offers, such as an undo, is
 * elsewhere, too (WCAG 2.2.1). A failure stays.
 */
const shownMs = { plain: 6000, withActions: 20_000 };

/** The open dialogs, the last one on top. Everything outside of it is inert, messages too. */
export const openDialogs = createSignal<readonly string[]>([]);

/** Renders the messages, if this is the place on top. @param of A dialog; `undefined`: the page. */
export function Messages({ of }: { of?: string }): JSX.Element | null {
  if (useStore(openDialogs).at(-1) !== of) return null;
  return (
    <>
      <Toasts />
      <LiveRegion />
    </>
  );
}

function Toasts(): JSX.Element {
  const toast = useStore(current);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  useEffect(() => {
    if (toast === undefined || toast.look === 'failed' || isPointed || isFocused) return;
    const timer = setTimeout(hideToast, toast.actions === undefined ? shownMs.plain : shownMs.withActions);
    return () => {
      clearTimeout(timer);
    };
  }, [toast, isPointed, isFocused]);
  useEffect(() => {
    setPointed(false); // An element that goes away gets no events.
    setFocused(false);
  }, [toast === undefined]);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toast !== undefined && (
        <div
          class={`toast ${toast.look ?? 'plain'}`}
          onMouseEnter={() => {
            setPointed(true);
          }}
          onMouseLeave={() => {
            setPointed(false);
          }}
          onFocusIn={() => {
            setFocused(true);
          }}
          onFocusOut={() => {
            setFocused(false);
          }}
        >
          <p>{toast.text}</p>
          {toast.actions?.map(({ label, icon, run }) => (
            <Button
              key={label}
              look="quiet"
              icon={icon}
              onClick={() => {
                hideToast();
                run();
              }}
            >
              {label}
            </Button>
          ))}
          <IconButton icon="close" label={texts.dismiss} onClick={hideToast} />
        </div>
      )}
    </div>
  );
}

interface NoticeProps {
  readonly icon: IconName;
  readonly title: string;
  /** Whether it marks the place where a file can be dropped. */
  readonly isDropZone?: boolean;
  readonly children?: ComponentChildren;
}

/** A message in place of missing content. */
export function Notice({ icon, title, isDropZone = false, children }: NoticeProps): JSX.Element {
  return (
    <div class={isDropZone ? 'notice drop-zone' : 'notice'}>
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A message that something could not be loaded, with the reason. */
export function Failure({
  title,
  error,
  onRetry,
}: {
  title: string;
  error: ShelflistError;
  onRetry: () => void;
}): JSX.Element {
  return (
    <div role="alert">
      <Notice icon="warning" title={title}>
        <p>{describeError(error)}</p>
        <Button onClick={onRetry}>{texts.retry}</Button>
      </Notice>
    </div>
  );
}

/** Says that the answer is not there yet. */
export function Loading(): JSX.Element {
  return (
    <p class="loading" role="status">
      {texts.loading}
    </p>
  );
}

/** The progress of an answer that the service computes, in place of it. @param text Says how long it takes. */
export function ComputingProgress({ percent, text }: { percent: number; text: string }): JSX.Element {
  return (
    <div class="progress-line">
      <progress max={100} value={percent} aria-label={text} />
      <p role="status" aria-live="polite">
        {text}
      </p>
    </div>
  );
}

const message = createSignal('');
let timer: ReturnType<typeof setTimeout> | undefined;

/** The pause before a message, in milliseconds: of many in a row, only the last is spoken. */
const pauseMs = 400;

/** Announces a text to screen readers, politely (ARIA). */
export function announce(text: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    // Screen readers do not announce the same text again.
    message.set(message.value === text ? `${text}\u00a0` : text);
  }, pauseMs);
}

/** The visually hidden region of announcements. */
function LiveRegion(): JSX.Element {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {useStore(message)}
    </div>
  );
}
