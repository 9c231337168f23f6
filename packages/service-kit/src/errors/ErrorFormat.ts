import type { TSchema } from 'typebox';
import type { Fault } from './Fault.ts';

/**
 * How a service words its errors. Groups B1/B2 and C have one each in here; a service
 * with another contract brings its own.
 */
export interface ErrorFormat {
  /** The schema of the body, for the OpenAPI description. */
  readonly schema: TSchema;
  /**
   * The body of an error answer.
   *
   * @param context.status - of the answer.
   * @param context.now - when it is given.
   */
  render(fault: Fault, context: { status: number; now: Date }): unknown;
}
