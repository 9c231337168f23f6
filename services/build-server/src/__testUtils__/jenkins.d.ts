/** The parts of the client that the tests use; the package has no types. */
declare module 'jenkins' {
  import type { EventEmitter } from 'node:events';

  export default class Jenkins {
    constructor(options: { baseUrl: string });
    info(): Promise<object>;
    job: {
      list(): Promise<{ name: string }[]>;
      get(name: string): Promise<object>;
      exists(name: string): Promise<boolean>;
      build(
        job:
          | string
          | {
              name: string;
              parameters?: Record<string, string>;
              delay?: string;
            },
      ): Promise<number>;
    };
    build: {
      get(job: string, number: number): Promise<object>;
      stop(job: string, number: number): Promise<void>;
      logStream(
        job: string,
        number: number,
        options: { delay: number },
      ): EventEmitter;
    };
    queue: {
      list(): Promise<{ id: number }[]>;
      item(id: number): Promise<{ executable: { number: number } | null }>;
      cancel(id: number): Promise<void>;
    };
  }
}
