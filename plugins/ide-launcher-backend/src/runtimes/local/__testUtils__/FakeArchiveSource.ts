import { Readable } from 'node:stream';
import { ArchiveSource } from '../projects/unpackProject';

/** A source of archives in memory, by address. */
export class FakeArchiveSource implements ArchiveSource {
  readonly archives = new Map<string, Buffer>();

  async open(address: string): Promise<Readable | string> {
    const bytes = this.archives.get(address);
    return bytes ? Readable.from([bytes]) : `${address} answered 404`;
  }
}
