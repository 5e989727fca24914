import type { JSX } from 'preact';
import { logOut } from '../../state/service.ts';
import { texts } from '../../texts/current.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LoginForm } from './login-form.tsx';

/** Asks for a login again, over work that waits for it. */
export function LoginDialog(): JSX.Element {
  return (
    <Dialog title={texts.login.again} onClose={logOut}>
      <p class="intro">{texts.login.why}</p>
      <LoginForm />
    </Dialog>
  );
}
