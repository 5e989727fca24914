import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAccess, useStore, useTitle } from '../state/hooks.ts';
import { lookOf } from '../state/look.ts';
import { home, openDialog, route, type View } from '../state/navigation.ts';
import { forgetSearch, isSameSearch, savedSearches } from '../state/saved-searches.ts';
import { accessOf, askForLogin, hasOwnLogin, catalogueName, isOnline, session } from '../state/service.ts';
import { texts } from '../texts/current.ts';
import { undoLast } from '../ui/actions.ts';
import { Button, Icon, IconButton, type IconName, Link } from '../ui/controls.tsx';
import { Account } from './account.tsx';
import { filtersOf, SearchBox } from './search.tsx';

/** The frame of each view: name, search and navigation. */
export function Frame({ children }: { children: ComponentChildren }): JSX.Element {
  const { view, query } = useStore(route);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const closeMenu = () => {
    setMenuOpen(false);
  };
  const filters = filtersOf(query).map(({ value }) => value);
  useTitle(
    [query.q, ...filters, links.find((each) => each.view === view)?.label].filter(Boolean).join(' · '),
  );
  return (
    <div
      class="frame"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isMenuOpen) return;
        closeMenu();
        document.querySelector<HTMLElement>('[aria-controls=navigation]')?.focus();
      }}
    >
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
      <Head isMenuOpen={isMenuOpen} onMenu={setMenuOpen} />
      <Rail isOpen={isMenuOpen} onClose={closeMenu} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

const names = texts.navigation;

interface ViewLink {
  readonly view: View;
  readonly icon: IconName;
  readonly label: string;
}

/** What everybody sees; then what changes the catalogue. */
const readingLinks: readonly ViewLink[] = [
  { view: 'list', icon: 'book', label: names.books },
  { view: 'authors', icon: 'authors', label: names.authors },
  { view: 'stats', icon: 'chart', label: names.stats },
];
const importLink: ViewLink = { view: 'import', icon: 'upload', label: names.import };
const tidyingLinks: readonly ViewLink[] = [
  { view: 'duplicates', icon: 'copy', label: names.duplicates },
  { view: 'trash', icon: 'trash', label: names.trash },
  { view: 'activity', icon: 'activity', label: names.activity },
];
/** The menu of the account leads there. */
const settingsLink: ViewLink = { view: 'settings', icon: 'settings', label: names.settings };
const links = [...readingLinks, importLink, ...tidyingLinks, settingsLink];

interface HeadProps {
  readonly isMenuOpen: boolean;
  readonly onMenu: (isOpen: boolean) => void;
}

/** The line above all views. On a narrow screen, it has a button for the links to them. */
function Head({ isMenuOpen, onMenu }: HeadProps): JSX.Element {
  const { canWrite } = useAccess();
  return (
    <header class="top">
      <IconButton
        icon={isMenuOpen ? 'close' : 'menu'}
        label={names.menu}
        aria-expanded={isMenuOpen}
        aria-controls="navigation"
        onClick={() => {
          onMenu(!isMenuOpen);
        }}
      />
      <Link class="brand" to={home} title={catalogueName}>
        <Icon name="book" />
        <bdi dir="auto">{catalogueName}</bdi>
      </Link>
      <SearchBox />
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
      {hasOwnLogin && !canWrite && (
        <Button look="quiet" icon="login" isCompact onClick={askForLogin}>
          {names.logIn}
        </Button>
      )}
      <Account />
    </header>
  );
}

/** The links to the views, beside them; on a narrow screen over them, if the menu is open. */
function Rail({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): JSX.Element {
  const { view, query } = useStore(route);
  const { canWrite } = useAccess();
  const toLink = ({ view: target, icon, label }: ViewLink) => (
    <Link key={target} to={{ view: target, query }} aria-current={view === target ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
    </Link>
  );
  return (
    <nav
      id="navigation"
      class={`rail ${isOpen ? 'open' : ''}`}
      aria-label={names.label}
      onClick={() => {
        if (!isOpen) return;
        onClose();
        document.getElementById('main')?.focus(); // The link that had it is gone.
      }}
    >
      {readingLinks.map(toLink)}
      {canWrite && (
        <>
          {toLink(importLink)}
          <p id="tidy">{names.tidy}</p>
          <div role="group" aria-labelledby="tidy">
            {tidyingLinks.map(toLink)}
          </div>
        </>
      )}
      <SavedSearches />
    </nav>
  );
}

/** The searches that the reader has kept; each can be removed. */
function SavedSearches(): JSX.Element | null {
  const searches = useStore(savedSearches);
  const { view, query } = useStore(route);
  if (searches.length === 0) return null;
  return (
    <>
      <p id="searches">{texts.searches.title}</p>
      <ul aria-labelledby="searches">
        {searches.map((each) => (
          <li key={each.name} class="saved-search">
            <Link
              to={{ view: 'list', query: each.query }}
              aria-current={view === 'list' && isSameSearch(each.query, query) ? 'page' : undefined}
            >
              <Icon name="search" />
              <bdi dir="auto">{each.name}</bdi>
            </Link>
            <IconButton
              icon="close"
              label={texts.searches.forget(each.name)}
              onClick={(event) => {
                event.stopPropagation(); // The menu stays.
                forgetSearch(each.name);
              }}
            />
          </li>
        ))}
      </ul>
    </>
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

/**
 * The keys of the whole page. They do nothing while somebody types, or while a modal dialog is open; those without Control can be
 * turned off (WCAG 2.1.4).
 */
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
      if (!isCommand && document.querySelector('dialog:modal') !== null) return;
      if (!isCommand && lookOf('keys') === 'off') return;
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
