import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Book } from '../../catalogue/book.ts';
import {
  authorField,
  type FieldName,
  fieldNames,
  fields,
  nameField,
  suggestedFields,
  yearField,
} from '../../catalogue/fields.ts';
import { type Cell, cellAfter } from '../state/cells.ts';
import { decadeFilter } from '../state/decades.ts';
import type { Marker } from '../state/highlights.ts';
import { type Editing, lastSaved, typeInto } from '../state/editing.ts';
import { changeQuery, type QueryChanges, route } from '../state/navigation.ts';
import { describeError, texts } from '../texts/current.ts';
import { findAuthors } from '../ui/book-fields.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { FieldText, fieldText, Icon, IconButton, isEmpty, Link } from '../ui/controls.tsx';

/** A column of the table: a field, or something to do with a book. */
export type Column = FieldName | 'select' | 'edit' | 'delete';

/** The columns that a reader sees, in their order. */
export function columnsFor(canWrite: boolean): readonly Column[] {
  return canWrite ? ['select', ...fieldNames, 'edit', 'delete'] : fieldNames;
}

export function isField(column: Column): column is FieldName {
  return (fieldNames as readonly string[]).includes(column);
}

interface BookRowProps {
  readonly book: Book | undefined;
  readonly row: number;
  readonly columns: readonly Column[];
  /** The column of the cell that is in the sequence of Tab, if it is in this row. */
  readonly activeColumn: number | undefined;
  /** Whether it is shown beside the list. */
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  /** Whether it was just saved. */
  readonly isSaved: boolean;
  /** The columns of this row that are in a range of several cells. */
  readonly range: { readonly from: number; readonly to: number } | undefined;
  /** Finds the letters that a search has found. */
  readonly marker: Marker;
  /** @param isRange Whether the books between the last selected one and this are meant, too. */
  readonly onSelect: (book: Book, isRange: boolean) => void;
  readonly onEdit: (book: Book, column: Column) => void;
  readonly onDelete: (book: Book) => void;
}

/** The classes of a cell, for its width and alignment. */
export function cellClass(column: Column): string {
  const kind = !isField(column) ? 'control' : column === nameField ? 'name' : fields[column].type;
  return `cell ${column} ${kind}`;
}

export function BookRow(props: BookRowProps): JSX.Element {
  const { book, row, columns, activeColumn, isOpen, isSelected, isSaved, range, onEdit } = props;
  const [pointed, setPointed] = useState<Column>();
  return (
    <tr
      role="row"
      class={isSaved ? 'saved' : undefined}
      onAnimationEnd={forgetSaved}
      aria-rowindex={row + 2}
      aria-selected={columns.includes('select') ? isSelected : undefined}
      aria-current={isOpen ? 'true' : undefined}
      aria-busy={book === undefined}
    >
      {columns.map((column, i) => {
        const tabIndex = activeColumn === i ? 0 : -1;
        const hasControl = book !== undefined && (column === nameField || !isField(column));
        return (
          <td
            key={column}
            role={column === nameField && book !== undefined ? 'rowheader' : 'gridcell'} // A header must have a text.
            class={cellClass(column)}
            aria-selected={(range !== undefined && i >= range.from && i <= range.to) || undefined}
            data-cell={`${row}:${i}`}
            tabIndex={hasControl ? undefined : tabIndex}
            onMouseEnter={(event) => {
              setPointed(column);
              if (isField(column)) showWhole(event);
            }}
            onMouseLeave={() => {
              setPointed(undefined);
            }}
            onDblClick={() => {
              if (book !== undefined && isField(column) && columns.includes('edit')) onEdit(book, column);
            }}
          >
            <CellContent {...props} column={column} tabIndex={tabIndex} />
            {book !== undefined && (tabIndex === 0 || column === pointed) && (
              <CellFilter column={column} book={book} tabIndex={tabIndex} />
            )}
          </td>
        );
      })}
    </tr>
  );
}

function forgetSaved(): void {
  lastSaved.set(undefined);
}

