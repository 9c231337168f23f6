import { expect } from '@playwright/test';

const DAY_MS = 86_400_000;
/** The period of the numbers of a summary; for deliveries, the last of these days is today. */
const PERIOD_DAYS = 30;
const MAX_DEPLOYMENTS = 100;

interface Summary {
  facts: { id: string; value: number | string | null }[];
}

/**
 * Checks that the parts of the platform report the same numbers of a component of the demo
 * organisation: its page, the metrics of the delivery lake, its deployments and the build server.
 *
 * @param options.json - reads from an absolute address.
 * @param options.api - address of the portal's API.
 */
export async function expectAgreement(
  name: string,
  options: { json: <T>(url: string) => Promise<T>; api: string },
): Promise<void> {
  const { json, api } = options;
  const ref = encodeURIComponent(`component:demo/${name}`);
  const readFact = async (part: string, id: string) => {
    const { facts } = await json<Summary>(
      `${api}/${part}/entities/${ref}/summary`,
    );
    return facts.find(fact => fact.id === id)?.value;
  };

  const startDate = new Date(Date.now() - (PERIOD_DAYS - 1) * DAY_MS)
    .toISOString()
    .slice(0, 10);
  const { metrics } = await json<{
    metrics: Record<string, { value: number; samples: number }>;
  }>(
    `${api}/delivery-lake/dora-metrics?service=demo/${name}&startDate=${startDate}`,
  );
  expect(
    await readFact('delivery-lake', 'changeFailureRate'),
    `change failure rate of ${name}`,
  ).toBeCloseTo(metrics.changeFailureRate.value, 0);

  const { deployments } = await json<{ deployments: { counted: boolean }[] }>(
    `${api}/delivery-lake/deployments?service=demo/${name}&startDate=${startDate}&limit=${MAX_DEPLOYMENTS}`,
  );
  expect(
    deployments.filter(({ counted }) => counted),
    `deployments of ${name}`,
  ).toHaveLength(metrics.deploymentFrequency.samples);

  const { allBuilds } = await json<{ allBuilds: { timestamp: number }[] }>(
    `${api}/proxy/build-server/job/demo-${name}/api/json?tree=allBuilds[timestamp]`,
  );
  const since = Date.now() - PERIOD_DAYS * DAY_MS;
  expect(
    await readFact('proxy/build-server/api/v1', 'builds'),
    `builds of ${name}`,
  ).toBe(allBuilds.filter(({ timestamp }) => timestamp > since).length);
}
