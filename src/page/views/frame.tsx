import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { stopEditing } from '../state/editing.ts';
import { useAccess, useStore, useTitle } from '../state/hooks.ts';
import { closeDialog, home, openDialog, route, type View } from '../state/navigation.ts';
import { addDraft, attemptsDraft } from '../state/new-book.ts';
import { clearSelection } from '../state/selection.ts';
import {
  accessOf,
  askForLogin,
  canChangePassword,
  catalogueName,
  isOnline,
  logOut,
  session,
} from '../state/service.ts';
import { writeDraft } from '../state/store.ts';
import { texts } from '../texts/current.ts';
import { undoLast } from '../ui/actions.ts';
import { Button, Icon, IconButton, type IconName, Link } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { announce } from '../ui/messages.tsx';
import { LanguageSwitch } from './language.tsx';
import { filtersOf, SearchBox } from './search.tsx';

/** The frame of each view: name, search and navigation. */
export function Frame({ children }: { children: ComponentChildren }): JSX.Element {
  const { view, query } = useStore(route);
  const filters = filtersOf(query).map(({ value }) => value);
  useTitle(
    [query.q, ...filters, links.find((each) => each.view === view)?.label].filter(Boolean).join(' · '),
  );
  return (
    <div class="frame">
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault(); // With a base element, the link would lead out of the view.
          document.getElementById('main')?.focus();
        }}
      >
        {texts.skip}
      </a>
      <header class="top">
        <Link class="brand" to={home} title={catalogueName}>
          <Icon name="book" />
          <bdi dir="auto">{catalogueName}</bdi>
        </Link>
        <SearchBox />
        <Navigation />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

const names = texts.navigation;
const links: readonly { view: View; icon: IconName; label: string; needsLogin: boolean }[] = [
  { view: 'list', icon: 'book', label: names.books, needsLogin: false },
  { view: 'stats', icon: 'chart', label: names.stats, needsLogin: false },
  { view: 'authors', icon: 'authors', label: names.authors, needsLogin: false },
  { view: 'import', icon: 'upload', label: names.import, needsLogin: true },
  { view: 'duplicates', icon: 'copy', label: names.duplicates, needsLogin: true },
  { view: 'trash', icon: 'trash', label: names.trash, needsLogin: true },
  { view: 'activity', icon: 'activity', label: names.activity, needsLogin: true },
];

function leave(): void {
  logOut();
  stopEditing();
  for (const name of [addDraft, attemptsDraft]) writeDraft(name, undefined);
  clearSelection();
  announce(texts.login.out);
}

/** The links to the views. On a narrow screen, a button shows and hides them. */
function Navigation(): JSX.Element {
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
          title={names.add}
          onClick={() => {
            openDialog('add');
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
            openDialog('help');
          }}
        />
        <LanguageSwitch />
        {canWrite && canChangePassword && (
          <IconButton
            icon="key"
            label={texts.password.title}
            onClick={() => {
              openDialog('password');
            }}
          />
        )}
        {canWrite ? (
          <IconButton icon="logout" label={names.logOut} onClick={leave} />
        ) : (
          <Button look="quiet" icon="login" onClick={askForLogin}>
            {names.logIn}
          </Button>
        )}
      </nav>
    </div>
  );
}

/** Shown while the service cannot be reached. */
export function OfflineBanner(): JSX.Element {
  const online = useStore(isOnline);
  return (
    <div role="status">
      {!online && (
        <p class="banner">
          <Icon name="warning" />
          {texts.offline}
        </p>
      )}
    </div>
  );
}

const actions: Readonly<Record<string, () => void>> = {
  '/': () => {
    const search = document.getElementById('search');
    if (search instanceof HTMLInputElement) search.select();
  },
  'Control+z': undoLast,
  n: () => {
    if (accessOf(session.value).canWrite) openDialog('add');
  },
  '?': () => {
    openDialog('help');
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
      if (isTyping || event.altKey || event.defaultPrevented) return;
      const isCommand = event.ctrlKey || event.metaKey;
      // In a dialog, only Undo: its message is there, too.
      if (!isCommand && document.querySelector('dialog[open]') !== null) return;
      const action = actions[isCommand ? `Control+${event.key}` : event.key];
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

/** The keyboard shortcuts. */
export function HelpDialog(): JSX.Element {
  return (
    <Dialog title={texts.help.title} onClose={closeDialog}>
      <dl class="keys">
        {texts.help.keys.map(([keys, effect]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
