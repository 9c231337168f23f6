import { Duration, formatDuration } from '@slipway/design-system';
import type { BuildSummary } from '../api/types';

/** How long a build took; ticks while it runs. */
export function BuildDuration({ build }: { build: BuildSummary }) {
  return build.building ? (
    <Duration from={new Date(build.timestamp).toISOString()} to={null} />
  ) : (
    <>{formatDuration(build.elapsed)}</>
  );
}
