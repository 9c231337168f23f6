import type { FastifyBaseLogger } from 'fastify';
import type { Bindings, ChildLoggerOptions } from 'pino';

type Method =
  'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/**
 * The logger of one request, which adds the request id to its lines. Few requests log anything, so
 * the child logger is created on first use.
 */
class RequestLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  readonly #options: ChildLoggerOptions | undefined;
  #child: FastifyBaseLogger | undefined;

  constructor(
    parent: FastifyBaseLogger,
    bindings: Bindings,
    options: ChildLoggerOptions | undefined,
  ) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  get level(): string {
    return this.#parent.level;
  }

  fatal(...line: unknown[]): void {
    this.#write('fatal', line);
  }

  error(...line: unknown[]): void {
    this.#write('error', line);
  }

  warn(...line: unknown[]): void {
    this.#write('warn', line);
  }

  info(...line: unknown[]): void {
    this.#write('info', line);
  }

  debug(...line: unknown[]): void {
    this.#write('debug', line);
  }

  trace(...line: unknown[]): void {
    this.#write('trace', line);
  }

  silent(...line: unknown[]): void {
    this.#write('silent', line);
  }

  child(...options: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#own().child(...options);
  }

  #write(method: Method, line: unknown[]): void {
    // pino's types derive the arguments from the placeholders in the message.
    this.#own()[method](...(line as [string]));
  }

  #own(): FastifyBaseLogger {
    this.#child ??= this.#parent.child(this.#bindings, this.#options);
    return this.#child;
  }
}

/**
 * Wraps the logger of an app so that child loggers, such as those of requests, are created when
 * they first log. Does not use Fastify's `childLoggerFactory`, because Fastify checks its result
 * for all logger methods on each request.
 */
export function lazyLogger(logger: FastifyBaseLogger): FastifyBaseLogger {
  const child: FastifyBaseLogger['child'] = (bindings, options) => {
    const parent = logger.child(bindings, options);
    return Object.create(parent, {
      child: {
        value: (...[own, ownOptions]: Parameters<FastifyBaseLogger['child']>) =>
          new RequestLogger(parent, own, ownOptions),
      },
    });
  };
  return Object.create(logger, { child: { value: child } });
}
