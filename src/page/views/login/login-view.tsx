import type { JSX } from 'preact';
import { texts } from '../../texts/current.ts';
import { Icon } from '../../ui/icons.tsx';
import { LoginForm } from './login-form.tsx';

/** The page of somebody who may not read without a login. */
export function LoginView(): JSX.Element {
  return (
    <main class="login" tabIndex={-1}>
      <div class="card">
        <p class="brand">
          <Icon name="book" />
          {texts.name}
        </p>
        <h1>{texts.login.title}</h1>
        <p class="intro">{texts.login.intro}</p>
        <LoginForm />
      </div>
    </main>
  );
}
