import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { closeDialog } from '../state/navigation.ts';
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
  const { password } = texts;

  const submit = async (form: HTMLFormElement) => {
    const values = new FormData(form);
    setBusy(true);
    setProblem(undefined);
    try {
      await changePassword(values.get('password') as string, values.get('newPassword') as string);
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
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void submit(event.currentTarget);
        }}
      >
        <PasswordFields
          fields={[
            ['password', password.now, 'current-password'],
            ['newPassword', password.next, 'new-password'],
          ]}
          problem={problem}
        />
        <Button type="submit" look="primary" icon="key" aria-disabled={isBusy}>
          {isBusy ? password.busy : password.title}
        </Button>
      </form>
    </Dialog>
  );
}
