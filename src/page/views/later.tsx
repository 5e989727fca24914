import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pasting } from '../state/cells.ts';
import { editTheirs } from '../state/editing.ts';
import { closeDialog } from '../state/navigation.ts';
import { lazyScript } from '../state/scripts.ts';
import { texts } from '../texts/current.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/messages.tsx';
import type { LaterDialog, LaterPart, LaterProps } from './views.ts';

/** The name of the script of the views. It is beside this one; the build inserts it. */
declare const viewsScript: string;
type Script = typeof import('./views.ts');
export const loadViews = lazyScript<Script>(viewsScript);
let script: Script | undefined;

/** The title of a dialog, and what closes it, if its script fails to load. */
const dialogs: Readonly<Record<LaterDialog, { readonly title: string; readonly close: () => void }>> = {
  password: { title: texts.password.title, close: closeDialog },
  help: { title: texts.navigation.help, close: closeDialog },
  share: { title: texts.book.share, close: closeDialog },
  add: { title: texts.navigation.add, close: closeDialog },
  conflict: { title: texts.conflict.title, close: editTheirs },
  paste: {
    title: texts.cells.title,
    close: () => {
      pasting.set(undefined);
    },
  },
};

/** Shows a part of the script of the views: at once if the script is there, else when it has come. */
export function Later({ of, ...props }: LaterProps & { of: LaterPart }): JSX.Element | null {
  const [loaded, setLoaded] = useState(script);
  const [hasFailed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    loadViews().then(
      (next) => {
        script = next;
        setLoaded(next);
      },
      () => {
        setFailed(true);
      },
    );
  };
  useEffect(() => {
    // Another part may have loaded it since this one was rendered.
    if (script === undefined) load();
    else setLoaded(script);
  }, []);
  if (hasFailed) {
    if (of === 'start' || of === 'clipboard') return null; // The list is there.
    const failure = (
      <div role="alert">
        <Notice icon="warning" title={texts.importing.notLoaded}>
          <Button onClick={load}>{texts.retry}</Button>
        </Notice>
      </div>
    );
    const dialog = dialogs[of as LaterDialog] as (typeof dialogs)[LaterDialog] | undefined;
    if (dialog === undefined) return failure;
    return (
      <Dialog title={dialog.title} onClose={dialog.close}>
        {failure}
      </Dialog>
    );
  }
  const Part = loaded?.views[of];
  return Part === undefined ? null : <Part {...props} />;
}
