import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isShortPassword, minPasswordLength } from '../../catalogue/limits.ts';
import { passwordTexts } from '../../texts/password.ts';
import { closeDialog } from '../state/navigation.ts';
import { strengthOf } from '../state/password-strength.ts';
import { asServiceError, changePassword } from '../state/service.ts';
import { describeError, language, texts as common } from '../texts/current.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { announce } from '../ui/messages.tsx';
import { PasswordFields } from '../ui/password-fields.tsx';

const texts = passwordTexts[language];

/** Changes the password of the catalogue. */
export function PasswordDialog(): JSX.Element {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [next, setNext] = useState('');

  const submit = async (form: HTMLFormElement) => {
    const values = new FormData(form);
    if (isShortPassword(next)) {
      setProblem(texts.tooShort(minPasswordLength));
      return;
    }
    if (next !== values.get('again')) {
      setProblem(texts.differs);
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      await changePassword(values.get('password') as string, next);
      closeDialog();
      announce(texts.done);
    } catch (error) {
      const { code } = asServiceError(error);
      const { errors } = texts;
      setProblem(code in errors ? errors[code as keyof typeof errors] : describeError({ code }));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog title={common.password.title} onClose={closeDialog}>
      <p class="intro">{texts.intro}</p>
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
            ['password', texts.now, 'current-password'],
            ['newPassword', texts.next, 'new-password'],
            ['again', texts.repeat, 'new-password'],
          ]}
          problem={problem}
        />
        <p class="hint" role="status">
          {next !== '' && texts.strengths[strengthOf(next)]}
        </p>
        <Button type="submit" look="primary" icon="key" aria-disabled={isBusy}>
          {isBusy ? texts.busy : common.password.title}
        </Button>
      </form>
    </Dialog>
  );
}
