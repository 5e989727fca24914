import { authorField } from '../../catalogue/fields.ts';
import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { AuthorCount } from '../../catalogue/authors.ts';
import { Edit, findSpellings } from '../../client/edits.ts';
import type { Paging } from '../../api/queries.ts';
import { type Part, useAccess, useAnswer, useParts, useStore } from '../state/hooks.ts';
import { changed, list, withOneRefresh } from '../state/live.ts';
import { maxInFlight } from '../state/selection.ts';
import { asServiceError, client } from '../state/service.ts';
import { describeError, texts } from '../texts/current.ts';
import { showDone, showFailure } from '../ui/actions.ts';
import { findAuthors } from '../ui/book-fields.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Button, Choice, IconButton, Link } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Letters } from '../ui/letters.tsx';
import { announce, ComputingProgress, Failure, Loading, Notice } from '../ui/messages.tsx';

const { authors } = texts;

const orders = ['author', '-count', 'variants'] as const;
type Order = (typeof orders)[number];

/** The authors by name or by number, and the spellings of one name. */
export function AuthorsView(): JSX.Element {
  const { canWrite } = useAccess();
  const [order, setOrder] = useState<Order>('author');
  const [q, setQuery] = useState('');
  const shown = canWrite ? orders : orders.filter((each) => each !== 'variants');
  return (
    <div class="view">
      <h1>{authors.title}</h1>
      <Choice
        legend={authors.order}
        isAcross
        names={shown}
        texts={authors.orders}
        chosen={order}
        onChoose={setOrder}
      />
      <Search q={q} onSearch={setQuery} />
      {order === 'variants' ? <VariantList q={q} /> : <AuthorList q={q} sort={order} />}
    </div>
  );
}

function Search({ q, onSearch }: { q: string; onSearch: (q: string) => void }): JSX.Element {
  const id = useId();
  return (
    <div class="author-search">
      <label for={id}>{authors.search}</label>
      <input
        id={id}
        type="search"
        value={q}
        onInput={(event) => {
          onSearch(event.currentTarget.value);
        }}
      />
      <Letters
        chosen={q}
        labelOf={authors.letter}
        onChoose={(letter = '') => {
          onSearch(letter);
        }}
      />
    </div>
  );
}

interface ListProps<Item> {
  /** The list is read anew when it changes. */
  readonly question: string;
  readonly limit: number;
  readonly read: (page: Paging, signal?: AbortSignal) => Promise<Part<Item>>;
  readonly empty: string;
  readonly children: (items: readonly Item[], again: () => void) => JSX.Element;
}

/** A list that the service may have to compute first. */
function ComputedList<Item>({ question, limit, read, empty, children }: ListProps<Item>): JSX.Element {
  const key = `${useStore(changed)} ${question}`;
  const { items, more, error, computing, again } = useParts(key, limit, read);
  const isEmpty = items?.length === 0;
  useEffect(() => {
    if (isEmpty) announce(empty); // The focus is still in the field.
  }, [isEmpty]);
  if (computing !== undefined)
    return <ComputingProgress percent={computing.percent} text={authors.computing(computing.seconds)} />;
  if (error !== undefined) return <Failure title={authors.failed} error={error} onRetry={again} />;
  if (items === undefined) return <Loading />;
  if (isEmpty) return <Notice icon="search" title={empty} />;
  return (
    <>
      {children(items, again)}
      {more !== undefined && <Button onClick={() => void more().catch(showFailure)}>{texts.more}</Button>}
    </>
  );
}

