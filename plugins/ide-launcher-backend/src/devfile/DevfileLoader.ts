import { InputError } from '@backstage/errors';
import { DevfileIssue } from '@slipway/plugin-ide-launcher-common';
import { displayUrl, parseDevfileUrl, withSourceProject } from './address';
import { DevfileReader } from './DevfileReader';
import {
  DevfileFault,
  formatIssue,
  formatPath,
  inParent,
  MAX_ISSUES,
  toIssue,
} from './issue';
import {
  FlatDevfile,
  locateFault,
  mergeParent,
  ownOrigins,
} from './mergeParent';
import { normalizeDevfile, substituteVariables } from './normalizeDevfile';
import { parseDevfile } from './parseDevfile';
import { MergedDevfile, RawDevfile } from './schema/devfile';
import { checkSemantics } from './semantics/checkSemantics';
import { Devfile } from './types';

/** A valid devfile. */
export interface LoadedDevfile {
  devfile: Devfile;
  /** Problems that do not prevent the devfile from being used. */
  warnings: DevfileIssue[];
  /** The file as read. */
  text: string;
}

/** The result of an attempt to load a devfile; there is no devfile if there are issues. */
export interface DevfileInspection {
  devfile: Devfile | null;
  issues: DevfileIssue[];
  warnings: DevfileIssue[];
  /** Null if the file could not be read. */
  text: string | null;
}

/** Reads the text at an address. {@link DevfileReader} is the implementation for production. */
export type DevfileTextReader = Pick<DevfileReader, 'read' | 'timeoutMs'>;

/** The text of a devfile. */
interface DevfileText {
  text: string;
  /** Its address, against which that of its parent is resolved. */
  url: URL;
  /** Completes the merged devfile, e.g. with the repository that it was read from as its project. */
  complete(devfile: MergedDevfile): MergedDevfile;
}

/** The maximum number of issues in one error message. */
const MAX_ISSUES_IN_ERROR = 5;

/** Loads a {@link Devfile} from an address and collects all issues. */
export class DevfileLoader {
  readonly #reader: DevfileTextReader;

  constructor(options: { reader: DevfileTextReader }) {
    this.#reader = options.reader;
  }

