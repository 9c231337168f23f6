import { Agent } from 'node:http';
import { Duplex } from 'node:stream';

/** Sends requests over connections that somebody else opens. */
export class TunnelAgent extends Agent {
  readonly #connect: () => Promise<Duplex>;

  constructor(connect: () => Promise<Duplex>) {
    super();
    this.#connect = connect;
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.#connect().then(
      stream => callback?.(null, stream),
      // Without a stream, as the caller expects it of an error.
      error => callback?.(error, undefined as unknown as Duplex),
    );
  }
}
