import type { AnswerMessage, RequestMessage } from './protocol.ts';

/** What a process does. */
export interface ProcessWork<Q> {
  answer(question: Q): Promise<unknown>;
  /** Whether an error says that a query took too much. */
  isTooHeavy(error: Error): boolean;
  close(): void;
}

/**
 * Answers the questions of a {@link LazyProcess} until the service lets go, or is gone:
 * a killed service must not leave a process behind that keeps its files locked.
 */
export function serveProcess<Q>(work: ProcessWork<Q>): void {
  // Signals to the group, as Ctrl-C sends them, are for the service to act upon.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  process.once('disconnect', () => {
    work.close();
    process.exit(0);
  });
  const send = (message: AnswerMessage) => {
    if (process.connected) {
      process.send?.(message);
    }
  };
  process.on('message', ({ id, question }: RequestMessage<Q>) => {
    work.answer(question).then(
      answer => send({ id, answer }),
      (error: Error) =>
        send({
          id,
          error: {
            message: error.message,
            tooHeavy: work.isTooHeavy(error),
          },
        }),
    );
  });
  process.send?.({ ready: true });
}
