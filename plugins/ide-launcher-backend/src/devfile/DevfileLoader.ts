import { InputError } from '@backstage/errors';
import { DevfileIssue } from '@slipway/plugin-ide-launcher-common';
import { parseDevfileUrl, withSourceProject } from './address';
import { DevfileReader } from './DevfileReader';
import { DevfileFault, formatIssue, MAX_ISSUES, toIssue } from './issue';
import { normalizeDevfile } from './normalizeDevfile';
import { locateFault } from './parent/mergeParent';
import { ParentResolver } from './parent/ParentResolver';
import { parseDevfile } from './parseDevfile';
import { MergedDevfile } from './schema/devfile';
import { checkSemantics } from './semantics/checkSemantics';
import { Devfile } from './types';
import { substituteVariables } from './substituteVariables';

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
  readonly #parents: ParentResolver;

  constructor(options: { reader: DevfileTextReader }) {
    this.#reader = options.reader;
    this.#parents = new ParentResolver(options);
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
      return fail(parsed.faults);
    }

    const resolved = await this.#parents.resolve(parsed.devfile, url, signal);
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
