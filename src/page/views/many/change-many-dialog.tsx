import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { BookPatch } from '../../../catalogue/book.ts';
import { fieldNames, mapFields, type FieldName } from '../../../catalogue/fields.ts';
import { authorField } from '../../../catalogue/statistics.ts';
import { emptyDraft, parseDraft } from '../../state/editing/draft.ts';
import type { Selection } from '../../state/selection.ts';
import { client } from '../../state/service.ts';
import { texts } from '../../texts/current.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { BookFieldInputs } from '../add/book-fields.tsx';
import { ManyProgress } from './progress.tsx';
import { useMany } from './use-many.ts';

interface Props {
  readonly chosen: Selection;
  readonly count: number;
  readonly onClose: () => void;
}

/** Gives many books the same values of some fields. */
export function ChangeManyDialog({ chosen, count, onClose }: Props): JSX.Element {
  const [draft, setDraft] = useState(emptyDraft);
  const [wrong, setWrong] = useState<FieldName>();
  const [missing, setMissing] = useState(false);
  const { progress, problem, run } = useMany(chosen, texts.changing.changed, onClose);

  const submit = () => {
    const parsed = parseDraft(draft);
    const filled = fieldNames.filter((name) => draft[name].trim() !== '');
    setWrong('wrong' in parsed ? parsed.wrong : undefined);
    setMissing(filled.length === 0);
    if ('wrong' in parsed || filled.length === 0 || progress !== undefined) return;
    const patch = mapFields(filled, (name) => parsed.fields[name]) as BookPatch;
    void run((id, batch) => client.update(id, patch, { batch }));
  };

  return (
    <Dialog title={texts.many.changeTitle(count)} onClose={onClose}>
      <p>{texts.many.changeHint}</p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <BookFieldInputs
          draft={draft}
          wrong={wrong}
          first={authorField} // Many books have an author in common, hardly a title.
          onType={(name, text) => {
            setDraft({ ...draft, [name]: text });
          }}
        />
        <ManyProgress progress={progress} problem={missing ? texts.many.nothing : problem} />
        <div class="buttons">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" aria-disabled={progress !== undefined}>
            {texts.many.change}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
