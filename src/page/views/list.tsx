import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { indexedTexts, nameField, wordMembers } from '../../catalogue/fields.ts';
import { wordsOf } from '../../catalogue/corrected.ts';
import { pageParameters } from '../../api/queries.ts';
import { formatQuery } from '../../api/query-string.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { sorts } from '../../catalogue/sorts.ts';
import { exportGoal, savedFormats } from '../state/export-goal.ts';
import { useAccess, useSlow, useStore } from '../state/hooks.ts';
import { shownQuery } from '../state/list.ts';
import { list } from '../state/live.ts';
import { changeQuery, hasTraversed, home, navigate, openDialog, route } from '../state/navigation.ts';
import { keepPlace, leavePlace, takePages } from '../state/place.ts';
import { clearSelection } from '../state/selection.ts';
import { isOnline } from '../state/service.ts';
import { texts } from '../texts/current.ts';
import { Button, Link } from '../ui/controls.tsx';
import { Letters } from '../ui/letters.tsx';
import { announce, Failure, Notice } from '../ui/messages.tsx';
import { Later } from './later.tsx';
import { DidYouMean, FilterChips, filtersOf, HowFound } from './search.tsx';
import { BookTable } from './table.tsx';

/** The books that match the query of the address. */
export function ListView(): JSX.Element {
  const { canWrite } = useAccess();
  const { query, isExact } = useStore(route);
  const state = useStore(list.state);
  const online = useStore(isOnline);
  const wanted = formatQuery(query, pageParameters);
  const open = () => {
    void list.open(query, { isExact });
  };
  useEffect(() => {
    void list.open(query, { known: takePages(wanted, hasTraversed()), isExact });
    const abort = new AbortController();
    const forget = route.subscribe(() => {
      leavePlace(wanted, list.state.value); // Before the next view is rendered, and scrolls.
    });
    const keep = () => {
      keepPlace(wanted, list.state.value);
    };
    addEventListener('pagehide', keep, abort);
    return () => {
      abort.abort();
      forget();
    };
  }, [wanted, isExact]);
  const { total, isLoading, error, correction } = state;
  const shown = formatQuery(shownQuery(state), pageParameters);
  // All books of a list would be those of another one. Before the list is shown: a click on it could come first otherwise.
  useLayoutEffect(clearSelection, [wanted, isExact, shown]);
  const isFiltered = filtersOf(state.query).length > 0 || state.query.q !== undefined;
  useEffect(() => {
    if (total === undefined || isLoading || !isFiltered) return;
    const instead = correction && `${texts.books.showing} ${wordsOf(correction)}.`;
    const inside = state.match === 'parts' && texts.books.parts(wordsOf(shownQuery(state)));
    announce([instead, inside, texts.books.found(total)].filter(Boolean).join(' '));
  }, [state.query, shown, total]);
  const isEmpty = total === 0 && !isLoading;
  // After a failure, the rows of another query would mislead.
  const isOther = error !== undefined && formatQuery(state.query, pageParameters) !== wanted;
  useEffect(() => {
    if (online && error !== undefined) open();
  }, [online]);
  return (
    <>
      <h1 class="visually-hidden">{texts.books.title}</h1>
      {!canWrite && wanted === '' && total !== 0 && (
        <div class="start-view">
          <Later of="start" />
        </div>
      )}
      <Toolbar total={isOther ? undefined : total} isFiltered={isFiltered} />
      {canWrite && <Later of="many" />}
      {error !== undefined && <Failure title={texts.books.failed} error={error} onRetry={open} />}
      {error === undefined && <HowFound state={state} />}
      {error === undefined && isEmpty && <EmptyList query={state.query} isFiltered={isFiltered} />}
      {!isEmpty && !isOther && (error === undefined || state.pages.length > 0) && <BookTable state={state} />}
    </>
  );
}

interface ToolbarProps {
  readonly total: number | undefined;
  readonly isFiltered: boolean;
}

const icons = { csv: 'download', xlsx: 'sheet', html: 'globe' } as const;

