import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { stopEditing } from '../state/editing.ts';
import { useAccess } from '../state/hooks.ts';
import { type LookName, lookNames, lookOf, looks, setLook } from '../state/look.ts';
import { navigate, openDialog } from '../state/navigation.ts';
import { addDraft, attemptsDraft } from '../state/new-book.ts';
import { clearSelection } from '../state/selection.ts';
import { canChangePassword, canChangeSettings, hasOwnLogin, logOut } from '../state/service.ts';
import { writeDraft } from '../state/signal.ts';
import { texts } from '../texts/current.ts';
import { Button, IconButton } from '../ui/controls.tsx';
import { announce } from '../ui/messages.tsx';
import { isChoosingLanguage, LanguageSwitch } from './language.tsx';

const names = texts.navigation;

function leave(): void {
  logOut();
  stopEditing();
  for (const name of [addDraft, attemptsDraft]) writeDraft(name, undefined);
  clearSelection();
  announce(texts.login.out);
}

/** The menu of what concerns the reader: language and look of the page, help, and the login. */
export function Account(): JSX.Element {
  const { canWrite } = useAccess();
  const place = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(isChoosingLanguage);
  const close = () => {
    setOpen(false);
  };
  useEffect(() => {
    if (!isOpen) return;
    const onOutside = ({ target }: Event) => {
      if (target instanceof Node && place.current?.contains(target) === false) close();
    };
    for (const event of ['click', 'focusin']) addEventListener(event, onOutside);
    return () => {
      for (const event of ['click', 'focusin']) removeEventListener(event, onOutside);
    };
  }, [isOpen]);
  const closeMenu = () => {
    close();
    place.current?.querySelector('button')?.focus(); // A dialog gives the focus back to it.
  };
  const choose = (run: () => void) => () => {
    closeMenu();
    run();
  };
  return (
    <div
      ref={place}
      class="account"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) closeMenu();
      }}
    >
      <IconButton
        icon="settings"
        label={names.account}
        aria-expanded={isOpen}
        aria-controls="account"
        onClick={() => {
          setOpen(!isOpen);
        }}
      />
      <div id="account" hidden={!isOpen}>
        <LanguageSwitch />
        {lookNames.map((name) => (
          <Look key={name} name={name} />
        ))}
        <Button
          look="quiet"
          icon="help"
          onClick={choose(() => {
            openDialog('help');
          })}
        >
          {names.help}
        </Button>
        {canWrite && canChangeSettings && (
          <Button
            look="quiet"
            icon="settings"
            onClick={choose(() => {
              navigate({ view: 'settings', query: {} });
            })}
          >
            {names.settings}
          </Button>
        )}
        {canWrite && canChangePassword && (
          <Button
            look="quiet"
            icon="key"
            onClick={choose(() => {
              openDialog('password');
            })}
          >
            {texts.password.title}
          </Button>
        )}
        {hasOwnLogin && canWrite && (
          <Button look="quiet" icon="logout" onClick={choose(leave)}>
            {names.logOut}
          </Button>
        )}
      </div>
    </div>
  );
}

function Look({ name }: { name: LookName }): JSX.Element {
  const { label, choices } = texts.look[name];
  return (
    <label class="look">
      {label}
      <select
        value={lookOf(name)}
        onChange={(event) => {
          setLook(name, event.currentTarget.value);
        }}
      >
        {looks[name].map((each, i) => (
          <option key={each} value={each}>
            {choices[i]}
          </option>
        ))}
      </select>
    </label>
  );
}
