import path from 'node:path';
import { repositoryRoot } from './layout.ts';
import {
  ACCEPTED_LICENCES,
  findUnaccepted,
  readInstalled,
  REVIEWED_PACKAGES,
} from './licences.ts';

// Reads only installed packages, so it works without a network.

const installed = readInstalled(path.join(repositoryRoot, 'node_modules'));
const unaccepted = findUnaccepted(installed, {
  accepted: ACCEPTED_LICENCES,
  reviewed: REVIEWED_PACKAGES,
});
for (const { name, version, licence } of unaccepted) {
  process.stderr.write(
    `${name}@${version}: ${licence ?? 'no licence named'} is not accepted\n`,
  );
}
process.stdout.write(
  `${installed.length} packages looked at, ${unaccepted.length} under a licence that is not accepted\n`,
);
process.exitCode = unaccepted.length > 0 ? 1 : 0;
