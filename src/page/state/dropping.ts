import { createSignal } from './signal.ts';

/** Whether a file is held over the page. */
export const isDropping = createSignal(false);
