import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { importedFileOf } from '../../catalogue/batch.ts';
import { type BatchBook, type BatchSummary, type ChangeKind, changeKinds } from '../../catalogue/changes.ts';
import { fieldNames, nameField } from '../../catalogue/fields.ts';
import { maxBatchBooks } from '../../catalogue/limits.ts';
import { interruptedUndo, isUndo, joinNeighbours, sizeOf, sum, usersOf } from '../state/activity.ts';
import { useAnswer } from '../state/hooks.ts';
import { client } from '../state/service.ts';
import { describeError, formatTime, texts } from '../texts/current.ts';
import { undo } from '../ui/actions.ts';
import { Button, FieldText, fieldText, Link } from '../ui/controls.tsx';
import { Loading } from '../ui/messages.tsx';
import { PartsView } from '../ui/parts.tsx';

/** The number of books that an entry names. The others are read when they are shown. */
const namedBooks = 3;

/** What happened to the books, newest first: additions, imports, changes, deletions and their undos. */
export function ActivityView(): JSX.Element {
  return (
    <PartsView
      texts={texts.activity}
      icon="activity"
      limit={50}
      read={(page, signal) => client.batches({ ...page, books: namedBooks }, { signal })}
      rows={(batches, again) =>
        joinNeighbours(batches).map((group) => (
          <Group key={group.at(-1)?.batch} group={group} batches={batches} onUndone={again} />
        ))
      }
    />
  );
}

/** Describes changes: `12 books added, 1 book changed`. */
function describe(counts: Readonly<Record<ChangeKind, number>>): string {
  return changeKinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => texts.activity[kind](counts[kind]))
    .join(', ');
}

function describeBatch(batch: BatchSummary): string {
  const what = describe(batch);
  return isUndo(batch) ? texts.activity.ofUndo(what) : what;
}

interface EntryProps {
  /** All that the list has. */
  readonly batches: readonly BatchSummary[];
  readonly onUndone: () => void;
}

/** A batch, or several that are shown as one; each of these can be taken back. */
function Group({ group, ...props }: EntryProps & { group: readonly BatchSummary[] }): JSX.Element {
  const [newest] = group;
  if (newest === undefined || group.length === 1) return <>{newest && <Entry entry={newest} {...props} />}</>;
  const all = sum(group);
  return (
    <li class="row" tabIndex={-1}>
      <div class="row-text">
        <What text={describe(all)} books={all.books} size={all.books.length} />
        <When at={newest.at} users={usersOf(newest)} />
      </div>
      <Disclosure>
        <ul class="rows">
          {group.map((entry) => (
            <Entry key={entry.batch} entry={entry} {...props} />
          ))}
        </ul>
      </Disclosure>
    </li>
  );
}

function Entry({ entry, batches, onUndone }: EntryProps & { entry: BatchSummary }): JSX.Element {
  const [undone, setUndone] = useState<number>(); // While it is undone.
  const row = useRef<HTMLLIElement>(null);
  const { activity } = texts;
  const what = describeBatch(entry);
  const { books = [] } = entry;
  const names = books.map((book) => fieldText(nameField, book)).join(', ');
  const label = activity.undoEntry(
    names === '' ? what : `${activity.named(what)} ${names}`,
    formatTime(entry.at),
  );
  const size = sizeOf(entry);
  const interrupted = undone === undefined ? interruptedUndo(entry, batches) : undefined;
  const takeBack = async () => {
    if (undone !== undefined) return;
    setUndone(0);
    row.current?.focus(); // The button goes away.
    await undo(entry.batch, setUndone, interrupted?.as);
    setUndone(undefined);
    onUndone();
  };
  return (
    <li ref={row} class="row" tabIndex={-1}>
      <div class="row-text">
        <What file={importedFileOf(entry.batch)} text={what} books={books} size={size} />
        <When at={entry.at} users={usersOf(entry)}>
          {entry.undoable === false && ` · ${activity.nothingToUndo}`}
          {interrupted !== undefined && (
            <span class="incomplete">
              {' · '}
              {activity.incomplete(interrupted.done, interrupted.total)}
            </span>
          )}
        </When>
      </div>
      {entry.undoable !== false && (
        <Button
          icon="undo"
          aria-label={
            undone !== undefined
              ? undefined // The text that it shows.
              : interrupted === undefined
                ? label
                : `${activity.named(texts.importing.goOn)} ${label}`
          }
          aria-disabled={undone !== undefined}
          onClick={() => void takeBack()}
        >
          {undone !== undefined
            ? activity.undoing(undone)
            : interrupted === undefined
              ? texts.undo
              : texts.importing.goOn}
        </Button>
      )}
      {size > books.length && books.length > 0 && (
        <Disclosure>
          <BooksOfBatch entry={entry} />
        </Disclosure>
      )}
    </li>
  );
}

interface WhatProps {
  /** The name of the file that was imported. */
  readonly file?: string | undefined;
  readonly text: string;
  readonly books: readonly BatchBook[];
  /** The number of all books. */
  readonly size: number;
}

/** The changes of an entry, and their books. */
function What({ file, text, books, size }: WhatProps): JSX.Element {
  const named = books.slice(0, namedBooks);
  const { activity } = texts;
  return (
    <p>
      {file !== undefined && (
        <>
          <bdi>{activity.named(file)}</bdi>{' '}
        </>
      )}
      {named.length === 0 ? text : `${activity.named(text)} `}
      {named.map((book, i) => (
        <span key={book.id}>
          {i > 0 && ', '}
          <BookName book={book} />
        </span>
      ))}
      {named.length > 0 && named.length < size && ', …'}
    </p>
  );
}

function BookName({ book }: { book: BatchBook }): JSX.Element {
  const title = <FieldText name={nameField} book={book} />;
  if (book.change === 'deleted') return <em>{title}</em>;
  return <Link to={{ view: 'activity', query: {}, book: book.id }}>{title}</Link>;
}

interface WhenProps {
  readonly at: Date;
  readonly users: readonly string[];
  readonly children?: ComponentChildren;
}

function When({ at, users, children }: WhenProps): JSX.Element {
  return (
    <p class="when">
      <time dateTime={at.toISOString()}>{formatTime(at)}</time>
      {users.map((user) => (
        <span key={user}>
          {' · '}
          <bdi>{user}</bdi>
        </span>
      ))}
      {children}
    </p>
  );
}

/** The books of an entry, which load when the user opens them. */
function Disclosure({ children }: { children: ComponentChildren }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="books-of-entry"
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>{texts.activity.books}</summary>
      {isOpen && children}
    </details>
  );
}

/** The books of a batch, as it left them; of a large one, the last of them by number. */
function BooksOfBatch({ entry }: { entry: BatchSummary }): JSX.Element {
  const { value: books, error } = useAnswer(entry.batch, (signal) =>
    client.batchBooks(entry.batch, maxBatchBooks, { signal }),
  );
  if (error !== undefined) return <p class="problem">{describeError(error)}</p>;
  if (books === undefined) return <Loading />;
  const isMixed = new Set(books.map(({ change }) => change)).size > 1;
  const others = sizeOf(entry) - books.length;
  return (
    <ul>
      {books.map((book) => (
        <li key={book.id}>
          {fieldNames.map((name) => (
            <span key={name} class="part">
              {name === nameField ? <BookName book={book} /> : <FieldText name={name} book={book} />}
            </span>
          ))}
          {isMixed && <span class="part when">{texts.activity[book.change](1)}</span>}
        </li>
      ))}
      {others > 0 && <li class="hint">{texts.activity.others(others)}</li>}
    </ul>
  );
}
