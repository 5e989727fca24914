import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { wordsOf } from '../../catalogue/corrected.ts';
import type { Correction } from '../../catalogue/correction.ts';
import { fieldNames, indexedIntegers, indexedTexts } from '../../catalogue/fields.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { useStore } from '../state/hooks.ts';
import { type ListState, shownQuery } from '../state/list.ts';
import { changeQuery, navigate, route } from '../state/navigation.ts';
import { client } from '../state/service.ts';
import { texts } from '../texts/current.ts';
import { Icon, IconButton, Link } from '../ui/controls.tsx';

/** The pause after a key before the search begins, in milliseconds: results come while the reader still looks at the word. */
const pauseMs = 40;

/**
 * Searches while the user types. Each pause updates the address; one search is one entry of the history, so that Back
 * leads to the view before the search.
 */
export function SearchBox(): JSX.Element {
  const { q = '' } = useStore(route).query;
  const [text, setText] = useState(q);
  const sent = useRef(q);
  const isTyping = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (q === sent.current) return; // The user has typed it, and may still type more.
    sent.current = q;
    setText(q);
  }, [q]);

  const search = (next: string) => {
    clearTimeout(timer.current);
    const words = next.trim() === '' ? '' : next;
    if (words === sent.current) return;
    sent.current = words;
    const query = changeQuery(route.value.query, { q: words });
    navigate({ view: 'list', query }, isTyping.current ? 'replace' : 'push');
    isTyping.current = true;
  };
  const finish = () => {
    search(text);
    isTyping.current = false;
  };

  return (
    <form
      role="search"
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        finish();
        navigate({ ...route.value, view: 'list' }); // Its words stay while another view is shown.
      }}
    >
      <label class="visually-hidden" for="search">
        {texts.books.search}
      </label>
      <Icon name="search" />
      <input
        id="search"
        type="search"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        enterkeyhint="search"
        placeholder={texts.books.placeholder}
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          clearTimeout(timer.current);
          timer.current = setTimeout(search, pauseMs, next);
        }}
        onBlur={finish}
      />
      {text !== '' && (
        <IconButton
          icon="close"
          label={texts.books.clearSearch}
          onClick={() => {
            setText('');
            search('');
            document.getElementById('search')?.focus();
          }}
        />
      )}
    </form>
  );
}

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
    if (value !== undefined)
      return [{ label, value: value === 0 ? texts.missing[integer] : texts.year(value), names }];
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

/** Says what is shown instead of books with the words of a query; nothing if some have them. */
export function HowFound({
  state,
}: {
  state: Pick<ListState, 'query' | 'correction' | 'match'>;
}): JSX.Element | null {
  const { query, correction, match } = state;
  const { view } = useStore(route);
  if (correction === undefined && match === undefined) return null;
  const [before, after] = texts.books.insteadFor;
  return (
    <div class="how-found">
      {correction !== undefined && (
        <p>
          {texts.books.showing}{' '}
          <Link to={{ view, query: changeQuery(query, correction) }}>
            <bdi dir="auto">{wordsOf(correction)}</bdi>
          </Link>
          {'. '}
          <Link class="quiet-link" to={{ view, query, isExact: true }}>
            {before} <bdi dir="auto">{wordsOf(query)}</bdi> {after}
          </Link>
        </p>
      )}
      {match === 'parts' && <p>{texts.books.parts(wordsOf(shownQuery(state)))}</p>}
    </div>
  );
}

/** Other words for a query that finds nothing. */
export function DidYouMean({ query }: { query: BookQuery }): JSX.Element | null {
  const [corrections, setCorrections] = useState<readonly Correction[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    setCorrections([]);
    // Only a hint: the list works without it.
    client.corrections(query, { signal: abort.signal }).then(setCorrections, () => undefined);
    return () => {
      abort.abort();
    };
  }, [query]);
  if (corrections.length === 0) return null;
  return (
    <p class="did-you-mean" role="status">
      {texts.books.didYouMean}
      {corrections.map((correction) => (
        <Link key={JSON.stringify(correction)} to={{ view: 'list', query: changeQuery(query, correction) }}>
          <bdi dir="auto">{wordsOf(correction)}</bdi>
        </Link>
      ))}
    </p>
  );
}
