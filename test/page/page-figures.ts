import type { Page } from 'playwright-core';

/** Reports the layout shifts of the page that are not answers to input, from its beginning. */
export const observeShifts = `
  globalThis.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.layoutShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

export function layoutShiftOf(page: Page): Promise<number> {
  return page.evaluate('globalThis.layoutShift');
}

/** The memory of the page after garbage collection, in MiB. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1024 / 1024;
}

/** The rows in the document, placeholders included. */
export function countRows(page: Page): Promise<number> {
  return page.locator('tr').count();
}

/** Scrolls some times, each time by some pages, and waits for the rows. Returns the largest number of rows. */
export async function scrollDown(page: Page, times: number): Promise<number> {
  let most = 0;
  for (let i = 0; i < times; i++) {
    await page.evaluate('scrollBy(0, 3000)');
    await page.locator('tbody td.title a').first().waitFor();
    most = Math.max(most, await countRows(page));
  }
  return most;
}
