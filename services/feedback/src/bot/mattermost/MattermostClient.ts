import { Client4 } from '@mattermost/client';

type Options = Parameters<Client4['getOptions']>[0];

/** Mattermost's own client, but that a server which never answers is not waited for. */
export class MattermostClient extends Client4 {
  readonly #timeoutMs: number;

  /** @param options.timeoutMs - from the request to the end of the answer. */
  constructor(options: { url: string; token: string; timeoutMs: number }) {
    super();
    this.#timeoutMs = options.timeoutMs;
    this.setUrl(options.url);
    this.setToken(options.token);
  }

  override getOptions(options: Options) {
    return super.getOptions({
      ...options,
      signal: AbortSignal.timeout(this.#timeoutMs),
    });
  }
}
