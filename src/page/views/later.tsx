import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { closeDialog } from '../state/navigation.ts';
import { lazyScript } from '../state/scripts.ts';
import { texts } from '../texts/current.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/messages.tsx';
import type { LaterPart, LaterProps } from './views.ts';

/** The name of the script of the views. It is beside this one; the build inserts it. */
declare const viewsScript: string;
type Script = typeof import('./views.ts');
const loadScript = lazyScript<Script>(viewsScript);
let script: Script | undefined;

/** The titles of the dialogs among these parts. */
const dialogs = {
  help: texts.navigation.help,
  password: texts.password.title,
  share: texts.book.share,
};

function isDialog(of: LaterPart): of is keyof typeof dialogs {
  return of in dialogs;
}

/** Shows a part of the script of the views: at once if the script is there, else when it has come. */
export function Later({ of, ...props }: LaterProps & { of: LaterPart }): JSX.Element | null {
  const [loaded, setLoaded] = useState(script);
  const [hasFailed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    loadScript().then(
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
    if (script === undefined) load();
  }, []);
  if (hasFailed && of === 'start') return null; // The list is there.
  if (hasFailed) {
    const failure = (
      <div role="alert">
        <Notice icon="warning" title={texts.importing.notLoaded}>
          <Button onClick={load}>{texts.retry}</Button>
        </Notice>
      </div>
    );
    if (!isDialog(of)) return failure;
    return (
      <Dialog title={dialogs[of]} onClose={closeDialog}>
        {failure}
      </Dialog>
    );
  }
  const Part = loaded?.views[of];
  return Part === undefined ? null : <Part {...props} />;
}
