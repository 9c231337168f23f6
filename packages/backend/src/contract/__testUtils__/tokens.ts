/** Service tokens of the portal under test, beside those of development, which it has as well. */
export const TOKENS = {
  /** Those of development. */
  service: 'dev-service-token',
  catalogOnly: 'dev-catalog-token',
  /** Reads everything, changes nothing. */
  reader: 'contract-reader-token',
  /** Has one permission of one plugin. */
  lister: 'contract-lister-token',
  /** For the test that uses up a whole minute. */
  busy: 'contract-busy-token',
} as const;

const READ = { permissionAttribute: { action: 'read' } };

/** What `backend.auth.externalAccess` has for them. */
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
