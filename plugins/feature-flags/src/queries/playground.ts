import { useServiceQuery } from '@slipway/app-react';
import { flagsApiRef } from '../api/FlagsApi';
import type { EnvironmentDraft, FlagName } from '../api/flags';
import type { TableQuery } from '../api/playground';

/** Evaluates a flag for a context in an environment. */
export function useTryOut(
  flag: FlagName,
  query: {
    environment: string;
    context: Record<string, unknown>;
    draft?: EnvironmentDraft;
  },
) {
  return useServiceQuery(
    flagsApiRef,
    ['try-out', flag.project, flag.name, query],
    (api, call) => api.tryOut(flag, query, call),
    { placeholderData: before => before },
  );
}

/** Evaluates all flags of a query; idle while it is undefined. */
export function useFlagTable(query: TableQuery | undefined) {
  return useServiceQuery(
    flagsApiRef,
    ['flag-table', query],
    (api, call) => api.evaluateFlags(query!, call),
    { enabled: query !== undefined },
  );
}

/** Parses the fields of a context, one `name=value` per line. */
export function readFields(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('\n').flatMap(line => {
      const at = line.indexOf('=');
      const name = line.slice(0, at).trim();
      return at > 0 && name ? [[name, line.slice(at + 1).trim()]] : [];
    }),
  );
}
