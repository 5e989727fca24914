import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from '../../texts/current.ts';
import { Button } from '../../ui/button.tsx';
import { ExportDialog } from './export/export-dialog.tsx';
import { AuthorFilter } from './search/author-filter.tsx';
import { FilterChips } from './search/chips.tsx';
import { YearFilter } from './search/year-filter.tsx';

interface Props {
  readonly total: number | undefined;
  readonly isFiltered: boolean;
}

/** The number of books, the filters, and what can be done with the list as a whole. */
export function Toolbar({ total, isFiltered }: Props): JSX.Element {
  const [isFiltering, setFiltering] = useState(false);
  const [goal, setGoal] = useState<'csv' | 'print'>();
  const { found, books } = texts.books;
  return (
    <div class="toolbar">
      <div class="toolbar-line">
        <p class="count">{total === undefined ? '\u00a0' : (isFiltered ? found : books)(total)}</p>
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
        <Button
          look="quiet"
          isCompact
          disabled={total === 0}
          icon="download"
          onClick={() => {
            setGoal('csv');
          }}
        >
          {texts.books.csv}
        </Button>
        <Button
          look="quiet"
          isCompact
          disabled={total === 0}
          icon="print"
          onClick={() => {
            setGoal('print');
          }}
        >
          {texts.books.print}
        </Button>
      </div>
      <div id="filters" class="filters" hidden={!isFiltering}>
        <AuthorFilter />
        <YearFilter end="From" />
        <YearFilter end="To" />
      </div>
      <FilterChips />
      {goal !== undefined && (
        <ExportDialog
          goal={goal}
          total={total}
          onClose={() => {
            setGoal(undefined);
          }}
        />
      )}
    </div>
  );
}
