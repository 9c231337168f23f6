/** A request to a process. It is sent as one IPC message, and so is its response. */
interface RequestMessage<Q> {
  id: number;
  request: Q;
}

/** Sent once, when the process accepts queries. */
interface ReadyMessage {
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

/** The work that an engine's process does. */
export interface ProcessWork<Q> {
  answer(request: Q): Promise<unknown>;
  /** Checks whether an error means that a query used too many resources. */
  isTooHeavy(error: Error): boolean;
  close(): void;
}

/**
 * Serves the requests of a {@link LazyProcess} until the service disconnects or dies: a
 * killed service must not leave behind a process that keeps its files locked.
 *
 * @param opening - opens the engine; the process is ready once it resolves.
 */
export async function serveProcess<Q>(
  opening: ProcessWork<Q> | Promise<ProcessWork<Q>>,
): Promise<void> {
  // The service handles signals to the whole process group, such as Ctrl-C.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  const service = process.ppid;
  let running = 0;
  // Engines survive being killed. Closing one would wait for its current query, whose
  // result nobody needs any more, and keep its files locked for the engine of the next
  // service.
  const die = () => void process.kill(process.pid, 'SIGKILL');
  let end = die;
  process.once('disconnect', () => end());
  const work = await opening;
  end = () => {
    if (running > 0 || process.ppid !== service) {
      die();
    }
    work.close();
    process.exit(0);
  };
  const send = (message: AnswerMessage) => {
    running -= 1;
    if (process.connected) {
      // Ignore errors: the service may just have died.
      process.send?.(message, () => undefined);
    }
  };
  process.on('message', ({ id, request }: RequestMessage<Q>) => {
    running += 1;
    work.answer(request).then(
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
