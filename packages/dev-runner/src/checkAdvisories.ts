import { spawnSync } from 'node:child_process';
import { readAudit } from './readAudit.ts';
import { repositoryRoot } from './layout.ts';

// Queries the package registry for advisories of severity high or above about production
// dependencies. The check does not fail if the registry publishes no advisories, as is common with
// mirrors. `npmAuditIgnoreAdvisories` in .yarnrc.yml lists the reviewed ones.

const { status, stdout, stderr } = spawnSync(
  'yarn',
  [
    ...['npm', 'audit', '--json', '--all', '--recursive'],
    ...['--environment', 'production', '--severity', 'high'],
  ],
  { cwd: repositoryRoot, encoding: 'utf8', timeout: 120_000 },
);
const audit = readAudit({ status, stdout, stderr });
if (audit.answered) {
  for (const { name, severity, issue, url } of audit.advisories) {
    process.stderr.write(`${name}: ${severity}, ${issue} ${url}\n`);
  }
  process.stdout.write(
    `${audit.advisories.length} advisories of severity high or above\n`,
  );
  process.exitCode = audit.advisories.length > 0 ? 1 : 0;
} else {
  process.stdout.write(
    `Advisories were not checked: the package registry is not responding (${audit.reason})\n`,
  );
}
