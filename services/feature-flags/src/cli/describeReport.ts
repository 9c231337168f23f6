import { stringify } from 'yaml';
import type { DefinitionsReport } from '../definitions/FlagDefinitions.ts';

export type Report = DefinitionsReport;

/** Formats a report for a terminal: `+` is created, `~` is changed, `?` needs approval, `!` is an error. */
export function describeReport({
  errors,
  warnings,
  changes,
  requested,
}: Report): string {
  const { projects, segments, created, updated, unchanged } = changes;
  const lines = [
    ...errors.map(one => `! ${one.message}: ${one.affectedItems.join(', ')}`),
    ...warnings.map(one => `  ${one.message}: ${one.affectedItems.join(', ')}`),
    ...projects.map(name => `+ project ${name}`),
    ...segments.map(name => `~ segment ${name}`),
    ...created.map(name => `+ ${name}`),
    ...updated.flatMap(({ name, fields }) => [
      `~ ${name}`,
      ...fields.flatMap(({ field, from, to }) => [
        `    ${field}`,
        ...linesOf('-', from),
        ...linesOf('+', to),
      ]),
    ]),
    ...requested.map(
      ({ name, environment, changeRequest }) =>
        `? ${name} in ${environment}: ${
          changeRequest === undefined
            ? 'has to be approved'
            : `change request ${changeRequest}`
        }`,
    ),
    `${created.length} created, ${updated.length} changed, ${unchanged.length} unchanged`,
  ];
  return `${lines.join('\n')}\n`;
}

function linesOf(sign: string, value: unknown): string[] {
  return stringify(value)
    .trimEnd()
    .split('\n')
    .map(line => `      ${sign} ${line}`);
}
