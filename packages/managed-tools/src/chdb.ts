import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { InstallStep, ManagedTool } from './ManagedTool.ts';
import { lockedPackagesStep, type LockedPackage } from './npmSteps.ts';

const VERSION = '3.4.0';
const ENTRY_POINT = 'entry.cjs';

/** chDB, its native library and their dependencies, with reviewed checksums. */
const PACKAGES: Readonly<Record<string, LockedPackage>> = {
  chdb: {
    version: VERSION,
    integrity:
      'sha512-HMNj4dq3lIrwqxwGSuuEjo9EIlC+k8IjsSQHh1ZStGvV6MRckfvPM2aDqzdW1ti3fldrt9UIntJBm0AbV9nbDQ==',
  },
  '@chdb/lib-linux-x64-gnu': {
    version: '26.7.3-stable.1',
    integrity:
      'sha512-XP97mMqnc5tZpKQywR8N7cLTsHNiTmHr30pC5mzo3jWmukjKn2IBa60c2B/gWUNcuFjOMjWoorQICCqBVj5wpw==',
  },
  '@clickhouse/client-common': {
    version: '1.23.0',
    integrity:
      'sha512-OkuxPkQ+ph8CCrt/4DYBvlJ9D9Q9q7FwvP8FdwER+7UDNO3jN4Ee6SZl9iLupKJIvKeuS68+x86ZyqFuHdPK3g==',
  },
  'node-addon-api': {
    version: '6.1.0',
    integrity:
      'sha512-+eawOlIgy680F0kBzPUNFhMZGtJ1YmqM6l4+Crf4IkImjYrO/mqPwRMh352g23uIaQKFItcQ64I7KMaJxHgAVA==',
  },
  'node-gyp-build': {
    version: '4.8.4',
    integrity:
      'sha512-LA4ZjwlnUblHVgq0oBF3Jl/6h/Nvs5fzBLwdEF4nuxnFdsfajde4WfxtJr3CaiH+F6ewcIB/q4jQ4UzPyid+CQ==',
  },
};

/**
 * The program of the version check: runs a query with the library's native part, which fails on
 * incompatible machines, then prints the version.
 */
const ENTRY = `'use strict';
const chdb = require('chdb');
module.exports = chdb;
if (require.main === module) {
  chdb.query('SELECT 1', 'CSV');
  console.log(require('chdb/package.json').version);
}
`;

const writeEntryPoint: InstallStep = {
  id: 'entry-point',
  title: 'Checking chDB',
  weight: 1,
  run: ({ folder }) => writeFile(path.join(folder, ENTRY_POINT), ENTRY),
};

/**
 * chDB, ClickHouse as a library. Only supports platforms whose native part has a reviewed checksum.
 */
export const chdb: ManagedTool = {
  name: 'chdb',
  title: 'chDB',
  version: VERSION,
  platforms: ['linux-x64'],
  nodeMajor: null,
  requiredBytes: 2 * 1024 ** 3,
  entryPoint: ENTRY_POINT,
  steps: [
    lockedPackagesStep(PACKAGES, {
      title: 'Downloading chDB',
      weight: 99,
    }),
    writeEntryPoint,
  ],
  versionArguments: [],
};
