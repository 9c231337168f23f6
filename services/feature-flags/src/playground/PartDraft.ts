import {
  type Constraint,
  type Flag,
  type Segment,
  stateOf,
  type Variant,
} from '../model/Flag.ts';
import type { neededBy } from './neededBy.ts';
import type { TableColumn, TablePart } from './tabulate.ts';

/** Maximum number of values in the rules of a part, with those of parents and segments. */
const MOST_VALUES = 30_000;

type Needed = ReturnType<typeof neededBy>;

/** A part to which flags are added. Parents and segments that several of them need are copied once. */
export class PartDraft {
  readonly #environments: readonly string[];
  readonly #flags: Flag[] = [];
  readonly #others = new Set<Flag>();
  readonly #segments = new Set<Segment>();
  #values = 0;

  constructor(environments: readonly string[]) {
    this.#environments = environments;
  }

  /** The number of flags. */
  get size(): number {
    return this.#flags.length;
  }

  /** Checks whether a flag can be added; the first one always can. */
  hasRoom(flag: Flag, needed: Needed): boolean {
    return (
      this.size === 0 ||
      this.#values + this.#valuesAddedBy(flag, needed) <= MOST_VALUES
    );
  }

  add(flag: Flag, needed: Needed): void {
    this.#values += this.#valuesAddedBy(flag, needed);
    this.#flags.push(flag);
    needed.others.forEach(other => this.#others.add(other));
    needed.segments.forEach(segment => this.#segments.add(segment));
  }

  finish(columns: readonly TableColumn[]): TablePart {
    const only = (flag: Flag) => inEnvironments(flag, this.#environments);
    return {
      flags: this.#flags.map(only),
      others: [...this.#others].map(only),
      segments: [...this.#segments],
      columns,
    };
  }

  #valuesAddedBy(flag: Flag, needed: Needed): number {
    const others = needed.others.filter(other => !this.#others.has(other));
    const segments = needed.segments.filter(each => !this.#segments.has(each));
    return (
      sum([flag, ...others], each => valuesIn(each, this.#environments)) +
      sum(segments, ({ constraints }) => valuesOf(constraints))
    );
  }
}

/** Returns a flag without its states in other environments. */
function inEnvironments(flag: Flag, environments: readonly string[]): Flag {
  return {
    ...flag,
    states: Object.fromEntries(
      environments.map(name => [name, stateOf(flag, name)]),
    ),
  };
}

/** Counts the values in the rules and variants of a flag. */
function valuesIn(flag: Flag, environments: readonly string[]): number {
  return sum(environments, environment => {
    const { strategies, variants } = stateOf(flag, environment);
    return (
      overridesOf(variants) +
      sum(
        strategies,
        strategy =>
          valuesOf(strategy.constraints ?? []) +
          overridesOf(strategy.variants ?? []),
      )
    );
  });
}

/** Counts the constraints, with their values. */
function valuesOf(constraints: readonly Constraint[]): number {
  return sum(constraints, ({ values = [] }) => 1 + values.length);
}

/** Counts the variants, with the values of their overrides. */
function overridesOf(variants: readonly Variant[]): number {
  return sum(
    variants,
    ({ overrides = [] }) =>
      1 + sum(overrides, ({ values }) => 1 + values.length),
  );
}

function sum<T>(items: readonly T[], countOf: (item: T) => number): number {
  return items.reduce((total, item) => total + countOf(item), 0);
}
