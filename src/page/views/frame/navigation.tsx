import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { writeDraft } from '../../state/drafts.ts';
import { dropImport } from '../../state/importing/job.ts';
import { stopEditing } from '../../state/editing/editing.ts';
import { route } from '../../state/navigation.ts';
import { addDraft, attemptsDraft, openDialog } from '../../state/open-dialog.ts';
import type { View } from '../../state/route.ts';
import { clearSelection } from '../../state/selection.ts';
import { askForLogin, logOut } from '../../state/service.ts';
import { useAccess, useStore } from '../../hooks/use-store.ts';
import { texts } from '../../texts/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { announce } from '../../ui/live-region.tsx';

const names = texts.navigation;
const links: readonly { view: View; icon: IconName; label: string; needsLogin: boolean }[] = [
  { view: 'list', icon: 'book', label: names.books, needsLogin: false },
  { view: 'stats', icon: 'chart', label: names.stats, needsLogin: false },
  { view: 'import', icon: 'upload', label: names.import, needsLogin: true },
  { view: 'duplicates', icon: 'copy', label: names.duplicates, needsLogin: true },
  { view: 'trash', icon: 'trash', label: names.trash, needsLogin: true },
];

function leave(): void {
  logOut();
  stopEditing();
  for (const name of [addDraft, attemptsDraft]) writeDraft(name, undefined);
  clearSelection();
  dropImport();
  announce(texts.login.out);
}

/** The links to the views. On a narrow screen, a button shows and hides them. */
export function Navigation(): JSX.Element {
  const { view, query } = useStore(route);
  const { canWrite } = useAccess();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
  };
  const shown = links.filter(({ needsLogin }) => canWrite || !needsLogin);
  return (
    <div class="navigation">
      {canWrite && (
        <Button
          icon="add"
          look="primary"
          isCompact
          onClick={() => {
            openDialog.set('add');
          }}
        >
          {names.add}
        </Button>
      )}
      <IconButton
        icon={isOpen ? 'close' : 'menu'}
        label={names.menu}
        aria-expanded={isOpen}
        aria-controls="navigation"
        onClick={() => {
          setOpen(!isOpen);
        }}
      />
      <nav id="navigation" class={isOpen ? 'open' : ''} aria-label={names.label} onClick={close}>
        {shown.map(({ view: target, icon, label }) => (
          <Link key={target} to={{ view: target, query }} aria-current={view === target ? 'page' : undefined}>
            <Icon name={icon} />
            {label}
          </Link>
        ))}
        <IconButton
          icon="help"
          label={names.help}
          onClick={() => {
            openDialog.set('help');
          }}
        />
        {canWrite ? (
          <Button look="quiet" icon="logout" onClick={leave}>
            {names.logOut}
          </Button>
        ) : (
          <Button look="quiet" icon="login" onClick={askForLogin}>
            {names.logIn}
          </Button>
        )}
      </nav>
    </div>
  );
}
