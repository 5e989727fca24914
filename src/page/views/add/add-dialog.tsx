import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Book } from '../../../catalogue/book.ts';
import { requiredField, type FieldName } from '../../../catalogue/fields.ts';
import { emptyDraft, isDraft, parseDraft } from '../../state/editing/draft.ts';
import { addBook, isAttempts, isUncertain, noAttempts } from '../../state/editing/new-book.ts';
import { list } from '../../state/list/window-of-page.ts';
import { openBook } from '../../state/navigation.ts';
import { describeError, texts } from '../../texts/current.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText } from '../../ui/field-text.tsx';
import { showDone } from '../../ui/undo.ts';
import { useDraft } from '../../hooks/use-draft.ts';
import { BookFieldInputs } from './book-fields.tsx';
import { addDraft, attemptsDraft, closeDialog } from '../../state/open-dialog.ts';
import { asServiceError } from '../../state/service.ts';
import { SameBook } from './same-book.tsx';
import { useSame } from './use-same.ts';

const { changing } = texts;

/** The form for a new book. What is typed survives a reload. */
export function AddDialog(): JSX.Element {
  const [draft, setDraft, forgetDraft] = useDraft(addDraft, () => emptyDraft, isDraft);
  const [attempts, setAttempts, forgetAttempts] = useDraft(attemptsDraft, noAttempts, isAttempts);
  const [wrong, setWrong] = useState<FieldName>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const same = useSame(draft);
  /** A book may lack a title, but few are meant to. */
  const isUntitled = wrong === requiredField;

  const close = () => {
    forgetDraft();
    forgetAttempts();
    closeDialog();
  };
  const submit = async (form: HTMLFormElement) => {
    const parsed = parseDraft(draft);
    setProblem(undefined);
    const refuse = (name: FieldName) => {
      setWrong(name);
      form.querySelector<HTMLElement>(`[name=${name}]`)?.focus();
    };
    if ('wrong' in parsed) {
      refuse(parsed.wrong);
      return;
    }
    const { fields } = parsed;
    if (fields[requiredField].trim() === '' && !isUntitled) {
      refuse(requiredField);
      return;
    }
    setBusy(true);
    setAttempts({ sent: fields, ...attempts });
    try {
      const added = await addBook(attempts, fields);
      close();
      showAdded(added, attempts.batch);
      void list.refresh();
      return;
    } catch (error) {
      if (!isUncertain(error)) setAttempts(attempts);
      setProblem(describeError(asServiceError(error)));
    }
    setBusy(false);
  };

  return (
    <Dialog title={texts.navigation.add} onClose={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void submit(event.currentTarget);
        }}
      >
        <BookFieldInputs
          draft={draft}
          wrong={wrong}
          onType={(name, text) => {
            setDraft({ ...draft, [name]: text });
            setWrong(undefined);
          }}
        />
        <SameBook book={same} />
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="buttons">
          <Button onClick={close}>{texts.cancel}</Button>
          <Button type="submit" look="primary" icon="add" aria-disabled={isBusy}>
            {isUntitled ? changing.addUntitled : same === undefined ? changing.add : changing.addAnyway}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Says that a book was added, and offers to look at it, which a filter may hide. */
function showAdded(book: Book, batch: string): void {
  const show = {
    label: changing.show,
    run: () => {
      openBook(book.id);
    },
  };
  showDone(changing.added(fieldText('title', book)), batch, [show]);
}
