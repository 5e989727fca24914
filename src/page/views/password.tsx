import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { closeDialog } from '../state/navigation.ts';
import { minPasswordLength, strengthOf } from '../state/password-strength.ts';
import { asServiceError, changePassword } from '../state/service.ts';
import { describeError, texts } from '../texts/current.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { announce } from '../ui/messages.tsx';
import { PasswordFields } from '../ui/password-fields.tsx';

/** Changes the password of the catalogue. */
export function PasswordDialog(): JSX.Element {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [next, setNext] = useState('');
  const { password } = texts;

  const submit = async (form: HTMLFormElement) => {
    const values = new FormData(form);
    if (Array.from(next).length < minPasswordLength) {
      setProblem(password.tooShort(minPasswordLength));
      return;
    }
    if (next !== values.get('again')) {
      setProblem(password.differs);
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      await changePassword(values.get('password') as string, next);
      closeDialog();
      announce(password.done);
    } catch (error) {
      const { code } = asServiceError(error);
      const { errors } = password;
      setProblem(code in errors ? errors[code as keyof typeof errors] : describeError({ code }));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog title={password.title} onClose={closeDialog}>
      <p class="intro">{password.intro}</p>
      <form
        class="form"
        method="post" // A script that submits the form must not put the passwords into the address.
        onInput={({ target }) => {
          if (target instanceof HTMLInputElement && target.name === 'newPassword') setNext(target.value);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void submit(event.currentTarget);
        }}
      >
        <PasswordFields
          fields={[
            ['password', password.now, 'current-password'],
            ['newPassword', password.next, 'new-password'],
            ['again', password.repeat, 'new-password'],
          ]}
          problem={problem}
        />
        <p class="hint" role="status">
          {next !== '' && password.strengths[strengthOf(next)]}
        </p>
        <Button type="submit" look="primary" icon="key" aria-disabled={isBusy}>
          {isBusy ? password.busy : password.title}
        </Button>
      </form>
    </Dialog>
  );
}
