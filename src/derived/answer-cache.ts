// Keeps the answers of listings while the catalogue stays the same: a search that is asked again costs what a book costs.

/** 4 MiB. */
const maxBytes = 2 ** 22;
/** Longer answers are not kept: they are few, and reading them again costs little beside sending them. */
const maxAnswerBytes = 2 ** 17;

interface Kept<Answer> {
  readonly version: string;
  readonly answer: Answer;
  readonly bytes: number;
}

/**
 * Answers by the question that they belong to, the least recently used first. An answer is never old: every write changes the version
 * before it is acknowledged, and an answer is kept under the version that was read before it.
 */
export class AnswerCache<Answer> {
  readonly #kept = new Map<string, Kept<Answer>>();
  #bytes = 0;

  /** Whether a question was answered, about whatever version. */
  has(question: string): boolean {
    return this.#kept.has(question);
  }

  /** The answer to a question about this version of the catalogue; `undefined`: it is not known. */
  read(version: string, question: string): Answer | undefined {
    const kept = this.#kept.get(question);
    if (kept?.version !== version) return undefined;
    this.#kept.delete(question);
    this.#kept.set(question, kept);
    return kept.answer;
  }

  keep(version: string, question: string, answer: Answer, length: number): void {
    const bytes = length + 2 * question.length;
    this.#drop(question);
    if (bytes > maxAnswerBytes) return;
    this.#kept.set(question, { version, answer, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= maxBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(question: string): void {
    this.#bytes -= this.#kept.get(question)?.bytes ?? 0;
    this.#kept.delete(question);
  }
}
