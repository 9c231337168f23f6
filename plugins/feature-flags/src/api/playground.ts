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
  /** True if applications get this result or another possible one at random. */
  random: boolean;
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

/** The flags to evaluate, with the environments and the context. */
export interface TableQuery {
  environments: readonly string[];
  /** Ids of projects; `*` for all. */
  projects: readonly string[];
  /** The fields of the context; each can list several values, with commas. */
  context: Readonly<Record<string, string>>;
}

/** An environment and one combination of the values of a context. */
export interface TableColumn {
  environment: string;
  context: {
    properties?: Readonly<Record<string, string>>;
    [field: string]: unknown;
  };
}

/** The result of a flag in a column. */
export interface TableCell {
  enabled: boolean;
  /** The name of the variant; null for none. */
  variant: string | null;
  /** True if applications get this result or another possible one at random. */
  random: boolean;
}

/** A flag with its results, in the order of the columns. */
export interface EvaluatedFlag extends FlagName {
  results: readonly TableCell[];
}

/** All flags in several environments and contexts. */
export interface FlagTable {
  columns: readonly TableColumn[];
  features: readonly EvaluatedFlag[];
}

/** Evaluation of flags for contexts. */
export interface PlaygroundCalls {
  /** Evaluates all flags of projects, in each environment and for each combination of values. */
  evaluateFlags(query: TableQuery, options?: CallOptions): Promise<FlagTable>;

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
    evaluateFlags(query, options) {
      return admin.json('/playground/features', {
        ...options,
        method: 'POST',
        body: query,
      });
    },

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
