import type { JSX } from 'preact';
import { texts } from '../texts/current.ts';
import { showFailure } from './actions.ts';
import { Button } from './controls.tsx';

/** The button below a part of a list. @param props `more`: reads the next part; `undefined`: there is none. */
export function MoreButton({ more }: { more: (() => Promise<void>) | undefined }): JSX.Element | null {
  if (more === undefined) return null;
  return <Button onClick={() => void more().catch(showFailure)}>{texts.more}</Button>;
}
