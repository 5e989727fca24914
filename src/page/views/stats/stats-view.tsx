import type { JSX } from 'preact';
import { formatPageQuery } from '../../../catalogue/query-string.ts';
import { authorField, yearField, type Statistics } from '../../../catalogue/statistics.ts';
import { client } from '../../state/service.ts';
import { route } from '../../state/navigation.ts';
import { changeQuery, type QueryChanges, type Route } from '../../state/route.ts';
import { useStore } from '../../hooks/use-store.ts';
import { texts } from '../../texts/current.ts';
import { Failure, Notice } from '../../ui/notice.tsx';
import { useAnswer } from '../../hooks/use-answer.ts';
import { FilterChips } from '../list/search/chips.tsx';
import { Bars } from './bars.tsx';
import { decadeOf } from './decade.ts';

/** The books of the query, counted by decade and author. */
export function StatsView(): JSX.Element {
  const { query } = useStore(route);
  const question = formatPageQuery(query);
  const { value, error, again } = useAnswer(question, (signal) => client.stats(query, { signal }));
  return (
    <div class="stats">
      <h1>{texts.stats.title}</h1>
      <FilterChips />
      {error !== undefined && <Failure title={texts.stats.failed} error={error} onRetry={again} />}
      {value !== undefined && error === undefined && <Charts statistics={value} />}
    </div>
  );
}

function Charts({ statistics }: { statistics: Statistics }): JSX.Element {
  const { count, years, decades, authors } = statistics;
  const { query } = route.value;
  if (count === 0) return <Notice icon="chart" title={texts.stats.empty} />;
  const to = (changes: QueryChanges): Route => ({ view: 'list', query: changeQuery(query, changes) });
  return (
    <>
      <dl class="figures">
        <Figure name={texts.stats.books} value={texts.number(count)} />
        {years.first !== null && years.last !== null && (
          <Figure name={texts.stats.years} value={texts.stats.span(years.first, years.last)} />
        )}
        {years.without > 0 && <Figure name={texts.stats.without} value={texts.number(years.without)} />}
      </dl>
      <div class="charts">
        {/* The newest first: a catalogue may have a few books of many early decades. */}
        <Bars
          title={texts.stats.decades}
          bars={[...decades].reverse().map((each) => {
            const decade = decadeOf(each.from);
            return {
              label: decade.label,
              count: each.count,
              to: to({ ...decade.query, [yearField]: undefined }),
            };
          })}
        />
        <Bars
          title={texts.stats.authors}
          bars={authors.map((each) => ({
            label: each.author,
            count: each.count,
            to: to({ [authorField]: each.author }),
          }))}
        />
      </div>
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
