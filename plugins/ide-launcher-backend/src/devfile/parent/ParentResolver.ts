import { InputError } from '@backstage/errors';
import { DevfileFault, inParent } from '../issue';
import { displayUrl, parseDevfileUrl } from '../address';
import { DevfileReader } from '../DevfileReader';
import { parseDevfile } from '../parseDevfile';
import { RawDevfile } from '../schema/devfile';
import { FlatDevfile, mergeParent, ownOrigins } from './mergeParent';

/** The maximum number of ancestors of a devfile. */
export const MAX_PARENT_DEPTH = 5;

/** A devfile with its parents merged; `faults` lists the failures. */
export interface ResolveResult {
  flat: FlatDevfile;
  faults: DevfileFault[];
}

interface Place {
  url: URL;
  /** Null for the devfile itself, otherwise the address as shown in messages. */
  source: string | null;
  /** Addresses from the devfile itself to this one. */
  chain: readonly string[];
}

/**
 * Reads the parents of a devfile with the same guarded reader and merges them according to the
 * devfile specification.
 */
export class ParentResolver {
  readonly #reader: Pick<DevfileReader, 'read'>;

  constructor(options: { reader: Pick<DevfileReader, 'read'> }) {
    this.#reader = options.reader;
  }

  /**
   * Resolves the chain of parents.
   *
   * @param devfile - A devfile of valid shape.
   * @param url - Its address, the base of relative parent URLs.
   * @param signal - Aborts reading.
   */
  async resolve(
    devfile: RawDevfile,
    url: URL,
    signal?: AbortSignal,
  ): Promise<ResolveResult> {
    return this.#resolve(
      devfile,
      { url, source: null, chain: [url.href] },
      signal,
    );
  }

  async #resolve(
    child: RawDevfile,
    place: Place,
    signal: AbortSignal | undefined,
  ): Promise<ResolveResult> {
    const { parent: reference, ...own } = child;
    const alone: FlatDevfile = {
      devfile: own,
      origins: ownOrigins(child, place.source),
    };
    if (!reference) {
      return { flat: alone, faults: [] };
    }

    const read = await this.#readParent(reference.uri, place, signal);
    if (!read.ok) {
      return { flat: alone, faults: read.faults };
    }
    const { place: parentPlace, source } = read;
    const above = await this.#resolve(read.devfile, parentPlace, signal);
    const merged = mergeParent(
      above.flat,
      { ...child, parent: reference },
      { parent: source, child: place.source },
    );
    return {
      flat: merged.flat,
      faults: [...inParent(source, above.faults), ...merged.faults],
    };
  }

  async #readParent(
    uri: string | undefined,
    place: Place,
    signal: AbortSignal | undefined,
  ): Promise<
    | { ok: true; devfile: RawDevfile; place: Place; source: string }
    | { ok: false; faults: DevfileFault[] }
  > {
    const fail = (path: string[], message: string) => ({
      ok: false as const,
      faults: [{ path, message }],
    });
    if (uri === undefined) {
      return fail(
        ['parent'],
        'only a parent by uri is supported, not by id or kubernetes',
      );
    }
    try {
      const url = parseDevfileUrl(uri, 'the parent', place.url);
      const source = displayUrl(url);
      if (place.chain.includes(url.href)) {
        return fail(['parent', 'uri'], `${source} is its own parent`);
      }
      if (place.chain.length > MAX_PARENT_DEPTH) {
        return fail(
          ['parent', 'uri'],
          `there are more than ${MAX_PARENT_DEPTH} levels of parents`,
        );
      }
      const parent = parseDevfile(await this.#reader.read(url, { signal }));
      if (!parent.ok) {
        return { ok: false, faults: inParent(source, parent.faults) };
      }
      const chain = [...place.chain, url.href];
      return {
        ok: true,
        devfile: parent.devfile,
        place: { url, source, chain },
        source,
      };
    } catch (error) {
      if (!(error instanceof InputError)) {
        throw error;
      }
      return fail(['parent', 'uri'], error.message);
    }
  }
}
