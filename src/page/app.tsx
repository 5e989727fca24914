import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { list } from './state/list/window-of-page.ts';
import { followOthers } from './state/live.ts';
import { route } from './state/navigation.ts';
import { openDialog } from './state/open-dialog.ts';
import type { View } from './state/route.ts';
import { session } from './state/service.ts';
import { useAccess, useStore } from './hooks/use-store.ts';
import { useVisible } from './hooks/use-visible.ts';
import { LiveRegion } from './ui/live-region.tsx';
import { hideToast, Toasts } from './ui/toast.tsx';
import { AddDialog } from './views/add/add-dialog.tsx';
import { BookSheet } from './views/book/book-sheet.tsx';
import { ConflictDialog } from './views/conflict/conflict-dialog.tsx';
import { DuplicatesView } from './views/duplicates/duplicates-view.tsx';
import { Frame } from './views/frame/frame.tsx';
import { OfflineBanner } from './views/frame/offline-banner.tsx';
import { useShortcuts } from './views/frame/shortcuts.ts';
import { HelpDialog } from './views/help/help-dialog.tsx';
import { ImportView } from './views/import/import-view.tsx';
import { ListView } from './views/list/list-view.tsx';
import { LoginDialog } from './views/login/login-dialog.tsx';
import { LoginView } from './views/login/login-view.tsx';
import { StatsView } from './views/stats/stats-view.tsx';
import { TrashView } from './views/trash/trash-view.tsx';

const views: Readonly<Record<View, () => JSX.Element>> = {
  list: ListView,
  stats: StatsView,
  trash: TrashView,
  import: ImportView,
  duplicates: DuplicatesView,
};

/** The whole page. */
export function App(): JSX.Element {
  const { canRead, canWrite } = useAccess();
  const dialog = useStore(openDialog);
  const phase = useStore(session);
  const { view, book } = useStore(route);
  useShortcuts();
  // A stream ends with the login that it began with. A browser has few connections for all tabs of a service.
  const isLive = useVisible() && canRead && phase !== 'expired';
  useEffect(() => (isLive ? followOthers() : undefined), [isLive]);
  useEffect(() => {
    if (phase !== 'out') return;
    hideToast(); // Nobody else may undo it, or see the books.
    if (!canRead) list.close();
  }, [phase, canRead]);
  const Current = canWrite || view === 'stats' ? views[view] : ListView;
  return (
    <>
      <OfflineBanner />
      {canRead ? (
        <Frame>
          <Current />
        </Frame>
      ) : (
        <LoginView />
      )}
      {canRead && book !== undefined && <BookSheet key={book} id={book} />}
      {canWrite && dialog === 'add' && <AddDialog />}
      {canWrite && <ConflictDialog />}
      {dialog === 'help' && <HelpDialog />}
      {phase === 'expired' && <LoginDialog />}
      <Toasts />
      <LiveRegion />
    </>
  );
}
