import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { formatPageQuery } from '../../../catalogue/query-string.ts';
import { isOnline } from '../../state/service.ts';
import { list } from '../../state/list/window-of-page.ts';
import { route } from '../../state/navigation.ts';
import { useStore } from '../../hooks/use-store.ts';
import { clearSelection } from '../../state/selection.ts';
import { texts } from '../../texts/current.ts';
import { announce } from '../../ui/live-region.tsx';
import { Failure } from '../../ui/notice.tsx';
import { ManyBar } from '../many/many-bar.tsx';
import { EmptyList } from './empty-list.tsx';
import { filtersOf } from './search/chips.tsx';
import { BookTable } from './table/book-table.tsx';
import { Toolbar } from './toolbar.tsx';

/** The books that match the query of the address. */
export function ListView(): JSX.Element {
  const { query } = useStore(route);
  const state = useStore(list.state);
  const online = useStore(isOnline);
  const wanted = formatPageQuery(query);
  useEffect(() => {
    void list.open(query);
    clearSelection();
  }, [wanted]);
  const { total, isLoading, error } = state;
  const isFiltered = filtersOf(state.query).length > 0 || state.query.q !== undefined;
  useEffect(() => {
    if (total !== undefined && !isLoading && isFiltered) announce(texts.books.found(total));
  }, [state.query, total]);
  const isEmpty = total === 0 && !isLoading;
  // After a failure, the rows of another query would mislead.
  const isOther = error !== undefined && formatPageQuery(state.query) !== wanted;
  useEffect(() => {
    if (online && error !== undefined) void list.open(query);
  }, [online]);
  return (
    <>
      <h1 class="visually-hidden">{texts.books.title}</h1>
      <Toolbar total={total} isFiltered={isFiltered} />
      <ManyBar total={total ?? 0} />
      {error !== undefined && (
        <Failure title={texts.books.failed} error={error} onRetry={() => void list.open(query)} />
      )}
      {error === undefined && isEmpty && <EmptyList query={state.query} isFiltered={isFiltered} />}
      {!isEmpty && !isOther && (error === undefined || state.pages.length > 0) && <BookTable state={state} />}
    </>
  );
}
