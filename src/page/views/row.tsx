import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Book } from '../../catalogue/book.ts';
import {
  authorField,
  type FieldName,
  fieldNames,
  fields,
  nameField,
  yearField,
} from '../../catalogue/fields.ts';
import { decadeFilter } from '../state/decades.ts';
import type { Marker } from '../state/highlights.ts';
import { type Editing, lastSaved, saveEditing, stopEditing, typeInto } from '../state/editing.ts';
import { changeQuery, type QueryChanges, route } from '../state/navigation.ts';
import { describeError, texts } from '../texts/current.ts';
import { showSaved } from '../ui/actions.ts';
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
  const { book, row, columns, activeColumn, isOpen, isSelected, isSaved, onEdit } = props;
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

interface EditRowProps {
  readonly now: Editing;
  readonly row: number;
  readonly columns: readonly Column[];
  /** The field that gets the focus when the editing begins. */
  readonly focus: { column: Column | undefined };
}

/** A row that is edited in its place: Enter saves, Escape cancels, Tab moves. */
export function EditRow({ now, row, columns, focus }: EditRowProps): JSX.Element {
  const element = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => {
    if (focus.column === undefined) return; // It was scrolled back into view.
    element.current?.querySelector<HTMLInputElement>(`input[name=${focus.column}]`)?.select();
    focus.column = undefined;
  }, []);
  const save = () => {
    showSaved(saveEditing());
  };
  const problem =
    now.wrong !== undefined ? texts.changing.wholeNumber : now.error && describeError(now.error);
  return (
    <tr
      ref={element}
      role="row"
      aria-rowindex={row + 2}
      class="editing"
      aria-busy={now.isSaving}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) save();
        else if (event.key === 'Escape') stopEditing();
        else return;
        event.preventDefault();
      }}
    >
      {columns.map((column) => (
        <td key={column} role="gridcell" class={cellClass(column)}>
          {isField(column) && (
            <input
              name={column}
              dir="auto"
              autocomplete="off"
              aria-label={texts.fields[column]}
              aria-invalid={now.wrong === column}
              aria-describedby={problem === undefined ? undefined : 'edit-problem'}
              inputmode={fields[column].type === 'integer' ? 'numeric' : 'text'}
              value={now.draft[column]}
              readOnly={now.isSaving}
              onInput={(event) => {
                typeInto(column, event.currentTarget.value);
              }}
            />
          )}
          {column === (now.wrong ?? nameField) && problem !== undefined && (
            <p id="edit-problem" class="problem row-problem" role="alert">
              {problem}
            </p>
          )}
          {column === 'edit' && <IconButton icon="check" label={texts.save} onClick={save} />}
          {column === 'delete' && <IconButton icon="close" label={texts.cancel} onClick={stopEditing} />}
        </td>
      ))}
    </tr>
  );
}
