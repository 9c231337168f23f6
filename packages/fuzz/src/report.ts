import type { Failure, RouteResult } from './fuzzRoute.ts';

const SHOWN_CHARACTERS = 300;

/** Prints a failure and how to reproduce it. */
export function reportFailure(
  { part, route, index, request, answer, faults }: Failure,
  seed: number,
): void {
  const { method, target, headers, body, cutAt } = request;
  console.log(
    [
      `FAILED ${part}, ${route}, request ${index}: ${faults.join('; ')}`,
      `  ${shorten(`${method} ${target}`)}`,
      ...headers.map(([name, value]) => `  ${shorten(`${name}: ${value}`)}`),
      ...(body ? [`  ${body.length} bytes: ${shorten(body.toString())}`] : []),
      ...(cutAt === undefined ? [] : [`  cut at ${cutAt}`]),
      ...(answer
        ? [`  answered ${answer.status}: ${shorten(answer.body.toString())}`]
        : []),
      `  again: yarn fuzz --part ${part} --route '${route}' --seed ${seed} --requests ${
        index + 1
      }`,
    ].join('\n'),
  );
}

/** Prints one line for a part, and one for each of its routes. */
export function reportPart(
  part: string,
  results: readonly RouteResult[],
  milliseconds: number,
): void {
  const requests = sum(results.map(result => result.requests));
  const failures = sum(results.map(result => result.failures.length));
  console.log(
    `${part}: ${requests} requests, ${failures} failed, ${(
      milliseconds / 1_000
    ).toFixed(0)} s`,
  );
  for (const { route, statuses, longestMs } of results) {
    const counts = [...statuses]
      .sort(([, one], [, other]) => other - one)
      .map(([status, times]) => `${status} ${times}×`);
    console.log(
      `  ${route}: ${counts.join(', ')}${
        longestMs > 0 ? `; ${longestMs.toFixed(0)} ms alone` : ''
      }`,
    );
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function shorten(text: string): string {
  const printable = text.replaceAll(/[^ -~]/g, character =>
    JSON.stringify(character).slice(1, -1),
  );
  return printable.length > SHOWN_CHARACTERS
    ? `${printable.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)`
    : printable;
}
