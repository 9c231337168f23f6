import { DoraMetricsResponse } from '@slipway/plugin-delivery-lake-common';
import fc from 'fast-check';
import { SERVICES } from './deploymentHistories';
import { histories, History } from './histories';
import { LakeUnderTest, TEAM_OF } from './LakeUnderTest';
import { Oracle, OracleAnswer } from './oracle';
import { readPeriod } from './period';

const RUNS = Number(process.env.SLIPWAY_ORACLE_RUNS ?? 200);
/** To see a failure again: the seed that the report names. */
const SEED = process.env.SLIPWAY_ORACLE_SEED;
/** Answers are rounded; a second in a thousand hours is none of their business. */
const DIGITS = 4;

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

function rounded(value: number): number {
  return Number(value.toFixed(DIGITS));
}

/** What both sides speak of, in one form. */
function comparable(
  metrics: OracleAnswer['metrics'],
  { failures, changesWithoutLeadTime }: Omit<OracleAnswer, 'metrics'>,
) {
  return {
    failures,
    changesWithoutLeadTime,
    ...Object.fromEntries(
      Object.entries(metrics).map(
        ([name, { value, samples, previous, trend }]) => [
          name,
          {
            value: rounded(value),
            samples,
            previous: {
              value: rounded(previous.value),
              samples: previous.samples,
            },
            trend,
          },
        ],
      ),
    ),
  };
}

function ofLake({ metrics, beyond }: DoraMetricsResponse) {
  const { failedDeploymentRecoveryTime, deploymentReworkRate } = beyond;
  return comparable(
    { ...metrics, failedDeploymentRecoveryTime, deploymentReworkRate },
    beyond,
  );
}

async function expectAgreement(history: History): Promise<void> {
  const { batches, questions, timeZone } = history;
  const lake = await LakeUnderTest.start(timeZone);
  try {
    // Asked in the middle of things too: what was derived then must not stay.
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
        const expected = oracle.answer(period, includes);
        const answer = await lake.ask({ ...query, ...question });
        expect({ query, ...question, ...ofLake(answer) }).toEqual({
          query,
          ...question,
          ...comparable(expected.metrics, expected),
        });
      }
    }
  } finally {
    await lake.stop();
  }
}

describe('The lake', () => {
  it(
    `says what the definitions say of ${RUNS} random histories`,
    async () => {
      await fc.assert(fc.asyncProperty(histories, expectAgreement), {
        numRuns: RUNS,
        ...(SEED === undefined ? {} : { seed: Number(SEED) }),
      });
    },
    Math.max(120_000, RUNS * 2_000),
  );
});
