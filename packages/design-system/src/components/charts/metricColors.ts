/**
 * Numbers of the chart colours of metrics that more than one page draws, so that each has one
 * colour in the whole product.
 */
export const METRIC_COLORS = {
  deploymentFrequency: 1,
  leadTime: 2,
  changeFailureRate: 3,
  timeToRestore: 4,
  recoveryTime: 5,
  reworkRate: 6,
  buildSuccessRate: 7,
} as const;
