import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Book } from '../../catalogue/book.ts';
import { type FieldName, fieldNames, fields, indexedFields, nameField } from '../../catalogue/fields.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import type { SortKey } from '../../catalogue/sorts.ts';
import { type Cell, paste, pasting } from '../state/cells.ts';
import { columnWidths } from '../state/column-widths.ts';
import { editDeleted, editing, lastSaved, saveEditing, stopEditing, typeInto } from '../state/editing.ts';
import { useAccess, useStore } from '../state/hooks.ts';
import { useMarker } from '../state/highlights.ts';
import { countRows, type ListState, rowOf, shownQuery } from '../state/list.ts';
import { changesReceived, list } from '../state/live.ts';
import { changeQuery, navigate, openBook, route } from '../state/navigation.ts';
import { restoreScroll } from '../state/place.ts';
import {
  clearSelection,
  isSelected,
  nothingSelected,
  selection,
  selectMore,
  toggleSelected,
} from '../state/selection.ts';
import { texts } from '../texts/current.ts';
import { deleteShown, editRow, showSaved } from '../ui/actions.ts';
import { Icon } from '../ui/controls.tsx';
import { Divider } from '../ui/divider.tsx';
import { useCellRange } from './cell-range.ts';
import { countScrollable, useAnchor, useGridFocus, useHeight, useVisibleRows } from './grid.ts';
import { Later } from './later.tsx';
import { BookRow, cellClass, type Column, columnsFor, type EditFocus, EditRow, isField } from './row.tsx';

/** Keys that have another use in a cell, because few texts begin with them. */
const shortcuts = [' ', '/', '?'];

/** Rows after the last known one, whose view makes the next page load. */
const rowsAhead = 10;

/**
 * The table of books. Only the rows in view are in the document; the space above and below stands for the others. Rows have
 * one height, so that their places are known.
 */
