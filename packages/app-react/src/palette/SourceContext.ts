import {
  type AnyRouteRefParams,
  type ApiHolder,
  type ApiRef,
  type RouteRef,
  routeResolutionApiRef,
  type SubRouteRef,
  type TranslationFunction,
  type TranslationRef,
  translationApiRef,
} from '@backstage/frontend-plugin-api';

/** Services of the app for palette sources, which cannot use hooks. */
export interface SourceContext {
  /** @throws Error if the app has no such API. */
  api<T>(ref: ApiRef<T>): T;
  /** Returns the address of a page, or undefined if the app does not have it. */
  href<P extends AnyRouteRefParams>(
    ref: RouteRef<P> | SubRouteRef<P>,
    ...params: P extends undefined ? [] : [P]
  ): string | undefined;
  /** Loads the texts of a plugin in the user's language. */
  texts<M extends Record<string, string>>(
    ref: TranslationRef<string, M>,
  ): Promise<TranslationFunction<M>>;
}

/** Creates the context of sources from the APIs of an app. */
export function createSourceContext(apis: ApiHolder): SourceContext {
  const api = <T>(ref: ApiRef<T>): T => {
    const found = apis.get(ref);
    if (!found) {
      throw new Error(`The app has no API '${ref.id}'`);
    }
    return found;
  };
  return {
    api,
    href: (ref, ...[params]) => {
      const path = api(routeResolutionApiRef).resolve(ref);
      return (path as ((given?: unknown) => string) | undefined)?.(params);
    },
    texts: ref =>
      new Promise((resolve, reject) => {
        const snapshot = api(translationApiRef).getTranslation(ref);
        if (snapshot.ready) {
          resolve(snapshot.t);
          return;
        }
        const subscription = api(translationApiRef)
          .translation$(ref)
          .subscribe({
            next(next) {
              if (next.ready) {
                resolve(next.t);
                // Deferred because the first value may arrive before `subscription` is assigned.
                queueMicrotask(() => subscription.unsubscribe());
              }
            },
            error: reject,
          });
      }),
  };
}
