import type { Job } from '../jobs/Job.ts';

/** The properties of a sample job. */
export interface SampleJob {
  readonly name: string;
  /** Entity reference of the group whose members may trigger it. */
  readonly owner: string;
  /** The service that its builds deploy. */
  readonly service: string;
  /** The repository it claims to build; nothing is checked out. */
  readonly repository: string;
}

/** The branch whose tests pass. */
const MAIN = 'main';

/**
 * Creates a job that can be run but builds nothing: its steps are defined by the server and do not
 * use the properties sent by clients. Builds of branches other than main fail.
 */
export function sampleJobOf({ name, owner, service }: SampleJob): Job {
  return {
    name,
    owner,
    description: 'Sample job: runs and builds nothing; main succeeds',
    parameters: [
      {
        name: 'BRANCH',
        description: 'The branch to build',
        default: MAIN,
      },
    ],
    steps: [
      { name: 'Check out', run: 'echo "Checked out $BRANCH"' },
      {
        name: 'Test',
        run: [
          'sleep 1',
          `if [ "$BRANCH" != ${MAIN} ]; then`,
          '  echo "AssertionError: expected 200, received 500"',
          '  echo "1 of 48 tests failed"',
          '  exit 1',
          'fi',
          'echo "48 tests passed"',
        ].join('\n'),
      },
      { name: 'Package', run: 'echo "Packaged build $BUILD_NUMBER"' },
      { name: 'Deploy', run: 'echo "Deployed build $BUILD_NUMBER"' },
    ],
    // The version that the imported builds of the demo have.
    deployment: { service, environment: 'prod', version: '1.{number}.0' },
  };
}
