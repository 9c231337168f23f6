export { sanitiseName } from './address';
export {
  chooseRevision,
  chooseStarterProject,
  chosenStarterProject,
  describeRevisionChange,
  GIT_REVISION,
} from './chooseProjects';
export * from './DevfileLoader';
export { formatIssue } from './issue';
export { DevfileReader } from './DevfileReader';
export * from './repository/RepositoryLoader';
export { RepositoryReader } from './repository/RepositoryReader';
export * from './types';
