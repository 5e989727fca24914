import { useEffect, useState } from 'preact/hooks';

/** Takes a file that is dropped anywhere on the page. Returns whether one is held over it. */
export function useDrop(onFile: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault(); // Else the browser would open the file instead of the page.
      setOver(true);
    };
    const drop = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file !== undefined) onFile(file);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    document.addEventListener('dragover', over, abort);
    document.addEventListener('drop', drop, abort);
    document.addEventListener('dragleave', leave, abort);
    return () => {
      abort.abort();
    };
  }, []);
  return isOver;
}