  /**
   * Loads a devfile.
   *
   * @param address - An https URL.
   * @throws InputError if it cannot be read or is invalid, with up to five issues.
   */
  async load(address: string): Promise<LoadedDevfile> {
    const url = parseDevfileUrl(address);
    const signal = deadline(this.#reader);
    const text = await this.#reader.read(url, { signal });
    return demandDevfile(await this.inspectText(atUrl(text, url), signal));
  }

  /**
   * Loads a devfile from its text instead of reading its address. Its parents are read, but its own
   * repository is not added as a project.
   *
   * @param text - The file.
   * @param address - Its address, against which parents are resolved; not read.
   * @throws InputError listing up to five issues.
   */
  async loadFromText(text: string, address: string): Promise<LoadedDevfile> {
    const url = parseDevfileUrl(address);
    const file = { text, url, complete: (same: MergedDevfile) => same };
    return demandDevfile(await this.inspectText(file, deadline(this.#reader)));
  }

  /**
   * Loads a devfile for a preview: returns every mistake of the caller, including an invalid address,
   * as an issue.
   *
   * @throws the signal's reason if it aborts.
   */
  async inspect(
    address: string,
    aborts?: AbortSignal,
  ): Promise<DevfileInspection> {
    try {
      const url = parseDevfileUrl(address);
      const signal = deadline(this.#reader, aborts);
      const text = await this.#reader.read(url, { signal });
      return await this.inspectText(atUrl(text, url), signal);
    } catch (error) {
      return unreadable(error);
    }
  }

  /**
   * Parses a devfile, merges its parents and checks it, without reading its address.
   *
   * @throws the signal's reason if it aborts.
   */
  async inspectText(
    { complete, text, url }: DevfileText,
    signal: AbortSignal,
  ): Promise<DevfileInspection> {
    const fail = (faults: DevfileFault[], warnings: DevfileIssue[] = []) => ({
      devfile: null,
      issues: faults.slice(0, MAX_ISSUES).map(toIssue),
      warnings,
      text,
    });
    const parsed = parseDevfile(text);
    if (!parsed.ok) {
      return fail([...parsed.faults, ...furtherFaults(parsed)]);
    }

    const file = { devfile: parsed.devfile, url, source: null, chain: [] };
    const resolved = await resolveParents(this.#reader, file, signal);
    const { flat } = resolved;
    const replaced = substituteVariables(flat.devfile);
    const locate = (fault: DevfileFault) => locateFault(flat, fault);
    const warnings = replaced.warnings
      .slice(0, MAX_ISSUES)
      .map(fault => toIssue(locate(fault)));
    // Without its parents, a devfile refers to missing elements; reporting those too would hide the
    // cause.
    const faults = [...resolved.faults, ...replaced.faults];
    if (faults.length > 0) {
      return fail(faults, warnings);
    }
    const semantic = checkSemantics(replaced.devfile).map(locate);
    if (semantic.length > 0) {
      return fail(semantic, warnings);
    }

    const devfile = normalizeDevfile(complete(replaced.devfile), url);
    return { devfile, issues: [], warnings, text };
  }
}

/**
 * Finds faults of a devfile beyond those of the schema, so that its author can correct all of them in
 * one go. Returns none if the devfile is not legible, or has a parent, whose elements are unknown here.
 */
function furtherFaults(parsed: {
  faults: DevfileFault[];
  legible?: RawDevfile;
}): DevfileFault[] {
  if (!parsed.legible || parsed.legible.parent) {
    return [];
  }
  const replaced = substituteVariables(parsed.legible);
  const known = new Set(parsed.faults.map(({ path }) => formatPath(path)));
  return [...replaced.faults, ...checkSemantics(replaced.devfile)].filter(
    ({ path }) => !known.has(formatPath(path)),
  );
}

/** The maximum number of ancestors of a devfile. */
export const MAX_PARENT_DEPTH = 5;

/** One file in a chain of parents. */
interface ChainedDevfile {
  devfile: RawDevfile;
  url: URL;
  /** Null for the devfile itself, otherwise the address as shown in messages. */
  source: string | null;
  /** The addresses of the files before it, from the devfile itself to its child. */
  chain: readonly string[];
}

/**
 * Reads the parents of a devfile with the same guarded reader and merges them according to the
 * devfile specification.
 *
 * @returns the merged devfile; `faults` lists the parents that failed.
 */
export async function resolveParents(
  reader: Pick<DevfileTextReader, 'read'>,
  file: ChainedDevfile,
  signal?: AbortSignal,
): Promise<{ flat: FlatDevfile; faults: DevfileFault[] }> {
  const { devfile, source } = file;
  const { parent: reference, ...own } = devfile;
  const flat = { devfile: own, origins: ownOrigins(devfile, source) };
  if (!reference) {
    return { flat, faults: [] };
  }
  const parent = await readParent(reader, reference.uri, file, signal);
  if (!parent.ok) {
    return { flat, faults: parent.faults };
  }
  const above = await resolveParents(reader, parent, signal);
  const merged = mergeParent(
    above.flat,
    { ...devfile, parent: reference },
    { parent: parent.source, child: source },
  );
  return {
    flat: merged.flat,
    faults: [...inParent(parent.source, above.faults), ...merged.faults],
  };
}

/** Reads the parent of a file, or returns why it cannot be used. */
async function readParent(
  reader: Pick<DevfileTextReader, 'read'>,
  uri: string | undefined,
  child: ChainedDevfile,
  signal: AbortSignal | undefined,
): Promise<
  | (ChainedDevfile & { ok: true; source: string })
  | { ok: false; faults: DevfileFault[] }
> {
  const fail = (message: string, path = ['parent', 'uri']) => ({
    ok: false as const,
    faults: [{ path, message }],
  });
  if (uri === undefined) {
    const message =
      'only a parent by uri is supported, not by id or kubernetes';
    return fail(message, ['parent']);
  }
  try {
    const url = parseDevfileUrl(uri, 'the parent', child.url);
    const source = displayUrl(url);
    const chain = [...child.chain, child.url.href];
    if (chain.includes(url.href)) {
      return fail(`${source} is its own parent`);
    }
    if (chain.length > MAX_PARENT_DEPTH) {
      return fail(`there are more than ${MAX_PARENT_DEPTH} levels of parents`);
    }
    const parsed = parseDevfile(await reader.read(url, { signal }));
    return parsed.ok
      ? { ...parsed, url, source, chain }
      : { ok: false, faults: inParent(source, parsed.faults) };
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }
    return fail(error.message);
  }
}

/** Returns a signal that aborts with `signal`, or at one deadline for a devfile and all its parents. */
export function deadline(
  { timeoutMs }: Pick<DevfileTextReader, 'timeoutMs'>,
  signal?: AbortSignal,
): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

function atUrl(text: string, url: URL): DevfileText {
  return { text, url, complete: devfile => withSourceProject(devfile, url) };
}

/** Converts an InputError to an inspection with its message as the only issue; rethrows other errors. */
export function unreadable(error: unknown): DevfileInspection {
  if (!(error instanceof InputError)) {
    throw error;
  }
  const issues = [{ path: '', message: error.message }];
  return { devfile: null, issues, warnings: [], text: null };
}

/** Returns the devfile of an inspection. @throws InputError listing up to five issues if it is invalid. */
export function demandDevfile(inspection: DevfileInspection): LoadedDevfile {
  const { devfile, issues, text, warnings } = inspection;
  if (devfile && text !== null) {
    return { devfile, warnings, text };
  }
  const listed = issues.slice(0, MAX_ISSUES_IN_ERROR).map(formatIssue);
  const rest = issues.length - listed.length;
  const more = rest > 0 ? `; and ${rest} more` : '';
  throw new InputError(`devfile is invalid: ${listed.join('; ')}${more}`);
}
