import { fieldNames, type FieldName } from '../../../../catalogue/fields.ts';

/** A column of the table: a field, or something to do with a book. */
export type Column = FieldName | 'select' | 'edit' | 'delete';

/** The columns that a reader sees, in their order. */
export function columnsFor(canWrite: boolean): readonly Column[] {
  return canWrite ? ['select', ...fieldNames, 'edit', 'delete'] : fieldNames;
}

export function isField(column: Column): column is FieldName {
  return (fieldNames as readonly string[]).includes(column);
}
