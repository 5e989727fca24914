import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Book } from '../../catalogue/book.ts';
import { authorField, yearField, fieldNames, nameField } from '../../catalogue/fields.ts';
import {
  editing,
  type Editing,
  restoreAndSave,
  saveEditing,
  stopEditing,
  typeInto,
} from '../state/editing.ts';
import { decadeOf } from '../state/decades.ts';
import { useAccess, useAnswer, useMedia, useStore, useTitle } from '../state/hooks.ts';
import { rowOf } from '../state/list.ts';
import { changesReceived, list } from '../state/live.ts';
import { closeBook, openBook, openDialog } from '../state/navigation.ts';
import { readBook } from '../state/service.ts';
import { describeError, texts } from '../texts/current.ts';
import { deleteShown, editBook, showSaved } from '../ui/actions.ts';
import type { TaggedBook } from '../../client/methods.ts';
import { BookFieldInputs } from '../ui/book-fields.tsx';
import { Button, FieldText, fieldText, IconButton, isEmpty, Link } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure, Loading, Notice } from '../ui/messages.tsx';
import { Later } from './later.tsx';

/** Where the list has room beside a book: it can be used meanwhile. The style sheet has the same. */
const besideList = '(min-width: 80rem) and (min-height: 30rem)';

/** The button that led from one book to another: it keeps the focus. */
let moved: -1 | 1 | undefined;

/** One book, beside the list. */
export function BookSheet({ id }: { id: number }): JSX.Element {
  const changes = useStore(changesReceived);
  const { canWrite } = useAccess();
  const now = useStore(editing);
  const isEdited = now?.place === 'sheet' && now.base.book.id === id;
  // It is read again when somebody, here or elsewhere, has changed it.
  const version = useRef(0);
  if (changes.event?.id === id) version.current = changes.count;
  const { value, error, again } = useAnswer(`${id} ${version.current}`, (signal) => readBook(id, signal));
  const isMissing = error?.code === 'book_not_found';
  const book = value?.book ?? (isEdited ? now.base.book : undefined);
  useTitle(book === undefined ? texts.book.title(id) : fieldText(nameField, book));
  const facts = useRef<HTMLDivElement>(null);
  const wasEdited = useRef(false);
  const isModal = !useMedia(besideList) || isEdited; // What was typed would be lost with a click on another book.
  useLayoutEffect(() => {
    if (moved !== undefined) facts.current?.querySelector<HTMLElement>(`[data-step="${moved}"]`)?.focus();
    moved = undefined;
  }, []);
  useLayoutEffect(() => {
    if (isEdited) facts.current?.querySelector('input')?.select();
    else if (wasEdited.current) facts.current?.querySelector('button')?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  return (
    <Dialog
      look="sheet"
      isModal={isModal}
      title={book === undefined ? texts.book.title(id) : <FieldText name={nameField} book={book} />}
      onClose={closeBook}
    >
      {isMissing && !isEdited && (
        <Notice icon="book" title={texts.book.missing}>
          <p>{texts.book.missingHint}</p>
        </Notice>
      )}
      {error !== undefined && !isMissing && (
        <Failure title={texts.book.title(id)} error={error} onRetry={again} />
      )}
      {value === undefined && error === undefined && <Loading />}
      <div ref={facts} class="facts-and-actions">
        {isEdited && <EditForm now={now} />}
        {value !== undefined && !isMissing && !isEdited && <BookFacts book={value.book} />}
        {!isEdited && (
          <div class="buttons start">
            {value !== undefined && !isMissing && canWrite && <BookActions book={value.book} />}
            {value !== undefined && !isMissing && (
              <Button
                icon="share"
                onClick={() => {
                  openDialog('share');
                }}
              >
                {texts.book.share}
              </Button>
            )}
            <Neighbours id={id} />
          </div>
        )}
      </div>
      {value !== undefined && !isMissing && <BookHistory shown={value} />}
    </Dialog>
  );
}

/** The other fields of a book, and links to similar books. */
function BookFacts({ book }: { book: Book }): JSX.Element {
  const decade = decadeOf(book[yearField]);
  return (
    <>
      <dl class="facts">
        {fieldNames
          .filter((name) => name !== nameField)
          .map((name) => (
            <div key={name}>
              <dt>{texts.fields[name]}</dt>
              <dd>
                <FieldText name={name} book={book} />
              </dd>
            </div>
          ))}
        <div>
          <dt>{texts.book.number}</dt>
          <dd class="number">{book.id}</dd>
        </div>
      </dl>
      <p class="links">
        {!isEmpty(authorField, book) && (
          <Link to={{ view: 'list', query: { [authorField]: book[authorField] } }}>
            {texts.book.moreByAuthor}
          </Link>
        )}
        {!isEmpty(yearField, book) && (
          <Link to={{ view: 'list', query: decade.query }}>{texts.book.moreOfDecade}</Link>
        )}
      </p>
    </>
  );
}

function BookActions({ book }: { book: Book }): JSX.Element {
  return (
    <>
      <Button icon="edit" onClick={() => void editBook(book.id)}>
        {texts.changing.edit}
      </Button>
      <Button
        icon="trash"
        look="danger"
        onClick={() => {
          void deleteShown(book).then((isDeleted) => {
            if (isDeleted) closeBook();
          });
        }}
      >
        {texts.changing.delete}
      </Button>
    </>
  );
}

/** Leads to the books before and after this one in the list, as far as it is loaded. */
function Neighbours({ id }: { id: number }): JSX.Element {
  const { pages } = useStore(list.state);
  const row = rowOf(pages, id);
  return (
    <span class="neighbours">
      {([-1, 1] as const).map((step) => {
        const next = row < 0 ? undefined : list.bookAt(row + step);
        return (
          <IconButton
            key={step}
            data-step={step}
            icon={step < 0 ? 'up' : 'down'}
            label={step < 0 ? texts.book.previous : texts.book.next}
            aria-disabled={next === undefined}
            onClick={() => {
              if (next === undefined) return;
              moved = step;
              openBook(next.id);
            }}
          />
        );
      })}
    </span>
  );
}

/** The form that edits a book in its sheet. */
function EditForm({ now }: { now: Editing }): JSX.Element {
  const isGone = now.error?.code === 'book_not_found';
  return (
    <form
      class="form"
      aria-busy={now.isSaving}
      onSubmit={(event) => {
        event.preventDefault();
        showSaved(isGone ? restoreAndSave() : saveEditing());
      }}
    >
      <BookFieldInputs draft={now.draft} wrong={now.wrong} onType={typeInto} />
      <p class="problem" role="alert">
        {isGone ? texts.changing.gone : now.error !== undefined && describeError(now.error)}
      </p>
      <div class="buttons">
        <Button onClick={stopEditing}>{texts.cancel}</Button>
        <Button type="submit" look="primary" aria-disabled={now.isSaving}>
          {isGone ? texts.changing.restoreAndSave : texts.save}
        </Button>
      </div>
    </form>
  );
}

/** The earlier states of a book, newest first; each can be restored. */
function BookHistory({ shown }: { shown: TaggedBook }): JSX.Element {
  const { canWrite } = useAccess();
  return (
    <section class="history" aria-labelledby="history">
      <h3 id="history">{texts.book.history}</h3>
      {canWrite ? <Later of="history" shown={shown} /> : <p class="hint">{texts.book.loginForHistory}</p>}
    </section>
  );
}
