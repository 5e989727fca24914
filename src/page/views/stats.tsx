import { authorField, yearField } from '../../catalogue/fields.ts';
import type { JSX } from 'preact';
import { readCorrected } from '../../catalogue/corrected.ts';
import { pageParameters } from '../../api/queries.ts';
import { formatQuery } from '../../api/query-string.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { roundEstimate, type Statistics } from '../../catalogue/statistics.ts';
import { barsOfDecades } from '../state/decades.ts';
import { useAnswer, useStore } from '../state/hooks.ts';
import { shownQuery } from '../state/list.ts';
import { changeQuery, type QueryChanges, route, type Route } from '../state/navigation.ts';
import { client } from '../state/service.ts';
import { texts } from '../texts/current.ts';
import { Link } from '../ui/controls.tsx';
import { Failure, Notice } from '../ui/messages.tsx';
import { FilterChips, HowFound } from './search.tsx';

/** The books of the query, counted by decade and author. */
export function StatsView(): JSX.Element {
  const { query, isExact } = useStore(route);
  const question = formatQuery(query, pageParameters);
  const { value, error, again } = useAnswer(`${question} ${String(isExact)}`, async (signal) => {
    const read = (asked: BookQuery) => client.stats(asked, { signal });
    if (isExact) return { query, result: await read(query), correction: undefined };
    const isEmpty = ({ count }: Statistics) => count === 0;
    const correct = (asked: BookQuery) => client.corrections(asked, { signal });
    return { query, ...(await readCorrected(query, { read, isEmpty, correct })) };
  });
  return (
    <div class="stats">
      <h1>{texts.stats.title}</h1>
      <FilterChips />
      {error !== undefined && <Failure title={texts.stats.failed} error={error} onRetry={again} />}
      {value !== undefined && error === undefined && (
        <>
          <HowFound state={value} />
          <Charts statistics={value.result} query={shownQuery(value)} />
        </>
      )}
    </div>
  );
}

/** @param query The query whose books are counted. */
function Charts({ statistics, query }: { statistics: Statistics; query: BookQuery }): JSX.Element {
  const { count, years, decades, authors, estimated } = statistics;
  if (count === 0) return <Notice icon="chart" title={texts.stats.empty} />;
  const number = (n: number) => (estimated ? texts.stats.about(roundEstimate(n)) : texts.number(n));
  const books = (n: number) => (estimated ? `${number(n)} ${texts.stats.books}` : texts.books.books(n));
  const to = (changes: QueryChanges): Route => ({ view: 'list', query: changeQuery(query, changes) });
  return (
    <>
      <dl class="figures">
        <Figure name={texts.stats.books} value={number(count)} />
        {years.first !== null && years.last !== null && (
          <Figure name={texts.stats.years} value={texts.stats.span(years.first, years.last)} />
        )}
        {years.without > 0 && <Figure name={texts.stats.without} value={number(years.without)} />}
      </dl>
      <div class="charts">
        <Bars
          title={texts.stats.decades}
          bars={barsOfDecades(decades, query).map((bar) => ({
            label: bar.label,
            count: bar.count,
            number: number(bar.count),
            books: books(bar.count),
            to: to({ ...bar.query, [yearField]: undefined }),
          }))}
        />
        <Bars
          title={texts.stats.authors}
          bars={authors.map((each) => ({
            label: each.author,
            count: each.count,
            number: texts.number(each.count),
            books: texts.books.books(each.count),
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

export interface Bar {
  readonly label: string;
  readonly count: number;
  /** The count as text. */
  readonly number: string;
  /** The same with its unit, for screen readers. */
  readonly books: string;
  /** The books that it counts. */
  readonly to: Route;
}

/** A chart that is a list of links: each leads to the books that it counts. */
function Bars({ title, bars }: { title: string; bars: readonly Bar[] }): JSX.Element {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <section class="chart" aria-label={title}>
      <h2>{title}</h2>
      <ul class="bars">
        {bars.map(({ label, count, number, books, to }) => (
          <li key={label}>
            <Link to={to}>
              <bdi class="bar-label" dir="auto">
                {label}
              </bdi>
              <span class="bar-track" aria-hidden="true">
                <span class="bar" style={{ inlineSize: `${Math.max(0.5, (count / most) * 100)}%` }} />
              </span>
              <span class="bar-count">
                <span aria-hidden="true">{number}</span>
                <span class="visually-hidden">{books}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
