import { Answer } from './ContractPortal';

/** Expects an error in the contract's format, and returns its message. */
export function expectRefusal(answer: Answer, status: number): string {
  expect(answer).toMatchObject({
    status,
    body: { error: expect.stringMatching(/\S/) },
  });
  expect(Object.keys(answer.body as object)).toEqual(['error']);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  return (answer.body as { error: string }).error;
}

/** Expects the three headers of a rate-limited route, and returns their values. */
export function expectLimitHeaders({ headers }: Answer): {
  limit: number;
  remaining: number;
} {
  const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map(name =>
    Number(headers.get(`X-RateLimit-${name}`) ?? NaN),
  );
  expect(limit).toBeGreaterThan(0);
  expect(remaining).toBeGreaterThanOrEqual(0);
  expect(remaining).toBeLessThan(limit);
  const seconds = reset - Date.now() / 1_000;
  expect(seconds).toBeGreaterThan(-2);
  expect(seconds).toBeLessThanOrEqual(61);
  return { limit, remaining };
}
