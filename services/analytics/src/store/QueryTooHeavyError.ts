import { InvalidRequestError } from '@slipway/service-kit';

/** 400: a query that takes longer, or more memory, than one query may. */
export class QueryTooHeavyError extends InvalidRequestError {
  constructor(cause?: unknown) {
    super('The query takes too long: ask for a shorter period or less of it', {
      field: 'query',
      constraint: 'cost',
      cause,
    });
  }
}