/** The number of books, the filters, and the actions on the whole list. */
function Toolbar({ total, isFiltered }: ToolbarProps): JSX.Element {
  const [isFiltering, setFiltering] = useState(false);
  const wasFiltering = useRef(false);
  wasFiltering.current ||= isFiltering; // What was typed there stays.
  const goal = useStore(exportGoal);
  const { found, books } = texts.books;
  const state = useStore(list.state);
  const { letter, isLoading } = state;
  const isSlow = useSlow(isLoading);
  useEffect(() => {
    if (isSlow) announce(texts.loading);
  }, [isSlow]);
  const { query } = useStore(route);
  const isUnread = state.pages.length === 0 && state.error === undefined && isLoading;
  /** The letter that a list begins with once it is sorted. */
  const wanted = useRef<{ query: BookQuery; letter: string }>(undefined);
  const beginWith = (next: string | undefined) => {
    const { isExact } = route.value;
    if (next === undefined || isByText(query)) void list.open(query, { letter: next, isExact });
    else {
      wanted.current = { query: changeQuery(query, { sort: nameField }), letter: next };
      navigate({ ...route.value, query: wanted.current.query });
    }
  };
  useEffect(() => {
    if (wanted.current?.query !== state.query || isLoading) return;
    const { letter: next } = wanted.current;
    wanted.current = undefined;
    beginWith(next);
  }, [state.query, isLoading]);
  return (
    <div class="toolbar">
      <div class="toolbar-line">
        <p class="count">
          {isSlow && texts.loading}
          {!isSlow && (total === undefined ? '\u00a0' : (isFiltered ? found : books)(total))}
        </p>
        <OrderChoice query={query} />
        <Button
          look="quiet"
          icon="filter"
          aria-expanded={isFiltering}
          aria-controls="filters"
          onClick={() => {
            setFiltering(!isFiltering);
          }}
        >
          {texts.books.filters}
        </Button>
        {(['csv', 'xlsx', 'html'] as const).map((format) => (
          <Button
            key={format}
            look="quiet"
            isCompact
            disabled={total === 0}
            icon={icons[format]}
            onClick={() => {
              exportGoal.set(format);
            }}
          >
            {texts.books.saveAs(savedFormats[format])}
          </Button>
        ))}
        <Button
          look="quiet"
          isCompact
          disabled={total === 0}
          icon="print"
          onClick={() => {
            exportGoal.set('print');
          }}
        >
          {texts.books.print}
        </Button>
      </div>
      <div id="filters" class="filters" hidden={!isFiltering}>
        {wasFiltering.current && <Later of="filters" />}
      </div>
      <FilterChips />
      {(isUnread || list.hasLetters) && (
        <Letters
          isHidden={isUnread}
          hasDigits
          chosen={letter}
          labelOf={texts.books.letter}
          onChoose={beginWith}
        />
      )}
      {goal !== undefined && <Later of="export" />}
    </div>
  );
}

/** Whether the order has letters to begin with. */
function isByText({ sort }: BookQuery): boolean {
  return indexedTexts.some((name) => sort?.endsWith(name) === true);
}

/** The order of the list. The heads of the columns choose it, too, but not that of the newest books. */
function OrderChoice({ query }: { query: BookQuery }): JSX.Element {
  const { orders, order } = texts.books;
  const hasWords = wordMembers.some((name) => query[name] !== undefined);
  const usual = hasWords ? 'best' : 'id';
  return (
    <select
      class="order"
      aria-label={order}
      title={order}
      value={hasWords || query.sort !== 'best' ? (query.sort ?? usual) : usual}
      onChange={(event) => {
        const sort = sorts.find((each) => each === event.currentTarget.value);
        navigate({
          view: 'list',
          query: changeQuery(route.value.query, { sort: sort === usual ? undefined : sort }),
        });
      }}
    >
      {sorts
        .filter((each) => hasWords || each !== 'best')
        .map((each) => (
          <option key={each} value={each}>
            {orders[each]}
          </option>
        ))}
    </select>
  );
}

/** Shown when there is nothing to list. */
function EmptyList({ query, isFiltered }: { query: BookQuery; isFiltered: boolean }): JSX.Element {
  const { canWrite } = useAccess();
  const [wantsSamples, setWantsSamples] = useState(false);
  if (!isFiltered)
    return (
      <Notice icon={canWrite ? 'upload' : 'book'} title={texts.books.empty} isDropZone={canWrite}>
        {canWrite && <p>{texts.books.emptyHint}</p>}
        {canWrite && (
          <p class="buttons">
            <Button
              look="primary"
              icon="add"
              onClick={() => {
                openDialog('add');
              }}
            >
              {texts.navigation.add}
            </Button>
            <Link class="button" to={{ view: 'import', query }}>
              {texts.navigation.import}
            </Link>
            <Button
              look="quiet"
              aria-disabled={wantsSamples}
              onClick={() => {
                setWantsSamples(true);
              }}
            >
              {texts.books.addSamples}
            </Button>
          </p>
        )}
        {canWrite && wantsSamples && <Later of="samples" />}
      </Notice>
    );
  const isOneWord = filtersOf(query).length === 0 && /^\S+$/.test(query.q?.trim() ?? '');
  return (
    <Notice icon="search" title={texts.books.nothing}>
      <DidYouMean query={query} />
      <p>{isOneWord ? texts.books.oneWordHint : texts.books.nothingHint}</p>
      <Link class="button" to={home}>
        {texts.books.clearSearchAndFilters}
      </Link>
    </Notice>
  );
}
