export { findProductionFaults } from './findProductionFaults.ts';
export type { ProductionFault } from './findProductionFaults.ts';
