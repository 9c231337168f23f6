interface Waiting<Q, A> {
  question: Q;
  resolve: (answer: A) => void;
  reject: (reason: unknown) => void;
}

/**
 * Batches queries from the same turn of the event loop: the parts of a response are computed
 * independently, but the database is queried once. Nothing is cached, so a result is never older
 * than its query.
 */
export class TurnBatch<Q, A> {
  readonly #answer: (questions: readonly Q[]) => Promise<readonly A[]>;
  #waiting: Waiting<Q, A>[] = [];

  /** @param answer - returns a result for each query, in order. */
  constructor(answer: (questions: readonly Q[]) => Promise<readonly A[]>) {
    this.#answer = answer;
  }

  ask(question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      if (this.#waiting.length === 1) {
        setImmediate(() => void this.#flush());
      }
    });
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const answers = await this.#answer(
        waiting.map(({ question }) => question),
      );
      waiting.forEach(({ resolve }, index) => resolve(answers[index]));
    } catch (error) {
      waiting.forEach(({ reject }) => reject(error));
    }
  }
}
