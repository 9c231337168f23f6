export { DEVELOPMENT_CREDENTIALS } from './developmentCredentials.ts';
export { findProductionFaults } from './findProductionFaults.ts';
export type { ProductionFault } from './findProductionFaults.ts';
