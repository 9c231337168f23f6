import { Readable } from 'node:stream';
import { ArchiveSource } from '../projects/unpackProject';

/** Archives in memory, by their address. */
export class FakeArchiveSource implements ArchiveSource {
  readonly archives = new Map<string, Buffer>();

  async open(address: string): Promise<Readable | string> {
    const bytes = this.archives.get(address);
    return bytes ? Readable.from([bytes]) : `${address} answered 404`;
  }
}
