import type { Context } from 'unleash-client';
import { presentSegment, presentToClient } from '../client/presentFlag.ts';
import { sdkEvaluator, type SdkFlag } from '../frontend/sdkEvaluator.ts';
import { type Flag, type Segment, stateOf } from '../model/Flag.ts';
import { isRandom, withFixedChance } from './chance.ts';
import { PROBE, type Reason, reasonOf } from './explain.ts';

/** A context in an environment, in which all flags of a table are evaluated. */
export interface TableColumn {
  readonly environment: string;
  readonly context: Context;
}

/** Some flags of a table, with all flags and segments that their evaluation may need. */
export interface TablePart {
  readonly flags: readonly Flag[];
  readonly others: readonly Flag[];
  readonly segments: readonly Segment[];
  readonly columns: readonly TableColumn[];
}

/** The result of a flag for one context. */
export interface TableCell {
  readonly enabled: boolean;
  /** The name of the variant; null for none. */
  readonly variant: string | null;
  readonly reason: Reason;
  /** True if applications get this result or another possible one at random. */
  readonly random: boolean;
}

/** Evaluates flags as SDKs do, with a fixed random number. Returns each flag's cells, by column. */
export function tabulate(part: TablePart): TableCell[][] {
  const { flags, columns } = part;
  const evaluators = new Map<string, ReturnType<typeof evaluatorOf>>();
  for (const { environment } of columns) {
    if (!evaluators.has(environment)) {
      evaluators.set(environment, evaluatorOf(part, environment));
    }
  }
  return flags.map(flag =>
    columns.map(({ environment, context }) =>
      evaluators.get(environment)!(flag, context),
    ),
  );
}

function evaluatorOf(
  { flags, others, segments }: TablePart,
  environment: string,
): (flag: Flag, context: Context) => TableCell {
  const known = new Map<string, SdkFlag>(
    [...others, ...flags].map(flag => [
      flag.name,
      presentToClient(flag, { environment }),
    ]),
  );
  const byId = new Map(segments.map(each => [each.id, presentSegment(each)]));
  const evaluate = sdkEvaluator({
    flag: name => known.get(name),
    segment: id => byId.get(id),
  });
  const probeIn = (context: Context) => (part: Partial<SdkFlag>) => {
    known.set(PROBE, { name: PROBE, enabled: true, ...part });
    const { result, isDrawn } = withFixedChance(() => evaluate(PROBE, context));
    return { isOn: Boolean(result.feature_enabled), isDrawn };
  };
  return (flag, context) => {
    const { result: variant, isDrawn } = withFixedChance(() =>
      evaluate(flag.name, context),
    );
    const enabled = Boolean(variant.feature_enabled);
    const probe = probeIn(context);
    const { dependencies } = flag;
    const hasParents = () => probe({ strategies: [], dependencies }).isOn;
    return {
      enabled,
      variant: enabled && variant.enabled ? variant.name : null,
      reason: reasonOf(stateOf(flag, environment), {
        enabled,
        // All are in the required states.
        hasParents: enabled || hasParents(),
      }),
      random:
        isDrawn &&
        isRandom(known.get(flag.name)!, {
          probe,
          find: name => known.get(name),
        }),
    };
  };
}
