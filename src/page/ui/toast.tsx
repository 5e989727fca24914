import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { createStore } from '../state/store.ts';
import { useStore } from '../hooks/use-store.ts';
import { texts } from '../texts/current.ts';
import { Button, IconButton } from './button.tsx';
import type { IconName } from './icons.tsx';

export interface ToastAction {
  readonly label: string;
  readonly icon?: IconName;
  readonly run: () => void;
}

export interface Toast {
  readonly text: string;
  readonly look?: 'plain' | 'failed';
  /** What can be done about it, such as an undo. */
  readonly actions?: readonly ToastAction[];
}

const current = createStore<Toast | undefined>(undefined);

/** Shows a short message at the edge of the page, instead of the one before. */
export function showToast(toast: Toast): void {
  current.set(toast);
}

export function hideToast(): void {
  current.set(undefined);
}

/** How long a message stays. One that offers something stays until it is answered or replaced (WCAG 2.2.1). */
const shownMs = 6000;

/** The place of messages. */
export function Toasts(): JSX.Element {
  const toast = useStore(current);
  useEffect(() => {
    if (toast === undefined || toast.actions !== undefined || toast.look === 'failed') return;
    const timer = setTimeout(hideToast, shownMs);
    return () => {
      clearTimeout(timer);
    };
  }, [toast]);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toast !== undefined && (
        <div class={`toast ${toast.look ?? 'plain'}`}>
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