export function BookTable({ state }: { state: ListState }): JSX.Element {
  const ruler = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const focus = useRef<EditFocus>({ column: undefined, isTyped: false });
  const { canWrite } = useAccess();
  const now = useStore(editing);
  const selected = useStore(selection);
  const savedId = useStore(lastSaved);
  const isPasting = useStore(pasting) !== undefined;
  const { book: openId } = useStore(route);
  const columns = columnsFor(canWrite);
  const marker = useMarker(shownQuery(state), state.match === 'parts');
  const rowHeight = useHeight(ruler);
  const maxRows = countScrollable(rowHeight);
  const known = Math.min(countRows(state.pages), maxRows);
  const total = state.letter === undefined ? (state.total ?? 0) : 0; // After a letter, fewer follow.
  const rows = Math.min(list.isComplete ? known : Math.max(known + rowsAhead, total), maxRows);
  const isCut = known === maxRows && (state.total ?? Infinity) > maxRows;
  const { first, end, update } = useVisibleRows(place, rowHeight, rows);
  useAnchor(place, state.pages, state.query, rowHeight);
  const hasRows = known > 0 && rowHeight > 0;
  useEffect(() => {
    if (hasRows) restoreScroll();
  }, [hasRows, state.query]);
  useEffect(() => {
    list.show(first, end);
  }, [first, end, state.query]);

  const firstField = columns.findIndex(isField);
  const { active, anchor, onKeyDown, onFocusIn, go, endRange } = useGridFocus(table, {
    rows: list.isComplete ? known : Math.max(known, Math.min(total, maxRows)),
    columns: columns.length,
    firstColumn: firstField,
    hasRanges: canWrite,
    rowsInView: Math.max(1, Math.floor(innerHeight / (rowHeight || 1)) - 3),
    scrollToRow: (row) => {
      if (place.current !== null) scrollToRow(place.current, row, rowHeight);
      update();
    },
  });
  const isActiveRendered = active.row >= first && active.row < end;
  const editedId = now?.place === 'row' ? now.base.book.id : undefined;
  const wasEdited = useRef(editedId);
  useLayoutEffect(() => {
    const { activeElement } = document;
    const isHere = activeElement === document.body || table.current?.contains(activeElement) === true;
    if (wasEdited.current !== undefined && editedId === undefined && isHere) go(active.row, active.column);
    wasEdited.current = editedId;
  }, [editedId]);
  const { event } = useStore(changesReceived);
  useEffect(() => {
    if (event?.change !== 'deleted' || event.id !== editedId) return;
    editDeleted();
    openBook(event.id);
  }, [event]);
  const selectedLast = useRef<number>(undefined);

  const onSelect = (book: Book, isRange: boolean) => {
    const [from, to] = [rowOf(state.pages, selectedLast.current ?? 0), rowOf(state.pages, book.id)];
    selectedLast.current = book.id;
    if (!isRange || from === -1) {
      toggleSelected(book.id);
      return;
    }
    const between = Array.from({ length: Math.abs(to - from) + 1 }, (_, i) =>
      list.bookAt(Math.min(from, to) + i),
    );
    selectMore(between.flatMap((each) => each?.id ?? []));
  };

  /** @param typed The text that replaces that of the field. */
  const onEdit = (book: Book, column: Column, typed?: string) => {
    focus.current = { column, isTyped: typed !== undefined };
    if (!editRow(book)) focus.current.column = undefined;
    else if (typed !== undefined && isField(column)) typeInto(column, typed);
  };
  const onLeave = (to: Cell) => {
    showSaved(saveEditing());
    const left = editing.value;
    if (left === undefined || left.isSaving) go(to.row, to.column);
  };
  const onCancel = ({ row, column }: Cell) => {
    go(row, column);
    stopEditing();
  };
  const onDelete = (book: Book) => {
    const row = rowOf(state.pages, book.id);
    void deleteShown(book).then((isDeleted) => {
      if (!isDeleted) return;
      go(active.row, active.column);
      closeGap(table.current, row, rowHeight);
    });
  };

  const { range, isRange, onMouse } = useCellRange({ columns, active, anchor, go, endRange, canWrite });

  /** The keys of a row. Enter and Space press what its cells contain; the cells of other fields are edited, or open the book. */
  const onShortcut = (event: KeyboardEvent) => {
    const book = list.bookAt(active.row);
    const isTyping = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox';
    const isLink = event.target instanceof Element && event.target.closest('.cell-filter') !== null;
    if (book === undefined || isTyping || isLink || event.defaultPrevented) return;
    const { key } = event;
    const column = columns[active.column];
    const field = column !== undefined && isField(column) ? column : undefined;
    const isCommand = event.ctrlKey || event.metaKey;
    if ((isCommand || event.altKey) && !event.getModifierState('AltGraph')) {
      const isFillDown =
        key === 'd' && isCommand && canWrite && field !== undefined && (isRange || active.row > 0);
      if (!isFillDown) return;
      paste(undefined);
    } else if (key === 'Enter' && field !== undefined && field !== nameField) {
      if (canWrite) onEdit(book, field);
      else openBook(book.id);
    } else if (!canWrite) return;
    else if (key === ' ' && field !== undefined) onSelect(book, event.shiftKey);
    else if (key === 'F2') onEdit(book, field ?? nameField);
    else if (key === 'Escape' && isRange) go(active.row, active.column);
    else if (key === 'Delete' && (isRange || (field !== undefined && field !== nameField))) paste('');
    else if (key === 'Delete') onDelete(book);
    else if (field === undefined) return;
    else if (key === 'Backspace') onEdit(book, field, '');
    else if (key === 'Process' || key === 'Dead') {
      onEdit(book, field); // An input method composes in the field, whose text is selected.
      return;
    } else if (!shortcuts.includes(key) && Array.from(key).length === 1) onEdit(book, field, key);
    else return;
    event.preventDefault();
  };

  return (
    <div class="table-place">
      <div ref={ruler} class="row-ruler" aria-hidden="true" />
      <div
        ref={place}
        style={{
          paddingBlockStart: `${first * rowHeight}px`,
          paddingBlockEnd: `${(rows - end) * rowHeight}px`,
          // While rows are exchanged, a lower document would end the scrolling early.
          minBlockSize: `${(rows + 1) * rowHeight}px`,
        }}
      >
        <table
          ref={table}
          role="grid"
          class={canWrite ? 'books writable' : 'books'}
          style={columnStyle}
          aria-label={texts.books.title}
          aria-rowcount={state.total === undefined ? -1 : state.total + 1}
          aria-multiselectable={canWrite}
          aria-busy={state.isLoading}
          tabIndex={isActiveRendered ? undefined : 0}
          onKeyDown={(event) => {
            onKeyDown(event);
            onShortcut(event);
          }}
          onFocusIn={onFocusIn}
          onMouseDown={onMouse}
          onMouseOver={onMouse}
          onClick={(event) => {
            if (event.shiftKey && isRange && event.target instanceof Element && event.target.closest('a'))
              event.preventDefault();
          }}
          onDragStart={(event) => {
            if (canWrite) event.preventDefault(); // A link would be dragged, and no range selected.
          }}
        >
          <thead role="rowgroup">
            <HeadRow query={state.query} columns={columns} />
          </thead>
          <tbody role="rowgroup">
            {Array.from({ length: Math.max(0, end - first) }, (_, i) => {
              const row = first + i;
              const book = list.bookAt(row);
              if (now !== undefined && book !== undefined && book.id === editedId)
                return (
                  <EditRow
                    key={book.id}
                    now={now}
                    row={row}
                    columns={columns}
                    focus={focus.current}
                    onLeave={onLeave}
                    onCancel={onCancel}
                  />
                );
              return (
                <BookRow
                  key={book?.id ?? `row ${row}`}
                  book={book}
                  row={row}
                  columns={columns}
                  activeColumn={active.row === row ? active.column : undefined}
                  range={
                    isRange && row >= range.from.row && row <= range.to.row
                      ? { from: range.from.column, to: range.to.column }
                      : undefined
                  }
                  marker={marker}
                  isOpen={book !== undefined && book.id === openId}
                  isSaved={book !== undefined && book.id === savedId}
                  isSelected={book !== undefined && isSelected(selected, book.id)}
                  onSelect={onSelect}
                  onEdit={onEdit}
                  onDelete={onDelete}
                />
              );
            })}
          </tbody>
        </table>
      </div>
      {end - first < rows && <p class="print-note">{texts.books.printHint(end - first)}</p>}
      {canWrite && <Later of="clipboard" />}
      {isPasting && <Later of="paste" />}
      {isCut && <p class="hint">{texts.books.endsHere(maxRows)}</p>}
    </div>
  );
}

