/** A signal for work that yields to other work, named as in the Prioritized Task Scheduling API. */
export type PrioritySignal = AbortSignal & { readonly priority?: 'background' };

/** Marks a signal. The mark is lost in a signal that is made from this one. */
export function toBackground(signal: AbortSignal): PrioritySignal {
  return Object.assign(signal, { priority: 'background' as const });
}

export function isBackground(signal: PrioritySignal | undefined): boolean {
  return signal?.priority === 'background';
}
