import { InvalidRequestError } from '@slipway/service-kit';

/** The team of people without a known team. */
export const NO_TEAM = '';
/** All teams together: the meaning of a query without a team. */
export const ALL_TEAMS = '*';

/** Normalizes a team: `Payments`, `group:payments` and `group:default/payments` are the same. */
export function normaliseTeam(team: string): string {
  return team
    .trim()
    .normalize('NFC')
    .toLocaleLowerCase('en-US')
    .replace(/^group:/, '')
    .replace(/^default\//, '');
}

/** Parses the team of a query; missing or `all` means {@link ALL_TEAMS}. */
export function readTeamQuery(team: string | undefined): string {
  const name = team === undefined ? '' : normaliseTeam(team);
  return name === '' || name === 'all' ? ALL_TEAMS : name;
}

/**
 * Parses the team of a submission; undefined if it names none.
 *
 * @throws InvalidRequestError for a name with another meaning in queries.
 */
export function readTeamField(team: string | undefined): string | undefined {
  const name = team === undefined ? '' : normaliseTeam(team);
  if (name === 'all' || name === ALL_TEAMS) {
    throw new InvalidRequestError(`team must not be '${team}'`, {
      field: 'team',
      constraint: 'enum',
    });
  }
  return name === '' ? undefined : name;
}
