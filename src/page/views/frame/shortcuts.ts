import { useEffect } from 'preact/hooks';
import { openDialog } from '../../state/open-dialog.ts';
import { accessOf, session } from '../../state/service.ts';

const actions: Readonly<Record<string, () => void>> = {
  '/': () => {
    const search = document.getElementById('search');
    if (search instanceof HTMLInputElement) search.select();
  },
  n: () => {
    if (accessOf(session.value).canWrite) openDialog.set('add');
  },
  '?': () => {
    openDialog.set('help');
  },
};

/** The keys of the whole page. They do nothing while somebody types, or while a dialog is open (WCAG 2.1.4). */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event;
      const isTyping =
        target instanceof HTMLElement &&
        target.closest('input:not([type=checkbox]), textarea, select') !== null;
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const action = actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener('keydown', onKeyDown);
    };
  }, []);
}
