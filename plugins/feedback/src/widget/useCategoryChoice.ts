import { useState } from 'react';
import { useOptions } from '../data/useFeedback';

/** The service's own defaults, while it does not say what is configured. */
const DEFAULTS = ['UI/UX', 'Performance', 'Documentation', 'CI/CD', 'Other'];

/** What feedback can be about, and what was chosen of it. */
export function useCategoryChoice() {
  const { data, isError, isFetching, refetch } = useOptions();
  const [chosen, setChosen] = useState<string>();
  const categories = data?.categories ?? DEFAULTS;
  return {
    categories,
    // What was chosen of the defaults may turn out not to be configured.
    value:
      chosen !== undefined && categories.includes(chosen)
        ? chosen
        : categories[0],
    choose: setChosen,
    /** True if the configured categories could not be read. */
    isGuessed: isError && !data,
    isReading: isFetching,
    retry: () => void refetch(),
  };
}
