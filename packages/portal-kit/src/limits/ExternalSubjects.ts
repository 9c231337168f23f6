import { Config } from '@backstage/config';

interface Issuer {
  /** Empty: any. */
  names: string[];
  prefix: string;
}

/**
 * Tells the subject of a service token that Backstage has found valid and refused
 * all the same, which it does without saying whose it is: by `backend.auth.externalAccess`,
 * in the way that Backstage itself makes subjects. Nothing is verified here.
 */
export class ExternalSubjects {
  readonly #byToken: ReadonlyMap<string, string>;
  readonly #issuers: readonly Issuer[];

  constructor(config: Config) {
    const accesses =
      config.getOptionalConfigArray('backend.auth.externalAccess') ?? [];
    const optionsOf = (type: string) =>
      accesses
        .filter(access => access.getString('type') === type)
        .map(access => access.getConfig('options'));
    this.#byToken = new Map(
      optionsOf('static').map(options => [
        options.getString('token'),
        options.getString('subject'),
      ]),
    );
    this.#issuers = optionsOf('jwks').map(options => {
      const prefix = options.getOptionalString('subjectPrefix');
      return {
        names: [options.getOptional<string | string[]>('issuer') ?? []].flat(),
        prefix: prefix ? `external:${prefix}:` : 'external:',
      };
    });
  }

  /** @returns undefined when the token is of no kind that has a subject of its own. */
  subjectOf(token: string): string | undefined {
    const subject = this.#byToken.get(token);
    if (subject) {
      return subject;
    }
    const { iss, sub } = claimsOf(token);
    const issuer = this.#issuers.find(
      ({ names }) => names.length === 0 || names.includes(String(iss)),
    );
    return issuer && typeof sub === 'string'
      ? `${issuer.prefix}${sub}`
      : undefined;
  }
}

/** The payload of a JWT (RFC 7519); nothing for what is none. */
function claimsOf(token: string): { iss?: unknown; sub?: unknown } {
  try {
    const [, payload] = token.split('.');
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) ?? {};
  } catch {
    return {};
  }
}