/** Shows the text of a cell as its tooltip, if it is cut. */
function showWhole({ currentTarget: cell }: MouseEvent & { currentTarget: HTMLElement }): void {
  const isCut = [cell, ...cell.querySelectorAll('a, bdi')].some(
    (each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0,
  );
  cell.title = isCut ? cell.innerText : '';
}

function CellContent({
  book,
  column,
  tabIndex,
  isSelected,
  marker,
  onSelect,
  onEdit,
  onDelete,
}: BookRowProps & { column: Column; tabIndex: number }): JSX.Element | null {
  if (book === undefined) return isField(column) ? <span class="placeholder" /> : null;
  const title = fieldText(nameField, book);
  switch (column) {
    case nameField:
      return (
        <Link tabIndex={tabIndex} to={{ ...route.value, view: 'list', book: book.id }}>
          <FieldText name={column} book={book} marker={marker} />
        </Link>
      );
    case 'select':
      return (
        <label class="check">
          <input
            type="checkbox"
            tabIndex={tabIndex}
            checked={isSelected}
            aria-label={texts.many.select(title)}
            onClick={(event) => {
              onSelect(book, event.shiftKey);
            }}
          />
        </label>
      );
    case 'edit':
      return (
        <IconButton
          icon="edit"
          tabIndex={tabIndex}
          label={texts.changing.editBook(title)}
          onClick={() => {
            onEdit(book, nameField);
          }}
        />
      );
    case 'delete':
      return (
        <IconButton
          icon="trash"
          tabIndex={tabIndex}
          label={texts.changing.deleteBook(title)}
          onClick={() => {
            onDelete(book);
          }}
        />
      );
    default:
      return <FieldText name={column} book={book} marker={marker} />;
  }
}

interface CellFilterProps {
  readonly column: Column;
  readonly book: Book;
  readonly tabIndex: number;
}

/** Leads from an author or a year to the books of that author or decade, or to those without a year. */
function CellFilter({ column, book, tabIndex }: CellFilterProps): JSX.Element | null {
  const filter = isField(column) ? filterOf(column, book) : undefined;
  if (filter === undefined) return null;
  const label = texts.books.only(filter.label);
  return (
    <Link
      class="cell-filter"
      tabIndex={tabIndex}
      aria-label={label}
      title={label}
      to={{ view: 'list', query: changeQuery(route.value.query, filter.query) }}
    >
      <Icon name="filter" />
    </Link>
  );
}

function filterOf(name: FieldName, book: Book): { label: string; query: QueryChanges } | undefined {
  if (name === yearField) return decadeFilter(book[name]);
  if (name !== authorField || isEmpty(name, book)) return undefined;
  return { label: book[name], query: { [name]: book[name], [`${name}Words`]: undefined } };
}

/** How the editing of a row begins. */
export interface EditFocus {
  /** The field that gets the focus; `undefined`: the row was scrolled back into view. */
  column: Column | undefined;
  /** Whether a key has been typed into it already. */
  isTyped: boolean;
}

interface EditRowProps {
  readonly now: Editing;
  readonly row: number;
  readonly columns: readonly Column[];
  readonly focus: EditFocus;
  /** Saves, and goes to a cell. */
  readonly onLeave: (to: Cell) => void;
  /** Cancels, and goes to a cell. */
  readonly onCancel: (to: Cell) => void;
}

/** A row that is edited in its place: Enter saves and leads down, Escape cancels, Tab leads on and saves at the end of the row. */
export function EditRow({ now, row, columns, focus, onLeave, onCancel }: EditRowProps): JSX.Element {
  const element = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => {
    if (focus.column === undefined) return;
    const input = element.current?.querySelector<HTMLInputElement>(`input[name=${focus.column}]`);
    input?.focus({ preventScroll: true });
    if (!focus.isTyped) input?.select();
    focus.column = undefined;
  }, []);
  const cell = { row, column: columns.indexOf(nameField) };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const column =
      event.target instanceof HTMLInputElement ? columns.indexOf(event.target.name as Column) : -1;
    const at = column === -1 ? cell : { row, column };
    const last = columns.findLastIndex(isField);
    const next =
      column === -1 ? undefined : cellAfter(event.key, event.shiftKey, at, columns.findIndex(isField), last);
    if (next !== undefined) onLeave(next);
    else if (event.key === 'Escape') onCancel(at);
    else return;
    event.preventDefault();
  };
  const problem =
    now.wrong !== undefined ? texts.changing.wholeNumber : now.error && describeError(now.error);
  const describedBy = problem === undefined ? undefined : 'edit-problem';
  return (
    <tr
      ref={element}
      role="row"
      aria-rowindex={row + 2}
      class="editing"
      aria-busy={now.isSaving}
      onKeyDown={onKeyDown}
    >
      {columns.map((column, i) => (
        <td key={column} role="gridcell" class={cellClass(column)} data-cell={`${row}:${i}`}>
          {isField(column) && column === authorField && suggestedFields.includes(column) ? (
            <Combobox
              isCell
              name={column}
              label={texts.fields[column]}
              value={now.draft[column]}
              readOnly={now.isSaving}
              aria-describedby={describedBy}
              onInput={(text) => {
                typeInto(column, text);
              }}
              onChoose={(text) => {
                typeInto(column, text);
              }}
              find={findAuthors}
            />
          ) : (
            isField(column) && (
              <input
                name={column}
                dir="auto"
                autocomplete="off"
                aria-label={texts.fields[column]}
                aria-invalid={now.wrong === column}
                aria-describedby={describedBy}
                inputmode={fields[column].type === 'integer' ? 'numeric' : 'text'}
                value={now.draft[column]}
                readOnly={now.isSaving}
                onInput={(event) => {
                  typeInto(column, event.currentTarget.value);
                }}
              />
            )
          )}
          {column === (now.wrong ?? nameField) && problem !== undefined && (
            <p id="edit-problem" class="problem row-problem" role="alert">
              {problem}
            </p>
          )}
          {column === 'edit' && (
            <IconButton
              icon="check"
              label={texts.save}
              onClick={() => {
                onLeave(cell);
              }}
            />
          )}
          {column === 'delete' && (
            <IconButton
              icon="close"
              label={texts.cancel}
              onClick={() => {
                onCancel(cell);
              }}
            />
          )}
        </td>
      ))}
    </tr>
  );
}
