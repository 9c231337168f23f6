import { DoraMetricName } from '@slipway/plugin-delivery-lake-common';
import { Period } from '../../days/period';
import { RecordedService } from './records';

type Values = Record<DoraMetricName, { value: number; samples: number }>;

function medianHours(durations: number[]): { value: number; samples: number } {
  const sorted = [...durations].sort((a, b) => a - b);
  const samples = sorted.length;
  const half = samples / 2;
  if (samples === 0) {
    return { value: 0, samples };
  }
  const median =
    samples % 2 === 1
      ? sorted[Math.floor(half)]
      : (sorted[half - 1] + sorted[half]) / 2;
  return { value: median / 3_600_000, samples };
}

/** Computes the metrics of some services from every record: slow, but obviously correct. */
export function expectedMetrics(
  services: RecordedService[],
  period: Period,
): Values {
  const within = (moment: number) =>
    moment >= period.start && moment < period.end;
  const deployments = services.flatMap(service => service.deployments ?? []);
  const counted = deployments.filter(({ finishedAt }) => within(finishedAt));
  const samples = counted.length;
  const percent = (part: unknown[]) => ({
    value: samples === 0 ? 0 : (part.length / samples) * 100,
    samples,
  });
  const ended = (list: { endedAt: number; duration: number }[]) =>
    list
      .filter(({ endedAt }) => within(endedAt))
      .map(({ duration }) => duration);
  return {
    deploymentFrequency: {
      value:
        samples === 0
          ? 0
          : (samples * 604_800_000) / (period.end - period.start),
      samples,
    },
    leadTimeForChanges: medianHours(
      counted
        .flatMap(({ leadTimes }) => leadTimes ?? [])
        .filter(leadTime => leadTime !== null),
    ),
    changeFailureRate: percent(counted.filter(({ failure }) => failure)),
    timeToRestoreService: medianHours(
      ended(services.flatMap(({ outages }) => outages ?? [])),
    ),
    failedDeploymentRecoveryTime: medianHours(
      ended(deployments.flatMap(({ recovery }) => recovery ?? [])),
    ),
    deploymentReworkRate: percent(counted.filter(({ rework }) => rework)),
  };
}
