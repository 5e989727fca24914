import type { JSX } from 'preact';
import type { Route } from '../../state/route.ts';
import { texts } from '../../texts/current.ts';
import { Link } from '../../ui/link.tsx';

export interface Bar {
  readonly label: string;
  readonly count: number;
  /** The books that it counts. */
  readonly to: Route;
}

/** A chart that is a list of links: each leads to the books that it counts. */
export function Bars({ title, bars }: { title: string; bars: readonly Bar[] }): JSX.Element {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <section class="chart" aria-label={title}>
      <h2>{title}</h2>
      <ul class="bars">
        {bars.map(({ label, count, to }) => (
          <li key={label}>
            <Link to={to}>
              <bdi class="bar-label" dir="auto">
                {label}
              </bdi>
              <span class="bar-track" aria-hidden="true">
                <span class="bar" style={{ inlineSize: `${Math.max(0.5, (count / most) * 100)}%` }} />
              </span>
              <span class="bar-count">
                {texts.number(count)}
                <span class="visually-hidden"> {texts.stats.books}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
