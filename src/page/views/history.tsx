import type { JSX } from 'preact';
import { newBatchId } from '../../catalogue/batch.ts';
import type { BookFields } from '../../catalogue/book.ts';
import type { EarlierState } from '../../catalogue/changes.ts';
import { fieldNames, nameField } from '../../catalogue/fields.ts';
import type { TaggedBook } from '../../client/methods.ts';
import { useAnswer } from '../state/hooks.ts';
import { list } from '../state/live.ts';
import { client } from '../state/service.ts';
import { describeError, formatTime, texts } from '../texts/current.ts';
import { showDone, showFailure } from '../ui/actions.ts';
import { Button, FieldText, fieldText } from '../ui/controls.tsx';
import { Loading } from '../ui/messages.tsx';

/** The changes of a book, newest first: by whom, when, and from which values to which. Each earlier state can be restored. */
export function HistoryOfBook({ shown }: { shown?: TaggedBook }): JSX.Element | null {
  return shown === undefined ? null : <States {...shown} />;
}

function States({ book, tag }: TaggedBook): JSX.Element {
  const { value: states, error } = useAnswer(`${book.id} ${tag}`, (signal) =>
    client.history(book.id, { signal }),
  );
  if (error !== undefined) return <p class="problem">{describeError(error)}</p>;
  if (states === undefined) return <Loading />;
  if (states.length === 0) return <p class="hint">{texts.book.noHistory}</p>;
  return (
    <ol class="states">
      {states.map((state, i) => (
        <li key={state.version}>
          <p class="when">
            {texts.book.changes[state.change]} ·{' '}
            <time dateTime={state.at.toISOString()}>{formatTime(state.at)}</time>
            {state.user !== undefined && (
              <>
                {' · '}
                <bdi>{state.user}</bdi>
              </>
            )}
          </p>
          <Changes before={state} after={state.change === 'deleted' ? undefined : (states[i - 1] ?? book)} />
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

/** The values that a change replaced, field by field. @param after `undefined`: the book was deleted. */
function Changes({ before, after }: { before: BookFields; after: BookFields | undefined }): JSX.Element {
  const changed = fieldNames.filter((name) => before[name] !== after?.[name]);
  return (
    <dl class="changes">
      {changed.map((name) => (
        <div key={name}>
          <dt>{texts.fields[name]}</dt>
          <dd>
            <span class="visually-hidden">{texts.book.before}: </span>
            <span class="old">
              <FieldText name={name} book={before} />
            </span>
            {after !== undefined && (
              <>
                {' → '}
                <FieldText name={name} book={after} />
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

async function restore(id: number, { version }: EarlierState, tag: string): Promise<void> {
  const batch = newBatchId();
  try {
    const book = await client.revert(id, { version, ifMatch: tag, batch });
    list.change(id, () => book);
    showDone(texts.changing.restored(fieldText(nameField, book)), batch);
  } catch (error) {
    showFailure(error);
  }
}
