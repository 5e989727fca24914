import type { ComponentChildren, JSX } from 'preact';
import { navigate } from '../state/navigation.ts';
import { formatRoute, type Route } from '../state/route.ts';

interface Props {
  readonly to: Route;
  readonly class?: string;
  readonly tabIndex?: number;
  readonly 'aria-label'?: string;
  readonly 'aria-current'?: 'page' | undefined;
  readonly children?: ComponentChildren;
}

/** A link within the page. It works in a new tab too, because its address holds the whole state. */
export function Link({ to, children, ...rest }: Props): JSX.Element {
  return (
    <a
      {...rest}
      href={formatRoute(to)}
      onClick={(event) => {
        const isPlain =
          event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
        if (!isPlain || event.defaultPrevented) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}
