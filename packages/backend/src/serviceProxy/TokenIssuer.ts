import {
  createServiceFactory,
  createServiceRef,
} from '@backstage/backend-plugin-api';
import type { ServiceTokens } from './ServiceTokens';

/** Lets other plugins of this process issue the proxy's tokens, once the proxy has started. */
export class TokenIssuer {
  readonly #tokens: Promise<Pick<ServiceTokens, 'issueFor'>>;
  #resolve!: (tokens: Pick<ServiceTokens, 'issueFor'>) => void;

  constructor() {
    this.#tokens = new Promise(resolve => {
      this.#resolve = resolve;
    });
  }

  open(tokens: Pick<ServiceTokens, 'issueFor'>): void {
    this.#resolve(tokens);
  }

  /** Issues a token; see {@link ServiceTokens.issueFor}. */
  async issueFor(
    options: Parameters<ServiceTokens['issueFor']>[0],
  ): Promise<string> {
    return (await this.#tokens).issueFor(options);
  }
}

/** Shared by all plugins of the process. */
export const tokenIssuerRef = createServiceRef<TokenIssuer>({
  id: 'slipway.token-issuer',
  scope: 'root',
  defaultFactory: async service =>
    createServiceFactory({
      service,
      deps: {},
      factory: () => new TokenIssuer(),
    }),
});
