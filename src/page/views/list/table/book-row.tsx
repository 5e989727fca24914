import type { JSX } from 'preact';
import type { Book } from '../../../../catalogue/book.ts';
import { fieldNames, fields } from '../../../../catalogue/fields.ts';
import { route } from '../../../state/navigation.ts';
import { toggleSelected } from '../../../state/selection.ts';
import { texts } from '../../../texts/current.ts';
import { IconButton } from '../../../ui/button.tsx';
import { FieldText, fieldText } from '../../../ui/field-text.tsx';
import { Link } from '../../../ui/link.tsx';
import { isField, type Column } from './columns.ts';

interface Props {
  readonly book: Book | undefined;
  readonly row: number;
  readonly columns: readonly Column[];
  /** The column of the cell that is in the sequence of Tab, if it is in this row. */
  readonly activeColumn: number | undefined;
  readonly isSelected: boolean;
  readonly onEdit: (book: Book, column: Column) => void;
  readonly onDelete: (book: Book) => void;
}

/** The field that names a row, and leads to the book. */
const [nameField = 'title'] = fieldNames;

/** A row of the table. */
export function BookRow(props: Props): JSX.Element {
  const { book, row, columns, activeColumn, isSelected, onEdit } = props;
  return (
    <tr
      role="row"
      aria-rowindex={row + 2}
      aria-selected={columns.includes('select') ? isSelected : undefined}
      aria-busy={book === undefined}
    >
      {columns.map((column, i) => {
        const tabIndex = activeColumn === i ? 0 : -1;
        const hasControl = book !== undefined && (column === nameField || !isField(column));
        return (
          <td
            key={column}
            role={column === nameField ? 'rowheader' : 'gridcell'}
            class={`cell ${column} ${isField(column) ? fields[column].type : 'control'}`}
            data-cell={`${row}:${i}`}
            tabIndex={hasControl ? undefined : tabIndex}
            onDblClick={() => {
              if (book !== undefined && isField(column) && columns.includes('edit')) onEdit(book, column);
            }}
          >
            <CellContent {...props} column={column} tabIndex={tabIndex} />
          </td>
        );
      })}
    </tr>
  );
}

function CellContent({
  book,
  column,
  tabIndex,
  isSelected,
  onEdit,
  onDelete,
}: Props & { column: Column; tabIndex: number }): JSX.Element | null {
  if (book === undefined) return isField(column) ? <span class="placeholder" /> : null;
  const title = fieldText(nameField, book);
  switch (column) {
    case nameField:
      return (
        <Link tabIndex={tabIndex} to={{ view: 'list', query: route.value.query, book: book.id }}>
          <FieldText name={column} book={book} />
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
            onChange={() => {
              toggleSelected(book.id);
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
      return <FieldText name={column} book={book} />;
  }
}
