import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { editing } from './state/editing.ts';
import { followOthers, list } from './state/live.ts';
import { dialog, home, navigate, route } from './state/navigation.ts';
import { canChangeSettings, offered, session } from './state/service.ts';
import { useAccess, useDrop, useStore, useVisible } from './state/hooks.ts';
import { isDropping } from './state/dropping.ts';
import { texts } from './texts/current.ts';
import { hideToast, Messages } from './ui/messages.tsx';
import { BookSheet } from './views/book.tsx';
import { Frame, OfflineBanner, useShortcuts } from './views/frame.tsx';
import { Later, loadViews } from './views/later.tsx';
import { ListView } from './views/list.tsx';
import { LoginDialog, LoginView } from './views/login.tsx';

export function App(): JSX.Element {
  const { canRead, canWrite } = useAccess();
  const opened = useStore(dialog);
  const phase = useStore(session);
  const link = useStore(offered);
  const hasConflict = useStore(editing)?.theirs !== undefined;
  const { view, book } = useStore(route);
  useShortcuts();
  const isOver = useStore(isDropping);
  useDrop(
    canWrite,
    (isHeld) => {
      isDropping.set(isHeld);
    },
    (file) => {
      if (route.value.view !== 'import') navigate({ ...home, view: 'import' });
      loadViews().then(
        ({ openDropped }) => {
          openDropped(file);
        },
        () => undefined, // The view says so.
      );
    },
  );
  // A stream ends with the login that it began with. A browser has few connections for all tabs of a service.
  const isLive = useVisible() && canRead && phase !== 'expired';
  useEffect(() => (isLive ? followOthers() : undefined), [isLive]);
  useEffect(() => {
    if (phase !== 'out') return;
    hideToast(); // Nobody else may undo it, or see the books.
    if (!canRead) list.close();
  }, [phase, canRead]);
  useEffect(() => {
    if (canWrite && canChangeSettings)
      loadViews()
        .then((views) => views.remindOfBackup())
        .catch(() => undefined); // The next tab reminds.
  }, [canWrite]);
  const isShown = canWrite || view === 'stats' || view === 'authors';
  return (
    <>
      <OfflineBanner />
      {canRead ? (
        <Frame>{isShown && view !== 'list' ? <Later of={view} /> : <ListView />}</Frame>
      ) : (
        <LoginView />
      )}
      {canRead && book !== undefined && <BookSheet key={book} id={book} />}
      {canWrite && opened === 'add' && <Later of="add" />}
      {canWrite && hasConflict && <Later of="conflict" />}
      {opened === 'help' && <Later of="help" />}
      {canWrite && opened === 'password' && <Later of="password" />}
      {canRead && book !== undefined && opened === 'share' && <Later of="share" />}
      {phase === 'expired' && <LoginDialog />}
      {link !== undefined && <Later of="link" />}
      {isOver && view !== 'import' && <p class="drop-cover">{texts.importing.dropNow}</p>}
      <Messages />
    </>
  );
}
