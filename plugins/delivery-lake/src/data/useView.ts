import { useMemo } from 'react';
import {
  type DayRange,
  resolvePeriod,
  todayIn,
  useUrlFilters,
} from '@slipway/design-system';
import type { LakeQuery } from '../api/DeliveryLakeApi';
import { type Scope, parseScope, scopeQuery } from './scope';
import { useLakeStatus } from './useLake';

/** What a page shows, as its URL says. */
export interface View {
  scope: Scope | undefined;
  /** The period as written in the URL. */
  periodText: string;
  period: DayRange;
  /** Both as parameters of a request. */
  query: LakeQuery;
}

/** Scope and period of the URL, which all pages share. */
export function useView(): View {
  const { values } = useUrlFilters({ scope: '', period: '' });
  // Days begin where the lake says; until it does, a day early or late is no harm.
  const timeZone = useLakeStatus().data?.timeZone ?? 'UTC';
  const today = todayIn(timeZone);
  const { scope: scopeText, period: periodText } = values;
  return useMemo(() => {
    const scope = parseScope(scopeText);
    const period = resolvePeriod(periodText, today);
    return {
      scope,
      periodText,
      period,
      query: { ...scopeQuery(scope), ...period },
    };
  }, [scopeText, periodText, today]);
}
