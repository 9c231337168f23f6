import { UnauthenticatedError } from '../errors/index.ts';
import type { AddressBudgets } from '../limits/AddressBudgets.ts';
import type { ServiceApp } from './ServiceApp.ts';

/**
 * Counts what handlers of routes with `limit: 'refusals'` refuse for want of a valid
 * credential against the address that it came from, and answers 429 once its minute is
 * used up. What they take counts for nothing, whoever else is at the address.
 */
export function countRefusals(
  app: ServiceApp,
  addresses: AddressBudgets,
): void {
  app.addHook('onRoute', route => {
    if (route.config?.limit !== 'refusals') {
      return;
    }
    const { handler } = route;
    route.handler = async function counted(request, reply) {
      try {
        return await handler.call(this, request, reply);
      } catch (error) {
        if (error instanceof UnauthenticatedError) {
          await addresses.count(request, reply);
        }
        throw error;
      }
    };
  });
}
