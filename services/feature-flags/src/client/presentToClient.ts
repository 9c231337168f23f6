import type { Flag } from '../flags/Flag.ts';

/** A flag as SDKs read it. */
export function presentToClient(flag: Flag) {
  const { name, type, project, enabled, stale, impressionData } = flag;
  return {
    name,
    type,
    project,
    enabled,
    stale,
    impressionData,
    description: flag.description,
    strategies: flag.strategies.map(strategy => ({
      name: strategy.name,
      parameters: strategy.parameters,
      constraints: strategy.constraints ?? [],
    })),
    variants: flag.variants,
  };
}
