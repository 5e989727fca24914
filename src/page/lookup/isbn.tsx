// What looks books up by their ISBN: a script of its own, with its own copy of preact, that loads only where a service does so.
import { type JSX, render } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { BookFields } from '../../catalogue/book.ts';
import { hasCode } from '../../catalogue/errors.ts';
import { fieldNames, fields, mapFields, nameField, type FieldName } from '../../catalogue/fields.ts';
import { parseIsbn } from '../../catalogue/isbn.ts';
import { type IsbnTexts, isbnTexts } from '../../texts/isbn.ts';
import type { Language } from '../../texts/texts.ts';
import type { parseDraft } from '../state/editing.ts';
import { type Item, Scan, type ScanClient } from './scan.ts';

/** What the page gives to this script. */
export interface IsbnOptions {
  readonly client: ScanClient;
  readonly language: Language;
  /** The names of the fields. */
  readonly names: Readonly<Record<FieldName, string>>;
  readonly describeError: (error: unknown) => string;
  readonly parseDraft: typeof parseDraft;
  /** Called with a book that was found. */
  readonly onFound: (book: BookFields) => void;
  /** Called when books were added or taken back. */
  readonly onChanged: () => void;
  /** Makes screen readers announce a text. */
  readonly announce: (text: string) => void;
}

/** Shows the field for an ISBN in a place of the page. @returns The function that removes it. */
export function mount(place: Element, options: IsbnOptions): () => void {
  render(<IsbnField {...options} texts={isbnTexts[options.language]} />, place);
  return () => {
    render(null, place);
  };
}

/** The numbers of this tab: those that wait to be typed outlive the dialog. */
let kept: Scan | undefined;

/** Forgets the numbers: somebody has logged out. */
export function forget(): void {
  kept = undefined;
}

type Props = IsbnOptions & { readonly texts: IsbnTexts };

/** The fields of a book that are not empty. */
function valuesOf(book: BookFields): (string | number)[] {
  return fieldNames.map((name) => book[name]).filter(Boolean);
}

function IsbnField(props: Props): JSX.Element {
  const { client, texts, describeError, onFound, announce } = props;
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [isScanning, setScanning] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const lookUp = async () => {
    const isbn = parseIsbn(input.current?.value ?? '');
    setProblem(isbn === undefined ? texts.wrong : '');
    if (isbn === undefined || isBusy) return;
    setBusy(true);
    announce(texts.states.waiting);
    try {
      const book = await client.lookUpIsbn(isbn);
      onFound(book);
      announce(valuesOf(book).join(', ')); // The focus stays here while the fields are filled in.
    } catch (error) {
      setProblem(hasCode(error, 'book_not_found') ? texts.unknown : describeError(error));
    }
    setBusy(false);
  };
  return (
    <div class="field">
      <label for={id}>{texts.isbn}</label>
      <input
        ref={input}
        id={id}
        autocomplete="off"
        inputmode="numeric"
        aria-describedby={`${id}-hint`}
        aria-invalid={problem !== ''}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault(); // It ends a number, and does not add the book.
          void lookUp();
        }}
      />
      <p id={`${id}-hint`} class="hint">
        {isBusy ? texts.states.waiting : texts.hint}
      </p>
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons start">
        <button type="button" class="button plain" aria-disabled={isBusy} onClick={() => void lookUp()}>
          <span>{texts.lookUp}</span>
        </button>
        <button
          type="button"
          class="button plain"
          onClick={() => {
            setScanning(true);
          }}
        >
          <span>{texts.scanMany}</span>
        </button>
      </div>
      {isScanning && (
        <ScanDialog
          {...props}
          onClose={() => {
            setScanning(false);
          }}
        />
      )}
    </div>
  );
}

