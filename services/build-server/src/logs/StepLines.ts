/** The step of a line. */
export interface LineOwner {
  /** Position of the step; null for output of the server before the first one. */
  step: number | null;
  /** True for the line of the server with which the step begins. */
  isHeading: boolean;
  /** Bytes of the prefix before the text: the name of a step that runs in parallel to others. */
  prefixBytes: number;
}

/** The steps of a build, in order, each with the positions of its dependencies. */
export type NamedSteps = readonly {
  name: string;
  needs?: readonly number[];
}[];

const BRACKET = '['.charCodeAt(0);
const EQUALS = '='.charCodeAt(0);
const HEADING = '==> ';
/** Names are shorter than this, even with matrix values. */
const MAX_NAME_BYTES = 1_200;

/**
 * Assigns lines to steps. Each step begins with `==> name`; lines of parallel steps begin with
 * `[name] `. A step that prints such text itself cannot claim the lines of others.
 */
export class StepLines {
  readonly #steps: ReadonlyMap<string, number[]>;
  readonly #isSequential: boolean;
  /** The offset at which each step begins in the log, as far as known. */
  readonly #begins = new Map<number, number>();

  constructor(steps: NamedSteps) {
    const positions = new Map<string, number[]>();
    for (const [index, { name }] of steps.entries()) {
      positions.set(name, [...(positions.get(name) ?? []), index]);
    }
    this.#steps = positions;
    this.#isSequential = steps.every(
      ({ needs }, index) => index === 0 || needs?.includes(index - 1),
    );
  }

  /**
   * Returns the step of a line. Lines must first be passed in order, and can then be
   * passed again.
   *
   * @param line.start - the offset of the line in the log.
   * @param current - the step of the previous line, unless the line was prefixed.
   */
  ownerOf(
    line: { buffer: Buffer; from: number; to: number; start: number },
    current: number | null,
  ): LineOwner {
    const { buffer, from, to, start } = line;
    const own = { step: current, isHeading: false, prefixBytes: 0 };
    if (buffer[from] === BRACKET && !this.#isSequential) {
      const end = buffer.indexOf('] ', from);
      const isNear = end > 0 && end < to && end - from < MAX_NAME_BYTES;
      const name = isNear ? buffer.toString('utf8', from + 1, end) : '';
      const [step] = this.#steps.get(name) ?? [];
      return step === undefined
        ? own
        : { step, isHeading: false, prefixBytes: end + 2 - from };
    }
    if (buffer[from] !== EQUALS) {
      return own;
    }
    const end = Math.min(to, from + MAX_NAME_BYTES);
    const text = buffer.toString('utf8', from, end);
    const step = text.startsWith(HEADING)
      ? this.#begun(text.slice(HEADING.length), start)
      : undefined;
    return step === undefined ? own : { ...own, step, isHeading: true };
  }

  /**
   * Returns the step that begins at an offset with its name; undefined if the line only
   * resembles a heading.
   */
  #begun(name: string, start: number): number | undefined {
    const found = this.#steps.get(name) ?? [];
    const known = found.find(step => this.#begins.get(step) === start);
    if (known !== undefined) {
      return known;
    }
    // Old builds may have duplicate names: each heading belongs to the next step of that
    // name.
    const next = found.find(step => !this.#begins.has(step));
    if (
      next === undefined ||
      [...this.#begins.values()].some(begin => begin > start)
    ) {
      return undefined;
    }
    this.#begins.set(next, start);
    return next;
  }
}
