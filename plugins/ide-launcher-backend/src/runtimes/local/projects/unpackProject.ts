import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError } from '@backstage/errors';
import { AddressRules } from '@slipway/platform-guards';
import { DevfileFetch } from '../../../devfile/DevfileReader';
import { DevfileProject } from '../../../devfile/types';
import { giveAllToOwnerOf, placeProject } from '../files/ownFiles';
import { LocalRuntimeLimits } from '../options';
import { formatSeconds } from '../process/programs';
import { projectUrlFault } from './cloneProject';
import { extractArchive } from './extractArchive';

/** Parameters of fetching a project from an archive. */
interface UnpackRequest {
  project: Extract<DevfileProject, { type: 'zip' }>;
  /** Final folder of the project. */
  folder: string;
  /** Folder of the incomplete project, on the same file system. */
  incoming: string;
  archives: ArchiveSource;
  limits: Pick<LocalRuntimeLimits, 'cloneTimeoutMs' | 'cloneMaxBytes'>;
  signal: AbortSignal;
  onLine(line: string): void;
}

/** The maximum number of files in an archive: as many as the largest public repositories have. */
const MAX_ENTRIES = 200_000;

class TooLargeError extends Error {}

/**
 * Fetches an archive and extracts it. The project appears in its folder completely or not at
 * all.
 *
 * @returns null on success, otherwise the reason, as the end of a sentence.
 * @throws the signal's reason when it aborts.
 */
export async function unpackProject(
  request: UnpackRequest,
): Promise<string | null> {
  const { project, incoming, limits } = request;
  const fault = projectUrlFault(project.location);
  if (fault) {
    return fault;
  }
  const draft = path.join(incoming, project.name);
  const archive = `${draft}.zip`;
  const timeout = AbortSignal.timeout(limits.cloneTimeoutMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  try {
    await rm(draft, { recursive: true, force: true });
    await rm(archive, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    return await unpack(request, { draft, archive, signal });
  } catch (error) {
    request.signal.throwIfAborted();
    if (timeout.aborted) {
      return `it timed out after ${formatSeconds(limits.cloneTimeoutMs)}`;
    }
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(archive, { force: true });
  }
}

async function unpack(
  { project, folder, incoming, archives, limits, onLine }: UnpackRequest,
  {
    draft,
    archive,
    signal,
  }: Record<'draft' | 'archive', string> & {
    signal: AbortSignal;
  },
): Promise<string | null> {
  const maxBytes = limits.cloneMaxBytes;
  onLine(`Fetching ${project.location}`);
  const body = await archives.open(project.location, signal);
  if (typeof body === 'string') {
    return body;
  }
  const fault = await save(body, archive, { maxBytes, signal });
  if (fault) {
    return fault;
  }
  const leftOut = await extractArchive({
    archive,
    folder: draft,
    limits: { maxBytes, maxEntries: MAX_ENTRIES },
    signal,
  });
  if (typeof leftOut === 'string') {
    return leftOut;
  }
  if (leftOut > 0) {
    onLine(`${leftOut} links in the archive were skipped`);
  }
  await giveAllToOwnerOf(incoming, draft);
  return placeProject({ draft, subDir: project.subDir, folder });
}

/** Writes a body to a file. Does not trust the size declared by the server. */
async function save(
  body: Readable,
  file: string,
  options: { maxBytes: number; signal: AbortSignal },
): Promise<string | null> {
  const { maxBytes, signal } = options;
  try {
    await pipeline(
      body,
      async function* bounded(chunks: AsyncIterable<Buffer>) {
        let length = 0;
        for await (const chunk of chunks) {
          length += chunk.length;
          if (length > maxBytes) {
            throw new TooLargeError();
          }
          yield chunk;
        }
      },
      createWriteStream(file, { flags: 'wx', mode: 0o600 }),
      { signal },
    );
    return null;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof TooLargeError
      ? `it is larger than ${Math.round(maxBytes / 1024 ** 2)} MiB`
      : 'the answer ended too early';
  }
}

/** A source of archives. */
export interface ArchiveSource {
  /**
   * Returns the archive's bytes, or why it cannot or must not be read, as the end of a
   * sentence.
   *
   * @throws the signal's reason when it aborts.
   */
  open(address: string, signal: AbortSignal): Promise<Readable | string>;
}

/** Reads archives according to the address rules of devfiles, with every redirect and address checked. */
export class RuledArchiveSource implements ArchiveSource {
  readonly #fetch: DevfileFetch;

  constructor(options: { rules: AddressRules; ca?: string[] }) {
    this.#fetch = new DevfileFetch(options);
  }

  async open(address: string, signal: AbortSignal): Promise<Readable | string> {
    try {
      const { body } = await this.#fetch.get(new URL(address), signal);
      return body;
    } catch (error) {
      signal.throwIfAborted();
      return error instanceof InputError
        ? error.message
        : `${new URL(address).host} cannot be reached`;
    }
  }
}
