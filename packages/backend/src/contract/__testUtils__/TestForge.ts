import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Forge } from '@slipway/e2e/src/Forge.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';

const FIXTURES = path.join(__dirname, '../../../../e2e/fixtures');

/** Serves descriptors and devfiles for portals to read: as a forge, and from a local directory. */
export class TestForge {
  /** Without a trailing slash. */
  readonly url: string;
  /** File with the certificate authority of the forge. */
  readonly caFile: string;
  /** Absolute path of the directory from which files may be registered. */
  readonly folder: string;
  readonly #directory: string;
  readonly #server: Server;

  private constructor(options: {
    url: string;
    caFile: string;
    folder: string;
    directory: string;
    server: Server;
  }) {
    this.url = options.url;
    this.caFile = options.caFile;
    this.folder = options.folder;
    this.#directory = options.directory;
    this.#server = options.server;
  }

  static async start(): Promise<TestForge> {
    const directory = mkdtempSync(path.join(tmpdir(), 'contract-forge-'));
    const folder = path.join(directory, 'descriptors');
    cpSync(path.join(FIXTURES, 'descriptors'), folder, { recursive: true });
    const [port] = await findFreePorts(1);
    const forge = await Forge.create({
      directory: path.join(directory, 'forge'),
      fixtures: FIXTURES,
    });
    const { caFile } = forge;
    const server = await forge.listen(port);
    const url = `https://localhost:${port}`;
    return new TestForge({ url, caFile, folder, directory, server });
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
