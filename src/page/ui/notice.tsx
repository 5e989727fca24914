import type { ComponentChildren, JSX } from 'preact';
import type { ShelflistError } from '../../catalogue/errors.ts';
import { describeError, texts } from '../texts/current.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icons.tsx';

interface Props {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** What is said in place of something that is not there. */
export function Notice({ icon, title, children }: Props): JSX.Element {
  return (
    <div class="notice">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Says that something could not be loaded, and why. */
export function Failure({
  title,
  error,
  onRetry,
}: {
  title: string;
  error: ShelflistError;
  onRetry: () => void;
}): JSX.Element {
  return (
    <div role="alert">
      <Notice icon="warning" title={title}>
        <p>{describeError(error)}</p>
        <Button onClick={onRetry}>{texts.retry}</Button>
      </Notice>
    </div>
  );
}
