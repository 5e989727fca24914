import type { JSX } from 'preact';
import { saveEditing, stopEditing, typeInto, type Editing } from '../../state/editing/editing.ts';
import { describeError, texts } from '../../texts/current.ts';
import { Button } from '../../ui/button.tsx';
import { showSaved } from '../../ui/undo.ts';
import { BookFieldInputs } from '../add/book-fields.tsx';

/** The form that edits a book in its sheet. */
export function EditForm({ now }: { now: Editing }): JSX.Element {
  return (
    <form
      class="form"
      aria-busy={now.isSaving}
      onSubmit={(event) => {
        event.preventDefault();
        showSaved(saveEditing());
      }}
    >
      <BookFieldInputs draft={now.draft} wrong={now.wrong} onType={typeInto} />
      <p class="problem" role="alert">
        {now.error !== undefined && describeError(now.error)}
      </p>
      <div class="buttons">
        <Button onClick={stopEditing}>{texts.cancel}</Button>
        <Button type="submit" look="primary" aria-disabled={now.isSaving}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}
