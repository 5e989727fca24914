import type { ComponentChildren, JSX } from 'preact';
import { home } from '../../state/route.ts';
import { texts } from '../../texts/current.ts';
import { Icon } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { SearchBox } from '../list/search/search-box.tsx';
import { Navigation } from './navigation.tsx';

/** What surrounds each view: the name, the search and the ways to the other views. */
export function Frame({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <div class="frame">
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault(); // With a base element, the link would lead out of the view.
          document.getElementById('main')?.focus();
        }}
      >
        {texts.skip}
      </a>
      <header class="top">
        <Link class="brand" to={home}>
          <Icon name="book" />
          {texts.name}
        </Link>
        <SearchBox />
        <Navigation />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
