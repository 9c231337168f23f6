import { readFileSync, writeFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';

/**
 * Writes the certificate authorities git is to trust. Git's own setting
 * replaces the system's authorities, so the file holds those beside the extra
 * ones.
 */
export function writeGitCaBundle(extraFile: string, bundleFile: string): void {
  const certificates = [
    ...new Set([
      ...getCACertificates('bundled'),
      ...getCACertificates('system'),
      readFileSync(extraFile, 'utf8'),
    ]),
  ];
  writeFileSync(bundleFile, `${certificates.join('\n')}\n`, { mode: 0o600 });
}
