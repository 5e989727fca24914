import { useEffect, useState } from 'preact/hooks';

const isVisible = () => document.visibilityState === 'visible';

/** Whether the tab is in view. */
export function useVisible(): boolean {
  const [value, set] = useState(isVisible);
  useEffect(() => {
    const update = () => {
      set(isVisible());
    };
    document.addEventListener('visibilitychange', update);
    return () => {
      document.removeEventListener('visibilitychange', update);
    };
  }, []);
  return value;
}
