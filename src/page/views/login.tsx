import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import {
  asServiceError,
  cameByOldLink,
  catalogueName,
  hadLogin,
  isThisMachine,
  logIn,
  logOut,
} from '../state/service.ts';
import { readDraft, writeDraft } from '../state/signal.ts';
import { describeError, texts } from '../texts/current.ts';
import { Button, Icon } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordFields } from '../ui/password-fields.tsx';
import { announce } from '../ui/messages.tsx';
import { LanguageSwitch } from './language.tsx';

/** The draft of the username: it survives a change of language. A password is kept nowhere. */
const nameDraft = 'username';

/** The page of somebody who may not read without a login. */
export function LoginView(): JSX.Element {
  return (
    <main class="login" tabIndex={-1}>
      <div class="card">
        <p class="brand">
          <Icon name="book" />
          {catalogueName}
        </p>
        <h1>{texts.login.title}</h1>
        <p class="intro">{introOf()}</p>
        <LoginForm />
        {isThisMachine && <p class="hint">{texts.login.where}</p>}
        <LanguageSwitch />
      </div>
    </main>
  );
}

/** Asks a reader for a first or a new login, over work that waits for it. */
export function LoginDialog(): JSX.Element {
  const { again, why, title } = texts.login;
  return (
    <Dialog title={hadLogin() ? again : title} onClose={logOut}>
      <p class="intro">{hadLogin() ? why : introOf()}</p>
      <LoginForm />
    </Dialog>
  );
}

const introOf = () => (cameByOldLink() ? texts.login.oldLink : texts.login.intro);

/** Asks for the username and password. Its fields are named so that password managers fill them. */
function LoginForm(): JSX.Element {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const name = readDraft(nameDraft);

  const submit = async (form: HTMLFormElement) => {
    const values = new FormData(form);
    const valueOf = (name: string) => values.get(name) as string;
    setBusy(true);
    setProblem(undefined);
    try {
      await logIn(valueOf('username'), valueOf('password'));
      writeDraft(nameDraft, undefined);
      announce(texts.login.done);
    } catch (error) {
      setProblem(describeError(asServiceError(error)));
      form.querySelector<HTMLInputElement>('[name=password]')?.focus();
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      class="form login-form"
      method="post" // A script that submits the form must not put the password into the address.
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void submit(event.currentTarget);
      }}
    >
      <div class="field">
        <label for={`${id}-name`}>{texts.login.username}</label>
        <input
          id={`${id}-name`}
          name="username"
          defaultValue={typeof name === 'string' ? name : ''}
          onInput={(event) => {
            writeDraft(nameDraft, event.currentTarget.value);
          }}
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
          autofocus
        />
      </div>
      <PasswordFields fields={[['password', texts.login.password, 'current-password']]} problem={problem} />
      <Button type="submit" look="primary" icon="login" aria-disabled={isBusy}>
        {isBusy ? texts.login.busy : texts.login.submit}
      </Button>
    </form>
  );
}
