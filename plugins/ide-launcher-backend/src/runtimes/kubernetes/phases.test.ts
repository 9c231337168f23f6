import { DevWorkspace } from './objects/types';
import { readState } from './phases';

function make(
  status: DevWorkspace['status'],
  parts: { started?: boolean; deletionTimestamp?: string } = {},
): DevWorkspace {
  const { deletionTimestamp, started = true } = parts;
  return {
    apiVersion: 'workspace.devfile.io/v1alpha2',
    kind: 'DevWorkspace',
    metadata: { name: 'shop', deletionTimestamp },
    spec: { started },
    status,
  };
}

const failedStart = {
  type: 'FailedStart',
  status: 'True',
  reason: 'BadRequest',
  message: 'Container tools has no image',
};

describe('readState', () => {
  it.each([
    [undefined, true, 'Starting'],
    [undefined, false, 'Stopped'],
    ['Starting', true, 'Starting'],
    ['Running', true, 'Running'],
    ['Stopping', false, 'Stopping'],
    ['Terminating', false, 'Stopping'],
    ['Failing', true, 'Stopping'],
    ['Failed', false, 'Stopped'],
    ['Error', false, 'Stopped'],
    ['Stopped', false, 'Stopped'],
  ])('maps phase %s (started: %s) to %s', (phase, started, status) => {
    expect(readState(make({ phase }, { started })).status).toBe(status);
  });

  it('treats objects that are being deleted as stopping, whatever their phase', () => {
    const leaving = make(
      { phase: 'Running', mainUrl: 'http://ide/' },
      { deletionTimestamp: '2026-11-21T10:00:00Z' },
    );
    expect(readState(leaving)).toEqual({
      status: 'Stopping',
      failure: null,
      mainUrl: null,
    });
  });

  it('handles a running workspace without an address', () => {
    expect(readState(make({ phase: 'Running' }))).toEqual({
      status: 'Running',
      failure: null,
      mainUrl: null,
    });
  });

  it.each(['Failing', 'Failed'])('reports the cause while %s', phase => {
    const state = readState(
      make({
        phase,
        message: 'Stopped',
        conditions: [
          { type: 'DeploymentReady', status: 'False', message: 'Waiting' },
          failedStart,
        ],
      }),
    );
    expect(state.failure).toBe('BadRequest: Container tools has no image');
  });

  it('finds a cause where the condition for it is missing', () => {
    const conditions = [
      { type: 'Started', status: 'False', message: 'Stopped due to error' },
      { type: 'StorageReady', status: 'False', message: 'No storage class' },
    ];
    expect(readState(make({ phase: 'Failed', conditions })).failure).toBe(
      'No storage class',
    );
    expect(readState(make({ phase: 'Failed', message: 'Oops' })).failure).toBe(
      'Oops',
    );
    expect(readState(make({ phase: 'Failed' })).failure).toBe(
      'The workspace failed, and the cluster does not say why',
    );
  });

  it('does not repeat a reason that the message names', () => {
    const condition = {
      ...failedStart,
      reason: 'ImagePullBackOff',
      message: 'Error: ImagePullBackOff of example.org/tools',
    };
    expect(
      readState(make({ phase: 'Failed', conditions: [condition] })).failure,
    ).toBe('Error: ImagePullBackOff of example.org/tools');
  });
});
