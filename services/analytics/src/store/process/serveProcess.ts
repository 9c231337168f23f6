/** A request to a process, sent as one IPC message, as is its response. */
export interface RequestMessage<Q> {
  id: number;
  question: Q;
}

/** Sent once, when the process accepts queries. */
export interface ReadyMessage {
  ready: true;
}

/**
 * The result of the request with that id. `tooHeavy` distinguishes a query that exceeded
 * its memory or time, which the caller can change, from an error of the engine.
 */
export type AnswerMessage =
  | { id: number; answer?: unknown }
  | { id: number; error: { message: string; tooHeavy: boolean } };

/** All messages of a process; {@link ReadyMessage} is the first. */
export type ProcessMessage = ReadyMessage | AnswerMessage;

/** The work of an engine's process. */
export interface ProcessWork<Q> {
  answer(question: Q): Promise<unknown>;
  /** Checks whether an error means that a query used too many resources. */
  isTooHeavy(error: Error): boolean;
  close(): void;
}

/**
 * Serves the requests of a {@link LazyProcess} until the service disconnects or dies: a
 * killed service must not leave behind a process that keeps its files locked.
 */
export function serveProcess<Q>(work: ProcessWork<Q>): void {
  // The service handles signals that go to the whole group, such as from Ctrl-C.
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
