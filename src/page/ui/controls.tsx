import type { ButtonHTMLAttributes, ComponentChildren, CSSProperties, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { BookFields } from '../../catalogue/book.ts';
import { type FieldName, fieldNames, fields } from '../../catalogue/fields.ts';
import type { Span } from '../../catalogue/highlights.ts';
import type { Marker } from '../state/highlights.ts';
import { formatRoute, navigate, type Route } from '../state/navigation.ts';
import { texts } from '../texts/current.ts';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'icon'> {
  readonly icon?: IconName | undefined;
  readonly look?: 'primary' | 'quiet' | 'danger' | 'plain';
  /** Whether it shows only its icon on a narrow screen. */
  readonly isCompact?: boolean;
  readonly children?: ComponentChildren;
}

/** A button; it submits no form unless its type says so. */
export function Button({
  icon,
  look = 'plain',
  isCompact = false,
  children,
  ...rest
}: ButtonProps): JSX.Element {
  return (
    <button type="button" class={`button ${look} ${isCompact ? 'compact' : ''}`} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}

/** A button that shows only an icon; its name is its label and its tooltip. */
export function IconButton({
  label,
  icon,
  ...rest
}: Omit<ButtonProps, 'children'> & { label: string; icon: IconName }): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}

/** Paths of icons in a square of 24, drawn with strokes. */
const paths = {
  activity: 'M4.6 9a8 8 0 1 1-.6 3M4 4v5h5M12 8v4.5l3 2',
  add: 'M12 5v14M5 12h14',
  authors: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20a8 6 0 0 1 16 0',
  book: 'M5 4.5A1.5 1.5 0 0 1 6.5 3H19v15H6.5A1.5 1.5 0 0 0 5 19.5m0-15v15A1.5 1.5 0 0 0 6.5 21H19v-3',
  chart: 'M5 20V10M12 20V4M19 20v-7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  down: 'M6 9l6 6 6-6',
  sheet: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14',
  edit: 'M4 20l1-4L16.5 4.5l3 3L8 19z',
  filter: 'M4 6h16M7 12h10M10 18h4',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c-5 5-5 13 0 18 5-5 5-13 0-18z',
  help: 'M9.2 9a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2.1M12 17.2v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  history: 'M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8v4.5l3 2',
  key: 'M8 16a4 4 0 1 1 3.5-6H20v3h-2v3h-3v-3h-3.5A4 4 0 0 1 8 16zM8 12v.1',
  login: 'M14 4h5v16h-5M4 12h11m-4-4l4 4-4 4',
  logout: 'M10 4H5v16h5M9 12h11m-4-4l4 4-4 4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  settings: 'M4 7h9m4 0h3M13 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M4 17h3m4 0h9M7 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  share: 'M12 15V4m-4 4l4-4 4 4M7 11H5v9h14v-9h-2',
  trash: 'M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5M14 11v5',
  undo: 'M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3',
  up: 'M6 15l6-6 6 6',
  upload: 'M12 20V9m-4.5 4.5L12 9l4.5 4.5M5 4h14',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.3v.1',
} as const;

export type IconName = keyof typeof paths;

/** A drawing that adds nothing to the text beside it: screen readers skip it. */
export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

interface LinkProps {
  readonly to: Route;
  readonly class?: string;
  readonly title?: string;
  readonly style?: CSSProperties;
  readonly tabIndex?: number;
  readonly 'aria-label'?: string;
  readonly 'aria-current'?: 'page' | undefined;
  readonly children?: ComponentChildren;
}

/** A link within the page. It works in a new tab too, because its address holds the whole state. */
export function Link({ to, children, ...rest }: LinkProps): JSX.Element {
  return (
    <a
      {...rest}
      href={formatRoute(to)}
      onClick={(event) => {
        const isPlain =
          event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
        if (!isPlain || event.defaultPrevented) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}

/** Whether a field of a book has its empty value. */
export function isEmpty(name: FieldName, book: BookFields): boolean {
  return typeof book[name] === 'string' ? book[name].trim() === '' : book[name] === 0;
}

/** The value of a field as text, such as `Untitled` if it is empty. */
export function fieldText(name: FieldName, book: BookFields): string {
  return isEmpty(name, book) ? texts.missing[name] : String(book[name]);
}

interface FieldTextProps {
  readonly name: FieldName;
  readonly book: BookFields;
  /** Finds the letters that are marked. Default: none. */
  readonly marker?: Marker;
}

/** The value of a field. A text has the direction of its own script, not that of the page. */
export function FieldText({ name, book, marker }: FieldTextProps): JSX.Element {
  if (isEmpty(name, book)) return <span class="missing">{texts.missing[name]}</span>;
  if (fields[name].type === 'integer') return <span class="number">{texts.year(Number(book[name]))}</span>;
  const text = String(book[name]);
  return (
    <bdi dir="auto">{marker === undefined ? text : <Marked text={text} spans={marker(name, text)} />}</bdi>
  );
}

function Marked({ text, spans }: { text: string; spans: readonly Span[] }): JSX.Element {
  const ends = [0, ...spans.map(([, end]) => end)];
  return (
    <>
      {spans.map(([start, end], i) => [text.slice(ends[i], start), <mark>{text.slice(start, end)}</mark>])}
      {text.slice(ends.at(-1))}
    </>
  );
}

/** The heads of a table with a column for each field. */
export function FieldHeads(): JSX.Element {
  return (
    <thead>
      <tr>
        {fieldNames.map((name) => (
          <th key={name} scope="col" class={fields[name].type}>
            {texts.fields[name]}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Books to look at, in a table. */
export function BookList({
  caption,
  books,
  ...rest
}: {
  class?: string;
  caption: string;
  books: readonly BookFields[];
}): JSX.Element {
  return (
    <table {...rest}>
      <caption>{caption}</caption>
      <FieldHeads />
      <tbody>
        {books.map((book, i) => (
          <tr key={i}>
            {fieldNames.map((name) => (
              <td key={name} class={fields[name].type}>
                <FieldText name={name} book={book} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A choice between a few things, each with a hint. */
export function Choice<Name extends string>({
  legend,
  hint,
  isAcross = false,
  names,
  texts,
  chosen,
  onChoose,
}: {
  legend: string;
  /** For the whole choice. */
  hint?: string;
  /** Whether they are beside each other, where there is room. */
  isAcross?: boolean;
  names: readonly Name[];
  texts: Readonly<Record<Name, readonly [name: string, hint: string]>>;
  chosen: Name;
  onChoose: (name: Name) => void;
}): JSX.Element {
  const id = useId();
  return (
    <fieldset
      class={isAcross ? 'choice across' : 'choice'}
      aria-describedby={hint === undefined ? undefined : `${id}-hint`}
    >
      <legend>{legend}</legend>
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {names.map((each) => {
        const [name, more] = texts[each];
        return (
          <label key={each} class="choice-line">
            <input
              type="radio"
              name={id}
              checked={each === chosen}
              onChange={() => {
                onChoose(each);
              }}
            />
            <span>
              {name}
              <span class="hint">{more}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
