import { InvalidRequestError } from '@slipway/service-kit';

/** The team of people of whom nobody knows one. */
export const NO_TEAM = '';
/** All teams together: what a query without a team asks for. */
export const ALL_TEAMS = '*';

/**
 * One spelling per team: `Payments`, `group:payments` and `group:default/payments` are
 * the same.
 */
export function normaliseTeam(team: string): string {
  return team
    .trim()
    .normalize('NFC')
    .toLocaleLowerCase('en-US')
    .replace(/^group:/, '')
    .replace(/^default\//, '');
}

/**
 * The team of a query; none, or `all`, is {@link ALL_TEAMS}.
 */
export function readTeamQuery(team: string | undefined): string {
  const name = team === undefined ? '' : normaliseTeam(team);
  return name === '' || name === 'all' ? ALL_TEAMS : name;
}

/**
 * The team of a submission, if it names one.
 *
 * @throws InvalidRequestError for a name that means something else in queries.
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
