import { parseArgs } from 'node:util';
import { run } from './run.ts';

// Attacks every interface of the platform with generated requests: `yarn fuzz`. Exits with 1 if any
// response is unexpected.

const { values } = parseArgs({
  options: {
    requests: { type: 'string' },
    seed: { type: 'string' },
    part: { type: 'string', multiple: true, default: [] },
    route: { type: 'string' },
  },
});

run({
  requestsPerRoute:
    values.requests === undefined
      ? undefined
      : count('requests', values.requests),
  seed:
    values.seed === undefined
      ? Date.now() % 1_000_000_000
      : count('seed', values.seed),
  parts: values.part,
  route: values.route,
}).then(
  isClean => process.exit(isClean ? 0 : 1),
  error => {
    console.error(error);
    process.exit(1);
  },
);

function count(name: string, text: string): number {
  const value = Number(text.replaceAll(/[_,]/g, ''));
  if (!Number.isInteger(value) || value < 1) {
    throw new Error(`--${name} must be a positive whole number, not ${text}`);
  }
  return value;
}
