export * from './DevfileLoader';
export { generateWorkspaceName, sanitiseName } from './names';
export { AddressGuard, type AddressGuardOptions } from './read/AddressGuard';
export { DevfileReader, type DevfileReaderOptions } from './read/DevfileReader';
export { parseQuantity } from './semantics/quantity';
export * from './types';
