import type { JSX } from 'preact';
import type { Book } from '../../../catalogue/book.ts';
import { fieldNames } from '../../../catalogue/fields.ts';
import { newBatch } from '../../../catalogue/batch.ts';
import type { EarlierState } from '../../../catalogue/changes.ts';
import { client } from '../../state/service.ts';
import { list } from '../../state/list/window-of-page.ts';
import { describeError, formatTime, texts } from '../../texts/current.ts';
import { Button } from '../../ui/button.tsx';
import { FieldText } from '../../ui/field-text.tsx';
import { showDone, showFailure } from '../../ui/undo.ts';
import { useAccess } from '../../hooks/use-store.ts';
import { useAnswer } from '../../hooks/use-answer.ts';

interface Props {
  readonly book: Book;
  /** The state that is shown. Another one has more history. */
  readonly tag: string;
}

/** The earlier states of a book, newest first; each can be restored. */
export function BookHistory(props: Props): JSX.Element {
  const { canWrite } = useAccess();
  return (
    <section class="history" aria-labelledby="history">
      <h3 id="history">{texts.book.history}</h3>
      {canWrite ? <States {...props} /> : <p class="hint">{texts.book.loginForHistory}</p>}
    </section>
  );
}

function States({ book, tag }: Props): JSX.Element {
  const { value: states, error } = useAnswer(`${book.id} ${tag}`, (signal) =>
    client.history(book.id, { signal }),
  );
  if (error !== undefined) return <p class="problem">{describeError(error)}</p>;
  if (states === undefined) return <p class="loading">{texts.loading}</p>;
  if (states.length === 0) return <p class="hint">{texts.book.noHistory}</p>;
  return (
    <ol class="states">
      {states.map((state) => (
        <li key={state.version}>
          <p class="when">
            {texts.book.changes[state.change]} ·{' '}
            <time dateTime={state.at.toISOString()}>{formatTime(state.at)}</time>
          </p>
          <p class="state">
            <span class="visually-hidden">{texts.book.before}: </span>
            {fieldNames.map((name) => (
              <span key={name} class={state[name] === book[name] ? 'same' : 'differs'}>
                <FieldText name={name} book={state} />
              </span>
            ))}
          </p>
          <Button
            look="quiet"
            icon="history"
            aria-label={texts.changing.restoreState(formatTime(state.at))}
            onClick={() => void restore(book.id, state, tag)}
          >
            {texts.changing.restore}
          </Button>
        </li>
      ))}
    </ol>
  );
}

async function restore(id: number, { version }: EarlierState, tag: string): Promise<void> {
  const batch = newBatch();
  try {
    const book = await client.revert(id, { version, ifMatch: tag, batch });
    list.change(id, () => book);
    showDone(texts.changing.restored(id), batch);
  } catch (error) {
    showFailure(error);
  }
}
