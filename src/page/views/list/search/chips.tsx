import type { JSX } from 'preact';
import { fieldNames, indexedIntegers, indexedTexts } from '../../../../catalogue/fields.ts';
import type { BookQuery } from '../../../../catalogue/query.ts';
import { route } from '../../../state/navigation.ts';
import { changeQuery } from '../../../state/route.ts';
import { useStore } from '../../../hooks/use-store.ts';
import { texts } from '../../../texts/current.ts';
import { Icon } from '../../../ui/icons.tsx';
import { Link } from '../../../ui/link.tsx';

interface Filter {
  readonly label: string;
  readonly value: string;
  /** The parameters that it consists of. */
  readonly names: readonly (keyof BookQuery)[];
}

/** The filters of a query; the search words and the order are shown elsewhere. */
export function filtersOf(query: BookQuery): Filter[] {
  return fieldNames.flatMap((field): Filter[] => {
    const label = texts.fields[field];
    const text = indexedTexts.find((name) => name === field);
    if (text !== undefined) {
      const words = `${text}Words` as const;
      return [text, words].flatMap((name) =>
        query[name] === undefined ? [] : [{ label, value: query[name], names: [name] }],
      );
    }
    const integer = indexedIntegers.find((name) => name === field);
    if (integer === undefined) return [];
    const names = [integer, `${integer}From`, `${integer}To`] as const;
    const [value, from, to] = names.map((name) => query[name]);
    if (value !== undefined) return [{ label, value: String(value), names }];
    if (from === undefined && to === undefined) return [];
    return [{ label, value: texts.books.range(from, to), names }];
  });
}

/** The filters that are on; each can be removed. */
export function FilterChips(): JSX.Element | null {
  const { query } = useStore(route);
  const filters = filtersOf(query);
  if (filters.length === 0) return null;
  const without = (names: readonly (keyof BookQuery)[]) =>
    changeQuery(query, Object.fromEntries(names.map((name) => [name, undefined])));
  return (
    <ul class="chips" aria-label={texts.books.filters}>
      {filters.map(({ label, value, names }) => (
        <li key={names[0]}>
          <Link class="chip" to={{ view: route.value.view, query: without(names) }}>
            <span class="chip-label">{label}</span> <bdi dir="auto">{value}</bdi>
            <span class="visually-hidden">, {texts.books.removeFilter}</span>
            <Icon name="close" />
          </Link>
        </li>
      ))}
      {filters.length > 1 && (
        <li>
          <Link
            class="quiet-link"
            to={{ view: route.value.view, query: without(filters.flatMap(({ names }) => names)) }}
          >
            {texts.books.clear}
          </Link>
        </li>
      )}
    </ul>
  );
}
