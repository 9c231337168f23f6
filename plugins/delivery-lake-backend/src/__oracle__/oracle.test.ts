import { DoraMetricsResponse } from '@slipway/plugin-delivery-lake-common';
import fc from 'fast-check';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';
import { SERVICES } from './__testUtils__/deploymentHistories';
import { histories, History } from './__testUtils__/histories';
import { LakeUnderTest, TEAM_OF } from './__testUtils__/LakeUnderTest';
import { minimise } from './__testUtils__/minimise';
import { Oracle, OracleAnswer } from './oracle';
import { readPeriod } from './period';

const RUNS = Number(process.env.SLIPWAY_ORACLE_RUNS ?? 200);
/** Much longer than the tests take, for busy machines. */
const TIME_LIMIT_MS = patient(Math.max(300_000, RUNS * 3_000));
/** Seed from a failure report, to reproduce the failure. */
const SEED = process.env.SLIPWAY_ORACLE_SEED;
/** Results are rounded to four decimals. */
const DIGITS = 3;

interface Scope {
  query: Record<string, string>;
  includes: (service: string) => boolean;
}

const SCOPES: Scope[] = [
  { query: {}, includes: () => true },
  ...['sales', 'finding', 'nobody'].map(team => ({
    query: { team },
    includes: (service: string) => TEAM_OF[service] === team,
  })),
  ...SERVICES.map(name => ({
    query: { service: name },
    includes: (service: string) => service === name,
  })),
];

/** Converts the oracle's result to the expected response of the lake. */
function expectedOf({ metrics, ...counts }: OracleAnswer) {
  const close = ({ value, samples }: { value: number; samples: number }) => ({
    value: expect.closeTo(value, DIGITS),
    samples,
  });
  return {
    ...counts,
    metrics: Object.fromEntries(
      Object.entries(metrics).map(([name, metric]) => [
        name,
        expect.objectContaining({
          ...close(metric),
          previous: close(metric.previous),
          trend: metric.trend,
        }),
      ]),
    ),
  };
}

/** Returns the parts of the lake's response that the oracle also computes. */
function saidBy({ metrics, beyond }: DoraMetricsResponse) {
  const { failedDeploymentRecoveryTime, deploymentReworkRate } = beyond;
  return {
    failures: beyond.failures,
    changesWithoutLeadTime: beyond.changesWithoutLeadTime,
    metrics: { ...metrics, failedDeploymentRecoveryTime, deploymentReworkRate },
  };
}

const databases = lakeDatabases(['SQLITE_3']);

async function expectAgreement(history: History): Promise<void> {
  const { batches, questions, timeZone } = history;
  const knex = await databases.init('SQLITE_3');
  const lake = await LakeUnderTest.start(knex, timeZone);
  try {
    // Also queries between batches, to detect intermediate results that are cached for too long.
    for (const [index, batch] of batches.entries()) {
      await lake.send(batch);
      if (index % 4 === 1) {
        await lake.ask({ ...questions[0] });
      }
    }
    const oracle = new Oracle(batches.flat());
    for (const question of questions) {
      const period = readPeriod({ ...question, timeZone });
      for (const { query, includes } of SCOPES) {
        const asked = { ...query, ...question };
        const answer = await lake.ask(asked);
        expect({ asked, ...saidBy(answer) }).toEqual({
          asked,
          ...expectedOf(oracle.answer(period, includes)),
        });
      }
    }
  } finally {
    await lake.stop();
  }
}

async function disagrees(history: History): Promise<boolean> {
  try {
    await expectAgreement(history);
    return false;
  } catch {
    return true;
  }
}

describe('The lake', () => {
  it(
    `says what the definitions say of ${RUNS} random histories`,
    async () => {
      const property = fc.asyncProperty(histories, expectAgreement);
      const result = await fc.check(property, {
        numRuns: RUNS,
        endOnFailure: true,
        ...(SEED === undefined ? {} : { seed: Number(SEED) }),
      });
      if (result.counterexample) {
        const history = await minimise(result.counterexample[0], disagrees);
        console.error(
          `Seed ${result.seed}, history ${
            result.numRuns
          }, at its smallest:\n${JSON.stringify(history, null, 1)}`,
        );
        await expectAgreement(history);
      }
      expect(result).toMatchObject({ failed: false, numRuns: RUNS });
    },
    TIME_LIMIT_MS,
  );
});
