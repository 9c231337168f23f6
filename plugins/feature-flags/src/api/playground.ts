import type { ServiceClient, CallOptions } from '@slipway/app-react';
import {
  type Constraint,
  type EnvironmentDraft,
  type FlagName,
  environmentPath,
} from './flags';
import { sent } from './flagCalls';

/** The result of a flag for a context, with its reasons. */
export interface TryOut {
  enabled: boolean;
  variant: { name: string; enabled: boolean };
  reason:
    | 'turned off'
    | 'parent flag'
    | 'no matching rule'
    | 'matching rule'
    | 'no rules';
  strategies: readonly {
    id: string;
    name: string;
    title: string | null;
    disabled: boolean;
    enabled: boolean;
    /** True if it matches without constraints and segments. */
    rollout: boolean;
    constraints: readonly (Constraint & { enabled: boolean })[];
    segments: readonly { id: number; name: string | null; enabled: boolean }[];
  }[];
  dependencies: readonly { feature: string; enabled: boolean }[];
  simulation: {
    users: number;
    enabled: number;
    variants: Readonly<Record<string, number>>;
  };
}

/** Evaluation of a flag for a context. */
export interface PlaygroundCalls {
  /** Evaluates a flag for a context in an environment, with the reasons. */
  tryOut(
    flag: FlagName,
    query: {
      environment: string;
      context: Record<string, unknown>;
      draft?: EnvironmentDraft;
    },
    options?: CallOptions,
  ): Promise<TryOut>;
}

/** {@link PlaygroundCalls} of the service. */
export function playgroundCalls(admin: ServiceClient): PlaygroundCalls {
  return {
    tryOut(flag, query, options) {
      const { environment, context, draft } = query;
      const strategies = draft?.strategies?.map(sent);
      return admin.json(`${environmentPath(flag, environment)}/playground`, {
        ...options,
        method: 'POST',
        body: {
          context,
          ...(draft && {
            draft: { ...draft, ...(strategies && { strategies }) },
          }),
        },
      });
    },
  };
}
