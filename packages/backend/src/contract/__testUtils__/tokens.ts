/**
 * Service tokens of the portal under test, including the development ones, which it also accepts.
 */
export const TOKENS = {
  /** A development token. */
  service: 'dev-service-token',
  catalogOnly: 'dev-catalog-token',
  /** Can read everything, but change nothing. */
  reader: 'contract-reader-token',
  /** Has a single permission of one plugin. */
  lister: 'contract-lister-token',
  /** Serves the test that uses up the limit of a minute. */
  busy: 'contract-busy-token',
} as const;

const READ = { permissionAttribute: { action: 'read' } };

/** Their entries in `backend.auth.externalAccess`. */
export const externalAccess: object[] = [
  staticAccess(TOKENS.service),
  staticAccess(TOKENS.busy),
  staticAccess(TOKENS.catalogOnly, [{ plugin: 'catalog' }]),
  staticAccess(TOKENS.reader, [
    { plugin: 'ide-launcher', ...READ },
    { plugin: 'delivery-lake', ...READ },
    { plugin: 'catalog', ...READ },
  ]),
  staticAccess(TOKENS.lister, [
    { plugin: 'ide-launcher', permission: 'ide-launcher.workspace.read' },
  ]),
];

function staticAccess(token: string, accessRestrictions?: object[]): object {
  return {
    type: 'static',
    options: { token, subject: `${token}-subject` },
    ...(accessRestrictions && { accessRestrictions }),
  };
}
