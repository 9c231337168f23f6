import { spawnSync } from 'node:child_process';
import { readAudit } from './readAudit.ts';
import { repositoryRoot } from './layout.ts';

// Asks the package registry for advisories of severity high and above about what runs in
// production. A registry that publishes none, as mirrors often do, fails no check.
// `npmAuditIgnoreAdvisories` of .yarnrc.yml names those that were reviewed.

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
    `Advisories were not checked: the package registry does not answer (${audit.reason})\n`,
  );
}
