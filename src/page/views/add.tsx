import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Book, BookFields } from '../../catalogue/book.ts';
import {
  authorField,
  type FieldName,
  fieldNames,
  indexedTexts,
  mapFields,
  nameField,
} from '../../catalogue/fields.ts';
import { type Draft, emptyDraft, isDraft, parseDraft } from '../state/editing.ts';
import { useDraft } from '../state/hooks.ts';
import { list } from '../state/live.ts';
import { closeDialog, home, navigate, openBook, openDialog } from '../state/navigation.ts';
import { addBook, addDraft, attemptsDraft, isAttempts, isUncertain, noAttempts } from '../state/new-book.ts';
import { lazyScript } from '../state/scripts.ts';
import { asServiceError, canLookUp, client } from '../state/service.ts';
import { writeDraft } from '../state/signal.ts';
import { describeError, texts } from '../texts/current.ts';
import { showDone } from '../ui/actions.ts';
import { BookFieldInputs } from '../ui/book-fields.tsx';
import { Button, fieldText, FieldText, Icon } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { showToast } from '../ui/messages.tsx';
import { afterPress } from '../ui/press.ts';
import { IsbnPlace } from './isbn-place.tsx';

const { changing } = texts;

/** The name of the script that compares books. It is beside this one; the build inserts it. */
declare const duplicatesScript: string;
const loadScript = lazyScript<typeof import('../../catalogue/duplicates.ts')>(duplicatesScript);

const isBoolean = (kept: unknown): kept is boolean => typeof kept === 'boolean';

/** The form for a new book. What is typed survives a reload, and can be had back after the dialog was closed. */
export function AddDialog(): JSX.Element {
  const [draft, setDraft, forgetDraft] = useDraft(addDraft, () => emptyDraft, isDraft);
  const [attempts, setAttempts, forgetAttempts] = useDraft(attemptsDraft, noAttempts, isAttempts);
  const [isOneOfMany, setOneOfMany] = useDraft('another', () => false, isBoolean);
  const [wrong, setWrong] = useState<FieldName>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const same = useSame(draft);

  const close = () => {
    forgetDraft();
    forgetAttempts();
    closeDialog();
  };
  const discard = () => {
    close();
    // The author of the previous book was kept, not typed for this one.
    const isKept = (name: FieldName) => isOneOfMany && name === authorField;
    if (fieldNames.every((name) => isKept(name) || draft[name].trim() === '')) return;
    const goOn = () => {
      writeDraft(addDraft, draft);
      openDialog('add');
    };
    showToast({ text: changing.notAdded, actions: [{ label: texts.conflict.goOn, run: goOn }] });
  };
  /** Leads to where rows of a spreadsheet become books. The user can get back what was typed here. */
  const pasteRows = () => {
    discard();
    navigate({ ...home, view: 'import' });
  };
  /** @param isUntitled Whether the user has said that it has no title: few books are meant to lack one. */
  const submit = async (form: HTMLFormElement, isUntitled = false) => {
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
    if (fields[nameField].trim() === '' && !isUntitled) {
      refuse(nameField);
      return;
    }
    setBusy(true);
    setAttempts({ sent: fields, ...attempts });
    try {
      const added = await addBook(attempts, fields);
      if (isOneOfMany) {
        setDraft({ ...emptyDraft, [authorField]: draft[authorField] }); // A shelf often has several by one author.
        setAttempts(noAttempts());
        setWrong(undefined);
        form.querySelector('input')?.focus();
      } else close();
      showAdded(added, attempts.batch);
      void list.refresh();
    } catch (error) {
      if (!isUncertain(error)) setAttempts(attempts);
      setProblem(describeError(asServiceError(error)));
    }
    setBusy(false);
  };

  return (
    <Dialog title={texts.navigation.add} onClose={discard}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void submit(event.currentTarget);
        }}
      >
        {canLookUp && (
          <IsbnPlace
            onFound={(book) => {
              setDraft(mapFields(fieldNames, (name) => String(book[name] || '')));
              setWrong(undefined);
            }}
          />
        )}
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
        <label class="choice-line">
          <input
            type="checkbox"
            checked={isOneOfMany}
            onChange={(event) => {
              setOneOfMany(event.currentTarget.checked);
            }}
          />
          {changing.addAnother}
        </label>
        <div class="buttons">
          <Button look="quiet" onClick={pasteRows}>
            {changing.pasteRows}
          </Button>
          <Button onClick={discard}>{texts.cancel}</Button>
          {wrong === nameField && (
            <Button
              onClick={({ currentTarget: { form } }) => {
                if (!isBusy && form !== null) void submit(form, true);
              }}
            >
              {changing.addUntitled}
            </Button>
          )}
          <Button type="submit" look="primary" icon="add" aria-disabled={isBusy}>
            {same === undefined ? changing.add : changing.addAnyway}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Shows that a book was added, with a link to it: a filter may hide its row. */
function showAdded(book: Book, batch: string): void {
  const show = {
    label: changing.show,
    run: () => {
      openBook(book.id);
    },
  };
  showDone(changing.added(fieldText(nameField, book)), batch, [show]);
}

interface Props {
  readonly book: Book | undefined;
}

/** Warns that the catalogue has a book already. */
function SameBook({ book }: Props): JSX.Element {
  return (
    <div role="status">
      {book !== undefined && (
        <p class="warning">
          <Icon name="warning" />
          <span>
            {texts.changing.same}{' '}
            <a href={`./?book=${book.id}`} target="_blank" rel="noopener">
              {texts.book.title(book.id)}
            </a>
            {': '}
            {fieldNames.map((name, i) => (
              <span key={name}>
                {i > 0 && ', '}
                <FieldText name={name} book={book} />
              </span>
            ))}
          </span>
        </p>
      )}
    </div>
  );
}

/** The pause after a key before the catalogue is asked for the same book, in milliseconds. */
const pauseMs = 300;

/** A book that the catalogue has already. */
function useSame(draft: Draft): Book | undefined {
  const [same, setSame] = useState<Book>();
  useEffect(() => {
    const parsed = parseDraft({ ...draft, year: '' });
    if ('wrong' in parsed) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      findDuplicatesOf(parsed.fields, abort.signal).then(
        (book) => {
          afterPress(() => {
            setSame(book);
          });
        },
        () => undefined, // Only a hint: adding works without it.
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [draft.title, draft.author]);
  return same;
}

/** The maximum number of candidates. Books with the same words may differ in signs, such as `C` and `C#`. */
const maxCandidates = 100;

/** The first book with the same texts, whatever its year, as the command `add` looks for it. */
export async function findDuplicatesOf(fields: BookFields, signal: AbortSignal): Promise<Book | undefined> {
  const texts = mapFields(indexedTexts, (name) => fields[name]);
  if (Object.values(texts).every((text) => text.trim() === '')) return undefined;
  const { items: books } = await client.page({ ...texts, limit: maxCandidates }, { signal });
  if (books.length === 0) return undefined;
  const { duplicateKey, normalizeForComparison } = await loadScript();
  const keyOf = (book: BookFields) => duplicateKey({ texts: normalizeForComparison(book).texts });
  return books.find((book) => keyOf(book) === keyOf(fields));
}