function ScanDialog(props: Props & { readonly onClose: () => void }): JSX.Element {
  const { client, texts, describeError, onChanged, onClose } = props;
  const [, setChange] = useState(0);
  const scan = (kept ??= new Scan(client));
  const [message, setMessage] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    input.current?.focus();
    scan.onChange = () => {
      setChange((last) => last + 1);
    };
    return () => {
      scan.onChange = onChanged; // What is on its way is added.
      element?.close();
    };
  }, []);
  const added = scan.items.filter(({ state }) => state === 'added').length;
  useEffect(() => {
    if (!scan.isBusy && scan.items.length > 0) onChanged();
  }, [scan.isBusy]);
  const left = scan.items.length - added;
  const take = (text: string) => {
    const [again] = scan.scan(text);
    setMessage(again === undefined ? '' : texts.again(again));
    if (input.current) input.current.value = '';
  };
  const undo = async () => {
    try {
      await scan.undo();
      setMessage(texts.undone);
      onChanged();
    } catch (error) {
      setMessage(describeError(error));
    }
    input.current?.focus();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog wide"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{texts.scanMany}</h2>
      </div>
      <div class="field">
        <label for={`${id}-isbn`}>{texts.isbn}</label>
        <input
          ref={input}
          id={`${id}-isbn`}
          autocomplete="off"
          inputmode="numeric"
          aria-describedby={`${id}-hint`}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            take(event.currentTarget.value);
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData?.getData('text') ?? '';
            if (!/[\r\n]/.test(pasted.trim())) return;
            event.preventDefault(); // The field would join the lines.
            take(pasted);
          }}
        />
        <p id={`${id}-hint`} class="hint">
          {texts.scanHint}
        </p>
      </div>
      <p role="status">{scan.items.length > 0 ? texts.counts(added, left) : ''}</p>
      <p class="problem" role="alert">
        {message}
      </p>
      <ul class="rows">
        {scan.items.map((item) => (
          <ItemRow key={item.isbn} {...props} item={item} scan={scan} />
        ))}
      </ul>
      <div class="buttons">
        <button
          type="button"
          class="button plain"
          aria-disabled={scan.isBusy || added === 0}
          onClick={() => {
            if (!scan.isBusy && added > 0) void undo();
          }}
        >
          <span>{texts.undoAll}</span>
        </button>
        <button type="button" class="button primary" onClick={onClose}>
          <span>{texts.close}</span>
        </button>
      </div>
    </dialog>
  );
}

interface ItemProps extends Pick<Props, 'texts' | 'names' | 'parseDraft'> {
  readonly item: Item;
  readonly scan: Scan;
}

function ItemRow(props: ItemProps): JSX.Element {
  const { item, scan, texts } = props;
  const { isbn, state, book } = item;
  const isTyped = state === 'unknown' || state === 'wrong';
  return (
    <li class="row">
      <span class="row-text">
        <span class="part">{isbn}</span>
        <span class="part">{texts.states[state]}</span>
        {book !== undefined && (
          <span class="part">
            <bdi dir="auto">{valuesOf(book).join(' · ')}</bdi>
          </span>
        )}
      </span>
      {state === 'failed' && (
        <RowButton
          label={texts.retry}
          isbn={isbn}
          onClick={() => {
            scan.retry(item);
          }}
        />
      )}
      {state === 'present' && book !== undefined && (
        <RowButton
          label={texts.addAnyway}
          isbn={isbn}
          onClick={() => {
            scan.add(item, book);
          }}
        />
      )}
      {isTyped && <TypedBook {...props} />}
    </li>
  );
}

interface RowButtonProps {
  readonly label: string;
  readonly isbn: string;
  readonly onClick: () => void;
}

function RowButton({ label, isbn, onClick }: RowButtonProps): JSX.Element {
  return (
    <button type="button" class="button plain" aria-label={`${label}: ${isbn}`} onClick={onClick}>
      <span>{label}</span>
    </button>
  );
}

/** The fields of a book that nobody knows. */
function TypedBook({ item, scan, texts, names, parseDraft }: ItemProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const add = () => {
    const inputs = [...(place.current?.querySelectorAll('input') ?? [])];
    const parsed = parseDraft(
      mapFields(fieldNames, (field) => inputs.find(({ name }) => name === field)?.value.trim() ?? ''),
    );
    const focus = (field: FieldName) => inputs.find(({ name }) => name === field)?.focus();
    if ('wrong' in parsed) focus(parsed.wrong);
    else if (parsed.fields[nameField] === '') focus(nameField);
    else scan.add(item, parsed.fields);
  };
  return (
    <div ref={place} class="buttons start">
      {fieldNames.map((name) => (
        <input
          key={name}
          name={name}
          dir="auto"
          autocomplete="off"
          placeholder={names[name]}
          aria-label={`${names[name]}: ${item.isbn}`}
          inputmode={fields[name].type === 'integer' ? 'numeric' : 'text'}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
      ))}
      <RowButton label={texts.add} isbn={item.isbn} onClick={add} />
    </div>
  );
}