const others = fieldNames.filter((name) => name !== nameField);
const isText = (name: FieldName) => fields[name].type === 'text';

/** What the styles of the table must know of the fields after the name. */
const columnStyle = {
  '--texts': others.filter(isText).length,
  '--columns': others.map((name) => (isText(name) ? 'minmax(0, 1fr)' : 'auto')).join(' '),
};

/** Scrolls a row into view, below the header of the table and above messages, which stay in view. */
function scrollToRow(place: HTMLElement, row: number, rowHeight: number): void {
  const top = place.getBoundingClientRect().top + row * rowHeight;
  const bottom = top + 2 * rowHeight; // The header of the table is above the first row.
  const covered = parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockEnd) || 0;
  const end = innerHeight - covered;
  if (top < 2 * rowHeight) scrollBy(0, top - 2 * rowHeight);
  else if (bottom > end) scrollBy(0, bottom - end + rowHeight / 2);
}

/** Lets the rows below a deleted one move up, once they are at their places. */
function closeGap(table: HTMLElement | null, row: number, rowHeight: number): void {
  if (table === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  requestAnimationFrame(() => {
    for (const each of table.querySelectorAll('tbody tr'))
      if (Number(each.ariaRowIndex) >= row + 2)
        each.animate([{ transform: `translateY(${rowHeight}px)` }, { transform: 'none' }], 160);
  });
}

type Direction = 'ascending' | 'descending' | 'none';

function directionOf(name: FieldName, { sort }: BookQuery): Direction {
  if (sort === name) return 'ascending';
  return sort === `-${name}` ? 'descending' : 'none';
}

/** The order after a click: ascending, descending, then that of the numbers of the books. */
const nextSort: Readonly<Record<Direction, (name: SortKey) => BookQuery['sort']>> = {
  none: (name) => name,
  ascending: (name) => `-${name}`,
  descending: () => undefined,
};

interface HeadProps {
  readonly query: BookQuery;
  readonly columns: readonly Column[];
}

/** The names of the columns; a click sorts by one. */
function HeadRow({ query, columns }: HeadProps): JSX.Element {
  const widths = useStore(columnWidths);
  return (
    <tr role="row" aria-rowindex={1}>
      {columns.map((column) => {
        if (column === 'select')
          return (
            <th key={column} role="columnheader" scope="col" class={cellClass(column)}>
              <SelectLoaded />
            </th>
          );
        if (isField(column))
          return <FieldHead key={column} name={column} query={query} width={widths[column]} />;
        return (
          <th key={column} role="columnheader" scope="col" class={cellClass(column)}>
            <span class="visually-hidden">{texts.changing[column]}</span>
          </th>
        );
      })}
    </tr>
  );
}

interface FieldHeadProps {
  readonly name: FieldName;
  readonly query: BookQuery;
  /** In percent of the table. */
  readonly width: number | undefined;
}

function FieldHead({ name, query, width }: FieldHeadProps): JSX.Element {
  const direction = directionOf(name, query);
  const next = fieldNames[fieldNames.indexOf(name) + 1];
  const sortable = indexedFields.find((each) => each === name);
  return (
    <th
      role="columnheader"
      scope="col"
      class={cellClass(name)}
      style={width === undefined ? undefined : { '--width': `${width}%` }}
      aria-label={texts.fields[name]} // Without the divider: a screen reader reads the header with each cell.
      aria-sort={sortable ? direction : undefined}
    >
      {sortable ? (
        <button
          type="button"
          class="sort"
          title={texts.books.sortBy(texts.fields[name])}
          onClick={() => {
            const sort = nextSort[direction](sortable);
            navigate({ view: 'list', query: changeQuery(route.value.query, { sort }) });
          }}
        >
          {texts.fields[name]}
          <Icon name={direction === 'descending' ? 'down' : 'up'} />
        </button>
      ) : (
        texts.fields[name]
      )}
      {next !== undefined && <Divider before={name} after={next} />}
    </th>
  );
}

/** Selects the books that are loaded, or none. */
function SelectLoaded(): JSX.Element {
  const current = useStore(selection);
  const loaded = list.state.value.pages.flatMap(({ books }) => books ?? []);
  const isAny = current === 'all' || current.ids.size > 0;
  return (
    <label class="check">
      <input
        type="checkbox"
        aria-label={texts.many.selectShown}
        checked={isAny}
        indeterminate={current !== 'all' && isAny && current.ids.size < loaded.length}
        onChange={() => {
          if (isAny) clearSelection();
          else {
            selection.set(
              loaded.length === 0 ? nothingSelected : { ids: new Set(loaded.map(({ id }) => id)) },
            );
          }
        }}
      />
    </label>
  );
}
