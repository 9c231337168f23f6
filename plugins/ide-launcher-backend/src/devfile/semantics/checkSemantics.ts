import { DevfileFault } from '../issue';
import { RawDevfile } from '../schema/devfile';
import { checkCommandComponents, checkGroupDefaults } from './checkCommands';
import {
  checkCompositeCycles,
  checkCompositeReferences,
} from './checkComposites';
import {
  checkEndpointNames,
  checkEndpointPaths,
  checkTargetPorts,
} from './checkEndpoints';
import { checkEnvironment } from './checkEnvironment';
import { checkEvents } from './checkEvents';
import { checkMetadata } from './checkMetadata';
import { checkNames } from './checkNames';
import {
  checkClonePaths,
  checkProjectSources,
  checkSubDirs,
} from './checkProjects';
import { checkQuantities } from './checkQuantities';
import { checkVolumeMounts } from './checkVolumes';

const CHECKS: readonly ((devfile: RawDevfile) => DevfileFault[])[] = [
  checkMetadata,
  checkNames,
  checkVolumeMounts,
  checkEndpointNames,
  checkTargetPorts,
  checkEndpointPaths,
  checkQuantities,
  checkEnvironment,
  checkCommandComponents,
  checkCompositeReferences,
  checkCompositeCycles,
  checkGroupDefaults,
  checkEvents,
  checkProjectSources,
  checkClonePaths,
  checkSubDirs,
];

/**
 * Checks what the devfile specification demands and its schema cannot say. Run
 * on a devfile whose parent is merged in and whose variables are replaced.
 */
export function checkSemantics(devfile: RawDevfile): DevfileFault[] {
  return CHECKS.flatMap(check => check(devfile));
}
