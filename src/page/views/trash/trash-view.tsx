import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DeletedBook } from '../../../catalogue/changes.ts';
import type { DeletedPage } from '../../../client/operations.ts';
import { heard } from '../../state/live.ts';
import { client } from '../../state/service.ts';
import { texts } from '../../texts/current.ts';
import { Button } from '../../ui/button.tsx';
import { Failure, Notice } from '../../ui/notice.tsx';
import { showFailure } from '../../ui/undo.ts';
import { useAnswer } from '../../hooks/use-answer.ts';
import { useStore } from '../../hooks/use-store.ts';
import { TrashRow } from './trash-row.tsx';

/** The deleted books of one request. */
const limit = 100;

/** The deleted books that can be brought back, newest first. */
export function TrashView(): JSX.Element {
  const { count } = useStore(heard);
  const { value, error, again } = useAnswer(String(count), (signal) => client.trash({ limit }, { signal }));
  return (
    <div class="view">
      <h1>{texts.trash.title}</h1>
      {error !== undefined && <Failure title={texts.trash.failed} error={error} onRetry={again} />}
      {value?.books.length === 0 && error === undefined && (
        <Notice icon="trash" title={texts.trash.empty}>
          <p>{texts.trash.emptyHint}</p>
        </Notice>
      )}
      {value !== undefined && value.books.length > 0 && <TrashList key={count} first={value} />}
    </div>
  );
}

function TrashList({ first }: { first: DeletedPage }): JSX.Element {
  const [books, setBooks] = useState<readonly DeletedBook[]>(first.books);
  const [next, setNext] = useState(first.next);
  const readMore = async () => {
    try {
      const page = await client.trash({ limit, after: next });
      setBooks([...books, ...page.books]);
      setNext(page.next);
    } catch (error) {
      showFailure(error);
    }
  };
  const remove = (id: number) => {
    setBooks((shown) => shown.filter((book) => book.id !== id));
  };
  return (
    <>
      <ul class="rows">
        {books.map((book) => (
          <TrashRow key={book.id} book={book} onRestored={remove} />
        ))}
      </ul>
      {next !== undefined && <Button onClick={() => void readMore()}>{texts.trash.more}</Button>}
    </>
  );
}
