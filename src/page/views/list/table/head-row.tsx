import type { JSX } from 'preact';
import { fields, indexedFields, type FieldName } from '../../../../catalogue/fields.ts';
import type { BookQuery, SortKey } from '../../../../catalogue/query.ts';
import { navigate, route } from '../../../state/navigation.ts';
import { changeQuery } from '../../../state/route.ts';
import { texts } from '../../../texts/current.ts';
import { Icon } from '../../../ui/icons.tsx';
import { isField, type Column } from './columns.ts';
import { SelectLoaded } from './select-loaded.tsx';

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

interface Props {
  readonly query: BookQuery;
  readonly columns: readonly Column[];
}

/** The names of the columns; a click sorts by one. */
export function HeadRow({ query, columns }: Props): JSX.Element {
  return (
    <tr role="row" aria-rowindex={1}>
      {columns.map((column) => {
        if (column === 'select')
          return (
            <th key={column} role="columnheader" scope="col" class="cell select control">
              <SelectLoaded />
            </th>
          );
        if (isField(column)) return <FieldHead key={column} name={column} query={query} />;
        return (
          <th key={column} role="columnheader" scope="col" class={`cell ${column} control`}>
            <span class="visually-hidden">{texts.changing[column]}</span>
          </th>
        );
      })}
    </tr>
  );
}

function FieldHead({ name, query }: { name: FieldName; query: BookQuery }): JSX.Element {
  const direction = directionOf(name, query);
  const isSortable = indexedFields.some((each) => each === name);
  return (
    <th
      role="columnheader"
      scope="col"
      class={`cell ${name} ${fields[name].type}`}
      aria-sort={isSortable ? direction : undefined}
    >
      {isSortable ? (
        <button
          type="button"
          class="sort"
          title={texts.books.sortBy(texts.fields[name])}
          onClick={() => {
            const sort = nextSort[direction](name);
            navigate({ view: 'list', query: changeQuery(route.value.query, { sort }) });
          }}
        >
          {texts.fields[name]}
          <Icon name={direction === 'descending' ? 'down' : 'up'} />
        </button>
      ) : (
        texts.fields[name]
      )}
    </th>
  );
}
