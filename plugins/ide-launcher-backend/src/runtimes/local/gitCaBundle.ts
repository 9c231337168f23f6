import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';

/**
 * Writes the certificate authorities git is to trust. Git's own setting
 * replaces the system's authorities, so the file holds those beside the extra
 * ones.
 */
export function writeGitCaBundle(extraFile: string, bundleFile: string): void {
  writeFileSync(bundleFile, `${trustedWith(extraFile).join('\n')}\n`);
  // Certificates are no secret, and workspaces may run as users of their own.
  chmodSync(bundleFile, 0o644);
}

/** The authorities that Node.js and the system trust, and those of a file. */
export function trustedWith(extraFile: string): string[] {
  return [
    ...new Set([
      ...getCACertificates('bundled'),
      ...getCACertificates('system'),
      readFileSync(extraFile, 'utf8'),
    ]),
  ];
}
