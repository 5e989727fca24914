import type { Wire } from '../../client/wire.ts';
import { isOnline } from '../state/connection.ts';

/** The service of the page, below whose address the page is. */
export const wire: Wire = {
  root: new URL('.', document.baseURI).href.slice(0, -1),
  async fetch(url, init) {
    try {
      const response = await fetch(url, init);
      isOnline.set(true);
      return response;
    } catch (error) {
      if (init.signal?.aborted !== true) isOnline.set(false);
      throw error;
    }
  },
};
