/** What a process is asked, and what it answers: one message each over IPC. */
export interface RequestMessage<Q> {
  id: number;
  question: Q;
}

/** Said once, when questions can be asked. */
export interface ReadyMessage {
  ready: true;
}

/**
 * What the request of that id came to. `tooHeavy` tells a query that took more memory or
 * time than it may, which is the asker's to change, from a fault of the engine.
 */
export type AnswerMessage =
  | { id: number; answer?: unknown }
  | { id: number; error: { message: string; tooHeavy: boolean } };

/** All that a process sends; it says {@link ReadyMessage} before anything else. */
export type ProcessMessage = ReadyMessage | AnswerMessage;

/** The work of an engine's process. */
export interface ProcessWork<Q> {
  answer(question: Q): Promise<unknown>;
  /** Tells whether an error says that a query took too much. */
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
