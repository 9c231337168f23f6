import { UnknownTypeError } from '@slipway/cluster-client';

/** The cluster does not support DevWorkspaces. */
export class OperatorMissingError extends UnknownTypeError {
  constructor() {
    super(
      'The cluster knows no DevWorkspaces: an admin must install the DevWorkspace Operator',
    );
  }
}
