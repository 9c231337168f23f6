import { ConfigurationError } from '@slipway/service-kit';
import { type ApiToken, hashToken, readToken } from './ApiToken.ts';
import type { ConfiguredToken } from '../config.ts';

/**
 * Tokens of the configuration, e.g. the first admin's.
 *
 * @throws ConfigurationError naming each that does not do.
 */
export function configuredTokens(
  tokens: readonly ConfiguredToken[],
  options: { environment: string },
): ApiToken[] {
  const faults: string[] = [];
  const read = tokens.flatMap(({ name, type, token }, index) => {
    const key = `featureFlags.tokens[${index}].token`;
    const scope = readToken(token);
    if (!scope || scope.project === '[]') {
      faults.push(`${key} must be of the form project:environment.secret`);
      return [];
    }
    const due = type === 'admin' ? '*' : options.environment;
    if (scope.environment !== due) {
      faults.push(`${key} must be of the environment ${due}`);
    }
    const hash = hashToken(token);
    return [
      {
        id: `configured-${index}`,
        name,
        type,
        projects: [scope.project],
        environment: scope.environment,
        hash,
        createdBy: 'configuration',
        createdAt: 0,
      },
    ];
  });
  if (faults.length > 0) {
    throw new ConfigurationError(faults);
  }
  return read;
}
