import { useEffect } from 'preact/hooks';
import { paste, selectedCells, sizeOf } from '../state/cells.ts';
import { textsOf } from '../state/live.ts';
import { formatCells } from '../state/paste.ts';
import { texts } from '../texts/current.ts';
import { announce, showToast } from '../ui/messages.tsx';

/** Copies the selected cells of the table, and pastes into them. It shows nothing. */
export function Clipboard(): null {
  useEffect(() => {
    const abort = new AbortController();
    const isInTable = () => {
      const { activeElement: focused } = document;
      return focused !== null && focused.closest('.books') !== null && focused.closest('.editing') === null;
    };
    const onCopy = (event: ClipboardEvent) => {
      const selected = selectedCells.value;
      if (selected === undefined || !isInTable() || getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      const { rows, columns } = sizeOf(selected.range);
      const cells = textsOf(selected.range.from.row, rows, selected.names.slice(0, columns));
      if (cells.length < rows) {
        showToast({ text: texts.cells.tooMany, look: 'failed' });
        return;
      }
      event.clipboardData?.setData('text/plain', formatCells(cells));
      announce(texts.cells.copied(cells.length * columns));
    };
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isInTable() || text === '') return;
      event.preventDefault();
      paste(text);
    };
    // Where no text is selected, a browser sends these events to the body.
    document.addEventListener('copy', onCopy, abort);
    document.addEventListener('paste', onPaste, abort);
    return () => {
      abort.abort();
    };
  }, []);
  return null;
}
