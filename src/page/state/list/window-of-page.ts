import { client } from '../service.ts';
import { BookWindow } from './book-window.ts';

/** The list of the page. */
export const list = new BookWindow(client.page);