function AuthorList({ q, sort }: { q: string; sort: 'author' | '-count' }): JSX.Element {
  const { canWrite } = useAccess();
  const [renamed, setRenamed] = useState<AuthorCount>();
  const rows = (
    <ComputedList<AuthorCount>
      question={JSON.stringify([sort, q])}
      limit={100}
      empty={authors.empty}
      read={(page, signal) => client.authors({ q, sort, ...page }, { signal })}
    >
      {(items) => (
        <ul class="rows columns">
          {items.map(({ author, count }) => (
            <li key={author} class="row">
              <Link class="row-text" to={{ view: 'list', query: { author } }}>
                <bdi dir="auto">{author}</bdi>
              </Link>
              <span class="group-count">{texts.books.books(count)}</span>
              {canWrite && (
                <IconButton
                  icon="edit"
                  label={authors.rename(author)}
                  onClick={() => {
                    setRenamed({ author, count });
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </ComputedList>
  );
  const close = () => {
    setRenamed(undefined);
  };
  return (
    <>
      {rows}
      {renamed !== undefined && <RenameDialog {...renamed} onClose={close} />}
    </>
  );
}

/** Gives all books of an author another name, as one batch, once it has said how many they are. */
function RenameDialog({ author, count, onClose }: AuthorCount & { onClose: () => void }): JSX.Element {
  const [name, setName] = useState(author);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const next = name.trim();
  const firstOf = (named: string) => async (signal: AbortSignal) => {
    const { items, total } = await client.page({ [authorField]: named, limit: 1, count: true }, { signal });
    return { named, id: items[0]?.id, total: total ?? 0 };
  };
  const { value: old } = useAnswer(author, firstOf(author));
  const { value: other } = useAnswer(next, firstOf(next === '' ? author : next));
  // Other letters of the same name, such as capitals, find the same books.
  const isTaken = other?.id !== undefined && other.named === next && old !== undefined && other.id !== old.id;

  const rename = async () => {
    setBusy(true);
    setProblem(undefined);
    const edit = new Edit(client, { maxInFlight });
    try {
      const { books } = await findSpellings(client, next, [author]);
      await withOneRefresh(() => edit.change(books, { [authorField]: next }));
      onClose();
    } catch (error) {
      setProblem(describeError(asServiceError(error)));
    }
    if (edit.done.length > 0) showDone(texts.changing.changed(edit.done.length), edit.batch);
    setBusy(false);
  };

  return (
    <Dialog title={authors.rename(author)} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (next === author) onClose();
          else if (next !== '' && !isBusy) void rename();
        }}
      >
        <Combobox
          name={authorField}
          autofocus
          label={authors.newName}
          value={name}
          onInput={setName}
          onChoose={setName}
          find={findAuthors}
        />
        <p role="status">
          {authors.renames(count)} {isTaken && authors.becomeOne(next, other.total)}
        </p>
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="buttons">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" aria-disabled={isBusy || next === ''}>
            {authors.join(count)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function VariantList({ q }: { q: string }): JSX.Element {
  return (
    <>
      <p class="hint">{authors.intro}</p>
      <ComputedList<AuthorCount[]>
        question={JSON.stringify(['variants', q])}
        limit={25}
        empty={authors.noVariants}
        read={(page, signal) => client.authorVariants({ q, ...page }, { signal })}
      >
        {(groups, again) => (
          <ul class="groups">
            {groups.map((group) => (
              <li key={group.map(({ author }) => author).join('\n')}>
                <GroupCard group={group} onJoined={again} />
              </li>
            ))}
          </ul>
        )}
      </ComputedList>
    </>
  );
}

/** The spellings of one name: choose one, and give it to all books. */
function GroupCard({
  group,
  onJoined,
}: {
  group: readonly AuthorCount[];
  onJoined: () => void;
}): JSX.Element {
  const name = useId();
  const [keep, setKeep] = useState(group[0]?.author ?? '');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const total = group.reduce((sum, { author, count }) => sum + (author === keep ? 0 : count), 0);
  const join = async () => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    const edit = new Edit(client, { maxInFlight });
    const others = group.map(({ author }) => author).filter((author) => author !== keep);
    try {
      const { books } = await findSpellings(client, keep, others);
      await edit.change(books, { [authorField]: keep });
    } catch (error) {
      setProblem(describeError(asServiceError(error)));
    }
    if (edit.done.length > 0) showDone(texts.changing.changed(edit.done.length), edit.batch);
    setBusy(false);
    void list.refresh();
    onJoined();
  };
  return (
    <fieldset class="group">
      <legend>
        <bdi dir="auto">{keep}</bdi> <span class="group-count">{authors.spellings(group.length)}</span>
      </legend>
      <div class="group-books">
        {group.map(({ author, count }) => (
          <label key={author} class={`group-book ${author === keep ? 'kept' : ''}`}>
            <input
              type="radio"
              name={name}
              checked={author === keep}
              disabled={isBusy}
              onChange={() => {
                setKeep(author);
              }}
            />
            <span class="group-text">
              <bdi dir="auto">{author}</bdi> <span class="group-count">{texts.books.books(count)}</span>
            </span>
            {author === keep && <span class="tag">{texts.duplicates.keep}</span>}
          </label>
        ))}
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons start">
        <Button
          icon="edit"
          aria-disabled={isBusy}
          aria-label={authors.joinOf(total, keep)}
          onClick={() => void join()}
        >
          {authors.join(total)}
        </Button>
      </div>
    </fieldset>
  );
}
